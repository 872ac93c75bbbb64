#include "model/attention/attention.h"

#include <ATen/ATen.h>

#include <limits>

namespace softalign {
namespace {

double lowest(const Tensor& x) {
  return x.scalar_type() == at::kDouble ? std::numeric_limits<double>::lowest()
                                        : static_cast<double>(std::numeric_limits<float>::lowest());
}

Tensor rows_of(const Tensor& x, const Tensor& rows) {
  return x.defined() ? x.index_select(0, rows) : x;
}

}  // namespace

Memory Memory::select(const Tensor& rows) const {
  return {rows_of(states, rows),   rows_of(keys, rows),    rows_of(values, rows),
          rows_of(mask, rows),     rows_of(lengths, rows), rows_of(summary, rows),
          rows_of(summary_c, rows)};
}

// Filling with −∞ would give NaN in a row without positions, and NaN in its gradient even after
// masking. The lowest finite value gives zeros elsewhere exactly, and a finite row to be zeroed.
Tensor masked_softmax(const Tensor& scores, const Tensor& mask) {
  return scores.masked_fill(mask.logical_not(), lowest(scores)).softmax(-1) * mask;
}

AttentionImpl::AttentionImpl(const AttentionConfig& config, int64_t query_size, int64_t states_size)
    : config_(config),
      context_size_(config.score != ScoreKind::projected ? states_size
                    : config.key_size > 0                ? config.key_size
                                                         : query_size),
      score_(make_score(config, query_size, states_size)),
      window_(config.window, config.window_size, query_size) {
  const int64_t state_size = config.state_size > 0 ? config.state_size : query_size;
  W_c_ = register_module(
      "W_c", torch::nn::Linear(
                 torch::nn::LinearOptions(context_size_ + query_size, state_size).bias(false)));
  if (score_) register_module("score", score_);
  register_module("window", window_);
}

void AttentionImpl::prepare(Memory& memory) {
  if (!score_) return;
  memory.keys = score_->keys(memory.states);
  memory.values = score_->values(memory.states);
}

Attended AttentionImpl::attend(const Tensor& query, const Memory& memory, int64_t first_step,
                               const Tensor& given) {
  const int64_t batch = query.size(0), target = query.size(1), source = memory.mask.size(1);
  Attended attended;
  attended.query = query;
  if (!score_) {  // the same fixed vector at every step
    attended.context = memory.summary.unsqueeze(1).expand({batch, target, context_size_});
    attended.weights = query.new_zeros({batch, target, source});
    return attended;
  }
  attended.scores = score_->forward(query, memory.keys);  // e_t  [batch, target, source]
  attended.bounds = window_->forward(query, memory.mask, memory.lengths, first_step);
  const auto& [mask, bias] = attended.bounds;

  const int64_t scored = attended.scores.size(-1);  // `location` may see fewer than all positions
  const bool has_heads = attended.scores.dim() == 4;
  Tensor e = attended.scores, inside = mask.narrow(-1, 0, scored);
  if (has_heads) inside = inside.unsqueeze(1);  // [batch, 1, target, source]
  if (bias.defined()) e = e + (has_heads ? bias.unsqueeze(1) : bias.narrow(-1, 0, scored));
  Tensor weights = masked_softmax(e, inside);  // α_t  [batch, (heads,) target, source]
  if (scored < source) weights = at::constant_pad_nd(weights, {0, source - scored});
  if (given.defined()) weights = has_heads ? given.unsqueeze(1).expand_as(weights) : given;

  Tensor context =
      weights.matmul(memory.values);  // a_t = Σ_i α_ti h_i  [batch, (heads,) target, value]
  if (has_heads) {
    attended.head_weights = weights;
    weights = weights.mean(1);  // [batch, target, source]
    context =
        context.transpose(1, 2).reshape({batch, target, context_size_});  // heads side by side
  }
  attended.weights = weights;
  attended.context = context;
  return attended;
}

Attended AttentionImpl::forward(const Tensor& query, const Memory& memory, int64_t first_step,
                                const Tensor& given) {
  Attended attended = attend(query, memory, first_step, given);
  attended.attentional_state = attentional_state(attended.context, query);
  return attended;
}

std::optional<double> AttentionImpl::product_scale() const {
  if (!score_ || config_.window != WindowKind::global) return {};
  return score_->product_scale();
}

Tensor AttentionImpl::attentional_state(const Tensor& context, const Tensor& state) {
  return W_c_->forward(at::cat({context, state}, -1)).tanh();  // s̃_t = tanh(W_c [a_t ; s_t])
}

}  // namespace softalign
