#include <cmath>

#include "app/lab/experiments.h"
#include "app/lab/mathml.h"
#include "app/lab/trainings.h"
#include "app/lab/verdicts.h"
#include "app/log.h"
#include "model/lab/fit.h"
#include "model/lab/products.h"
#include "model/search/translator.h"

namespace softalign {
namespace {

constexpr size_t kSentencesLookedAt = 64;  // of a trained model

std::string formula() {
  using namespace mathml;
  const std::string product = b("s") + o("·") + b("h");
  const std::string var = f("Var");
  const std::string sum_j = sum(i("j") + o("=") + n("1"), i("d")) + var +
                            in_brackets(sub(i("s"), i("j")) + sub(i("h"), i("j")));
  return display(row(var + in_brackets(product) + o("=") + sum_j + o("=") + i("d") + quad() + var +
                     in_brackets(frac(product, root(i("d")))) + o("=") + frac(i("d"), i("d")) +
                     o("=") + n("1")));
}

/// Samples for a relative error of about 0.6 % at every d in full runs: a product of two normal
/// numbers has kurtosis 9, their sum over d components 3 + 6/d.
int64_t samples_for(const LabOptions& options, int64_t d) {
  const int64_t base = options.pick(options.samples, 60'000, 25'000);
  return static_cast<int64_t>(static_cast<double>(base) * (1 + 3 / static_cast<double>(d)));
}

Point with_error(double x, double y, double error) { return {x, y, y - 2 * error, y + 2 * error}; }

/// Independent components: the claim itself.
void measure_claim(const LabOptions& options, const std::vector<double>& widths,
                   const at::Generator& random, Report& report) {
  Table table{
      "variance",
      {"$s·h$ for independent components $N(0,1)$, mean and variance over so many pairs. "
       "The error is one standard error.",
       "分量独立且服从 $N(0,1)$ 时的 $s·h$：在给定样本数上的均值与方差。误差为一个标准误。"},
      {{"d", same("$d$"), 0},
       {"samples", {"pairs", "样本数"}, 0},
       {"mean", {"mean", "均值"}, 3},
       {"variance", same("$Var(s·h)$"), 2},
       {"variance_error", {"± error", "± 误差"}, 2},
       {"theory", {"theory $d$", "理论值 $d$"}, 0},
       {"scaled_variance", same("$Var(s·h/√d)$"), 4},
       {"scaled_error", {"± error", "± 误差"}, 4}},
      {}};
  Series plain{{"measured", "实测"}, {}, Series::Style::marks};
  Series theory{{"theory: $d$", "理论：$d$"}, {}, Series::Style::theory};
  Series scaled{{"divided by $√d$", "除以 $√d$"}, {}, Series::Style::line};
  Series one{{"theory: 1", "理论：1"}, {}, Series::Style::theory};
  std::vector<double> variances, errors, scaled_variances;
  for (const double width : widths) {
    const auto d = static_cast<int64_t>(width);
    const ProductMoments m =
        measure_products(Components::normal, d, samples_for(options, d), 0, random);
    table.rows.push_back({width, static_cast<double>(m.samples), m.plain.mean, m.plain.variance,
                          m.variance_error, width, m.scaled.variance, m.scaled_variance_error});
    plain.points.push_back(with_error(width, m.plain.variance, m.variance_error));
    theory.points.push_back(point(width, width));
    scaled.points.push_back(with_error(width, m.scaled.variance, m.scaled_variance_error));
    one.points.push_back(point(width, 1));
    variances.push_back(m.plain.variance);
    errors.push_back(m.variance_error);
    scaled_variances.push_back(m.scaled.variance);
  }
  report.verdicts.push_back(judge_variance(fit_line(widths, variances, errors).slope));
  report.verdicts.push_back(judge_scaled_variance(widths, scaled_variances));
  report.blocks.push_back(Plot{
      "variance",
      {"Variance of $s·h$ with and without $1/√d$; the dashed lines are the theory. Bars of two "
       "standard errors are smaller than the markers.",
       "$s·h$ 的方差：除以 $√d$ 与不除。虚线为理论值；误差棒（两个标准误）比标记还小。"},
      {{"dimension $d$", "维数 $d$"}, Scale::logarithmic, {}, {}, {}},
      {{"variance", "方差"}, Scale::logarithmic, 0.5, {}, {}},
      {theory, plain, one, scaled}});
  report.blocks.push_back(Plot{
      "variance-scaled",
      {"The scaled score alone, on a linear scale: what looks like a line at 1 above is one, to "
       "about a hundredth. Bars are two standard errors; the grey lines are the 3 % of the "
       "verdict.",
       "单看除以 $√d$ 之后的方差（线性坐标）：上图中的水平线的确在 1 处，误差约百分之一。"
       "误差棒为两个标准误；灰色虚线是结论所用的 3 % 界限。"},
      {{"dimension $d$", "维数 $d$"}, Scale::logarithmic, {}, {}, {}},
      {{"$Var(s·h/√d)$", "$Var(s·h/√d)$"}, Scale::linear, 0.95, 1.05, {}},
      {{{"1 + 3 %", "1 + 3 %"},
        {point(widths.front(), 1 + kThresholds.variance),
         point(widths.back(), 1 + kThresholds.variance)},
        Series::Style::theory},
       {{"1 − 3 %", "1 − 3 %"},
        {point(widths.front(), 1 - kThresholds.variance),
         point(widths.back(), 1 - kThresholds.variance)},
        Series::Style::theory},
       {{"measured", "实测"}, scaled.points, Series::Style::line}}});
  report.blocks.push_back(std::move(table));
}

const Text& component_name(Components components) {
  static const std::array<Text, 5> names{Text{"normal", "正态"}, Text{"uniform", "均匀分布"},
                                         Text{"±1", "±1"}, Text{"dependent within", "向量内相关"},
                                         Text{"dependent between", "$s$ 与 $h$ 相关"}};
  return names[static_cast<size_t>(components)];
}

/// What independence is for: other distributions, and components that depend on each other.
void measure_dependence(const LabOptions& options, const std::vector<double>& widths,
                        const at::Generator& random, Report& report) {
  report.blocks.push_back(
      Heading{{"Other distributions, and dependence", "换一种分布，或不再独立"}});
  report.blocks.push_back(Paragraph{
      {"The proof uses mean 0, variance 1 and independence, not the normal distribution: uniform "
       "numbers and coin flips give the same line. Independence it does need. If any two "
       "components "
       "of one vector have correlation $ρ$, then $Var(s·h) = d + d(d−1)ρ^2$: it grows as $d^2$, "
       "and "
       "$1/√d$ is too little. If $s_j$ and $h_j$ are correlated, the mean is no longer 0 but $ρd$, "
       "which $1/√d$ leaves growing as $√d$.",
       "证明只用到均值为 0、方差为 1 和相互独立，并不需要正态分布：均匀分布的数、抛硬币得到的 "
       "±1，给出的是同一条"
       "直线。但独立性不可缺。若同一向量的任意两个分量相关系数为 $ρ$，则 $Var(s·h) = d + "
       "d(d−1)ρ^2$，按 $d^2$ "
       "增长，除以 $√d$ 就不够了。若 $s_j$ 与 $h_j$ 相关，则均值不再是 0，而是 $ρd$；除以 $√d$ "
       "之后仍按 $√d$ "
       "增长。"}});
  Table table{
      "variance-dependence",
      {"Measured and expected moments of $s·h$, at correlation " + fixed(options.correlation, 2) +
           " where there is one.",
       "$s·h$ 的实测矩与理论矩；有相关时相关系数取 " + fixed(options.correlation, 2) + "。"},
      {{"components", {"components", "分量"}, 0},
       {"d", same("$d$"), 0},
       {"mean", {"mean", "均值"}, 2},
       {"expected_mean", {"expected", "理论"}, 2},
       {"variance", {"variance", "方差"}, 1},
       {"expected_variance", {"expected", "理论"}, 1},
       {"scaled_variance", {"scaled variance", "缩放后方差"}, 3}},
      {}};
  std::vector<Series> series;
  Series theory{{"independent: $d$", "独立：$d$"}, {}, Series::Style::theory};
  for (const double d : widths) theory.points.push_back(point(d, d));
  series.push_back(theory);
  for (const auto& [components, name] : kComponentNames) {
    if (components == Components::normal) continue;
    const bool dependent = components == Components::within || components == Components::between;
    Series measured{component_name(components), {}, Series::Style::line};
    for (const double width : widths) {
      const auto d = static_cast<int64_t>(width);
      const ProductMoments m =
          measure_products(components, d, samples_for(options, d) / 3, options.correlation, random);
      const Moments expected = expected_product(components, d, options.correlation);
      if (d == 1 || d == 16 || d == 256 || width == widths.back())
        table.rows.push_back({component_name(components), width, m.plain.mean, expected.mean,
                              m.plain.variance, expected.variance, m.scaled.variance});
      measured.points.push_back(with_error(width, m.plain.variance, m.variance_error));
    }
    if (dependent || components == Components::signs) series.push_back(measured);
  }
  report.blocks.push_back(
      Plot{"variance-dependence",
           {"Variance without scaling. Dependence within a vector turns the line $d$ into $d^2$.",
            "未缩放的方差。向量内部的相关把 $d$ 变成了 $d^2$。"},
           {{"dimension $d$", "维数 $d$"}, Scale::logarithmic, {}, {}, {}},
           {{"$Var(s·h)$", "$Var(s·h)$"}, Scale::logarithmic, {}, {}, {}},
           series});
  report.blocks.push_back(std::move(table));
}

void measure_trained(Seq2Seq& model, const Batch& batch, const Text& name, Report& report) {
  const StateMoments m = measure_states(model, batch);
  report.verdicts.push_back(judge_components(m.query_variance, m.state_variance));
  Table table{"variance-trained",
              {"Queries and states of " + name.en + ", over " + grouped(m.queries) +
                   " target and " + grouped(m.states) + " source tokens.",
               name.zh + "的查询与状态，取自 " + grouped(m.queries) + " 个目标词元和 " +
                   grouped(m.states) + " 个源词元。"},
              {{"quantity", {"quantity", "量"}, 0}, {"value", {"value", "值"}, 3}},
              {}};
  const auto add = [&](const Text& quantity, double value) {
    table.rows.push_back({quantity, value});
  };
  add({"width $d$", "宽度 $d$"}, static_cast<double>(m.d));
  add({"variance of a component of $s_t$", "$s_t$ 分量的方差"}, m.query_variance);
  add({"variance of a component of $h_i$", "$h_i$ 分量的方差"}, m.state_variance);
  add({"mean of a component of $s_t$ (root mean square)", "$s_t$ 分量的均值（均方根）"},
      m.query_mean);
  add({"mean of a component of $h_i$ (root mean square)", "$h_i$ 分量的均值（均方根）"},
      m.state_mean);
  add({"$Var(s·h)$ if the components were as in the claim", "若分量符合论断，$Var(s·h)$ 应为"},
      static_cast<double>(m.d));
  add({"$Var(s·h)$ from the components' own moments, if uncorrelated",
       "按分量自身的矩推算（假定不相关）的 $Var(s·h)$"},
      m.if_uncorrelated);
  add({"$Var(s·h)$ measured", "实测的 $Var(s·h)$"}, m.product_variance);
  add({"dimensions that the states really use, $(tr Σ)^2/tr Σ^2$",
       "状态实际用到的维数 $(tr Σ)^2/tr Σ^2$"},
      m.effective_dimensions);
  add({"variance of the model's own scores $e_{ti}$", "模型自己的打分 $e_{ti}$ 的方差"},
      m.score_variance);
  add({"mean entropy of $α_t$, in nats", "$α_t$ 的平均熵（奈特）"}, m.entropy);
  add({"share of saturated rows", "饱和行所占比例"}, m.saturated);
  report.blocks.push_back(std::move(table));
  const std::string ratio = fixed(m.product_variance / static_cast<double>(m.d), 3);
  const std::string uncorrelated = fixed(m.product_variance / m.if_uncorrelated, 1);
  const std::string used = fixed(m.effective_dimensions, 0);
  report.blocks.push_back(Paragraph{
      {"A recurrent cell's states lie between −1 and 1, so a component's variance is below 1, and "
       "$s·h$ of "
       "this model has " +
           ratio +
           " times the variance that the claim foretells for its $d$. Nor "
           "are the components independent: the variance is " +
           uncorrelated +
           " times what uncorrelated "
           "components with these moments would give, and the states fill about " +
           used +
           " dimensions of their space. So $1/√d$ keeps scores small at the start of training; "
           "later the "
           "model sets their size itself, and $1/√d$ changes only the pace at which it does.",
       "循环单元的状态介于 −1 与 1 之间，分量的方差小于 1；这个模型的 $s·h$ 的方差只是论断按其 $d$ "
       "所预言的 " +
           ratio + " 倍。分量之间也并不独立：实测方差是“同样的矩、但互不相关”时的 " + uncorrelated +
           " 倍，状态大约只占满空间中的 " + used +
           " 维。所以 $1/√d$ "
           "的作用是让训练之初的打分不至于太大；之后打分的大小由模型自己学出来，$1/√d$ "
           "影响的只是学习的步调。"}});
}

}  // namespace

Report run_variance(const LabOptions& options, Trainings& trainings) {
  Report report;
  report.name = "variance";
  report.title = {"The variance of a dot product", "点积的方差"};
  report.claim = {
      "If the components of $s$ and $h$ are independent, with mean 0 and variance 1, then "
      "$s·h$ has mean 0 and variance $d$. Divided by $√d$, it has variance 1.",
      "设 $s$ 与 $h$ 的各分量相互独立，均值为 0，方差为 1，则 $s·h$ 的均值为 0，方差为 $d$；除以 "
      "$√d$ 之后方差为 1。"};
  report.formula = formula();
  report.measured = {
      "Random pairs $s$, $h$ are drawn, and the program's own scores dot and scaled dot are "
      "applied to "
      "them. For every $d$ the variance over the pairs is put beside the theory, with its standard "
      "error; the slope is that of a straight line through the measured variances, weighted by "
      "their "
      "errors.",
      "随机抽取向量对 $s$、$h$，用本程序自己的点积打分和缩放点积打分计算 $s·h$。对每个 "
      "$d$，把样本方差与理论值"
      "并列，并给出标准误；斜率由各实测方差按误差加权作直线拟合得到。"};
  const std::vector<double> widths = powers_of_two(1, options.largest_d.value_or(4096));
  const at::Generator random = make_random(options.seed);
  measure_claim(options, widths, random, report);
  measure_dependence(options, widths, random, report);

  report.blocks.push_back(Heading{{"A trained model's own vectors", "训练好的模型自己的向量"}});
  if (options.model.empty()) {
    report.blocks.push_back(Paragraph{
        {"No trained model was given: `--model DIR` measures the same in its queries and states.",
         "没有指定训练好的模型；用 `--model DIR` 可以对模型自己的查询和状态做同样的测量。"}});
  } else {
    LoadedModel model = load_model({options.model});
    const EvaluationSet part = trainings.corpus().test.first(kSentencesLookedAt);
    const Batch batch = make_batch_of(part, *model.translator);
    const std::string name = std::filesystem::absolute(options.model / "")
                                 .lexically_normal()
                                 .parent_path()
                                 .filename()
                                 .string();
    measure_trained(model.translator->models().front(), batch,
                    {"the model " + name, "模型 " + name + " "}, report);
  }
  report.settings.push_back({{"pairs at large $d$", "大 $d$ 时的样本数"},
                             grouped(samples_for(options, options.largest_d.value_or(4096)))});
  report.settings.push_back({{"correlation", "相关系数"}, fixed(options.correlation, 2)});
  add_common_settings(report, options);
  return report;
}

}  // namespace softalign
