#include "model/training/exchange.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace softalign {
namespace {

constexpr int64_t kBucket = 1 << 20;  // floats that a bucket has at least: 4 MiB

}  // namespace

struct GradientExchange::State {
  struct Bucket {
    Tensor gradients;  // a range of the flat ones
    int64_t parameters = 0, missing = 0;
  };

  Group& group;
  std::vector<Bucket> buckets;  // from the model's end, where the backward pass begins
  std::vector<std::shared_ptr<torch::autograd::Node>> accumulators;  // alive as long as their hooks
  size_t sent = 0;
  bool is_last_pass = false;

  explicit State(Group& of) : group(of) {}

  // All processes must send in the same order, whatever order the gradients came in.
  void send_complete() {
    for (; sent < buckets.size() && buckets[sent].missing == 0; ++sent)
      group.begin_sum(buckets[sent].gradients);
  }
};

namespace {

/// Called after a parameter's gradient was added to.
template <typename State>
class GradientIsThere : public torch::autograd::FunctionPostHook {
 public:
  GradientIsThere(std::weak_ptr<State> state, size_t bucket)
      : state_(std::move(state)), bucket_(bucket) {}

  torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                            const torch::autograd::variable_list&) override {
    const auto state = state_.lock();
    if (state && state->is_last_pass) {
      --state->buckets[bucket_].missing;
      state->send_complete();
    }
    return outputs;
  }

 private:
  std::weak_ptr<State> state_;
  size_t bucket_;
};

}  // namespace

GradientExchange::GradientExchange(Group& group, const std::vector<Tensor>& parameters,
                                   const Tensor& gradients)
    : state_(std::make_shared<State>(group)) {
  const float* const base = gradients.data_ptr<float>();
  int64_t end = gradients.numel();
  State::Bucket bucket;
  for (size_t i = parameters.size(); i-- > 0;) {
    const Tensor& parameter = parameters[i];
    const int64_t begin = parameter.grad().data_ptr<float>() - base;
    const auto accumulator = torch::autograd::impl::grad_accumulator(parameter);
    accumulator->add_post_hook(
        std::make_unique<GradientIsThere<State>>(state_, state_->buckets.size()));
    state_->accumulators.push_back(accumulator);
    ++bucket.parameters;
    if (end - begin < kBucket && i > 0) continue;
    bucket.gradients = gradients.narrow(0, i == 0 ? 0 : begin, end - (i == 0 ? 0 : begin));
    state_->buckets.push_back(bucket);
    bucket = {};
    end = begin;
  }
}

GradientExchange::~GradientExchange() = default;

void GradientExchange::begin() {
  state_->is_last_pass = true;
  state_->sent = 0;
  for (State::Bucket& bucket : state_->buckets) bucket.missing = bucket.parameters;
}

void GradientExchange::finish() {
  state_->is_last_pass = false;
  for (State::Bucket& bucket : state_->buckets) bucket.missing = 0;  // parameters without gradient
  state_->send_complete();
  state_->group.wait();
}

}  // namespace softalign
