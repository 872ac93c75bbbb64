#include "app/lab/verdicts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/lab/text.h"
#include "app/log.h"

namespace softalign {
namespace {

std::string percent(double share, int decimals = 1) { return fixed(100 * share, decimals) + " %"; }
std::string signed_text(double value) {
  return (value < 0 ? "−" : "+") + fixed(std::abs(value), 2);
}
std::string whole(double value) { return typeset_number(std::round(value), 0); }

bool is_near_one(double value, double tolerance) { return std::abs(value - 1) <= tolerance; }

std::string interval(const Gap& gap) {
  return signed_text(gap.low) + " … " + signed_text(gap.high);
}

}  // namespace

Verdict judge_variance(double slope) {
  const std::string value = fixed(slope, 4), limit = percent(kThresholds.variance, 0);
  return {"variance_slope",
          {"The variance of $s·h$ is $d$.", "$s·h$ 的方差等于 $d$。"},
          is_near_one(slope, kThresholds.variance),
          {"The slope of the variance against $d$ is " + value + "; confirmed within " + limit +
               " of 1.",
           "方差对 $d$ 的斜率为 " + value + "；与 1 相差不超过 " + limit + " 即为证实。"}};
}

Verdict judge_scaled_variance(const std::vector<double>& d, const std::vector<double>& variances) {
  size_t worst = 0;
  const auto distance = [&](size_t i) {  // NaN is the furthest
    return std::isnan(variances[i]) ? std::numeric_limits<double>::infinity()
                                    : std::abs(variances[i] - 1);
  };
  for (size_t i = 1; i < variances.size(); ++i)
    if (distance(i) > distance(worst)) worst = i;
  const bool confirmed = !variances.empty() && is_near_one(variances[worst], kThresholds.variance);
  const std::string value = variances.empty() ? "–" : fixed(variances[worst], 4);
  const std::string place = d.empty() ? "–" : whole(d[worst]);
  const std::string limit = percent(kThresholds.variance, 0);
  return {"scaled_variance",
          {"Divided by $√d$, it is 1 at every $d$.", "除以 $√d$ 之后，对每个 $d$ 方差都是 1。"},
          confirmed,
          {"The value furthest from 1 is " + value + ", at $d$ = " + place +
               "; confirmed if every one is within " + limit + ".",
           "离 1 最远的值是 " + value + "（$d$ = " + place + "）；全部与 1 相差不超过 " + limit +
               " 即为证实。"}};
}

Verdict judge_components(double query_variance, double state_variance) {
  const double tolerance = kThresholds.component_variance;
  const std::string q = fixed(query_variance, 3), h = fixed(state_variance, 3);
  return {"trained_components",
          {"A trained model's states have components of variance 1, as the claim assumes.",
           "训练好的模型，其状态的各分量方差为 1——这正是论断的前提。"},
          is_near_one(query_variance, tolerance) && is_near_one(state_variance, tolerance),
          {"A component of $s_t$ has variance " + q + ", one of $h_i$ " + h +
               "; confirmed if both are within " + fixed(tolerance, 1) + " of 1.",
           "$s_t$ 的分量方差为 " + q + "，$h_i$ 的为 " + h + "；两者与 1 相差都不超过 " +
               fixed(tolerance, 1) + " 即为证实。"}};
}

Verdict judge_saturation(double half_d) {
  const std::string limit = whole(kThresholds.half_by);
  Verdict verdict{"unscaled_saturates",
                  {"Without $1/√d$, the softmax saturates and the gradient vanishes as $d$ grows.",
                   "不除以 $√d$ 时，$d$ 越大 softmax 越饱和，梯度随之消失。"},
                  half_d > 0 && half_d <= kThresholds.half_by,
                  {}};
  verdict.words =
      half_d > 0
          ? Text{"Half of the gradient is gone at $d$ ≈ " + whole(half_d) +
                     "; confirmed if that is at " + limit + " at the latest.",
                 "$d$ ≈ " + whole(half_d) + " 时梯度只剩一半；不迟于 " + limit + " 即为证实。"}
          : Text{
                "More than half of the gradient is left at every $d$ that was measured; "
                "confirmed if half is gone by " +
                    limit + ".",
                "在所有测量过的 $d$ 上，梯度都还剩一半以上；到 " + limit +
                    " 为止只剩一半才算证实。"};
  return verdict;
}

Verdict judge_kept_gradient(const std::vector<double>& d, const std::vector<double>& gradient) {
  const auto least = std::min_element(gradient.begin(), gradient.end());
  const bool any = least != gradient.end();
  const std::string value = any ? percent(*least) : "–";
  const std::string place = any ? whole(d[static_cast<size_t>(least - gradient.begin())]) : "–";
  const std::string limit = percent(kThresholds.kept_gradient, 0);
  return {"scaled_keeps_gradient",
          {"With $1/√d$, the gradient is kept at every $d$.",
           "除以 $√d$ 后，对每个 $d$ 梯度都得以保留。"},
          any && *least >= kThresholds.kept_gradient,
          {"The least is " + value + " of a uniform softmax's, at $d$ = " + place +
               "; confirmed from " + limit + " on.",
           "最小值为均匀 softmax 的 " + value + "（$d$ = " + place + "）；不低于 " + limit +
               " 即为证实。"}};
}

Verdict judge_training(int64_t d, double dot_loss, double scaled_loss) {
  const double gain = dot_loss - scaled_loss;
  const std::string width = std::to_string(d), limit = fixed(kThresholds.loss_gain, 2);
  return {"scaling_helps_training",
          {"In training, too, the scaled score does better at the largest width.",
           "在真实训练中，最大宽度下缩放的打分也更好。"},
          gain >= kThresholds.loss_gain,
          {"At $d$ = " + width + " the last loss of dot is " + fixed(dot_loss, 3) +
               " per token, that of scaled dot " + fixed(scaled_loss, 3) +
               "; confirmed if the "
               "second is lower by " +
               limit + " at least.",
           "$d$ = " + width + " 时，点积的最终损失为每词元 " + fixed(dot_loss, 3) +
               "，缩放点积为 " + fixed(scaled_loss, 3) + "；后者至少低 " + limit + " 即为证实。"}};
}

Verdict judge_bottleneck(const std::string& score, const std::string& bucket, const Gap& gap) {
  return {"bottleneck",
          {"On the longest sentences, attention beats one fixed vector.",
           "在最长的句子上，注意力优于单个固定向量。"},
          gap.low > 0,
          {"Sources of " + bucket + " pieces: BLEU of " + score +
               " − BLEU of none = " + signed_text(gap.difference) + ", 95 % interval " +
               interval(gap) + "; confirmed if the whole interval is above 0.",
           "源句长 " + bucket + " 个子词：" + score +
               " 的 BLEU 减去 none 的 BLEU = " + signed_text(gap.difference) + "，95 % 区间 " +
               interval(gap) + "；整个区间都大于 0 即为证实。"}};
}

Verdict judge_strings(double none, double attention) {
  const std::string limit = percent(kThresholds.letters_gain, 0);
  return {"beyond_trained_lengths",
          {"Beyond the lengths that were trained, attention carries further than a fixed vector.",
           "长度超出训练范围时，注意力比固定向量走得更远。"},
          attention - none >= kThresholds.letters_gain,
          {"Letters in their place in strings longer than any trained: " + percent(attention) +
               " with attention, " + percent(none) + " without; confirmed from a difference of " +
               limit + " on.",
           "在比训练样本更长的字符串中，位置正确的字母：有注意力 " + percent(attention) +
               "，没有 " + percent(none) + "；相差达到 " + limit + " 即为证实。"}};
}

double faster_from(const std::vector<double>& sizes, const std::vector<double>& ratios) {
  double from = 0;
  for (size_t i = ratios.size(); i-- > 0 && ratios[i] >= kThresholds.faster;) from = sizes[i];
  return from;
}

Verdict judge_speed(const std::vector<double>& sizes, const std::vector<double>& ratios) {
  const double from = faster_from(sizes, ratios);
  const std::string factor = ratios.empty() ? "–" : fixed(ratios.back(), 1);
  const std::string largest = sizes.empty() ? "–" : whole(sizes.back());
  const std::string limit = fixed(kThresholds.faster, 1);
  Verdict verdict{"dot_is_faster",
                  {"A dot product is faster than an additive score.", "点积打分比加性打分快。"},
                  from > 0,
                  {}};
  if (from > 0)
    verdict.words = {"At $d$ = " + largest + " additive takes " + factor +
                         " times as long; it is slower by a factor of " + limit +
                         " or more from $d$ = " + whole(from) + " on.",
                     "$d$ = " + largest + " 时，加性打分用时是点积的 " + factor +
                         " 倍；从 $d$ = " + whole(from) + " 起，始终慢到 " + limit + " 倍以上。"};
  else
    verdict.words = {"At $d$ = " + largest + " additive takes " + factor +
                         " times as long as dot; confirmed from " + limit + " on.",
                     "$d$ = " + largest + " 时，加性打分用时是点积的 " + factor + " 倍；达到 " +
                         limit + " 倍才算证实。"};
  return verdict;
}

Verdict judge_exponent(const std::string& name, const Text& what, double exponent) {
  const std::string value = fixed(exponent, 2);
  const std::string low = fixed(kThresholds.least_exponent, 1);
  const std::string high = fixed(kThresholds.largest_exponent, 1);
  return {
      name,
      {what.en + " grows as $n^2$ for large $n$.", "$n$ 较大时，" + what.zh + "按 $n^2$ 增长。"},
      exponent >= kThresholds.least_exponent && exponent <= kThresholds.largest_exponent,
      {"The fitted exponent is " + value + "; confirmed between " + low + " and " + high + ".",
       "拟合的指数为 " + value + "；在 " + low + " 与 " + high + " 之间即为证实。"}};
}

Verdict judge_help(const Gap& gap) {
  return {"self_attention_helps",
          {"Self-attention over the encoder's states helps this translator.",
           "在编码器状态上加自注意力，对本翻译模型有帮助。"},
          gap.low > 0,
          {"BLEU with − without = " + signed_text(gap.difference) + ", 95 % interval " +
               interval(gap) + "; confirmed if the whole interval is above 0.",
           "加上之后 BLEU 的变化 = " + signed_text(gap.difference) + "，95 % 区间 " +
               interval(gap) + "；整个区间都大于 0 即为证实。"}};
}

Verdict judge_alignment(const std::string& score, double aer, double diagonal) {
  const std::string margin = percent(kThresholds.diagonal_margin, 0);
  return {"attention_aligns",
          {"Attention finds the word alignment, which nobody showed it.",
           "没有人教过它词对齐，注意力却自己找到了。"},
          aer <= diagonal - kThresholds.diagonal_margin,
          {"The best, " + score + ", has an alignment error rate of " + percent(aer) +
               "; linking along the diagonal has " + percent(diagonal) +
               ". Confirmed if it is lower by " + margin + " at least.",
           "最好的是 " + score + "，对齐错误率 " + percent(aer) + "；而沿对角线连接为 " +
               percent(diagonal) + "。至少低 " + margin + " 即为证实。"}};
}

Verdict judge_guidance(double aer, double guided) {
  const std::string margin = percent(kThresholds.guided_margin, 0);
  return {"guidance_helps",
          {"Guided alignment brings attention closer to the alignment.",
           "有指导的对齐训练使注意力更接近词对齐。"},
          guided <= aer - kThresholds.guided_margin,
          {"Alignment error rate " + percent(aer) + " without guidance, " + percent(guided) +
               " with it; confirmed if it is lower by " + margin + " at least.",
           "对齐错误率：无指导 " + percent(aer) + "，有指导 " + percent(guided) + "；至少低 " +
               margin + " 即为证实。"}};
}

Verdict judge_counterexamples(int64_t found, int64_t right) {
  const std::string limit = percent(kThresholds.wrong_alignment, 0);
  const std::string count = grouped(found), all = grouped(right);
  return {
      "attention_is_not_alignment",
      {"Attention is not alignment: a translation can be right where the weights point elsewhere.",
       "注意力不等于对齐：权重指向别处，译文也可能完全正确。"},
      found > 0,
      {"Of " + all + " sentences translated word for word as the reference, " + count +
           " have an alignment error rate of " + limit + " or more; confirmed by one.",
       "在 " + all + " 个译文与参考完全一致的句子中，有 " + count + " 个的对齐错误率达到 " + limit +
           " 以上；有一个即为证实。"}};
}

Verdict judge_by_hand(double difference) {
  const std::string value = fixed(difference, 5), limit = fixed(kThresholds.by_hand, 4);
  return {
      "by_hand",
      {"A pocket calculator comes to what the program computes.", "用计算器手算，结果与程序一致。"},
      std::abs(difference) <= kThresholds.by_hand,
      {"With four decimals at every step, the largest difference is " + value +
           "; confirmed up to " + limit + ".",
       "每步保留四位小数，最大相差 " + value + "；不超过 " + limit + " 即为证实。"}};
}

}  // namespace softalign
