#include "app/web/api.h"

#include <algorithm>

#include "app/version.h"
#include "app/web/limits.h"
#include "data/error.h"

namespace softalign {
namespace {

using nlohmann::json;

SearchOptions default_search(const ServedModel& model) {
  SearchOptions search = model.model.config.translation.search;
  search.beam = std::min(search.beam, kMostBeam);
  search.nbest = 1;
  search.max_length =
      search.max_length > 0 ? std::min(search.max_length, kMostTargetTokens) : kMostTargetTokens;
  return search;
}

SearchOptions read_search(JsonRequest& request, const ServedModel& model) {
  SearchOptions search = default_search(model);
  search.beam = request.integer("beam", search.beam, 1, kMostBeam);
  search.nbest = request.integer("nbest", 1, 1, search.beam);
  search.length_penalty_alpha =
      request.number("length_penalty", search.length_penalty_alpha, 0, 1e6);
  search.coverage_penalty = request.number("coverage_penalty", search.coverage_penalty, 0, 1e6);
  search.max_length = request.integer("max_length", search.max_length, 1, kMostTargetTokens);
  search.min_length = std::min(search.min_length, search.max_length);
  return search;
}

/// Everything of the options that a request can choose.
std::string key_of(const SearchOptions& search, bool attention) {
  Answer key{search.beam,       search.nbest,      search.length_penalty_alpha,
             search.max_length, search.min_length, search.coverage_penalty,
             attention};
  return key.dump();
}

TranslateOptions translate_options(const ServedModel& model, const SearchOptions& search) {
  TranslateOptions options;
  options.search = search;
  options.batch_sentences = model.model.config.translation.batch_sentences;
  options.max_source_tokens =
      std::min(model.model.config.translation.max_source_tokens, kMostSourceTokens);
  return options;
}

int64_t source_limit(const ServedModel& model) {
  return translate_options(model, {}).max_source_tokens;
}

void check_count(size_t count) {
  if (count > static_cast<size_t>(kMostTexts))
    throw HttpError{400, std::to_string(count) + " texts are more than the " +
                             std::to_string(kMostTexts) + " that one request may have"};
}

void check_target(const std::vector<int64_t>& ids) {
  if (ids.size() > static_cast<size_t>(kMostTargetTokens))
    throw HttpError{400, "a target of " + std::to_string(ids.size()) +
                             " tokens is longer than the limit of " +
                             std::to_string(kMostTargetTokens)};
}

/// [{"step": 2, "weights": [0.1, …]}, {"step": 3, "weights": "uniform"}]
std::vector<Intervention> read_interventions(JsonRequest& request) {
  const std::string expected =
      "\"interventions\" must be a list of {\"step\": N, \"weights\": [numbers] or \"uniform\"}";
  std::vector<Intervention> interventions;
  const auto list = request.any("interventions");
  if (!list) return interventions;
  if (!list->is_array()) throw HttpError{400, expected};
  for (const json& item : *list) {
    Intervention intervention;
    if (!item.is_object() || item.size() != 2 || !item.contains("step") ||
        !item.contains("weights") || !item["step"].is_number_integer() || item["step"] < 0 ||
        item["step"] >= kMostTargetTokens)
      throw HttpError{400, expected};
    intervention.step = item["step"].get<int64_t>();
    const json& weights = item["weights"];
    if (weights.is_array()) {
      if (weights.empty()) throw HttpError{400, expected};
      for (const json& weight : weights) {
        if (!weight.is_number()) throw HttpError{400, expected};
        intervention.weights.push_back(weight.get<float>());
      }
    } else if (weights != "uniform") {
      throw HttpError{400, expected};
    }
    interventions.push_back(std::move(intervention));
  }
  return interventions;
}

/// What a client's texts led to inside is the client's mistake (weights that don't fit, say).
template <typename Work>
auto as_client_mistakes(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw HttpError{error.exit_code() == Error::kUser ? 400 : 500, error.what()};
  }
}

}  // namespace

Api::Api(std::vector<ServedModel> models, int64_t workers)
    : models_(std::move(models)), queue_(workers, kMostWaiting) {}

ServedModel& Api::chosen_model(JsonRequest& request) {
  const auto last = static_cast<int64_t>(models_.size()) - 1;
  return models_[static_cast<size_t>(request.integer("model", 0, 0, last))];
}

/// "prefix" as text, or "prefix_ids".
std::vector<int64_t> Api::prefix(JsonRequest& request, const ServedModel& model) const {
  const std::optional<std::string> text = request.optional_text("prefix");
  std::optional<std::vector<int64_t>> ids = request.integers("prefix_ids");
  if (text && ids) throw HttpError{400, "give either \"prefix\" or \"prefix_ids\""};
  if (text) ids = target_ids(model.translator(), *text);
  if (!ids) return {};
  check_target(*ids);
  return *std::move(ids);
}

std::string Api::translate(const std::string& body) {
  JsonRequest request(body);
  bool is_list = false;
  std::vector<std::string> texts = request.texts("text", is_list);
  const ServedModel& model = chosen_model(request);
  const SearchOptions search = read_search(request, model);
  const bool attention = request.boolean("attention", true);
  const std::string prefix = request.optional_text("prefix").value_or("");
  request.reject_rest();
  check_count(texts.size());
  check_target(target_ids(model.translator(), prefix));

  const std::vector<std::string> prefixes(texts.size(), prefix);
  TranslateOptions options = translate_options(model, search);
  options.attention = attention;
  const std::vector<Translation> translations = queue_.translate(
      model.translator(), std::move(texts), prefixes, options, key_of(search, attention));
  if (!is_list) return to_bytes(answer_of(translations.front(), attention));
  Answer answer{{"translations", Answer::array()}};
  for (const Translation& translation : translations)
    answer["translations"].push_back(answer_of(translation, attention));
  return to_bytes(answer);
}

std::string Api::attention(const std::string& body) {
  JsonRequest request(body);
  const std::string source = request.text("source"), target = request.text("target");
  const ServedModel& model = chosen_model(request);
  request.reject_rest();
  check_target(target_ids(model.translator(), target));
  const std::vector<Scored> scored = queue_.score(model.translator(), {source}, {target},
                                                  translate_options(model, default_search(model)));
  Answer answer = answer_of(scored.front());
  answer.update(answer_of(scored.front().pair, /*with_attention=*/true));
  answer.erase("nbest");
  return to_bytes(answer);
}

std::string Api::score(const std::string& body) {
  JsonRequest request(body);
  bool is_list = false, targets_are_list = false;
  std::vector<std::string> sources = request.texts("source", is_list);
  std::vector<std::string> targets = request.texts("target", targets_are_list);
  const ServedModel& model = chosen_model(request);
  request.reject_rest();
  check_count(sources.size());
  if (is_list != targets_are_list || sources.size() != targets.size())
    throw HttpError{400, std::to_string(sources.size()) + " sources but " +
                             std::to_string(targets.size()) + " targets"};
  for (const std::string& target : targets) check_target(target_ids(model.translator(), target));
  TranslateOptions options = translate_options(model, default_search(model));
  const std::vector<Scored> scored =
      queue_.score(model.translator(), std::move(sources), std::move(targets), options);
  if (!is_list) return to_bytes(answer_of(scored.front()));
  Answer answer{{"scores", Answer::array()}};
  for (const Scored& one : scored) answer["scores"].push_back(answer_of(one));
  return to_bytes(answer);
}

std::string Api::step(const std::string& body) {
  JsonRequest request(body);
  const std::string source = request.text("source");
  ServedModel& model = chosen_model(request);
  std::vector<int64_t> ids = prefix(request, model);
  WalkOptions options;
  if (const auto target = request.optional_text("target")) {
    if (!ids.empty()) throw HttpError{400, "give either \"target\" or a prefix"};
    ids = target_ids(model.translator(), *target);
    check_target(ids);
    ids.push_back(kEos);
    options.go_on = false;
  }
  options.search = default_search(model);
  options.search.max_length =
      request.integer("max_length", options.search.max_length, 1, kMostTargetTokens);
  options.go_on = request.boolean("continue", options.go_on);
  options.alternatives = request.integer("top", 10, 1, kMostAlternatives);
  options.interventions = read_interventions(request);
  const std::vector<int64_t> vectors = request.integers("vectors").value_or(std::vector<int64_t>{});
  request.reject_rest();

  Answer answer;
  as_client_mistakes([&] {
    queue_.run([&] {
      answer = answer_of(explain(model.translator(), source, ids, options, source_limit(model)),
                         model.translator().target_subword(), vectors);
    });
  });
  return to_bytes(answer);
}

std::string Api::beam(const std::string& body) {
  JsonRequest request(body);
  const std::string source = request.text("source");
  ServedModel& model = chosen_model(request);
  SearchOptions search = read_search(request, model);
  const std::vector<int64_t> ids = prefix(request, model);
  request.reject_rest();
  search.nbest = search.beam;
  Answer answer;
  as_client_mistakes([&] {
    queue_.run([&] {
      answer =
          answer_of(explore_beam(model.translator(), source, search, ids, source_limit(model)));
    });
  });
  return to_bytes(answer);
}

/// The nearest states with their sentences; "position" is the state's place, "linked" the places
/// on the other side that attention ties to it.
Answer Api::nearest(const ServedModel& model, StateKind kind, const std::vector<float>& state,
                    int64_t count) {
  const std::vector<Neighbour> found = model.neighbours->nearest(kind, state, count);
  std::vector<std::string> sources, targets;
  for (const Neighbour& neighbour : found) {
    const SentencePair& pair =
        model.neighbours->sentences()[static_cast<size_t>(neighbour.sentence)];
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  const std::vector<Scored> scored =
      model.translator().score(sources, targets, translate_options(model, default_search(model)));
  Answer list = Answer::array();
  for (size_t k = 0; k < found.size(); ++k) {
    const Translation& pair = scored[k].pair;
    const auto& attention = pair.best().attention;
    const auto place = static_cast<size_t>(found[k].position);
    Answer linked = Answer::array();
    constexpr float kClear = 0.3F;  // a weight from here on ties two tokens together
    if (kind == StateKind::encoder) {
      for (size_t t = 0; t < attention.size(); ++t)
        if (place < attention[t].size() && attention[t][place] >= kClear) linked.push_back(t);
    } else if (place < attention.size()) {
      for (size_t i = 0; i < attention[place].size(); ++i)
        if (attention[place][i] >= kClear) linked.push_back(i);
    }
    Answer entry{{"similarity", number(found[k].similarity)},
                 {"position", found[k].position},
                 {"linked", std::move(linked)},
                 {"at", {number(found[k].at[0]), number(found[k].at[1])}},
                 {"source", sources[k]},
                 {"target", targets[k]}};
    add_tokens(entry, "source", pair.source_tokens);
    add_tokens(entry, "target", pair.best().tokens);
    list.push_back(std::move(entry));
  }
  return list;
}

std::string Api::neighbours(const std::string& body) {
  JsonRequest request(body);
  const std::string source = request.text("source");
  ServedModel& model = chosen_model(request);
  const std::vector<int64_t> ids = prefix(request, model);
  const std::string kind_name = request.optional_text("kind").value_or("encoder");
  const int64_t position =
      request.integer("position", 0, 0, std::max(kMostSourceTokens, kMostTargetTokens));
  const int64_t count = request.integer("count", 8, 1, kMostNeighbours);
  request.reject_rest();
  if (!model.neighbours)
    throw HttpError{404,
                    "this model has no sample of training states: train it with "
                    "training.neighbours above 0"};
  std::optional<StateKind> kind;
  for (const auto& [value, name] : kStateNames)
    if (name == kind_name) kind = value;
  if (!kind) throw HttpError{400, "\"kind\" must be encoder, decoder or context"};

  Answer answer;
  as_client_mistakes([&] {
    queue_.run([&] {
      WalkOptions options;
      options.search = default_search(model);
      options.alternatives = 1;
      const Explanation explanation =
          explain(model.translator(), source, ids, options, source_limit(model));
      std::vector<std::vector<float>> states = explanation.walk.states;
      if (*kind != StateKind::encoder) {
        states.clear();
        for (const DecoderStep& step : explanation.walk.steps)
          states.push_back(*kind == StateKind::decoder ? step.query : step.context);
      }
      if (position >= static_cast<int64_t>(states.size()))
        throw HttpError{400, "\"position\" is " + std::to_string(position) + ", but there are " +
                                 std::to_string(states.size()) + " states"};
      answer = {{"kind", kind_name}, {"position", position}};
      add_tokens(answer, "source", explanation.source.tokens);
      add_tokens(answer, "target", explanation.tokens);
      answer["neighbours"] = nearest(model, *kind, states[static_cast<size_t>(position)], count);
      answer["explained_variance"] = number(model.neighbours->explained(*kind));
      answer["path"] = Answer::array();
      for (const auto& at : model.neighbours->project(*kind, states))
        answer["path"].push_back({number(at[0]), number(at[1])});
      answer["cloud"] = Answer::array();
      constexpr int64_t kCloud = 600;
      for (const auto& point : model.neighbours->points(*kind, kCloud))
        answer["cloud"].push_back({number(point.at[0]), number(point.at[1])});
    });
  });
  return to_bytes(answer);
}

std::string Api::model() const {
  Answer answer{{"version", kVersion}, {"models", Answer::array()}};
  for (const ServedModel& model : models_) answer["models"].push_back(model.card);
  answer["limits"] = {{"body_bytes", kMostBodyBytes},
                      {"texts", kMostTexts},
                      {"source_tokens", kMostSourceTokens},
                      {"target_tokens", kMostTargetTokens},
                      {"beam", kMostBeam},
                      {"alternatives", kMostAlternatives},
                      {"waiting_requests", kMostWaiting}};
  return to_bytes(answer);
}

std::string Api::health() const { return R"({"status":"ok"})"; }

}  // namespace softalign
