#include "model/search/source_text.h"

#include <algorithm>

#include "data/unicode.h"

namespace softalign {
namespace {

// SentencePiece's pieces have at most 16 characters of at most 4 bytes.
constexpr size_t kLongestPiece = 64;
constexpr std::string_view kSpace = "▁";

/// The first `bytes` bytes, or some fewer where that would split a character.
std::string_view first_bytes(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  const auto continues = [&](size_t at) { return (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80; };
  while (bytes > 0 && continues(bytes)) --bytes;
  return text.substr(0, bytes);
}

std::string shown(const Piece& piece) {
  if (piece.id != kUnk) return piece.piece;
  const bool starts_word = std::string_view(piece.piece).substr(0, kSpace.size()) == kSpace;
  return (starts_word ? std::string(kSpace) : std::string()) + piece.surface;
}

}  // namespace

SourceText read_source(const Subword& subword, const std::string& line, int64_t max_tokens) {
  SourceText source;
  source.text = repair_utf8(line);
  const auto limit = static_cast<size_t>(max_tokens);
  const std::string cleaned = clean_text(line);
  const std::string_view readable = first_bytes(cleaned, (limit + 1) * kLongestPiece);
  std::vector<Piece> pieces = subword.encode_pieces(readable);
  source.is_cut = readable.size() < cleaned.size() || pieces.size() > limit;
  if (pieces.size() > limit) pieces.resize(limit);
  if (pieces.empty()) return source;
  int64_t word = -1;
  for (const Piece& piece : pieces) {
    if (source.word_texts.empty() || piece.word != word) source.word_texts.emplace_back();
    word = piece.word;
    source.word_texts.back() += piece.surface;
    source.ids.push_back(piece.id);
    source.tokens.push_back(shown(piece));
    source.words.push_back(static_cast<int64_t>(source.word_texts.size()) - 1);
  }
  source.tokens.push_back(subword.piece(kEos));
  return source;
}

std::string word_looked_at(const SourceText& source, const std::vector<float>& weights) {
  std::vector<float> by_word(source.word_texts.size());
  for (size_t i = 0; i < source.words.size(); ++i)
    by_word[static_cast<size_t>(source.words[i])] += weights[i];
  const auto largest = std::max_element(by_word.begin(), by_word.end());
  if (largest == by_word.end() || *largest <= 0) return {};
  return source.word_texts[static_cast<size_t>(largest - by_word.begin())];
}

}  // namespace softalign
