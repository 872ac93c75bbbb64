#include <ATen/ATen.h>
#include <benchmark/benchmark.h>

#include "model/kernels/product.h"
#include "model/loss.h"
#include "model/rnn/rnn.h"
#include "model/seq2seq.h"
#include "tests/bench/bench.h"

namespace softalign {

ModelConfig usual_model(Kernels kernels, bool input_feeding) {
  ModelConfig config;
  config.source_vocabulary = config.target_vocabulary = 8000;
  config.source_embedding = config.target_embedding = 256;
  config.encoder.hidden = config.decoder.hidden = 512;
  config.attention.input_feeding = input_feeding;
  config.kernels = kernels;
  return config;
}

namespace {

constexpr int64_t kBatch = 64, kLength = 16;

Kernels kernels_of(const benchmark::State& state) {
  return state.range(0) != 0 ? Kernels::fast : Kernels::reference;
}

void add_rate(benchmark::State& state, const char* name, double per_iteration) {
  state.counters[name] = benchmark::Counter(
      per_iteration * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

/// One matrix product a · bᵀ on every thread: what the processor can do.
void product(benchmark::State& state) {
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2);
  const Tensor a = at::rand({m, k}), b = at::rand({n, k}), c = at::zeros({m, n});
  for (auto _ : state) multiply(c, a, b.t());
  add_rate(state, "FLOPS", 2.0 * static_cast<double>(m * n * k));
}
BENCHMARK(product)
    ->Args({1024, 1024, 1024})
    ->Args({512, 8000, 512})
    ->Args({512, 2048, 768})
    ->Args({64, 2048, 512})
    ->Args({32, 2048, 512})
    ->ArgNames({"m", "n", "k"})
    ->Threads(1)
    ->Threads(2)
    ->UseRealTime();

/// A recurrent layer of 512 over 64 sentences of 16 tokens, forward and backward.
void layer(benchmark::State& state, CellKind cell) {
  RnnConfig config;
  config.cell = cell;
  config.input_size = config.hidden = 512;
  config.kernels = kernels_of(state);
  Rnn rnn(config);
  const Tensor inputs = at::randn({kBatch, kLength, 512}).requires_grad_(true);
  for (auto _ : state) rnn->forward(inputs, {}).states.sum().backward();
  add_rate(state, "tokens/s", kBatch * kLength);
}
BENCHMARK_CAPTURE(layer, lstm, CellKind::lstm)->ArgName("fast")->Arg(0)->Arg(1)->UseRealTime();
BENCHMARK_CAPTURE(layer, gru, CellKind::gru)->ArgName("fast")->Arg(0)->Arg(1)->UseRealTime();

/// Output layer of 8,000, softmax, label smoothing and cross-entropy, forward and backward.
void output_layer(benchmark::State& state) {
  const Tensor states = at::randn({kBatch * kLength, 512}).requires_grad_(true);
  const Tensor weight = at::randn({8000, 512}).requires_grad_(true);
  const Tensor bias = at::zeros({8000}).requires_grad_(true);
  const Tensor targets = at::randint(8000, {kBatch * kLength}, at::kLong);
  for (auto _ : state)
    output_loss(states, weight, bias, targets, 0.1, kernels_of(state)).loss.backward();
  add_rate(state, "tokens/s", kBatch * kLength);
}
BENCHMARK(output_layer)->ArgName("fast")->Arg(0)->Arg(1)->UseRealTime();

/// The usual model on one batch, forward and backward, without the optimizer.
void whole_model(benchmark::State& state, bool input_feeding) {
  Seq2Seq model(usual_model(kernels_of(state), input_feeding));
  Batch batch;
  batch.source = at::randint(kEos + 1, 8000, {kBatch, kLength}, at::kLong);
  batch.source_lengths = at::full({kBatch}, kLength, at::kLong);
  batch.target_in = batch.source.clone();
  batch.target_out = batch.source.clone();
  batch.target_lengths = batch.source_lengths;
  batch.target_tokens = kBatch * kLength;
  LossOptions options;
  options.label_smoothing = 0.1;
  for (auto _ : state) model->loss(batch, options).objective.backward();
  add_rate(state, "tokens/s", kBatch * kLength);
}
BENCHMARK_CAPTURE(whole_model, feeding, true)->ArgName("fast")->Arg(0)->Arg(1)->UseRealTime();
BENCHMARK_CAPTURE(whole_model, plain, false)->ArgName("fast")->Arg(0)->Arg(1)->UseRealTime();

}  // namespace
}  // namespace softalign
