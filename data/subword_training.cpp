#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <unordered_map>

#include "data/error.h"
#include "data/sentencepiece.h"
#include "data/subword.h"
#include "data/unicode.h"

namespace softalign {
namespace {

/// False for text of which some normalisations leave nothing; the trainer ends the process if all
/// of it is like that.
bool has_text(std::string_view text) {
  constexpr std::u32string_view kNoText = U" \u200C\u200D\uFE0E\uFE0F\uFFFD";
  const std::vector<char32_t> characters = code_points(text);
  return std::any_of(characters.begin(), characters.end(), [kNoText](char32_t c) {
    return kNoText.find(c) == std::u32string_view::npos;
  });
}

/// The trainer leaves out text that looks like a special piece, so that "<" could stay without a
/// piece of its own; a space inside keeps its characters. And it leaves out whole lines with ▅
/// (U+2585), its sign for rare characters.
std::string without_reserved_text(std::string text) {
  constexpr std::string_view kRareSign = "\xe2\x96\x85";
  for (size_t i = text.find(kRareSign); i != std::string::npos; i = text.find(kRareSign, i)) {
    text.replace(i, kRareSign.size(), " ");
  }
  for (const std::string_view special : {"<pad>", "<unk>", "<s>", "</s>"}) {
    for (size_t i = text.find(special); i != std::string::npos; i = text.find(special, i)) {
      text.insert(i + 1, 1, ' ');
    }
  }
  return text;
}

std::string kind_name(SubwordKind kind) {
  switch (kind) {
    case SubwordKind::unigram:
      return "unigram";
    case SubwordKind::bpe:
      return "bpe";
    case SubwordKind::character:
      return "char";
  }
  return {};
}

std::string shortest_decimal(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::unordered_map<std::string, std::string> trainer_options(const SubwordConfig& config,
                                                             int64_t vocabulary_size) {
  return {{"model_type", kind_name(config.kind)},
          {"vocab_size", std::to_string(vocabulary_size)},
          {"hard_vocab_limit", "false"},  // otherwise a small corpus is an error
          {"character_coverage", shortest_decimal(config.character_coverage)},
          {"normalization_rule_name", config.normalization},
          {"split_digits", config.split_digits ? "true" : "false"},
          {"add_dummy_prefix", "true"},
          {"byte_fallback", "false"},
          {"pad_id", std::to_string(kPad)},
          {"unk_id", std::to_string(kUnk)},
          {"bos_id", std::to_string(kBos)},
          {"eos_id", std::to_string(kEos)},
          {"input_sentence_size", "0"},           // all lines
          {"max_sentence_length", "1073741824"},  // bytes; longer lines would be left out
          {"num_threads", "1"},                   // the same model everywhere
          {"minloglevel", "2"}};
}

/// The number after `mark` in a message of the trainer.
std::optional<int64_t> number_after(std::string_view message, std::string_view mark) {
  const size_t begin = message.find(mark);
  if (begin == std::string_view::npos) return std::nullopt;
  message.remove_prefix(begin + mark.size());
  int64_t number = 0;
  const auto result = std::from_chars(message.data(), message.data() + message.size(), number);
  return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

[[noreturn]] void fail_for_size(int64_t size, int64_t least) {
  throw Error("a vocabulary of " + std::to_string(size) +
              " pieces is too small for this text: its characters and the special pieces need " +
              "at least " + std::to_string(least) +
              "; raise the vocabulary size or lower the character coverage");
}

[[noreturn]] void fail_for_message(const SubwordConfig& config, const std::string& message) {
  if (const auto least = number_after(message, " vs ")) {
    fail_for_size(config.vocabulary_size, *least);
  }
  if (message.find("empty()") != std::string::npos) {
    throw Error("there is no text to learn a vocabulary from");
  }
  if (message.find("precompiled") != std::string::npos ||
      message.find("normalization") != std::string::npos ||
      message.find("No precompiled") != std::string::npos) {
    throw Error("unknown normalization '" + config.normalization +
                "'; expected nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf or identity");
  }
  throw Error("learning the vocabulary failed: " + message, Error::kMachine);
}

}  // namespace

Subword Subword::train(const SubwordConfig& config,
                       const std::function<std::optional<std::string>()>& next, uint64_t seed,
                       const std::function<void(const std::string&)>& note) {
  // For characters the trainer drops the rare ones beyond the size without a word, so they are
  // counted first and the limit is held afterwards.
  const bool all_characters = config.kind == SubwordKind::character;
  const int64_t size = all_characters ? int64_t{0x110000} : config.vocabulary_size;
  if (size > std::numeric_limits<int32_t>::max() || size < 1) {
    throw Error("a vocabulary of " + std::to_string(size) + " pieces is not possible");
  }
  const auto next_text = [&next] {
    std::optional<std::string> line = next();
    while (line && !has_text(*line = without_reserved_text(subword_text(*line)))) line = next();
    return line;
  };
  SentencePieceLibrary::Trained trained =
      sentencepiece_library().train(trainer_options(config, size), next_text, seed);
  if (!trained.failure.empty()) fail_for_message(config, trained.failure);
  Subword subword = from_bytes(std::move(trained.bytes), "the new vocabulary");
  if (subword.size() > config.vocabulary_size) {
    fail_for_size(config.vocabulary_size, subword.size());
  }
  if (subword.size() < config.vocabulary_size && note) {
    note("the vocabulary has " + std::to_string(subword.size()) + " pieces instead of " +
         std::to_string(config.vocabulary_size) + ": the text yields no more");
  }
  return subword;
}

}  // namespace softalign
