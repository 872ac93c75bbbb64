#include "model/lab/saturation.h"

#include <cmath>

#include "app/lab/experiments.h"
#include "app/lab/mathml.h"
#include "app/lab/trainings.h"
#include "app/lab/verdicts.h"
#include "app/log.h"
#include "model/lab/fit.h"
#include "model/lab/products.h"

namespace softalign {
namespace {

constexpr int64_t kNumbersPerWidth = 8'000'000;  // drawn at most, which limits rows at large d

std::string formula() {
  using namespace mathml;
  const std::string alpha = i("α"), e = i("e");
  const std::string jacobian = frac(o("∂") + alpha, o("∂") + e);
  const std::string outer = alpha + sup(alpha, o("⊤"));
  const std::string norm2 =
      sup(row(o("‖") + i("J") + o("‖")), n("2")) + o("=") + sum(i("i")) + "<msubsup>" + alpha +
      i("i") + n("2") + "</msubsup>" + o("−") + n("2") + sum(i("i")) + "<msubsup>" + alpha +
      i("i") + n("3") + "</msubsup>" + o("+") +
      sup(in_brackets(sum(i("i")) + "<msubsup>" + alpha + i("i") + n("2") + "</msubsup>"), n("2"));
  return display(row(i("J") + o("=") + jacobian + o("=") + f("diag") + in_brackets(alpha) + o("−") +
                     outer + quad() + norm2));
}

struct Curves {
  std::vector<Saturation> plain, scaled;
};

Curves measure(const LabOptions& options, const std::vector<double>& widths) {
  const int64_t positions = options.positions.value_or(10);
  const int64_t most = options.pick(options.samples, 20'000, 4'000);
  const at::Generator random = make_random(options.seed);
  Curves curves;
  for (const double width : widths) {
    const auto d = static_cast<int64_t>(width);
    const int64_t rows = std::min(most, std::max<int64_t>(200, kNumbersPerWidth / (d * positions)));
    curves.plain.push_back(
        measure_saturation(*score_of_width(ScoreKind::dot, d), d, positions, rows, random));
    curves.scaled.push_back(
        measure_saturation(*score_of_width(ScoreKind::scaled_dot, d), d, positions, rows, random));
  }
  return curves;
}

Table table_of(const std::string& name, const Text& caption,
               const std::vector<Saturation>& values) {
  Table table{name,
              caption,
              {{"d", same("$d$"), 0},
               {"score_variance", {"variance of $e$", "$e$ 的方差"}, 2},
               {"entropy", {"entropy", "熵"}, 3},
               {"largest_weight", {"largest $α$", "最大 $α$"}, 3},
               {"jacobian", same("$‖J‖$"), 4},
               {"gradient", {"gradient", "梯度"}, 3},
               {"saturated", {"saturated", "饱和比例"}, 3}},
              {}};
  for (const Saturation& s : values)
    table.rows.push_back({static_cast<double>(s.d), s.score_variance, s.entropy, s.largest_weight,
                          s.jacobian_norm, s.gradient, s.saturated});
  return table;
}

Series curve(const Text& label, const std::vector<Saturation>& values,
             double Saturation::*quantity) {
  Series series{label, {}, Series::Style::line};
  for (const Saturation& value : values)
    series.points.push_back(point(static_cast<double>(value.d), value.*quantity));
  return series;
}

void draw(const Curves& curves, Report& report) {
  const Text plain{"$s·h$", "$s·h$"}, scaled{"$s·h/√d$", "$s·h/√d$"};
  const Axis x{{"dimension $d$", "维数 $d$"}, Scale::logarithmic, {}, {}, {}};
  const double first = static_cast<double>(curves.plain.front().d);
  const double last = static_cast<double>(curves.plain.back().d);
  report.blocks.push_back(
      Plot{"saturation-gradient",
           {"The gradient that reaches the scores, relative to a uniform softmax.",
            "到达打分处的梯度，相对于均匀 softmax。"},
           x,
           {{"relative gradient", "相对梯度"}, Scale::linear, 0, {}, {}},
           {{{"half", "一半"},
             {point(first, kThresholds.lost_gradient), point(last, kThresholds.lost_gradient)},
             Series::Style::theory},
            curve(plain, curves.plain, &Saturation::gradient),
            curve(scaled, curves.scaled, &Saturation::gradient)}});
  report.blocks.push_back(
      Plot{"saturation-weight",
           {"The largest of the weights: towards 1, the softmax becomes a choice.",
            "最大的权重：趋近 1 时，softmax 就变成了“选一个”。"},
           x,
           {{"largest weight", "最大权重"}, Scale::linear, 0, 1, {}},
           {curve(plain, curves.plain, &Saturation::largest_weight),
            curve(scaled, curves.scaled, &Saturation::largest_weight)}});
}

std::vector<double> gradients(const std::vector<Saturation>& values) {
  std::vector<double> result;
  for (const Saturation& value : values) result.push_back(value.gradient);
  return result;
}

/// Mean of the last quarter's records.
template <typename Value>
double late_mean(const std::vector<StepRecord>& steps, Value&& value) {
  const size_t first = steps.size() - std::max<size_t>(1, steps.size() / 4);
  double sum = 0;
  for (size_t k = first; k < steps.size(); ++k) sum += value(steps[k]);
  return sum / static_cast<double>(steps.size() - first);
}

const TrainedModel& train_width(Trainings& trainings, ScoreKind score, int64_t width,
                                int64_t steps) {
  const auto change = [=](ExperimentConfig& config) {
    ModelConfig& model = config.model;
    model.attention.score = score;
    model.encoder.hidden = model.decoder.hidden = width;
    model.source_embedding = model.target_embedding = model.attention.state_size = 64;
    config.training.max_epochs = 0;
    config.training.max_steps = steps;
    config.training.schedule.kind = ScheduleKind::constant;
    config.training.schedule.warmup_steps = steps / 10;
    config.training.optimizer.learning_rate = 0.002;
    config.training.loss.label_smoothing = 0;
    config.training.validate_every = steps;
    config.training.report_every = std::max<int64_t>(1, steps / 20);
    config.training.diagnostics = true;
  };
  return trainings.get({std::string(name_of(kScoreNames, score)) + "-" + std::to_string(width),
                        change, /*translates=*/false});
}

void train_all(const LabOptions& options, Trainings& trainings, Report& report) {
  const int64_t steps = options.pick(options.steps, 200, 80);
  const int64_t largest = options.pick(options.largest_width, 1024, 128);
  report.blocks.push_back(Heading{{"In training", "在训练中"}});
  report.blocks.push_back(Paragraph{
      {"The same translator is trained on the embedded corpus with dot and with scaled dot, the "
       "width "
       "of its states being $d$, for " +
           std::to_string(steps) +
           " updates each. Recorded: the loss, and "
           "the norm of the gradient that passes the scores (per target token).",
       "在内嵌语料上用点积与缩放点积训练同样的翻译模型，状态宽度为 $d$，各更新 " +
           std::to_string(steps) + " 次。记录损失，以及经过打分处的梯度范数（按目标词元平均）。"}});
  Table table{
      "saturation-training",
      {"Means over the last quarter of the updates. Variance is that of the scores within a row.",
       "最后四分之一更新中的平均值。方差指同一行内打分的方差。"},
      {{"d", same("$d$"), 0},
       {"score", {"score", "打分"}, 0},
       {"loss", {"loss", "损失"}, 3},
       {"row_variance", {"variance of $e_t$", "$e_t$ 的方差"}, 3},
       {"entropy", {"entropy", "熵"}, 3},
       {"saturated", {"saturated", "饱和比例"}, 3},
       {"gradient_norm", {"gradient norm", "梯度范数"}, 6}},
      {}};
  std::vector<Series> losses, norms;
  double dot_loss = 0, scaled_loss = 0;
  int64_t last = 0;
  for (int64_t width = 32; width <= largest; width *= 2) {
    if (options.quick && width == 64) continue;
    last = width;
    for (const ScoreKind score : {ScoreKind::dot, ScoreKind::scaled_dot}) {
      const TrainedModel& trained = train_width(trainings, score, width, steps);
      const auto mean = [&](double AttentionReport::*quantity) {
        return late_mean(trained.steps, [&](const StepRecord& step) {
          return step.attention ? (*step.attention).*quantity : std::nan("");
        });
      };
      const double loss =
          late_mean(trained.steps, [](const StepRecord& step) { return step.loss; });
      const bool is_dot = score == ScoreKind::dot;
      (is_dot ? dot_loss : scaled_loss) = loss;
      table.rows.push_back({static_cast<double>(width), same(is_dot ? "dot" : "scaled_dot"), loss,
                            mean(&AttentionReport::row_variance), mean(&AttentionReport::entropy),
                            mean(&AttentionReport::saturated),
                            mean(&AttentionReport::gradient_norm)});
      if (width != 32 && width * 2 <= largest) continue;  // the ends alone
      const std::string name =
          std::string(is_dot ? "dot" : "scaled dot") + ", $d$ = " + std::to_string(width);
      const std::string chinese =
          std::string(is_dot ? "点积" : "缩放点积") + "，$d$ = " + std::to_string(width);
      Series loss_curve{{name, chinese}, {}, Series::Style::line}, norm_curve = loss_curve;
      for (const StepRecord& step : trained.steps) {
        loss_curve.points.push_back(point(static_cast<double>(step.step), step.loss));
        if (step.attention)
          norm_curve.points.push_back(
              point(static_cast<double>(step.step), step.attention->gradient_norm));
      }
      losses.push_back(loss_curve);
      norms.push_back(norm_curve);
    }
  }
  report.verdicts.push_back(judge_training(last, dot_loss, scaled_loss));
  const Axis x{{"updates", "更新次数"}, Scale::linear, {}, {}, {}};
  report.blocks.push_back(
      Plot{"saturation-loss",
           {"Loss per target token during training.", "训练中的损失（每个目标词元）。"},
           x,
           {{"loss", "损失"}, Scale::linear, {}, {}, {}},
           losses});
  report.blocks.push_back(
      Plot{"saturation-norm",
           {"Norm of the gradient that passes through the attention.", "经过注意力的梯度范数。"},
           x,
           {{"gradient norm", "梯度范数"}, Scale::logarithmic, {}, {}, {}},
           norms});
  report.blocks.push_back(std::move(table));
  report.settings.push_back(
      {{"updates of a training", "每次训练的更新次数"}, std::to_string(steps)});
}

}  // namespace

Report run_saturation(const LabOptions& options, Trainings& trainings) {
  Report report;
  report.name = "saturation";
  report.title = {"Saturation of the softmax", "softmax 的饱和"};
  report.claim = {
      "Scores with a large variance drive the softmax to a single position. Its Jacobian "
      "then goes to 0, and no gradient comes through. Dividing by $√d$ prevents it.",
      "打分方差过大时，softmax 几乎把全部权重压到一个位置上；这时它的雅可比矩阵趋于 "
      "0，梯度传不过去。"
      "除以 $√d$ 可以避免这一点。"};
  report.formula = formula();
  const std::string positions = std::to_string(options.positions.value_or(10));
  report.measured = {
      "Random queries against " + positions +
          " random keys each, all components independent $N(0,1)$: "
          "entropy of the weights, the largest weight, the norm of the Jacobian $J$, and the "
          "gradient that "
          "reaches the scores when a random one, $N(0,1)$, comes from above, by the program's own "
          "softmax and "
          "LibTorch's autograd. Then real trainings.",
      "随机查询各配 " + positions +
          " 个随机键，分量独立且服从 $N(0,1)$。测量权重的熵、最大权重、雅可比矩阵 $J$ "
          "的范数，以及当上游传来服从 $N(0,1)$ 的随机梯度时到达打分处的梯度；用的是本程序自己的 "
          "softmax 和 LibTorch "
          "的自动微分。最后是真实的训练。"};
  const std::vector<double> widths = powers_of_two(1, options.largest_d.value_or(4096));
  const Curves curves = measure(options, widths);
  const double half = falls_below(widths, gradients(curves.plain), kThresholds.lost_gradient);
  report.verdicts.push_back(judge_saturation(half));
  report.verdicts.push_back(judge_kept_gradient(widths, gradients(curves.scaled)));
  draw(curves, report);
  report.blocks.push_back(
      table_of("saturation",
               {"Softmax of the unscaled scores $s·h$. Gradient: root mean square of what reaches "
                "the scores, 1 "
                "for a uniform softmax. Saturated: share of rows with a weight beyond 0.99.",
                "未缩放的打分 $s·h$ 的 softmax。“梯度”为到达打分处的均方根，以均匀 softmax 为 "
                "1；“饱和比例”指最大权重超过 "
                "0.99 的行所占比例。"},
               curves.plain));
  report.blocks.push_back(table_of(
      "saturation-scaled",
      {"The same for the scores divided by $√d$.", "除以 $√d$ 之后的同样各项。"}, curves.scaled));
  train_all(options, trainings, report);
  report.settings.insert(report.settings.begin(),
                         {{"keys for each query", "每个查询的键数"}, positions});
  add_common_settings(report, options);
  return report;
}

}  // namespace softalign
