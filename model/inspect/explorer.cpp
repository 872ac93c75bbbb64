#include "model/inspect/explorer.h"

#include <c10/core/InferenceMode.h>

#include "data/batch.h"
#include "data/error.h"
#include "data/unicode.h"
#include "model/search/beam.h"
#include "model/search/constraints.h"
#include "model/search/ensemble.h"
#include "model/search/search.h"
#include "model/seq2seq.h"

namespace softalign {
namespace {

std::string decoded(const Subword& subword, const SourceText& source,
                    const std::vector<int64_t>& ids,
                    const std::vector<std::vector<float>>& attention) {
  return subword.decode(
      ids, [&](size_t position) { return word_looked_at(source, attention[position]); });
}

}  // namespace

std::vector<int64_t> target_ids(const Translator& translator, const std::string& text) {
  return translator.target_subword().encode(clean_text(text));
}

Explanation explain(Translator& translator, const std::string& line,
                    const std::vector<int64_t>& prefix, const WalkOptions& options,
                    int64_t max_source_tokens) {
  Explanation result;
  result.source = read_source(translator.source_subword(), line, max_source_tokens);
  if (result.source.ids.empty()) return result;
  result.walk = walk(translator.models().front(), result.source.ids, prefix, options);
  std::vector<int64_t> ids;
  std::vector<std::vector<float>> attention;
  for (const DecoderStep& step : result.walk.steps) {
    ids.push_back(step.token);
    attention.push_back(step.weights);
    result.tokens.push_back(translator.target_subword().piece(step.token));
  }
  result.translation = decoded(translator.target_subword(), result.source, ids, attention);
  return result;
}

ExploredBeam explore_beam(Translator& translator, const std::string& line,
                          const SearchOptions& options, const std::vector<int64_t>& prefix,
                          int64_t max_source_tokens) {
  check(options);
  for (const int64_t token : prefix)
    if (token < 0 || token >= translator.target_subword().size() || token == kEos)
      throw Error("token " + std::to_string(token) + " can't stand in a prefix");
  ExploredBeam result;
  result.source = read_source(translator.source_subword(), line, max_source_tokens);
  if (result.source.ids.empty()) return result;
  const c10::InferenceMode inference;
  std::vector<Seq2Seq>& models = translator.models();
  const EvaluationMode evaluation(models);
  const SourceBatch batch = make_source_batch({result.source.ids});
  const std::vector<Constraints> constraints{{options, batch.ids.size(1), prefix}};
  Ensemble ensemble(models, batch);
  const Subword& subword = translator.target_subword();
  std::vector<std::vector<Hypothesis>> found =
      beam_search(ensemble, constraints, options, &result.tree);
  for (Hypothesis& hypothesis : found.front()) {
    Candidate candidate;
    candidate.text = decoded(subword, result.source, hypothesis.tokens, hypothesis.attention);
    candidate.score = hypothesis.score;
    candidate.log_prob = hypothesis.log_prob;
    candidate.finished = hypothesis.finished;
    candidate.ids = std::move(hypothesis.tokens);
    candidate.attention = std::move(hypothesis.attention);
    result.nbest.push_back(std::move(candidate));
  }
  for (const BeamTree::Node& node : result.tree.nodes)
    result.tokens.push_back(subword.piece(node.token));
  return result;
}

}  // namespace softalign
