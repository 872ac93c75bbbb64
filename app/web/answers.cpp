#include "app/web/answers.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/render/label.h"

namespace softalign {
namespace {

/// One token alone, as an alternative to others: with its space, so that a reader can tell " in"
/// from "in".
std::string alternative_label(const std::string& token) {
  return labels_of({token}, /*words=*/false).front().text;
}

constexpr const char* fate_name(BeamTree::Fate fate) {
  switch (fate) {
    case BeamTree::Fate::kept:
      return "kept";
    case BeamTree::Fate::ended:
      return "ended";
    case BeamTree::Fate::dropped:
      return "dropped";
  }
  return "";
}

Answer answer_of(const Candidate& candidate, bool with_attention) {
  Answer answer{{"translation", candidate.text},
                {"score", number(candidate.score)},
                {"log_prob", number(candidate.log_prob)},
                {"finished", candidate.finished},
                {"ids", candidate.ids}};
  if (!with_attention) return answer;
  add_tokens(answer, "target", candidate.tokens);
  answer["attention"] = numbers(candidate.attention);
  return answer;
}

}  // namespace

Answer number(double value) {
  if (!std::isfinite(value)) return nullptr;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6);
  double shorter = value;
  std::from_chars(text, end.ptr, shorter);
  return shorter;
}

Answer numbers(const std::vector<float>& values) {
  Answer list = Answer::array();
  for (const float value : values) list.push_back(number(value));
  return list;
}

Answer numbers(const std::vector<std::vector<float>>& rows) {
  Answer list = Answer::array();
  for (const std::vector<float>& row : rows) list.push_back(numbers(row));
  return list;
}

void add_tokens(Answer& answer, const std::string& side, const std::vector<std::string>& tokens) {
  std::vector<int64_t> words = words_of_tokens(tokens);
  words.resize(tokens.size(), -1);
  answer[side + "_tokens"] = tokens;
  answer[side + "_labels"] = label_texts(tokens, /*words=*/false);
  answer[side + "_words"] = words;
}

Answer answer_of(const Translation& translation, bool with_attention) {
  Answer answer{{"source", translation.source}, {"source_cut", translation.source_cut}};
  if (with_attention) add_tokens(answer, "source", translation.source_tokens);
  answer.update(answer_of(translation.best(), with_attention));
  answer["nbest"] = Answer::array();
  for (const Candidate& candidate : translation.nbest)
    answer["nbest"].push_back(answer_of(candidate, with_attention));
  return answer;
}

Answer answer_of(const Scored& scored) {
  const auto tokens = static_cast<double>(std::max<int64_t>(scored.tokens, 1));
  return {{"log_prob", number(scored.log_prob)},
          {"tokens", scored.tokens},
          {"perplexity", number(std::exp(-scored.log_prob / tokens))}};
}

Answer answer_of(const Explanation& explanation, const Subword& target,
                 const std::vector<int64_t>& vectors) {
  const Walk& walk = explanation.walk;
  Answer answer{{"source", explanation.source.text}, {"source_cut", explanation.source.is_cut}};
  add_tokens(answer, "source", explanation.source.tokens);
  answer["translation"] = explanation.translation;
  answer["finished"] = walk.finished;
  answer["log_prob"] = number(walk.log_prob);
  add_tokens(answer, "target", explanation.tokens);
  answer["steps"] = Answer::array();
  for (size_t t = 0; t < walk.steps.size(); ++t) {
    const DecoderStep& step = walk.steps[t];
    Answer next = Answer::array();
    for (const Choice& choice : step.next) {
      const std::string token = target.piece(choice.token);
      next.push_back({{"id", choice.token},
                      {"token", token},
                      {"label", alternative_label(token)},
                      {"probability", number(std::exp(choice.log_prob))}});
    }
    Answer entry{{"id", step.token},
                 {"token", explanation.tokens[t]},
                 {"log_prob", number(step.log_prob)},
                 {"probability", number(std::exp(step.log_prob))},
                 {"given_weights", step.given_weights},
                 {"scores", numbers(step.scores)},
                 {"head_weights", numbers(step.head_weights)},
                 {"weights", numbers(step.weights)},
                 {"next", std::move(next)}};
    if (std::find(vectors.begin(), vectors.end(), static_cast<int64_t>(t)) != vectors.end()) {
      entry["query"] = numbers(step.query);
      entry["context"] = numbers(step.context);
      entry["attentional_state"] = numbers(step.attentional_state);
    }
    answer["steps"].push_back(std::move(entry));
  }
  if (!vectors.empty()) answer["states"] = numbers(walk.states);
  return answer;
}

Answer answer_of(const ExploredBeam& beam) {
  Answer answer{{"source", beam.source.text}, {"source_cut", beam.source.is_cut}};
  add_tokens(answer, "source", beam.source.tokens);
  answer["nbest"] = Answer::array();
  for (const Candidate& candidate : beam.nbest)
    answer["nbest"].push_back(answer_of(candidate, /*with_attention=*/false));
  answer["nodes"] = Answer::array();
  for (size_t i = 0; i < beam.tree.nodes.size(); ++i) {
    const BeamTree::Node& node = beam.tree.nodes[i];
    Answer entry{{"parent", node.parent},
                 {"step", node.step},
                 {"id", node.token},
                 {"token", beam.tokens[i]},
                 {"label", alternative_label(beam.tokens[i])},
                 {"log_prob", number(node.log_prob)},
                 {"fate", fate_name(node.fate)}};
    if (node.fate == BeamTree::Fate::ended) entry["score"] = number(node.score);
    answer["nodes"].push_back(std::move(entry));
  }
  return answer;
}

std::string to_bytes(const Answer& answer) {
  return answer.dump(-1, ' ', false, Answer::error_handler_t::replace);
}

}  // namespace softalign
