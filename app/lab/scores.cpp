#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/lab/experiments.h"
#include "app/lab/mathml.h"
#include "app/lab/text.h"
#include "app/lab/trainings.h"
#include "app/lab/verdicts.h"
#include "app/log.h"
#include "model/lab/cost.h"
#include "model/metrics/chrf.h"

namespace softalign {
namespace {

constexpr std::array<ScoreKind, 5> kScores{ScoreKind::dot, ScoreKind::scaled_dot,
                                           ScoreKind::general, ScoreKind::additive,
                                           ScoreKind::concat};
constexpr int64_t kBatch = 16, kLength = 25;
constexpr double kMebibyte = 1048576;

std::string name_of_score(ScoreKind score) { return std::string(name_of(kScoreNames, score)); }

std::string formula() {
  using namespace mathml;
  const std::string s = sub(b("s"), i("t")), h = sub(b("h"), i("i")), T = o("⊤");
  const auto line = [](const std::string& name, const std::string& what) {
    return "<mtr><mtd style=\"text-align:right\"><mtext>" + name +
           "</mtext></mtd><mtd style=\"text-align:left\">" + row(what) + "</mtd></mtr>";
  };
  const std::string v = sup(b("v"), T), W = i("W"), U = i("U");
  return display("<mtable>" + line("dot", s + o("·") + h) +
                 line("scaled dot", row(s + o("·") + h) + o("/") + root(i("d"))) +
                 line("general", s + o("·") + W + h + o("/") + root(i("d"))) +
                 line("additive", v + f("tanh") + in_brackets(W + s + o("+") + U + h)) +
                 line("concat", v + f("tanh") + in_brackets(W + o("[") + s + o(";") + h + o("]"))) +
                 "</mtable>");
}

/// Threads of the measured operations; the old number comes back at the end of the scope.
class OneThread {
 public:
  OneThread() : before_(at::get_num_threads()) { at::set_num_threads(1); }
  ~OneThread() { at::set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

void measure_widths(const LabOptions& options, Report& report) {
  const OneThread one;
  const double seconds = options.quick ? 0.01 : 0.3;
  const std::vector<double> widths = powers_of_two(
      16, std::max<int64_t>(options.largest_d.value_or(options.quick ? 256 : 1024), 16));
  Table costs{
      "scores-cost",
      {"Parameters and floating-point operations of the forward pass, for " +
           std::to_string(kBatch) + " sentences of " + std::to_string(kLength) +
           " positions and as many steps, and the memory that forward and backward pass hold "
           "at most.",
       "前向计算的参数量与浮点运算量（" + std::to_string(kBatch) + " 句，各 " +
           std::to_string(kLength) + " 个位置、" + std::to_string(kLength) +
           " 步），以及前向加反向所占内存的峰值。"},
      {{"d", same("$d$"), 0},
       {"score", {"score", "打分"}, 0},
       {"parameters", {"parameters", "参数量"}, 0},
       {"mflop", {"MFLOP", "MFLOP"}, 2},
       {"peak_mib", {"memory, MiB", "内存（MiB）"}, 2}},
      {}};
  Table times{
      "scores-time",
      {"Time of forward and backward pass in milliseconds, one thread, the shortest of several "
       "runs.",
       "前向加反向的时间（毫秒），单线程，取多次运行中最短的一次。"},
      {{"d", same("$d$"), 0}},
      {}};
  Plot plot{"scores-time",
            {"Time of forward and backward pass against the width of the states, one thread.",
             "前向加反向的时间随状态宽度的变化，单线程。"},
            {{"width $d$", "宽度 $d$"}, Scale::logarithmic, {}, {}, {}},
            {{"milliseconds", "毫秒"}, Scale::logarithmic, {}, {}, {}},
            {}};
  std::map<ScoreKind, std::vector<double>> took;
  for (const ScoreKind score : kScores) {
    times.columns.push_back({name_of_score(score) + "_ms", same(name_of_score(score)), 3, true});
    plot.series.push_back({same(name_of_score(score)), {}, Series::Style::line});
  }
  times.columns.push_back({"additive_to_dot", {"additive/dot", "additive/dot"}, 2, true});
  for (const double width : widths) {
    const auto d = static_cast<int64_t>(width);
    std::vector<Cell> row{width};
    for (size_t k = 0; k < kScores.size(); ++k) {
      const ScoreCost cost = measure_score(kScores[k], d, kBatch, kLength, kLength, seconds);
      const double milliseconds = 1000 * cost.whole.seconds;
      took[kScores[k]].push_back(milliseconds);
      row.emplace_back(milliseconds);
      plot.series[k].points.push_back(point(width, milliseconds));
      if (d == 64 || d == 256 || width == widths.back())
        costs.rows.push_back({width, same(name_of_score(kScores[k])),
                              static_cast<double>(cost.parameters), cost.flops / 1e6,
                              static_cast<double>(cost.whole.peak_bytes) / kMebibyte});
    }
    row.emplace_back(took[ScoreKind::additive].back() / took[ScoreKind::dot].back());
    times.rows.push_back(std::move(row));
  }
  std::vector<double> ratios;
  for (size_t k = 0; k < widths.size(); ++k)
    ratios.push_back(took[ScoreKind::additive][k] / took[ScoreKind::dot][k]);
  report.verdicts.push_back(judge_speed(widths, ratios));
  report.blocks.push_back(std::move(plot));
  report.blocks.push_back(std::move(times));
  report.blocks.push_back(std::move(costs));
}

void measure_lengths(const LabOptions& options, Report& report) {
  const OneThread one;
  constexpr int64_t kWidth = 128;
  Table table{
      "scores-length",
      {"Time (ms) and memory (MiB) at $d$ = " + std::to_string(kWidth) +
           " against the length of source and target. dot makes one number for every pair of "
           "positions, additive a vector of $d$ of them.",
       "$d$ = " + std::to_string(kWidth) +
           " 时，时间（毫秒）与内存（MiB）随源句与目标句长度的变化。dot "
           "对每一对位置只产生一个数，additive "
           "则产生一个 $d$ 维向量。"},
      {{"length", {"length", "长度"}, 0},
       {"dot_ms", {"dot, time", "dot 时间"}, 3, true},
       {"additive_ms", {"additive, time", "additive 时间"}, 3, true},
       {"dot_mib", {"dot, memory", "dot 内存"}, 2},
       {"additive_mib", {"additive, memory", "additive 内存"}, 2}},
      {}};
  Plot plot{"scores-memory",
            {"Peak memory of forward and backward pass at $d$ = " + std::to_string(kWidth) + ".",
             "前向加反向的内存峰值，$d$ = " + std::to_string(kWidth) + "。"},
            {{"length of source and target", "源句与目标句长度"}, Scale::logarithmic, {}, {}, {}},
            {same("MiB"), Scale::logarithmic, {}, {}, {}},
            {{same("dot"), {}, Series::Style::line}, {same("additive"), {}, Series::Style::line}}};
  for (const double length : powers_of_two(8, options.quick ? 32 : 128)) {
    const auto n = static_cast<int64_t>(length);
    const double seconds = options.quick ? 0.01 : 0.3;
    const ScoreCost dot = measure_score(ScoreKind::dot, kWidth, kBatch, n, n, seconds);
    const ScoreCost additive = measure_score(ScoreKind::additive, kWidth, kBatch, n, n, seconds);
    const auto mib = [](const ScoreCost& cost) {
      return static_cast<double>(cost.whole.peak_bytes) / kMebibyte;
    };
    table.rows.push_back(
        {length, 1000 * dot.whole.seconds, 1000 * additive.whole.seconds, mib(dot), mib(additive)});
    plot.series[0].points.push_back(point(length, mib(dot)));
    plot.series[1].points.push_back(point(length, mib(additive)));
  }
  report.blocks.push_back(std::move(plot));
  report.blocks.push_back(std::move(table));
}

void measure_quality(Trainings& trainings, Report& report) {
  report.blocks.push_back(Heading{{"What they learn, at equal budget", "同等预算下学得如何"}});
  Table table{"scores-quality",
              {"The same translator with each score: the same sentences, epochs and seed. BLEU and "
               "chrF2 of "
               "greedy translations, alignment error rate (AER) of the attention.",
               "同一翻译模型换用各种打分：句子、轮数、随机种子都相同。贪心翻译的 BLEU 与 "
               "chrF2，注意力的对齐错误率（AER）。"},
              {{"score", {"score", "打分"}, 0},
               {"parameters", {"parameters", "参数量"}, 0},
               {"perplexity", {"perplexity", "困惑度"}, 3},
               {"bleu", same("BLEU"), 1},
               {"chrf", same("chrF2"), 1},
               {"aer", {"AER, %", "AER（%）"}, 1},
               {"training_seconds", {"training, s", "训练（秒）"}, 0, true}},
              {}};
  const std::vector<std::string>& references = trainings.corpus().test.references.lines;
  Plot plot{"scores-quality",
            {"BLEU at equal budget.", "同等预算下的 BLEU。"},
            {{"score", "打分"}, Scale::linear, {}, {}, {}},
            {same("BLEU"), Scale::linear, {}, {}, {}},
            {{same("BLEU"), {}, Series::Style::marks}}};
  for (const ScoreKind score : kScores) {
    const TrainedModel& trained = trainings.with_score(score);
    const double bleu_score = bleu(trained.translations, references).score;
    table.rows.push_back({same(trained.name), static_cast<double>(trained.parameters),
                          trained.epochs.back().perplexity, bleu_score,
                          chrf(trained.translations, references).score,
                          100 * trained.epochs.back().aer, trained.seconds});
    plot.series[0].points.push_back(
        point(static_cast<double>(plot.x.categories.size()), bleu_score));
    plot.x.categories.push_back(same(trained.name));
  }
  report.blocks.push_back(std::move(plot));
  report.blocks.push_back(std::move(table));
}

}  // namespace

Report run_scores(const LabOptions& options, Trainings& trainings) {
  Report report;
  report.name = "scores";
  report.title = {"Five scores compared", "五种打分的比较"};
  report.claim = {
      "An additive score has parameters and a tanh for every pair of positions; a dot product "
      "is one matrix product. So dot should be faster and smaller, at little cost in quality.",
      "加性打分有自己的参数，而且每一对位置都要算一次 "
      "tanh；点积只是一次矩阵乘法。所以点积应当更快、更省"
      "内存，质量上损失不大。"};
  report.formula = formula();
  report.measured = {
      "The program's own scores on random states: time of forward and backward pass on one thread, "
      "and the "
      "most memory that LibTorch's allocator had given out. Then each score in the same "
      "translator.",
      "在随机状态上运行本程序自己的各种打分：单线程前向加反向的时间，以及 LibTorch "
      "分配器同时给出的最大内存。"
      "然后把每种打分放进同一个翻译模型。"};
  measure_widths(options, report);
  measure_lengths(options, report);
  measure_quality(trainings, report);
  report.settings.push_back({{"sentences × length (time)", "句数 × 长度（计时）"},
                             std::to_string(kBatch) + " × " + std::to_string(kLength)});
  report.settings.push_back({{"training sentences", "训练句数"},
                             grouped(static_cast<int64_t>(trainings.corpus().train.pairs.size()))});
  report.settings.push_back(
      {{"epochs", "训练轮数"}, std::to_string(trainings.base().training.max_epochs)});
  add_common_settings(report, options);
  return report;
}

}  // namespace softalign
