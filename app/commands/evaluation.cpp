#include "app/commands/evaluation.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/log.h"
#include "data/unicode.h"

namespace softalign {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kBucketSize = 10;
constexpr size_t kBuckets = 7;

std::string bleu_line(const BleuScore& bleu) {
  std::string line = "BLEU|" + bleu.signature + " = " + fixed(bleu.score, 2);
  for (size_t n = 0; n < bleu.precisions.size(); ++n)
    line += (n == 0 ? ' ' : '/') + fixed(bleu.precisions[n], 1);
  const double ratio = bleu.reference_length == 0 ? 0
                                                  : static_cast<double>(bleu.hypothesis_length) /
                                                        static_cast<double>(bleu.reference_length);
  return line + " (BP = " + fixed(bleu.brevity_penalty, 3) + " ratio = " + fixed(ratio, 3) +
         " hyp_len = " + std::to_string(bleu.hypothesis_length) +
         " ref_len = " + std::to_string(bleu.reference_length) + ")\n";
}

std::string chrf_line(const ChrfScore& chrf) {
  return "chrF2|" + chrf.signature + " = " + fixed(chrf.score, 2) + "\n";
}

std::string right_aligned(const std::string& text, int64_t width) {
  const int64_t missing = width - display_width(text);
  return std::string(static_cast<size_t>(std::max<int64_t>(missing, 0)), ' ') + text;
}

std::string length_table(const std::vector<Evaluation::Bucket>& buckets) {
  std::string table = "BLEU by length of the source:\n";
  const auto add_row = [&](const std::array<std::string, 4>& cells) {
    table += right_aligned(cells[0], 13) + right_aligned(cells[1], 11) +
             right_aligned(cells[2], 8) + right_aligned(cells[3], 8) + "\n";
  };
  add_row({"source pieces", "sentences", "BLEU", "chrF2"});
  for (const Evaluation::Bucket& bucket : buckets) {
    const std::string range =
        bucket.last ? std::to_string(bucket.first) + "–" + std::to_string(*bucket.last)
                    : std::to_string(bucket.first) + " or more";
    add_row({range, grouped(bucket.sentences), fixed(bucket.bleu.score, 2),
             fixed(bucket.chrf.score, 2)});
  }
  return table;
}

std::string signed_fixed(double value) { return (value >= 0 ? "+" : "") + fixed(value, 2); }

std::string comparison_lines(const Evaluation::Comparison& comparison) {
  const BootstrapResult& bootstrap = comparison.bootstrap;
  return "B = " + comparison.name + "\n" + bleu_line(comparison.bleu) + chrf_line(comparison.chrf) +
         "B − A = " + signed_fixed(bootstrap.b - bootstrap.a) + " BLEU, 95 % interval " +
         signed_fixed(bootstrap.low) + " to " + signed_fixed(bootstrap.high) +
         ", p = " + fixed(bootstrap.p_value, 4) + " (paired bootstrap, " +
         grouped(bootstrap.resamples) + " resamples, seed " + std::to_string(comparison.seed) +
         ")\n";
}

std::string alignment_line(const AlignmentScore& alignment) {
  return "AER = " + fixed(100 * alignment.aer, 2) +
         " % (precision = " + fixed(100 * alignment.precision, 2) +
         " % recall = " + fixed(100 * alignment.recall, 2) +
         " % links = " + std::to_string(alignment.predicted) +
         " sure = " + std::to_string(alignment.sure) +
         " possible = " + std::to_string(alignment.possible) + ")\n";
}

Json bleu_json(const BleuScore& bleu) {
  return {{"score", bleu.score},
          {"precisions", bleu.precisions},
          {"brevity_penalty", bleu.brevity_penalty},
          {"hypothesis_length", bleu.hypothesis_length},
          {"reference_length", bleu.reference_length},
          {"signature", bleu.signature}};
}

Json chrf_json(const ChrfScore& chrf) {
  return {{"score", chrf.score}, {"signature", chrf.signature}};
}

}  // namespace

SentenceCounts count_sentences(const std::vector<std::string>& hypotheses,
                               const std::vector<std::string>& references,
                               const BleuOptions& options) {
  SentenceCounts counts;
  for (size_t i = 0; i < references.size(); ++i) {
    counts.bleu.push_back(bleu_statistics(hypotheses[i], references[i], options));
    counts.chrf.push_back(chrf_statistics(hypotheses[i], references[i], options.lowercase));
  }
  return counts;
}

BleuScore total_bleu(const SentenceCounts& counts, const BleuOptions& options) {
  BleuStatistics sum;
  for (const BleuStatistics& sentence : counts.bleu) sum += sentence;
  return bleu(sum, options);
}

ChrfScore total_chrf(const SentenceCounts& counts, const BleuOptions& options) {
  ChrfStatistics sum;
  for (const ChrfStatistics& sentence : counts.chrf) sum += sentence;
  return chrf(sum, options.lowercase);
}

std::vector<Evaluation::Bucket> by_length(const SentenceCounts& counts,
                                          const std::vector<int64_t>& lengths,
                                          const BleuOptions& options) {
  std::array<SentenceCounts, kBuckets> members;
  for (size_t i = 0; i < lengths.size(); ++i) {
    const auto bucket = static_cast<size_t>(std::max<int64_t>(lengths[i] - 1, 0) / kBucketSize);
    SentenceCounts& own = members[std::min(bucket, kBuckets - 1)];
    own.bleu.push_back(counts.bleu[i]);
    own.chrf.push_back(counts.chrf[i]);
  }
  std::vector<Evaluation::Bucket> buckets;
  for (size_t b = 0; b < kBuckets; ++b) {
    if (members[b].bleu.empty()) continue;
    Evaluation::Bucket bucket;
    bucket.first = b == 0 ? 0 : static_cast<int64_t>(b) * kBucketSize + 1;
    if (b + 1 < kBuckets) bucket.last = static_cast<int64_t>(b + 1) * kBucketSize;
    bucket.sentences = static_cast<int64_t>(members[b].bleu.size());
    bucket.bleu = total_bleu(members[b], options);
    bucket.chrf = total_chrf(members[b], options);
    buckets.push_back(bucket);
  }
  return buckets;
}

std::string to_text(const Evaluation& evaluation) {
  std::string text = bleu_line(evaluation.bleu) + chrf_line(evaluation.chrf);
  if (evaluation.perplexity)
    text +=
        "perplexity = " + fixed(*evaluation.perplexity, 4) + " (per target piece, </s> counted)\n";
  if (evaluation.token_accuracy)
    text += "token accuracy = " + fixed(100 * *evaluation.token_accuracy, 2) + " %\n";
  if (evaluation.alignment) text += alignment_line(*evaluation.alignment);
  if (!evaluation.by_length.empty()) text += length_table(evaluation.by_length);
  if (evaluation.comparison) text += comparison_lines(*evaluation.comparison);
  return text;
}

std::string to_json(const Evaluation& evaluation) {
  Json json{{"sentences", evaluation.sentences},
            {"bleu", bleu_json(evaluation.bleu)},
            {"chrf", chrf_json(evaluation.chrf)}};
  if (evaluation.perplexity) json["perplexity"] = *evaluation.perplexity;
  if (evaluation.token_accuracy) json["token_accuracy"] = *evaluation.token_accuracy;
  for (const Evaluation::Bucket& bucket : evaluation.by_length) {
    Json entry{{"first", bucket.first}, {"last", nullptr}};
    if (bucket.last) entry["last"] = *bucket.last;
    entry["unit"] = "source pieces";
    entry["sentences"] = bucket.sentences;
    entry["bleu"] = bucket.bleu.score;
    entry["chrf"] = bucket.chrf.score;
    json["by_length"].push_back(std::move(entry));
  }
  if (evaluation.alignment)
    json["alignment"] = {{"aer", evaluation.alignment->aer},
                         {"precision", evaluation.alignment->precision},
                         {"recall", evaluation.alignment->recall}};
  if (evaluation.comparison) {
    const Evaluation::Comparison& comparison = *evaluation.comparison;
    json["comparison"] = {{"bleu", bleu_json(comparison.bleu)},
                          {"chrf", chrf_json(comparison.chrf)},
                          {"difference", comparison.bootstrap.b - comparison.bootstrap.a},
                          {"low", comparison.bootstrap.low},
                          {"high", comparison.bootstrap.high},
                          {"p_value", comparison.bootstrap.p_value},
                          {"resamples", comparison.bootstrap.resamples},
                          {"seed", comparison.seed}};
  }
  return json.dump() + "\n";
}

}  // namespace softalign
