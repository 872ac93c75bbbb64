#include "app/lab/by_hand.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "app/lab/experiments.h"
#include "app/lab/mathml.h"
#include "app/lab/sources.h"
#include "app/lab/text.h"
#include "app/lab/verdicts.h"
#include "app/log.h"
#include "app/render/heatmap.h"
#include "data/error.h"
#include "model/attention/attention.h"

namespace softalign {
namespace {

constexpr const char* kAttentionFile = "model/attention/attention.cpp";
constexpr const char* kScoresFile = "model/attention/scores.cpp";
// What marks the lines that do the calculation.
constexpr const char* kScoreLine = "// s_t · h_i / √d";
constexpr const char* kSoftmaxLine = ".softmax(-1) * mask";
constexpr const char* kContextLine = "weights.matmul(memory.values)";
constexpr const char* kStateLine = ".tanh();  // s̃_t";

double rounded(double value) { return std::round(value * 1e4) / 1e4; }
std::string four(double value) { return typeset_number(value, 4); }
std::string in_product(double value) { return value < 0 ? "(" + four(value) + ")" : four(value); }

std::string formula() {
  using namespace mathml;
  const std::string e = sub(i("e"), i("i")), alpha = sub(i("α"), i("i"));
  const std::string exp_i = sup(i("e"), e), exp_k = sup(i("e"), sub(i("e"), i("k")));
  const std::string tilde = "<mover>" + b("s") + o("~") + "</mover>";
  return display(
      row(e + o("=") + frac(b("s") + o("·") + sub(b("h"), i("i")), root(i("d"))) + quad() + alpha +
          o("=") + frac(exp_i, sum(i("k")) + exp_k) + quad() + b("a") + o("=") + sum(i("i")) +
          alpha + sub(b("h"), i("i")) + quad() + tilde + o("=") + f("tanh") +
          in_brackets(sub(i("W"), i("c")) + o("[") + b("a") + o(";") + b("s") + o("]"))));
}

std::string_view source_of(const std::string& file) {
  return file == kAttentionFile ? kAttentionSource : file == kScoresFile ? kScoresSource : "";
}

std::string anchor(const CodeLine& code) {
  return code.file.substr(code.file.rfind('/') + 1) + "-L" + std::to_string(code.line);
}

std::string code_link(const CodeLine& code) {
  const std::string name = code.file.substr(code.file.rfind('/') + 1);
  return "<a href=\"#" + anchor(code) + "\"><code>" + name + ":" + std::to_string(code.line) +
         "</code></a>";
}

/// Lines `first` … of a file, each with its number and an anchor, up to the one that holds `last`.
std::string listing(const std::string& file, const std::string& first, const std::string& last) {
  const int64_t begin = find_code(file, first).line;
  int64_t number = 0;
  std::string html = "<pre class=\"listing\">";
  std::string_view source = source_of(file);
  bool ended = false;
  while (!source.empty() && !ended) {
    const size_t end = std::min(source.find('\n'), source.size());
    const std::string text(source.substr(0, end));
    source.remove_prefix(std::min(end + 1, source.size()));
    if (++number < begin) continue;
    std::string digits = std::to_string(number);
    digits.insert(0, 4 - std::min<size_t>(digits.size(), 4), ' ');
    html += "<span id=\"" + anchor({file, number}) + "\"><i>" + digits + "  </i>" +
            escape_markup(text) + "</span>";
    ended = number > begin && text.find(last) != std::string::npos;
  }
  return html + "</pre>";
}

/// One line of the calculation: what is calculated, how, and which code does it.
std::string step(const std::string& name, const std::string& how, const std::string& result,
                 const CodeLine& code) {
  return "<tr><td class=\"left\">" + to_html(name) + "</td><td class=\"left\">" + to_html(how) +
         "</td><td>" + to_html(result) + "</td><td>" + code_link(code) + "</td></tr>\n";
}

std::string index_text(size_t k) { return "_{" + std::to_string(k + 1) + "}"; }

std::string steps_html(const Vector& query, const std::vector<Vector>& keys,
                       const std::vector<Vector>& W_c, const HandCalculation& hand,
                       Language language) {
  const CodeLine score = find_code(kScoresFile, kScoreLine),
                 softmax = find_code(kAttentionFile, kSoftmaxLine);
  const CodeLine context = find_code(kAttentionFile, kContextLine),
                 state = find_code(kAttentionFile, kStateLine);
  const bool english = language == Language::english;
  std::string html =
      std::string("<div class=\"wide\"><p class=\"caption\">") +
      (english ? "Every line with the code that does it." : "每一行，以及完成它的代码。") +
      "</p><table class=\"steps\"><thead><tr><th class=\"left\">" + (english ? "quantity" : "量") +
      "</th><th class=\"left\">" + (english ? "calculation" : "计算") + "</th><th>" +
      (english ? "result" : "结果") + "</th><th>" + (english ? "code" : "代码") +
      "</th></tr></thead>\n<tbody>\n";
  const std::string d = std::to_string(query.size());
  for (size_t k = 0; k < keys.size(); ++k) {
    std::string products;
    for (size_t j = 0; j < query.size(); ++j)
      products += (j > 0 ? " + " : "") + in_product(query[j]) + "·" + in_product(keys[k][j]);
    html += step("$e" + index_text(k) + "$",
                 "(" + products + ") / √" + d + " = " + four(hand.products[k]) + " / " +
                     four(rounded(std::sqrt(static_cast<double>(query.size())))),
                 four(hand.scores[k]), score);
  }
  std::string terms;
  for (size_t k = 0; k < keys.size(); ++k) {
    html += step("$exp(e" + index_text(k) + ")$", "exp(" + four(hand.scores[k]) + ")",
                 four(hand.exponentials[k]), softmax);
    terms += (k > 0 ? " + " : "") + four(hand.exponentials[k]);
  }
  html += step(english ? "sum" : "和", terms, four(hand.sum), softmax);
  for (size_t k = 0; k < keys.size(); ++k)
    html += step("$α" + index_text(k) + "$", four(hand.exponentials[k]) + " / " + four(hand.sum),
                 four(hand.weights[k]), softmax);
  for (size_t j = 0; j < query.size(); ++j) {
    std::string sum;
    for (size_t k = 0; k < keys.size(); ++k)
      sum += (k > 0 ? " + " : "") + four(hand.weights[k]) + "·" + in_product(keys[k][j]);
    html += step("$a" + index_text(j) + "$", sum, four(hand.context[j]), context);
  }
  Vector joined = hand.context;
  joined.insert(joined.end(), query.begin(), query.end());
  for (size_t j = 0; j < W_c.size(); ++j) {
    std::string sum;
    for (size_t k = 0; k < joined.size(); ++k)
      sum += (k > 0 ? " + " : "") + in_product(W_c[j][k]) + "·" + in_product(joined[k]);
    html += step("$(W_c[a;s])" + index_text(j) + "$", sum, four(hand.linear[j]), state);
  }
  for (size_t j = 0; j < W_c.size(); ++j)
    html += step("$s̃" + index_text(j) + "$", "tanh(" + four(hand.linear[j]) + ")",
                 four(hand.state[j]), state);
  return html + "</tbody></table></div>\n";
}

Vector to_vector(const at::Tensor& x) {
  const at::Tensor flat = x.to(at::kDouble).reshape({-1}).contiguous();
  const double* values = flat.data_ptr<double>();
  return Vector(values, values + flat.numel());
}

at::Tensor to_tensor(const std::vector<Vector>& rows) {
  at::Tensor x = at::empty(
      {static_cast<int64_t>(rows.size()), static_cast<int64_t>(rows.front().size())}, at::kDouble);
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < rows[r].size(); ++c)
      x[static_cast<int64_t>(r)][static_cast<int64_t>(c)] = rows[r][c];
  return x;
}

void check_sizes(const Vector& query, const std::vector<Vector>& keys) {
  if (query.empty() || query.size() > 4) throw Error("--query: 1 to 4 numbers, such as 1.2,-0.4");
  if (keys.empty() || keys.size() > 8) throw Error("--keys: 1 to 8 keys");
  for (const Vector& key : keys)
    if (key.size() != query.size())
      throw Error("--keys: the query has " + std::to_string(query.size()) + " numbers, a key " +
                  std::to_string(key.size()) + "; both need the same number");
}

/// Round numbers, half the context and half the query with signs that alternate.
std::vector<Vector> make_W_c(size_t d) {
  std::vector<Vector> rows(d, Vector(2 * d, 0));
  for (size_t j = 0; j < d; ++j) {
    rows[j][j] = 1;
    rows[j][d + j] = 0.5;
    rows[j][d + (j + 1) % d] += -0.2;
  }
  return rows;
}

Table table_of(const std::vector<Vector>& keys, const HandCalculation& hand) {
  Table table{"by-hand",
              {"The calculation in one table.", "整个计算归为一张表。"},
              {{"i", same("$i$"), 0}},
              {}};
  for (size_t j = 0; j < keys.front().size(); ++j)
    table.columns.push_back(
        {"h" + std::to_string(j + 1), same("$h_{i" + std::to_string(j + 1) + "}$"), 4});
  for (const Column& column :
       {Column{"product", same("$s·h_i$"), 4}, Column{"score", same("$e_i$"), 4},
        Column{"exponential", same("$exp(e_i)$"), 4}, Column{"weight", same("$α_i$"), 4}})
    table.columns.push_back(column);
  for (size_t k = 0; k < keys.size(); ++k) {
    std::vector<Cell> row{static_cast<double>(k + 1)};
    for (const double h : keys[k]) row.emplace_back(h);
    for (const double value :
         {hand.products[k], hand.scores[k], hand.exponentials[k], hand.weights[k]})
      row.emplace_back(value);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table result_table(const HandCalculation& hand, const ProgramResult& program) {
  Table table{"by-hand-result",
              {"By hand, and by the program in float64.", "手算结果与程序（float64）的结果。"},
              {{"quantity", {"quantity", "量"}, 0},
               {"by_hand", {"by hand", "手算"}, 4},
               {"program", {"program", "程序"}, 8}},
              {}};
  const auto add = [&](const std::string& name, const Vector& by_hand, const Vector& by_program) {
    for (size_t k = 0; k < by_hand.size(); ++k)
      table.rows.push_back({same("$" + name + index_text(k) + "$"), by_hand[k], by_program[k]});
  };
  add("α", hand.weights, program.weights);
  add("a", hand.context, program.context);
  add("s̃", hand.state, program.state);
  return table;
}

}  // namespace

CodeLine find_code(const std::string& file, const std::string& part) {
  const std::string_view source = source_of(file);
  const size_t place = source.find(part);
  if (place == std::string_view::npos) return {file, 0};
  return {file, 1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(place),
                               '\n')};
}

HandCalculation calculate_by_hand(const Vector& query, const std::vector<Vector>& keys,
                                  const std::vector<Vector>& W_c) {
  HandCalculation hand;
  const double root = rounded(std::sqrt(static_cast<double>(query.size())));
  for (const Vector& key : keys) {
    double product = 0;
    for (size_t j = 0; j < query.size(); ++j) product += query[j] * key[j];
    hand.products.push_back(rounded(product));
    hand.scores.push_back(rounded(hand.products.back() / root));
    hand.exponentials.push_back(rounded(std::exp(hand.scores.back())));
    hand.sum += hand.exponentials.back();
  }
  hand.sum = rounded(hand.sum);
  hand.context.assign(query.size(), 0);
  for (size_t k = 0; k < keys.size(); ++k) {
    hand.weights.push_back(rounded(hand.exponentials[k] / hand.sum));
    for (size_t j = 0; j < query.size(); ++j) hand.context[j] += hand.weights[k] * keys[k][j];
  }
  for (double& a : hand.context) a = rounded(a);
  Vector joined = hand.context;
  joined.insert(joined.end(), query.begin(), query.end());
  for (const Vector& row : W_c) {
    double sum = 0;
    for (size_t k = 0; k < joined.size(); ++k) sum += row[k] * joined[k];
    hand.linear.push_back(rounded(sum));
    hand.state.push_back(rounded(std::tanh(hand.linear.back())));
  }
  return hand;
}

ProgramResult calculate_by_program(const Vector& query, const std::vector<Vector>& keys,
                                   const std::vector<Vector>& W_c) {
  const at::NoGradGuard no_grad;
  AttentionConfig config;
  config.score = ScoreKind::scaled_dot;
  const auto d = static_cast<int64_t>(query.size());
  Attention attention(config, d, d);
  attention->to(at::kDouble);
  attention->named_parameters()["W_c.weight"].copy_(to_tensor(W_c));
  Memory memory;
  memory.states = to_tensor(keys).unsqueeze(0);
  memory.mask = at::ones({1, memory.states.size(1)}, at::kBool);
  memory.lengths = at::full({1}, memory.states.size(1), at::kLong);
  attention->prepare(memory);
  const Attended attended = attention->forward(to_tensor({query}).unsqueeze(0), memory, 0);
  return {to_vector(attended.scores), to_vector(attended.weights), to_vector(attended.context),
          to_vector(attended.attentional_state)};
}

double largest_difference(const HandCalculation& hand, const ProgramResult& program) {
  double largest = 0;
  const auto compare = [&](const Vector& a, const Vector& b) {
    for (size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  };
  compare(hand.scores, program.scores);
  compare(hand.weights, program.weights);
  compare(hand.context, program.context);
  compare(hand.state, program.state);
  return largest;
}

Report run_by_hand(const LabOptions& options, Trainings&) {
  Report report;
  report.name = "by-hand";
  report.title = {"Attention by hand", "手算注意力"};
  report.claim = {
      "One step of attention is a page of arithmetic: score, exponential, sum, weight, context, "
      "$W_c$, tanh. A pocket calculator is enough to check it.",
      "一步注意力不过是一页算术：打分、取指数、求和、得权重、算上下文、乘 $W_c$、取 "
      "tanh。有个计算器就能验算。"};
  report.formula = formula();
  const Vector query = options.query.empty() ? Vector{1.2, -0.4} : options.query;
  std::vector<Vector> keys = options.keys;
  if (keys.empty() && query.size() == 3)
    keys = {{1, 0, 0.5}, {0.5, 1, 0}, {-1, 0.5, 1}, {2, -1, 0.5}, {0, 0, -1}};
  if (keys.empty()) keys = {{1, 0}, {0.5, 1}, {-1, 0.5}, {2, -1}, {0, 0.5}};
  check_sizes(query, keys);
  const std::vector<Vector> W_c = make_W_c(query.size());
  const HandCalculation hand = calculate_by_hand(query, keys, W_c);
  const ProgramResult program = calculate_by_program(query, keys, W_c);
  const auto list = [](const Vector& x) {
    std::string text;
    for (const double value : x) text += (text.empty() ? "" : ", ") + typeset_number(value, 1);
    return "(" + text + ")";
  };
  std::string matrix;
  for (const Vector& row : W_c) matrix += (matrix.empty() ? "" : "; ") + list(row);
  report.measured = {
      "One query $s$ = " + list(query) + " against " + std::to_string(keys.size()) +
          " keys, which are the values "
          "as well, and $W_c$ with the rows " +
          matrix +
          ". Every number is rounded to four decimals before the next "
          "step, as on paper; the program calculates the same in float64.",
      "一个查询 $s$ = " + list(query) + "，" + std::to_string(keys.size()) +
          " 个键（同时也是值），$W_c$ 的各行为 " + matrix +
          "。每个数先舍入到四位小数再进入下一步，与笔算一样；程序则用 float64 计算同样的内容。"};
  report.verdicts.push_back(judge_by_hand(largest_difference(hand, program)));

  Heatmap map;
  map.source = map.target = "α";
  for (size_t k = 0; k < keys.size(); ++k) map.source_tokens.push_back("h" + std::to_string(k + 1));
  map.target_tokens = {"s"};
  map.weights.emplace_back(program.weights.begin(), program.weights.end());
  map.words = true;
  report.blocks.push_back(table_of(keys, hand));
  report.blocks.push_back(
      Picture{"by-hand",
              {"The five weights as the program draws them.", "这些权重用本程序的热力图画出来。"},
              render_svg(map)});
  report.blocks.push_back(Markup{{steps_html(query, keys, W_c, hand, Language::english),
                                  steps_html(query, keys, W_c, hand, Language::chinese)}});
  report.blocks.push_back(result_table(hand, program));
  report.blocks.push_back(Heading{{"The code", "代码"}});
  report.blocks.push_back(Paragraph{
      {"As it was when this program was built: " + std::string(kScoresFile) + " and " +
           kAttentionFile + ".",
       "构建本程序时的源代码：" + std::string(kScoresFile) + " 与 " + kAttentionFile + "。"}});
  const std::string code = listing(kScoresFile, "// query · keyᵀ", kScoreLine) +
                           listing(kAttentionFile, "// Filling with", "}  // namespace softalign");
  report.blocks.push_back(Listing{code});
  add_common_settings(report, options);
  return report;
}

}  // namespace softalign
