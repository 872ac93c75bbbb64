#include <algorithm>
#include <cmath>
#include <limits>

#include "app/lab/experiments.h"
#include "app/lab/mathml.h"
#include "app/lab/trainings.h"
#include "app/lab/verdicts.h"
#include "app/log.h"
#include "app/render/heatmap.h"
#include "app/render/json.h"
#include "data/error.h"
#include "data/unicode.h"
#include "model/search/translator.h"

namespace softalign {
namespace {

using Links = std::vector<std::vector<Link>>;

constexpr size_t kExamples = 3;

std::string formula() {
  using namespace mathml;
  const auto size = [](const std::string& set) { return row(o("|") + set + o("|")); };
  const std::string A = i("A"), S = i("S"), P = i("P"), cap = o("∩");
  const std::string hat = "<mover>" + i("i") + o("^") + "</mover>";
  return display(
      row(sub(hat, i("t")) + o("=") + "<munder><mi mathvariant=\"normal\">argmax</mi>" + i("i") +
          "</munder>" + sub(i("α"), i("ti")) + quad() + f("AER") + o("=") + n("1") + o("−") +
          frac(size(A + cap + S) + o("+") + size(A + cap + P), size(A) + o("+") + size(S))));
}

/// Links along the diagonal: what position alone tells.
Links diagonal_links(const GoldAlignment& gold) {
  Links links;
  for (size_t k = 0; k < gold.links.size(); ++k) {
    const auto sources = static_cast<int64_t>(split_words(gold.source_words.lines[k]).size());
    const auto targets = static_cast<int64_t>(split_words(gold.target_words.lines[k]).size());
    links.emplace_back();
    for (int64_t t = 0; t < targets; ++t) {
      const double share =
          targets > 1 ? static_cast<double>(t) / static_cast<double>(targets - 1) : 0;
      links.back().push_back({std::lround(share * static_cast<double>(sources - 1)), t, true});
    }
  }
  return links;
}

bool has_link(const std::vector<Link>& links, int64_t source, int64_t target) {
  return std::any_of(links.begin(), links.end(), [&](const Link& link) {
    return link.source == source && link.target == target;
  });
}

/// What share of the predicted links is right, belongs to the next or the last target word, or to
/// neither.
struct Places {
  double right = 0, next = 0, previous = 0, elsewhere = 0;
};

Places places_of(const Links& predicted, const Links& gold) {
  Places places;
  double count = 0;
  for (size_t k = 0; k < predicted.size(); ++k) {
    for (const Link& link : predicted[k]) {
      count += 1;
      if (has_link(gold[k], link.source, link.target))
        places.right += 1;
      else if (has_link(gold[k], link.source, link.target + 1))
        places.next += 1;
      else if (has_link(gold[k], link.source, link.target - 1))
        places.previous += 1;
      else
        places.elsewhere += 1;
    }
  }
  for (double* share : {&places.right, &places.next, &places.previous, &places.elsewhere})
    *share /= std::max(count, 1.0);
  return places;
}

std::vector<ScoreKind> scores_compared(const LabOptions& options) {
  if (options.quick) return {ScoreKind::dot, ScoreKind::general, ScoreKind::additive};
  return {ScoreKind::dot, ScoreKind::scaled_dot, ScoreKind::general, ScoreKind::additive,
          ScoreKind::concat};
}

/// What one model's attention does on the whole evaluation set.
struct Aligned {
  const TrainedModel* trained = nullptr;
  Links predicted;
  double aer = 0;
};

Aligned align(Trainings& trainings, const TrainedModel& trained) {
  const EvaluationSet& test = trainings.corpus().test;
  Translator translator = trainings.translator(trained);
  Aligned aligned{&trained, {}, 0};
  aligned.predicted = predicted_links(translator, test.sources, test.references, *test.gold, {});
  aligned.aer = alignment_error_rate(aligned.predicted, test.gold->links).aer;
  return aligned;
}

void add_row(Table& table, const Aligned& aligned, const Links& gold) {
  const Places places = places_of(aligned.predicted, gold);
  table.rows.push_back({same(aligned.trained->name), 100 * aligned.aer, 100 * places.right,
                        100 * places.next, 100 * places.previous, 100 * places.elsewhere,
                        100 * aligned.trained->epochs.back().on_end});
}

void draw_epochs(const std::vector<Aligned>& all, Report& report) {
  const Axis x{{"epoch", "训练轮次"}, Scale::linear, {}, {}, {}};
  Plot errors{"alignment-epochs",
              {"Alignment error rate after each epoch.", "每一轮之后的对齐错误率。"},
              x,
              {{"AER, %", "AER（%）"}, Scale::linear, {}, {}, {}},
              {}};
  Plot ends{"alignment-eos",
            {"Mean weight of the source's end of sentence, for target tokens before their own end.",
             "源句句末符得到的平均权重（不含目标句末符那一步）。"},
            x,
            {{"weight on EOS, %", "EOS 上的权重（%）"}, Scale::linear, 0, {}, {}},
            {}};
  Table table{
      "alignment-epochs",
      {"The same in numbers: AER (%) after each epoch.", "上图的数值：每轮之后的 AER（%）。"},
      {{"epoch", {"epoch", "轮次"}, 0}},
      {}};
  size_t epochs = std::numeric_limits<size_t>::max();
  for (const Aligned& aligned : all) {
    Series error{same(aligned.trained->name), {}, Series::Style::line}, end = error;
    for (const EpochRecord& epoch : aligned.trained->epochs) {
      error.points.push_back(point(static_cast<double>(epoch.epoch), 100 * epoch.aer));
      end.points.push_back(point(static_cast<double>(epoch.epoch), 100 * epoch.on_end));
    }
    for (Axis* axis : {&errors.x, &ends.x}) {
      if (!axis->categories.empty()) continue;
      for (const EpochRecord& epoch : aligned.trained->epochs)
        axis->categories.push_back(same(std::to_string(epoch.epoch)));
    }
    for (Series* series : {&error, &end})
      for (Point& p : series->points) p.x -= 1;  // categories count from 0
    errors.series.push_back(std::move(error));
    ends.series.push_back(std::move(end));
    table.columns.push_back({aligned.trained->name, same(aligned.trained->name), 1});
    epochs = std::min(epochs, aligned.trained->epochs.size());
  }
  for (size_t e = 0; e < epochs; ++e) {
    std::vector<Cell> row{static_cast<double>(e + 1)};
    for (const Aligned& aligned : all) row.emplace_back(100 * aligned.trained->epochs[e].aer);
    table.rows.push_back(std::move(row));
  }
  report.blocks.push_back(std::move(errors));
  report.blocks.push_back(std::move(table));
  report.blocks.push_back(std::move(ends));
}

/// Right translations, worst alignment first.
struct Example {
  size_t sentence = 0;
  double aer = 0;
};

void show_examples(Trainings& trainings, const Aligned& aligned, Report& report) {
  const EvaluationSet& test = trainings.corpus().test;
  std::vector<Example> right;
  for (size_t k = 0; k < test.sources.lines.size(); ++k) {
    if (aligned.trained->translations[k] != test.references.lines[k]) continue;
    right.push_back({k, alignment_error_rate({aligned.predicted[k]}, {test.gold->links[k]}).aer});
  }
  const auto found = std::count_if(right.begin(), right.end(), [](const Example& example) {
    return example.aer >= kThresholds.wrong_alignment;
  });
  std::stable_sort(right.begin(), right.end(),
                   [](const Example& a, const Example& b) { return a.aer > b.aer; });
  report.verdicts.push_back(judge_counterexamples(found, static_cast<int64_t>(right.size())));
  report.blocks.push_back(Heading{{"Attention is not alignment", "注意力不是对齐"}});
  const std::string count = grouped(static_cast<int64_t>(right.size()));
  const std::string all = grouped(static_cast<int64_t>(test.sources.lines.size()));
  report.blocks.push_back(Paragraph{
      {"Among the sentences that " + aligned.trained->name +
           " translates exactly as the reference (" + count + " of " + all +
           "), the program looks for those with the highest alignment error rate. What a decoder "
           "needs at a step may stand beside the word that it writes, because the encoder's states "
           "know their neighbours.",
       "在 " + aligned.trained->name + " 译得与参考完全一致的句子中（" + all + " 句里有 " + count +
           " 句），程序找出对齐错误率最高的几句。编码器的状态本来就含有相邻词的信息，"
           "所以解码器某一步所需要的，可以在正写之词的旁边找到。"}});
  if (right.empty()) return;
  right.resize(std::min(right.size(), kExamples));
  std::vector<std::string> sources, references;
  for (const Example& example : right) {
    sources.push_back(test.sources.lines[example.sentence]);
    references.push_back(test.references.lines[example.sentence]);
  }
  Translator translator = trainings.translator(*aligned.trained);
  const std::vector<Scored> scored = translator.score(sources, references, {});
  for (size_t k = 0; k < right.size(); ++k) {
    const std::string aer = fixed(100 * right[k].aer, 0) + " %";
    report.blocks.push_back(Picture{"alignment-example-" + std::to_string(k + 1),
                                    {sources[k] + " → " + references[k] + " (AER " + aer + ")",
                                     sources[k] + " → " + references[k] + "（AER " + aer + "）"},
                                    render_svg(heatmap_of(scored[k].pair))});
  }
}

}  // namespace

Report run_alignment(const LabOptions& options, Trainings& trainings) {
  Report report;
  report.name = "alignment";
  report.title = {"Does attention align?", "注意力会对齐吗？"};
  report.claim = {
      "Attention is called a soft alignment: the weights of a target word point at the source "
      "words "
      "that it translates, although training never sees an alignment.",
      "注意力被称为“软对齐”：写出一个目标词时，权重指向它所翻译的源词——尽管训练时从未见过任何对齐"
      "。"};
  report.formula = formula();
  report.measured = {
      "The corpus was made by a grammar that knows the true word alignment. Teacher forcing gives "
      "the weights for "
      "the reference; each target word is linked to its heaviest source word, and the links are "
      "compared with the "
      "true ones by the alignment error rate (Och & Ney 2003). Beside it: where the other links "
      "point.",
      "语料由一部知道真实词对齐的语法生成。用教师强制得到参考译文的注意力权重，把每个目标词连到权重"
      "最大的源词，再用"
      "对齐错误率（Och 与 Ney 2003）与真实对齐比较；同时统计没有对上的连接指向哪里。"};
  if (!trainings.corpus().test.gold)
    throw Error(
        "the experiment alignment needs a corpus with word alignments: run it without --config, or "
        "with "
        "a config whose corpus has them");
  const Links& gold = trainings.corpus().test.gold->links;
  std::vector<Aligned> all;
  for (const ScoreKind score : scores_compared(options))
    all.push_back(align(trainings, trainings.with_score(score)));
  const TrainedModel& guided_model = trainings.get({"general-guided",
                                                    [](ExperimentConfig& config) {
                                                      config.model.attention.score =
                                                          ScoreKind::general;
                                                      config.training.loss.guided_alignment = 0.5;
                                                    },
                                                    true});
  const Aligned guided = align(trainings, guided_model);
  const double diagonal =
      alignment_error_rate(diagonal_links(*trainings.corpus().test.gold), gold).aer;
  const auto better = [](const Aligned& a, const Aligned& b) { return a.aer < b.aer; };
  const Aligned& best = *std::min_element(all.begin(), all.end(), better);
  const Aligned& unguided = *std::find_if(all.begin(), all.end(), [](const Aligned& aligned) {
    return aligned.trained->name == "general";
  });
  report.verdicts.push_back(judge_alignment(best.trained->name, best.aer, diagonal));
  report.verdicts.push_back(judge_guidance(unguided.aer, guided.aer));

  Table table{"alignment",
              {"Alignment error rate, and where the heaviest weight of a target word points (%): "
               "to its own source "
               "word, to that of the next or the previous target word, elsewhere; and the mean "
               "weight on the "
               "source's end of sentence.",
               "对齐错误率，以及目标词的最大权重指向何处（%"
               "）：自己的源词、后一个或前一个目标词的源词、别处；最后是源句"
               "句末符上的平均权重。"},
              {{"score", {"score", "打分"}, 0},
               {"aer", {"AER", "AER"}, 1},
               {"right", {"its own", "自己"}, 1},
               {"next", {"the next word's", "后一词"}, 1},
               {"previous", {"the last word's", "前一词"}, 1},
               {"elsewhere", {"elsewhere", "别处"}, 1},
               {"on_eos", {"on EOS", "EOS"}, 1}},
              {}};
  for (const Aligned& aligned : all) add_row(table, aligned, gold);
  add_row(table, guided, gold);
  const double kNone = std::numeric_limits<double>::quiet_NaN();
  const Places of_diagonal = places_of(diagonal_links(*trainings.corpus().test.gold), gold);
  table.rows.push_back({Text{"the diagonal", "对角线"}, 100 * diagonal, 100 * of_diagonal.right,
                        100 * of_diagonal.next, 100 * of_diagonal.previous,
                        100 * of_diagonal.elsewhere, kNone});
  report.blocks.push_back(std::move(table));
  all.push_back(guided);
  draw_epochs(all, report);
  all.pop_back();
  show_examples(trainings, *std::min_element(all.begin(), all.end(), better), report);
  report.settings.push_back(
      {{"sentences measured", "测量的句数"}, grouped(static_cast<int64_t>(gold.size()))});
  report.settings.push_back({{"training sentences", "训练句数"},
                             grouped(static_cast<int64_t>(trainings.corpus().train.pairs.size()))});
  report.settings.push_back({{"weight of guided alignment", "指导对齐的权重"}, "0.5"});
  add_common_settings(report, options);
  return report;
}

}  // namespace softalign
