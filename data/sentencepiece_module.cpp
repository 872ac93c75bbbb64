#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <iostream>
#include <new>

#include "data/sentencepiece.h"

namespace softalign {
namespace {

class Model : public SentencePieceModel {
 public:
  bool load(const std::string& bytes) {
    return processor_.LoadFromSerializedProto(bytes).ok() && processor_.status().ok();
  }

  std::vector<Token> encode(const std::string& text) const override {
    const auto encoded = processor_.EncodeAsImmutableProto(text);
    std::vector<Token> tokens;
    tokens.reserve(encoded.pieces_size());
    for (const auto& piece : encoded.pieces()) tokens.push_back({piece.id(), piece.piece()});
    return tokens;
  }

  std::vector<int64_t> encode_ids(const std::string& text) const override {
    const std::vector<int> ids = processor_.EncodeAsIds(text);
    return {ids.begin(), ids.end()};
  }

  std::vector<Entry> vocabulary() const override {
    std::vector<Entry> entries;
    for (int id = 0; id < processor_.GetPieceSize(); ++id) {
      const bool is_ordinary =
          !processor_.IsControl(id) && !processor_.IsUnknown(id) && !processor_.IsUnused(id);
      entries.push_back({processor_.IdToPiece(id), double{processor_.GetScore(id)}, is_ordinary});
    }
    return entries;
  }

  std::array<int64_t, 4> special_ids() const override {
    return {processor_.pad_id(), processor_.unk_id(), processor_.bos_id(), processor_.eos_id()};
  }

 private:
  sentencepiece::SentencePieceProcessor processor_;
};

class Lines : public sentencepiece::SentenceIterator {
 public:
  explicit Lines(const std::function<std::optional<std::string>()>& next)
      : next_(next), line_(next()) {}

  bool done() const override { return !line_; }
  void Next() override { line_ = next_(); }
  const std::string& value() const override { return *line_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  const std::function<std::optional<std::string>()>& next_;
  std::optional<std::string> line_;
};

/// Seeing its own symbols first, this module and SentencePiece use the std::cerr inside libstdc++.
/// Where the program took a copy of that object (a copy relocation), only the copy has been
/// constructed, and the first message of SentencePiece would crash.
void construct_cerr() {
  if (*reinterpret_cast<void* const*>(&std::cerr) == nullptr)
    new (&std::cerr) std::ostream(nullptr);
}

class Library : public SentencePieceLibrary {
 public:
  Library() { construct_cerr(); }

  std::unique_ptr<SentencePieceModel> load(const std::string& bytes) const override {
    auto model = std::make_unique<Model>();
    if (!model->load(bytes)) return nullptr;
    return model;
  }

  Trained train(const std::unordered_map<std::string, std::string>& options,
                const std::function<std::optional<std::string>()>& next,
                uint64_t seed) const override {
    constexpr uint64_t kSeedMask = 0x7FFFFFFF;  // all bits set would mean a seed of the machine's
    sentencepiece::SetRandomGeneratorSeed(static_cast<uint32_t>(seed & kSeedMask));
    Lines lines(next);
    Trained trained;
    const auto status = sentencepiece::SentencePieceTrainer::Train(options, &lines, &trained.bytes);
    if (!status.ok()) trained = {{}, status.ToString()};
    return trained;
  }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) const SentencePieceLibrary&
softalign_sentencepiece() {
  static const Library library;
  return library;
}

}  // namespace softalign
