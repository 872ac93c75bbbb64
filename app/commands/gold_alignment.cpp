#include "app/commands/gold_alignment.h"

#include <algorithm>

#include "data/error.h"
#include "data/file.h"
#include "data/unicode.h"

namespace softalign {
namespace {

using Lines = std::vector<std::string>;

constexpr size_t kLinesPerChunk = 512;  // whose weights are in memory at once

void check_links(const NamedLines& file, size_t line, const std::vector<Link>& links,
                 size_t source_count, size_t target_count) {
  for (const Link& link : links) {
    if (link.source < static_cast<int64_t>(source_count) &&
        link.target < static_cast<int64_t>(target_count))
      continue;
    throw error_at(file.path, static_cast<int64_t>(line) + 1,
                   "the link " + format_alignment({link}) +
                       " points beside the words: the source has " + std::to_string(source_count) +
                       ", the target " + std::to_string(target_count) +
                       ", counted from 0. The source's word comes first in a link; --source-words "
                       "and --target-words name the tokenised text that the links count");
  }
}

std::vector<int64_t> words_of(const Subword& subword, const std::string& text,
                              const std::string& words) {
  return subword.words_of_pieces(subword.encode_pieces(clean_text(text)), clean_text(words));
}

Lines slice(const Lines& lines, size_t begin, size_t end) {
  return {lines.begin() + static_cast<std::ptrdiff_t>(begin),
          lines.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

GoldAlignment read_gold_alignment(const std::filesystem::path& file, const NamedLines& source,
                                  const NamedLines& reference,
                                  const std::filesystem::path& source_words,
                                  const std::filesystem::path& target_words) {
  GoldAlignment gold;
  gold.source_words = source_words.empty() ? source : read_named_lines(source_words);
  gold.target_words = target_words.empty() ? reference : read_named_lines(target_words);
  require_same_count(source, gold.source_words);
  require_same_count(reference, gold.target_words);
  const NamedLines links{file, read_lines(file)};
  require_same_count(source, links);
  for (size_t i = 0; i < links.lines.size(); ++i) {
    try {
      gold.links.push_back(parse_alignment(links.lines[i]));
    } catch (const Error& error) {
      throw error_at(file, static_cast<int64_t>(i) + 1, error.what());
    }
    check_links(links, i, gold.links.back(), split_words(gold.source_words.lines[i]).size(),
                split_words(gold.target_words.lines[i]).size());
  }
  return gold;
}

std::vector<std::vector<Link>> predicted_links(Translator& translator, const NamedLines& source,
                                               const NamedLines& reference,
                                               const GoldAlignment& gold,
                                               TranslateOptions options) {
  options.attention = true;
  std::vector<std::vector<Link>> predicted;
  for (size_t begin = 0; begin < source.lines.size(); begin += kLinesPerChunk) {
    const size_t end = std::min(source.lines.size(), begin + kLinesPerChunk);
    const std::vector<Scored> scored = translator.score(
        slice(source.lines, begin, end), slice(reference.lines, begin, end), options);
    for (size_t i = begin; i < end; ++i) {
      const auto source_words =
          words_of(translator.source_subword(), source.lines[i], gold.source_words.lines[i]);
      const auto target_words =
          words_of(translator.target_subword(), reference.lines[i], gold.target_words.lines[i]);
      const auto& attention = scored[i - begin].pair.best().attention;
      predicted.push_back(hard_alignment(word_weights(attention, target_words, source_words)));
    }
  }
  return predicted;
}

AlignmentScore score_alignment(Translator& translator, const NamedLines& source,
                               const NamedLines& reference, const GoldAlignment& gold,
                               const TranslateOptions& options) {
  return alignment_error_rate(predicted_links(translator, source, reference, gold, options),
                              gold.links);
}

}  // namespace softalign
