#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace softalign {

/// A loaded SentencePiece model: what subword.cpp needs of it. Const functions are thread-safe.
class SentencePieceModel {
 public:
  struct Token {
    int64_t id = 0;
    std::string piece;  // of an unknown one: its text
  };
  struct Entry {
    std::string piece;
    double score = 0;
    bool is_ordinary = true;  // text can be cut into it: neither special nor unused
  };

  virtual ~SentencePieceModel() = default;
  virtual std::vector<Token> encode(const std::string& text) const = 0;
  virtual std::vector<int64_t> encode_ids(const std::string& text) const = 0;
  virtual std::vector<Entry> vocabulary() const = 0;
  /// <pad>, <unk>, <s>, </s>; −1 for one that the model hasn't.
  virtual std::array<int64_t, 4> special_ids() const = 0;
};

/// The SentencePiece library, kept away from LibTorch. Both bring a protobuf runtime of their own:
/// Debian's libsentencepiece 0.1.97 exports a built-in protobuf 3.14, Debian's libtorch uses
/// libprotobuf 3.21. In one program each takes functions of the other's and crashes before main.
/// So SentencePiece is linked to a module alone, libsoftalign_sentencepiece.so, that is loaded at
/// run time in a way that lets it see its own symbols first and nobody else see them.
class SentencePieceLibrary {
 public:
  virtual ~SentencePieceLibrary() = default;
  /// Nothing if the bytes are no model.
  virtual std::unique_ptr<SentencePieceModel> load(const std::string& bytes) const = 0;

  struct Trained {
    std::string bytes;    // empty if it failed
    std::string failure;  // the trainer's message
  };
  virtual Trained train(const std::unordered_map<std::string, std::string>& options,
                        const std::function<std::optional<std::string>()>& next,
                        uint64_t seed) const = 0;
};

/// Loads the module, which lies beside the program or in ../lib/softalign, unless it is loaded.
/// Throws Error(kMachine) if that fails.
const SentencePieceLibrary& sentencepiece_library();

}  // namespace softalign
