#include "model/attention/self_attention.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>

#include "app/lab/experiments.h"
#include "app/lab/mathml.h"
#include "app/lab/text.h"
#include "app/lab/trainings.h"
#include "app/lab/verdicts.h"
#include "app/log.h"
#include "model/attention/diagnostics.h"
#include "model/lab/cost.h"
#include "model/lab/fit.h"
#include "model/lab/products.h"
#include "model/lab/saturation.h"
#include "model/metrics/bootstrap.h"

namespace softalign {
namespace {

constexpr double kMebibyte = 1048576;

std::string formula() {
  using namespace mathml;
  const std::string Q = i("Q"), K = i("K"), V = i("V"), H = i("H");
  const auto projection = [&](const std::string& name, const std::string& X) {
    return row(X + o("=") + H + sup(i("W"), i(name)));
  };
  return display(row(projection("Q", Q) + o(",") + projection("K", K) + o(",") +
                     projection("V", V) + quad() + i("A") + o("=") + f("softmax") +
                     in_brackets(frac(Q + sup(K, o("⊤")), root(sub(i("d"), i("k"))))) + quad() +
                     i("O") + o("=") + i("A") + V));
}

std::string shape_text(const at::Tensor& x) {
  std::string text;
  for (const int64_t size : x.sizes()) text += (text.empty() ? "" : " × ") + std::to_string(size);
  return text;
}

/// Every step of the formula with its shape, beside the program's module.
void walk_through(const LabOptions& options, Report& report) {
  constexpr int64_t kPositions = 5, kWidth = 8;
  at::manual_seed(options.seed);
  SelfAttention module(kWidth, /*heads=*/1);
  const at::NoGradGuard no_grad;
  const at::Tensor H = at::randn({1, kPositions, kWidth});
  const auto weight = [&](const std::string& name) {
    return module->named_parameters()[name + ".weight"].t();
  };
  const at::Tensor x = H.squeeze(0);
  const at::Tensor Q = x.matmul(weight("W_Q")), K = x.matmul(weight("W_K")),
                   V = x.matmul(weight("W_V"));
  const at::Tensor products = Q.matmul(K.t());
  const at::Tensor scaled = products / std::sqrt(static_cast<double>(kWidth));
  const at::Tensor A = scaled.softmax(-1), O = A.matmul(V);
  const auto output = module->forward(H, at::ones({1, kPositions}, at::kBool));
  const double difference =
      (A - output.weights.view({kPositions, kPositions})).abs().max().item<double>();

  report.blocks.push_back(Heading{{"Every shape", "每一步的形状"}});
  Table shapes{
      "self-attention-shapes",
      {"$n$ = 5 positions, $d$ = $d_k$ = 8, one head. The weights differ from those of the "
       "encoder's module by " +
           (difference < 1e-6 ? std::string("less than 10⁻⁶") : fixed(difference, 6)) + ".",
       "$n$ = 5 个位置，$d$ = $d_k$ = 8，单头。所得权重与编码器模块的结果相差" +
           (difference < 1e-6 ? std::string("不到 10⁻⁶") : fixed(difference, 6)) + "。"},
      {{"step", {"step", "步骤"}, 0}, {"shape", {"shape", "形状"}, 0}, {"meaning", {"", ""}, 0}},
      {}};
  const auto add = [&](const std::string& step, const at::Tensor& value, const Text& meaning) {
    shapes.rows.push_back({same(step), same(shape_text(value)), meaning});
  };
  add("$H$", x, {"the encoder's states, one row for each position", "编码器状态，每个位置一行"});
  add("$W^Q$", weight("W_Q"), {"trained, like $W^K$ and $W^V$", "由训练得到，$W^K$、$W^V$ 亦然"});
  add("$Q = HW^Q$", Q, {"what each position asks for", "每个位置要找什么"});
  add("$K = HW^K$", K, {"what each position offers", "每个位置提供什么线索"});
  add("$V = HW^V$", V, {"what each position says", "每个位置要说的内容"});
  add("$QK^⊤$", products,
      {"every position against every other: here is $n^2$", "每个位置对每个位置：$n^2$ 就在这里"});
  add("$QK^⊤/√d_k$", scaled, {"the scores", "打分"});
  add("$A = softmax(QK^⊤/√d_k)$", A, {"by rows: each sums to 1", "按行：每行之和为 1"});
  add("$O = AV$", O, {"each row a mean of the rows of $V$", "每一行都是 $V$ 各行的加权平均"});
  report.blocks.push_back(std::move(shapes));

  Table weights{"self-attention-weights",
                {"The matrix $A$ of this example, and the sums of its rows.",
                 "这个例子的矩阵 $A$ 与各行之和。"},
                {{"row", {"row", "行"}, 0}},
                {}};
  for (int64_t k = 1; k <= kPositions; ++k)
    weights.columns.push_back(
        {"column_" + std::to_string(k), same("$α_{·" + std::to_string(k) + "}$"), 4});
  weights.columns.push_back({"sum", {"sum", "和"}, 4});
  for (int64_t r = 0; r < kPositions; ++r) {
    std::vector<Cell> row{static_cast<double>(r + 1)};
    for (int64_t c = 0; c < kPositions; ++c) row.emplace_back(A[r][c].item<double>());
    row.emplace_back(A[r].sum().item<double>());
    weights.rows.push_back(std::move(row));
  }
  report.blocks.push_back(std::move(weights));
}

/// Fits the exponent to the lengths from `first` on.
double exponent_from(const std::vector<double>& lengths, const std::vector<double>& values,
                     double first) {
  std::vector<double> x, y;
  for (size_t k = 0; k < lengths.size(); ++k) {
    if (lengths[k] < first) continue;
    x.push_back(lengths[k]);
    y.push_back(values[k]);
  }
  return fit_exponent(x, y);
}

void measure_growth(const LabOptions& options, Report& report) {
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  constexpr int64_t kWidth = 64;
  const int64_t largest = options.pick(options.largest_n, 4096, 2048);
  const double seconds = options.quick ? 0.2 : 1.0;
  const std::vector<double> lengths = powers_of_two(16, std::max<int64_t>(largest, 128));
  const double large = lengths[lengths.size() - 4];  // the last four
  Table table{
      "self-attention-growth",
      {"Forward and backward pass of the encoder's self-attention over one sentence of $n$ states, "
       "$d$ = " +
           std::to_string(kWidth) + ", one thread.",
       "编码器自注意力在一个长为 $n$ 的句子上前向加反向，$d$ = " + std::to_string(kWidth) +
           "，单线程。"},
      {{"n", same("$n$"), 0},
       {"milliseconds", {"time, ms", "时间（毫秒）"}, 3, true},
       {"mib", {"memory, MiB", "内存（MiB）"}, 3}},
      {}};
  Series time{{"time", "时间"}, {}, Series::Style::line},
      memory{{"memory", "内存"}, {}, Series::Style::line};
  std::vector<double> times, memories;
  for (const double length : lengths) {
    const SelfAttentionCost cost =
        measure_self_attention(static_cast<int64_t>(length), kWidth, seconds);
    times.push_back(1000 * cost.resources.seconds);
    memories.push_back(static_cast<double>(cost.resources.peak_bytes) / kMebibyte);
    table.rows.push_back({length, times.back(), memories.back()});
    time.points.push_back(point(length, times.back()));
    memory.points.push_back(point(length, memories.back()));
  }
  Series law{{"$n^2$", "$n^2$"}, {}, Series::Style::theory}, memory_law = law;
  for (const double length : lengths) {
    if (length < large) continue;
    const double share = length / lengths.back();
    law.points.push_back(point(length, times.back() * share * share));
    memory_law.points.push_back(point(length, memories.back() * share * share));
  }
  report.verdicts.push_back(
      judge_exponent("time_exponent", {"Time", "时间"}, exponent_from(lengths, times, large)));
  report.verdicts.push_back(judge_exponent("memory_exponent", {"Memory", "内存"},
                                           exponent_from(lengths, memories, large)));
  report.blocks.push_back(Heading{{"Growth with the length", "随长度的增长"}});
  report.blocks.push_back(
      Paragraph{{"While $n$ is small, what is proportional to $n$ prevails: the products with the "
                 "$W$, and the calls "
                 "themselves. The exponents are fitted from $n$ = " +
                     typeset_number(large, 0) + " on.",
                 "$n$ 较小时，占主导的是与 $n$ 成正比的部分：与各 $W$ "
                 "的乘积，以及函数调用本身。指数从 $n$ = " +
                     typeset_number(large, 0) + " 起拟合。"}});
  const Axis x{{"length $n$", "长度 $n$"}, Scale::logarithmic, {}, {}, {}};
  report.blocks.push_back(Plot{"self-attention-time",
                               {"Time against $n$; the dashed line grows as $n^2$.",
                                "时间随 $n$ 的变化；虚线按 $n^2$ 增长。"},
                               x,
                               {{"milliseconds", "毫秒"}, Scale::logarithmic, {}, {}, {}},
                               {law, time}});
  report.blocks.push_back(Plot{"self-attention-memory",
                               {"Peak memory against $n$.", "内存峰值随 $n$ 的变化。"},
                               x,
                               {same("MiB"), Scale::logarithmic, {}, {}, {}},
                               {memory_law, memory}});
  report.blocks.push_back(std::move(table));

  Table widths{"self-attention-width",
               {"The same against $d$, at $n$ = 256.", "同样的测量，随 $d$ 变化，$n$ = 256。"},
               {{"d", same("$d$"), 0},
                {"milliseconds", {"time, ms", "时间（毫秒）"}, 3, true},
                {"mib", {"memory, MiB", "内存（MiB）"}, 3}},
               {}};
  for (const double d : powers_of_two(16, options.quick ? 256 : 1024)) {
    const SelfAttentionCost cost =
        measure_self_attention(256, static_cast<int64_t>(d), seconds / 3);
    widths.rows.push_back({d, 1000 * cost.resources.seconds,
                           static_cast<double>(cost.resources.peak_bytes) / kMebibyte});
  }
  report.blocks.push_back(std::move(widths));
  at::set_num_threads(threads);
}

/// W^Q and W^K of variance 1/d, as initialisation has it, keep the components' variance 1.
void measure_gradient(const LabOptions& options, Report& report) {
  const at::Generator random = make_random(options.seed);
  const std::vector<double> widths = powers_of_two(4, options.largest_d.value_or(4096));
  const int64_t rows = options.pick(options.samples, 4000, 500);
  const auto gradient = [&](ScoreKind kind, int64_t d, int64_t trials) {
    return measure_saturation(*score_of_width(kind, d), d, 20, trials, random).gradient;
  };
  Series plain{{"$QK^⊤$", "$QK^⊤$"}, {}, Series::Style::line},
      scaled{{"$QK^⊤/√d_k$", "$QK^⊤/√d_k$"}, {}, Series::Style::line};
  std::vector<double> lost;
  for (const double width : widths) {
    const auto d = static_cast<int64_t>(width);
    const int64_t trials = std::max<int64_t>(100, std::min(rows, 2'000'000 / d));
    plain.points.push_back(point(width, gradient(ScoreKind::dot, d, trials)));
    scaled.points.push_back(point(width, gradient(ScoreKind::scaled_dot, d, trials)));
    lost.push_back(plain.points.back().y);
  }
  report.blocks.push_back(
      Heading{{"Without scaling the gradient vanishes", "不缩放，梯度就会消失"}});
  const double half = falls_below(widths, lost, kThresholds.lost_gradient);
  const std::string place = half > 0 ? "≈ " + typeset_number(std::round(half), 0)
                                     : "> " + typeset_number(widths.back(), 0);
  report.blocks.push_back(Plot{"self-attention-gradient",
                               {"Gradient that reaches the scores of rows of 20 positions, "
                                "relative to a uniform softmax; components of "
                                "$Q$ and $K$ have variance 1. Unscaled, half is gone at $d_k$ " +
                                    place + ".",
                                "到达打分处的梯度（每行 20 个位置），以均匀 softmax 为 1；$Q$、$K$ "
                                "的分量方差为 1。不缩放时，$d_k$ " +
                                    place + " 处只剩一半。"},
                               {{"width $d_k$", "宽度 $d_k$"}, Scale::logarithmic, {}, {}, {}},
                               {{"relative gradient", "相对梯度"}, Scale::linear, 0, {}, {}},
                               {plain, scaled}});
}

void measure_translator(const LabOptions& options, Trainings& trainings, Report& report) {
  const TrainedModel& without = trainings.with_score(ScoreKind::general);
  const TrainedModel& with = trainings.get({"general-self-attention",
                                            [](ExperimentConfig& config) {
                                              config.model.attention.score = ScoreKind::general;
                                              config.model.encoder.self_attention.kind =
                                                  SelfAttentionKind::scaled_dot;
                                              config.model.encoder.self_attention.heads = 2;
                                            },
                                            true});
  const std::vector<std::string>& references = trainings.corpus().test.references.lines;
  const BootstrapResult result =
      paired_bootstrap(bleu_counts(without.translations, references),
                       bleu_counts(with.translations, references), {}, 1000, options.seed);
  report.verdicts.push_back(judge_help({result.b - result.a, result.low, result.high}));
  report.blocks.push_back(Heading{{"In the translator", "用在翻译模型里"}});
  Table table{
      "self-attention-translator",
      {"The translator with score general, without and with self-attention (2 heads) over the "
       "states of "
       "its recurrent encoder; everything else alike.",
       "使用 general 打分的翻译模型：循环编码器的状态上不加与加自注意力（2 头），其余相同。"},
      {{"encoder", {"encoder", "编码器"}, 0},
       {"parameters", {"parameters", "参数量"}, 0},
       {"perplexity", {"perplexity", "困惑度"}, 3},
       {"bleu", same("BLEU"), 1},
       {"training_seconds", {"training, s", "训练（秒）"}, 0, true}},
      {}};
  const auto add = [&](const Text& name, const TrainedModel& trained, double score) {
    table.rows.push_back({name, static_cast<double>(trained.parameters),
                          trained.epochs.back().perplexity, score, trained.seconds});
  };
  add({"recurrent", "循环"}, without, result.a);
  add({"recurrent + self-attention", "循环 + 自注意力"}, with, result.b);
  report.blocks.push_back(std::move(table));
}

}  // namespace

Report run_self_attention(const LabOptions& options, Trainings& trainings) {
  Report report;
  report.name = "self-attention";
  report.title = {"Self-attention, step by step", "自注意力，一步一步来"};
  report.claim = {
      "Every position asks every other: $QK^⊤$ has $n^2$ entries, so time and memory grow with the "
      "square of the length, and linearly with the width.",
      "每个位置都向所有位置提问：$QK^⊤$ 有 $n^2$ "
      "个元素，所以时间和内存随长度的平方增长，随宽度则是线性增长。"};
  report.formula = formula();
  report.measured = {
      "The encoder's own module: each step with its shape on a small example; time and memory of "
      "forward and "
      "backward pass against $n$ and $d$; the gradient with and without $1/√d_k$; and the "
      "translator with and "
      "without it.",
      "用编码器自己的模块：先在小例子上列出每一步及其形状；再测前向加反向的时间和内存随 $n$、$d$ "
      "的变化；"
      "比较有无 $1/√d_k$ 时的梯度；最后比较翻译模型用与不用它的差别。"};
  walk_through(options, report);
  measure_growth(options, report);
  measure_gradient(options, report);
  measure_translator(options, trainings, report);
  add_common_settings(report, options);
  return report;
}

}  // namespace softalign
