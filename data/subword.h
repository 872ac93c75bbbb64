#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

/// Special ids, the same in every vocabulary.
constexpr int64_t kPad = 0, kUnk = 1, kBos = 2, kEos = 3;

enum class SubwordKind { unigram, bpe, character };

/// How one side's text becomes pieces. The names are those of the config's section `subword`.
struct SubwordConfig {
  SubwordKind kind = SubwordKind::unigram;
  int64_t vocabulary_size = 8000;   // an upper limit: small corpora give less, with a note
  double character_coverage = 1.0;  // share of characters that get a piece of their own
  std::string normalization =
      "nmt_nfkc";             // SentencePiece's rule: nmt_nfkc, nfkc, nmt_nfkc_cf, identity
  bool split_digits = false;  // every digit is a piece of its own
};

/// One piece of an encoded sentence and the text that it stands for.
struct Piece {
  int64_t id = kUnk;
  std::string piece;    // SentencePiece's form, with ▁ for a word's start
  std::string surface;  // the characters of the (normalised) sentence that it covers, no ▁
  int64_t word = 0;     // index of the word that it belongs to: words are separated by white
                        // space; in scripts without spaces every piece is a word of its own
};

/// The text as SentencePiece gets it, in training and later: clean_text, and "_" for ▁ (U+2581),
/// the sign that stands for a space inside SentencePiece and would cut a word in two.
std::string subword_text(std::string_view text);

/// A trained SentencePiece model. Copies share it; all functions are const and thread-safe.
class Subword {
 public:
  /// Trains on the lines that `next` returns until it returns nothing (they are cleaned by
  /// clean_text first). The vocabulary is at most config.vocabulary_size; `note` receives one
  /// sentence if it had to be smaller, with both numbers. Lines of any length count. Throws Error
  /// with the least possible size if the required characters don't fit, or if there is no text.
  static Subword train(const SubwordConfig& config,
                       const std::function<std::optional<std::string>()>& next, uint64_t seed,
                       const std::function<void(const std::string&)>& note);
  /// Throws Error naming the file if it is missing or not a model with our special ids.
  static Subword load(const std::filesystem::path& path);
  static Subword from_bytes(std::string bytes, const std::string& name);

  /// The serialised model, byte-identical after a round trip, and its SHA-256.
  const std::string& bytes() const;
  std::string digest() const;

  int64_t size() const;
  /// Ids without BOS and EOS. Text that looks like a special token is ordinary text.
  std::vector<int64_t> encode(std::string_view text) const;
  /// As `encode`, with the text of every piece.
  std::vector<Piece> encode_pieces(std::string_view text) const;
  /// For each piece the index of its word in `tokenised`, the same sentence with its words
  /// separated by spaces (a segmented Chinese line, say): characters are matched in order, white
  /// space is ignored, a piece that crosses a border counts for the word of its first character.
  std::vector<int64_t> words_of_pieces(const std::vector<Piece>& pieces,
                                       std::string_view tokenised) const;
  /// A random segmentation: subword regularisation for unigram (Kudo 2018; `alpha` is the inverse
  /// temperature over all segmentations), BPE-dropout for bpe (Provilkov et al. 2020; `alpha` is
  /// the drop probability). Uses only `random`; alpha in (0, 1].
  std::vector<int64_t> sample(std::string_view text, double alpha, std::mt19937_64& random) const;
  /// Detokenised text. Special ids are left out; `unknown(i)` gives the text for an UNK at
  /// position i (default: nothing).
  std::string decode(const std::vector<int64_t>& ids,
                     const std::function<std::string(size_t position)>& unknown = {}) const;
  /// The piece's text ("<pad>", "<unk>", "<s>", "</s>" for the special ones).
  std::string piece(int64_t id) const;

 private:
  struct Model;
  explicit Subword(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  std::shared_ptr<const Model> model_;
};

}  // namespace softalign
