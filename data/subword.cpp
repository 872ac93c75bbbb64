#include "data/subword.h"

#include <algorithm>
#include <array>

#include "data/error.h"
#include "data/file.h"
#include "data/segmentation.h"
#include "data/sentencepiece.h"
#include "data/unicode.h"

namespace softalign {
namespace {

constexpr std::string_view kSpaceMark = "\xe2\x96\x81";  // ▁ U+2581, SentencePiece's space

constexpr std::array<std::string_view, 4> kSpecialPieces = {"<pad>", "<unk>", "<s>", "</s>"};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t i = text.find(from); i != std::string::npos; i = text.find(from, i + to.size())) {
    text.replace(i, from.size(), to);
  }
}

/// Reads the fields of a serialised protocol buffer, as far as a model's kind needs.
class ProtoReader {
 public:
  explicit ProtoReader(std::string_view bytes) : bytes_(bytes) {}

  struct Field {
    uint64_t number = 0;
    uint64_t value = 0;      // of a varint
    std::string_view bytes;  // of a string or message
  };

  /// The next field; nothing at the end or where the bytes are no protocol buffer.
  std::optional<Field> next() {
    if (bytes_.empty()) return std::nullopt;
    const uint64_t key = varint();
    Field field;
    field.number = key >> 3;
    switch (key & 7) {
      case 0:
        field.value = varint();
        break;
      case 1:
        skip(8);
        break;
      case 2:
        field.bytes = skip(varint());
        break;
      case 5:
        skip(4);
        break;
      default:
        damaged_ = true;
    }
    return damaged_ ? std::nullopt : std::optional(field);
  }

  bool damaged() const { return damaged_; }

 private:
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    damaged_ = true;
    return 0;
  }

  std::string_view skip(uint64_t size) {
    if (size > bytes_.size()) {
      damaged_ = true;
      return {};
    }
    const std::string_view skipped = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return skipped;
  }

  std::string_view bytes_;
  bool damaged_ = false;
};

/// ModelProto.trainer_spec.model_type of a serialised model; nothing if the bytes are none.
/// SentencePiece has no accessor for it, and ends the process on some damaged models.
std::optional<SubwordKind> kind_of(std::string_view bytes) {
  constexpr uint64_t kPiecesField = 1, kTrainerField = 2, kModelTypeField = 3;
  uint64_t type = 1;  // the default
  bool has_pieces = false, has_trainer = false;
  ProtoReader model(bytes);
  while (const auto field = model.next()) {
    has_pieces = has_pieces || field->number == kPiecesField;
    if (field->number != kTrainerField) continue;
    has_trainer = true;
    ProtoReader trainer(field->bytes);
    while (const auto option = trainer.next()) {
      if (option->number == kModelTypeField) type = option->value;
    }
    if (trainer.damaged()) return std::nullopt;
  }
  if (model.damaged() || !has_pieces || !has_trainer) return std::nullopt;
  if (type == 1) return SubwordKind::unigram;
  if (type == 2) return SubwordKind::bpe;
  if (type == 4) return SubwordKind::character;
  return std::nullopt;
}

/// The piece without SentencePiece's marks.
std::string surface_of(std::string_view piece) {
  std::string surface(piece);
  if (surface.compare(0, kSpaceMark.size(), kSpaceMark) == 0) surface.erase(0, kSpaceMark.size());
  replace_all(surface, kSpaceMark, " ");
  return surface;
}

bool starts_word(std::string_view piece) {
  return piece.substr(0, kSpaceMark.size()) == kSpaceMark;
}

/// Fills in `word` of each piece.
void count_words(std::vector<Piece>& pieces) {
  int64_t word = -1;
  bool word_is_empty = false;  // so far only the mark of its start
  bool previous_stands_alone = false;
  for (Piece& piece : pieces) {
    const std::vector<char32_t> characters = code_points(piece.surface);
    const bool stands_alone = !characters.empty() && is_written_without_spaces(characters.front());
    const bool starts =
        starts_word(piece.piece) || (!word_is_empty && (stands_alone || previous_stands_alone));
    if (word < 0 || starts) {
      ++word;
      word_is_empty = true;
    }
    word_is_empty = word_is_empty && characters.empty();
    previous_stands_alone = !characters.empty() && is_written_without_spaces(characters.back());
    piece.word = word;
  }
}

/// Removes double spaces and those at the ends: they come from left-out pieces.
std::string single_spaced(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

}  // namespace

std::string subword_text(std::string_view text) {
  std::string prepared = clean_text(text);
  replace_all(prepared, kSpaceMark, "_");
  return prepared;
}

struct Subword::Model {
  std::string bytes;
  SubwordKind kind = SubwordKind::unigram;
  std::unique_ptr<const SentencePieceModel> sentencepiece;
  std::vector<std::string> pieces;
  PieceTable table;
};

Subword Subword::load(const std::filesystem::path& path) {
  return from_bytes(read_bytes(path), path.string());
}

Subword Subword::from_bytes(std::string bytes, const std::string& name) {
  const auto kind = kind_of(bytes);
  auto model = std::make_shared<Model>();
  if (kind) model->sentencepiece = sentencepiece_library().load(bytes);
  if (!model->sentencepiece) {
    throw Error(name + " is not a SentencePiece model of kind unigram, bpe or char");
  }
  const auto [pad, unk, bos, eos] = model->sentencepiece->special_ids();
  if (pad != kPad || unk != kUnk || bos != kBos || eos != kEos) {
    throw Error(name + ": its special pieces are <pad> " + std::to_string(pad) + ", <unk> " +
                std::to_string(unk) + ", <s> " + std::to_string(bos) + ", </s> " +
                std::to_string(eos) + "; expected 0, 1, 2, 3");
  }
  model->kind = *kind;
  model->bytes = std::move(bytes);
  double least_score = 0;
  for (SentencePieceModel::Entry& entry : model->sentencepiece->vocabulary()) {
    if (entry.is_ordinary) {
      model->table.add(entry.piece, {static_cast<int64_t>(model->pieces.size()), entry.score});
      least_score = std::min(least_score, entry.score);
    }
    model->pieces.push_back(std::move(entry.piece));
  }
  constexpr double kUnknownPenalty = 10.0;  // SentencePiece's, so that the best one is the same
  model->table.unknown_score = least_score - kUnknownPenalty;
  model->table.unknown_id = kUnk;
  return Subword(std::move(model));
}

const std::string& Subword::bytes() const { return model_->bytes; }

std::string Subword::digest() const { return sha256(model_->bytes); }

int64_t Subword::size() const { return static_cast<int64_t>(model_->pieces.size()); }

std::vector<int64_t> Subword::encode(std::string_view text) const {
  return model_->sentencepiece->encode_ids(subword_text(text));
}

std::vector<Piece> Subword::encode_pieces(std::string_view text) const {
  std::vector<Piece> pieces;
  for (const auto& [id, piece] : model_->sentencepiece->encode(subword_text(text))) {
    pieces.push_back({id, piece, surface_of(piece), 0});
  }
  count_words(pieces);
  return pieces;
}

std::vector<int64_t> Subword::sample(std::string_view text, double alpha,
                                     std::mt19937_64& random) const {
  if (model_->kind == SubwordKind::character) return encode(text);
  std::string normalised;
  for (const auto& token : model_->sentencepiece->encode(subword_text(text))) {
    normalised += token.piece;
  }
  return model_->kind == SubwordKind::unigram
             ? sample_unigram(model_->table, normalised, alpha, random)
             : sample_bpe(model_->table, normalised, alpha, random);
}

std::string Subword::decode(const std::vector<int64_t>& ids,
                            const std::function<std::string(size_t position)>& unknown) const {
  std::string text;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == kUnk) {
      if (unknown) text += unknown(i);
    } else if (ids[i] > kEos) {
      std::string piece = model_->pieces.at(static_cast<size_t>(ids[i]));
      replace_all(piece, kSpaceMark, " ");
      text += piece;
    }
  }
  return single_spaced(text);
}

std::string Subword::piece(int64_t id) const {
  if (id >= 0 && id <= kEos) return std::string(kSpecialPieces[static_cast<size_t>(id)]);
  return model_->pieces.at(static_cast<size_t>(id));
}

}  // namespace softalign
