#include <ATen/Parallel.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/commands/evaluation.h"
#include "app/lab/experiments.h"
#include "app/lab/mathml.h"
#include "app/lab/text.h"
#include "app/lab/trainings.h"
#include "app/lab/verdicts.h"
#include "app/log.h"
#include "data/unicode.h"
#include "model/lab/string_tasks.h"
#include "model/metrics/bootstrap.h"
#include "model/search/translator.h"

namespace softalign {
namespace {

constexpr int64_t kLeastSentences = 15;  // of a bucket that is drawn and judged
constexpr int64_t kResamples = 1000;

std::string formula() {
  using namespace mathml;
  const std::string p = i("p") + in_brackets(sub(i("y"), i("t")) + o("|") +
                                             sub(i("y"), row(o("<") + i("t"))) + o(",") + i("x"));
  const std::string fixed_vector = i("g") + in_brackets(sub(b("s"), i("t")) + o(",") + b("c"));
  const std::string soft = i("g") + in_brackets(sub(b("s"), i("t")) + o(",") + sum(i("i")) +
                                                sub(i("α"), i("ti")) + sub(b("h"), i("i")));
  const auto line = [&](const std::string& name, const std::string& what) {
    return "<mtr><mtd style=\"text-align:right\"><mtext>" + name +
           "</mtext></mtd><mtd style=\"text-align:left\">" + row(p + o("=") + what) +
           "</mtd></mtr>";
  };
  return display("<mtable>" + line("none", fixed_vector) + line("attention", soft) + "</mtable>");
}

std::vector<int64_t> source_lengths(Trainings& trainings) {
  std::vector<int64_t> lengths;
  for (const std::string& line : trainings.corpus().test.sources.lines)
    lengths.push_back(
        static_cast<int64_t>(trainings.vocabularies().source.encode(clean_text(line)).size()));
  return lengths;
}

std::string range_text(const Evaluation::Bucket& bucket) {
  return bucket.last ? std::to_string(std::max<int64_t>(bucket.first, 1)) + "–" +
                           std::to_string(*bucket.last)
                     : "≥ " + std::to_string(bucket.first);
}

bool holds(const Evaluation::Bucket& bucket, int64_t length) {
  return length >= bucket.first && (!bucket.last || length <= *bucket.last);
}

Gap gap_in(const Evaluation::Bucket& bucket, const std::vector<int64_t>& lengths,
           const std::vector<BleuStatistics>& none, const std::vector<BleuStatistics>& attention,
           uint64_t seed) {
  std::vector<BleuStatistics> a, b;
  for (size_t k = 0; k < lengths.size(); ++k) {
    if (!holds(bucket, lengths[k])) continue;
    a.push_back(none[k]);
    b.push_back(attention[k]);
  }
  const BootstrapResult result = paired_bootstrap(a, b, {}, kResamples, seed);
  return {result.b - result.a, result.low, result.high};
}

std::vector<ScoreKind> scores_compared(const LabOptions& options) {
  if (options.quick) return {ScoreKind::dot, ScoreKind::general, ScoreKind::additive};
  return {ScoreKind::dot, ScoreKind::scaled_dot, ScoreKind::general, ScoreKind::additive,
          ScoreKind::concat};
}

/// Bahdanau et al. 2015, figure 2, with this program's scores.
void measure_lengths(const LabOptions& options, Trainings& trainings, Report& report) {
  std::vector<ScoreKind> scores = scores_compared(options);
  scores.insert(scores.begin(), ScoreKind::none);
  const std::vector<std::string>& references = trainings.corpus().test.references.lines;
  const std::vector<int64_t> lengths = source_lengths(trainings);

  Table table{"bottleneck",
              {"BLEU by length of the source, in pieces. Buckets with fewer than " +
                   std::to_string(kLeastSentences) + " sentences are left out.",
               "按源句长度（子词数）统计的 BLEU。不足 " + std::to_string(kLeastSentences) +
                   " 句的区间略去。"},
              {{"pieces", {"pieces", "子词数"}, 0}, {"sentences", {"sentences", "句数"}, 0}},
              {}};
  Table gaps{
      "bottleneck-gap",
      {"BLEU with attention − BLEU without, and the 95 % interval of " + grouped(kResamples) +
           " paired bootstrap resamples (Koehn 2004), for the best score overall.",
       "有注意力的 BLEU − 没有注意力的 BLEU，及 " + grouped(kResamples) +
           " 次配对自助重采样（Koehn 2004）的 95 % 区间；取总分最好的打分。"},
      {{"pieces", {"pieces", "子词数"}, 0},
       {"difference", {"difference", "差"}, 2},
       {"low", {"from", "下限"}, 2},
       {"high", {"to", "上限"}, 2}},
      {}};
  Plot plot{"bottleneck",
            {"BLEU by source length: one fixed vector (none) against attention. Bahdanau et al. "
             "(2015), figure 2, remade.",
             "BLEU 随源句长度的变化：单个固定向量（none）与注意力。重现 Bahdanau 等（2015）图 2。"},
            {{"length of the source, in pieces", "源句长度（子词数）"}, Scale::linear, {}, {}, {}},
            {same("BLEU"), Scale::linear, 0, {}, {}},
            {}};
  std::vector<std::vector<BleuStatistics>> counts;
  std::vector<std::vector<Evaluation::Bucket>> buckets;
  size_t best = 1;
  double best_bleu = -1;
  for (size_t k = 0; k < scores.size(); ++k) {
    const TrainedModel& trained = trainings.with_score(scores[k]);
    const SentenceCounts all = count_sentences(trained.translations, references, {});
    counts.push_back(all.bleu);
    std::vector<Evaluation::Bucket> own = by_length(all, lengths, {});
    own.erase(std::remove_if(own.begin(), own.end(),
                             [](const auto& bucket) { return bucket.sentences < kLeastSentences; }),
              own.end());
    buckets.push_back(std::move(own));
    const double bleu_of_all = total_bleu(all, {}).score;
    if (k > 0 && bleu_of_all > best_bleu) {
      best = k;
      best_bleu = bleu_of_all;
    }
    table.columns.push_back({trained.name, same(trained.name), 1});
    Series series{same(trained.name), {}, Series::Style::line};
    for (size_t n = 0; n < buckets[k].size(); ++n)
      series.points.push_back(point(static_cast<double>(n), buckets[k][n].bleu.score));
    plot.series.push_back(std::move(series));
  }
  const std::string best_name = std::string(name_of(kScoreNames, scores[best]));
  Gap last;
  std::string last_range, parted;
  for (size_t n = 0; n < buckets.front().size(); ++n) {
    const Evaluation::Bucket& bucket = buckets.front()[n];
    std::vector<Cell> row{same(range_text(bucket)), static_cast<double>(bucket.sentences)};
    for (const auto& own : buckets) row.emplace_back(own[n].bleu.score);
    table.rows.push_back(std::move(row));
    plot.x.categories.push_back(same(range_text(bucket)));
    last = gap_in(bucket, lengths, counts.front(), counts[best], options.seed);
    last_range = range_text(bucket);
    if (parted.empty() && last.low > 0) parted = last_range;
    gaps.rows.push_back({same(last_range), last.difference, last.low, last.high});
  }
  report.verdicts.push_back(judge_bottleneck(best_name, last_range, last));
  report.blocks.push_back(std::move(plot));
  report.blocks.push_back(std::move(table));
  report.blocks.push_back(std::move(gaps));
  if (!parted.empty())
    report.blocks.push_back(Paragraph{
        {"The curves of none and " + best_name + " part at " + parted +
             " pieces: from there on the interval begins above 0.",
         "none 与 " + best_name + " 的曲线从 " + parted + " 个子词处分开：区间下限自此大于 0。"}});
}

/// Right letters by length for one kind of attention.
std::vector<double> learn_strings(const LabOptions& options, StringTask task, ScoreKind score,
                                  int64_t trained_length, int64_t longest) {
  const std::string name =
      std::string(name_of(kStringTaskNames, task)) + "-" + std::string(name_of(kScoreNames, score));
  spdlog::info("training {}", name);
  ExperimentConfig config;
  config.subword.source.kind = config.subword.target.kind = SubwordKind::character;
  config.subword.source.vocabulary_size = config.subword.target.vocabulary_size = 64;
  ModelConfig& model = config.model;
  model.encoder.hidden = model.decoder.hidden = 64;
  model.source_embedding = model.target_embedding = model.attention.state_size = 32;
  model.attention.score = score;
  TrainingConfig& training = config.training;
  training.optimizer.learning_rate = 0.006;
  training.schedule.kind = ScheduleKind::cosine;
  training.schedule.warmup_steps = 50;
  training.sampler.batch_tokens = 600;
  training.max_epochs = 0;
  training.max_steps = options.pick(options.steps, 1500, 500);
  training.seed = training.sampler.seed = options.seed;

  Corpus train, valid;
  train.pairs = string_pairs(task, 20'000, 1, trained_length, options.seed);
  valid.pairs = string_pairs(task, 100, 1, trained_length, options.seed + 1);
  std::vector<std::string> sources, targets;
  for (const SentencePair& pair : train.pairs) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  const TrainingData data{train, valid, train_pieces(config.subword.source, sources, options.seed),
                          train_pieces(config.subword.target, targets, options.seed), 100};
  const TrainedModel trained =
      train_for_lab(name, config, data, options.output / "models" / name, nullptr);

  Translator translator({trained.model}, data.source, data.target);
  TranslateOptions translate;
  translate.attention = false;
  std::vector<double> right;
  for (int64_t length = 1; length <= longest; ++length) {
    const std::vector<SentencePair> pairs =
        string_pairs(task, options.quick ? 40 : 100, length, length,
                     options.seed + 1000 + static_cast<uint64_t>(length));
    std::vector<std::string> lines;
    for (const SentencePair& pair : pairs) lines.push_back(pair.source);
    const std::vector<Translation> outputs = translator.translate(lines, translate);
    double sum = 0;
    for (size_t k = 0; k < pairs.size(); ++k)
      sum += letters_in_place(outputs[k].best().text, pairs[k].target);
    right.push_back(sum / static_cast<double>(pairs.size()));
  }
  return right;
}

double mean_beyond(const std::vector<double>& right, int64_t trained_length) {
  const auto first = right.begin() + static_cast<std::ptrdiff_t>(trained_length);
  return std::accumulate(first, right.end(), 0.0) / static_cast<double>(right.end() - first);
}

void measure_strings(const LabOptions& options, Report& report) {
  const int64_t trained_length = 10, longest = 20;
  report.blocks.push_back(Heading{{"Strings to copy and to reverse", "抄写与倒写字符串"}});
  report.blocks.push_back(Paragraph{
      {"Translation mixes many difficulties; this isolates one. A random string of up to " +
           std::to_string(trained_length) +
           " letters is to be written again, or backwards; then come "
           "strings of up to " +
           std::to_string(longest) + " letters, longer than any that was trained.",
       "翻译混杂了许多困难；这里只留下一个。把至多 " + std::to_string(trained_length) +
           " 个随机字母照抄或倒写；然后用至多 " + std::to_string(longest) +
           " 个字母的字符串来考它，比训练中见过的都长。"}});
  Table table{"bottleneck-strings",
              {"Share of letters in their place.", "位置正确的字母所占比例。"},
              {{"letters", {"letters", "字母数"}, 0}},
              {}};
  Plot plot{"bottleneck-strings",
            {"Share of letters in their place, by length; strings of more than " +
                 std::to_string(trained_length) + " letters were never trained.",
             "各长度上位置正确的字母比例；超过 " + std::to_string(trained_length) +
                 " 个字母的从未训练过。"},
            {{"letters", "字母数"}, Scale::linear, {}, {}, {}},
            {{"right letters", "正确比例"}, Scale::linear, 0, 1, {}},
            {}};
  std::vector<StringTask> tasks{StringTask::copy};
  if (!options.quick) tasks.push_back(StringTask::reverse);
  std::vector<std::vector<double>> columns;
  double none_beyond = 0, attention_beyond = 0;
  for (const StringTask task : tasks) {
    for (const ScoreKind score : {ScoreKind::none, ScoreKind::general}) {
      const std::vector<double> right =
          learn_strings(options, task, score, trained_length, longest);
      const bool is_copy = task == StringTask::copy;
      const std::string kind(name_of(kScoreNames, score));
      const Text name{std::string(is_copy ? "copy, " : "reverse, ") + kind,
                      std::string(is_copy ? "抄写，" : "倒写，") + kind};
      table.columns.push_back({std::string(name_of(kStringTaskNames, task)) + "_" + kind, name, 3});
      Series series{name, {}, Series::Style::line};
      for (size_t k = 0; k < right.size(); ++k)
        series.points.push_back(point(static_cast<double>(k + 1), right[k]));
      plot.series.push_back(std::move(series));
      (score == ScoreKind::none ? none_beyond : attention_beyond) +=
          mean_beyond(right, trained_length) / static_cast<double>(tasks.size());
      columns.push_back(right);
    }
  }
  plot.series.push_back({{"longest trained", "训练的最大长度"},
                         {point(static_cast<double>(trained_length) + 0.5, 0),
                          point(static_cast<double>(trained_length) + 0.5, 1)},
                         Series::Style::theory});
  for (int64_t length = 1; length <= longest; ++length) {
    std::vector<Cell> row{static_cast<double>(length)};
    for (const auto& column : columns) row.emplace_back(column[static_cast<size_t>(length - 1)]);
    table.rows.push_back(std::move(row));
  }
  report.verdicts.push_back(judge_strings(none_beyond, attention_beyond));
  report.blocks.push_back(std::move(plot));
  report.blocks.push_back(std::move(table));
}

}  // namespace

Report run_bottleneck(const LabOptions& options, Trainings& trainings) {
  Report report;
  report.name = "bottleneck";
  report.title = {"The bottleneck of one fixed vector", "固定向量的瓶颈"};
  report.claim = {
      "An encoder that has to press a sentence into one vector $c$ of fixed size loses more "
      "the longer the sentence is. Attention reads the source anew at every step, and doesn't.",
      "编码器若必须把整句压进一个固定大小的向量 "
      "$c$，句子越长丢失越多；注意力在每一步都重新读取源句，"
      "因此没有这个问题。"};
  report.formula = formula();
  report.measured = {
      "One translator for each kind of attention, and one without (none), alike in everything "
      "else, "
      "trained on the same sentences for the same number of epochs; BLEU of greedy translations of "
      "sentences that none of them has seen, by length of the source.",
      "每种注意力各训练一个翻译模型，另加一个没有注意力的（none）；其余完全相同，训练句子与轮数也相"
      "同。对它们都"
      "没见过的句子作贪心翻译，按源句长度统计 BLEU。"};
  measure_lengths(options, trainings, report);
  measure_strings(options, report);
  const ExperimentConfig& base = trainings.base();
  report.settings.push_back(
      {{"corpus", "语料"},
       trainings.corpus().description + ", " +
           grouped(static_cast<int64_t>(trainings.corpus().train.pairs.size()))});
  report.settings.push_back({{"epochs", "训练轮数"}, std::to_string(base.training.max_epochs)});
  report.settings.push_back(
      {{"width of the states", "状态宽度"}, std::to_string(base.model.decoder.hidden)});
  add_common_settings(report, options);
  return report;
}

}  // namespace softalign
