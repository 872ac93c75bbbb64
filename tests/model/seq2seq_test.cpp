#include "model/seq2seq.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <functional>

#include "data/error.h"
#include "tests/support/tensors.h"

namespace softalign {
namespace {

ModelConfig small() {
  ModelConfig config;
  config.source_vocabulary = config.target_vocabulary = 12;
  config.source_embedding = config.target_embedding = 6;
  config.encoder.hidden = config.decoder.hidden = 8;
  config.attention.window_size = 2;
  return config;
}

Batch make_small_batch() {
  static const std::vector<EncodedPair> pairs{
      {{4, 5, 6, 7, 8}, {5, 6, 7, 8}, {}}, {{9, 4}, {8, 9, 10, 4, 5, 6}, {}}, {{7}, {}, {}}};
  return make_batch({&pairs[0], &pairs[1], &pairs[2]}, {0, 1, 2});
}

using Change = std::function<void(ModelConfig&)>;
struct Named {
  const char* name;
  Change change;
};

// One model per option that changes the computation.
const std::vector<Named>& variants() {
  static const std::vector<Named> all{
      {"plain", [](ModelConfig&) {}},
      {"gru", [](ModelConfig& c) { c.encoder.cell = c.decoder.cell = CellKind::gru; }},
      {"mixed_cells", [](ModelConfig& c) { c.encoder.cell = CellKind::gru; }},
      {"one_direction", [](ModelConfig& c) { c.encoder.bidirectional = false; }},
      {"deep_residual",
       [](ModelConfig& c) {
         c.encoder.layers = c.decoder.layers = 3;
         c.encoder.residual = c.decoder.residual = true;
       }},
      {"layer_norm", [](ModelConfig& c) { c.encoder.layer_norm = c.decoder.layer_norm = true; }},
      {"self_attention",
       [](ModelConfig& c) {
         c.encoder.self_attention = {SelfAttentionKind::scaled_dot, 2};
       }},
      {"start_zero", [](ModelConfig& c) { c.decoder.start = DecoderStart::zero; }},
      {"start_last", [](ModelConfig& c) { c.decoder.start = DecoderStart::last; }},
      {"start_mean", [](ModelConfig& c) { c.decoder.start = DecoderStart::mean_tanh; }},
      {"unequal_widths", [](ModelConfig& c) { c.decoder.hidden = 10; }},
      {"narrow_state", [](ModelConfig& c) { c.attention.state_size = 5; }},
      {"tied_target", [](ModelConfig& c) { c.tie = Tying::target; }},
      {"tied_without_projection",
       [](ModelConfig& c) {
         c.tie = Tying::target;
         c.attention.state_size = 6;
       }},
      {"tied_all", [](ModelConfig& c) { c.tie = Tying::all; }},
      {"none", [](ModelConfig& c) { c.attention.score = ScoreKind::none; }},
      {"heads",
       [](ModelConfig& c) {
         c.attention.score = ScoreKind::projected;
         c.attention.heads = 2;
       }},
      {"local_m", [](ModelConfig& c) { c.attention.window = WindowKind::monotonic; }},
      {"local_p", [](ModelConfig& c) { c.attention.window = WindowKind::predictive; }},
      {"feeding", [](ModelConfig& c) { c.attention.input_feeding = true; }},
      {"feeding_gru_dot",
       [](ModelConfig& c) {
         c.attention.input_feeding = true;
         c.attention.score = ScoreKind::scaled_dot;
         c.attention.state_size = 5;
         c.decoder.cell = CellKind::gru;
       }},
      {"bahdanau",
       [](ModelConfig& c) {
         c.attention.order = AttentionOrder::bahdanau;
         c.attention.score = ScoreKind::additive;
       }},
      {"bahdanau_feeding",
       [](ModelConfig& c) {
         c.attention.order = AttentionOrder::bahdanau;
         c.attention.input_feeding = true;
         c.decoder.layers = 2;
       }},
  };
  return all;
}

class EveryModel : public ::testing::TestWithParam<Named> {
 protected:
  void SetUp() override {
    at::manual_seed(21);
    GetParam().change(config_);
    model_ = Seq2Seq(config_);
    for (Tensor& parameter : model_->parameters()) {
      at::NoGradGuard guard;
      parameter.add_(at::randn_like(parameter) * 0.2);  // biases, too
    }
  }
  ModelConfig config_ = small();
  Seq2Seq model_{nullptr};
};

TEST_P(EveryModel, StepByStepIsTheWholeSentence) {
  model_->eval();
  const Batch batch = make_small_batch();
  Memory memory = model_->encode(batch.source, batch.source_lengths);
  const Attended whole = model_->decode(batch.target_in, memory);
  DecoderState state = model_->start(memory);
  for (int64_t t = 0; t < batch.target_in.size(1); ++t) {
    auto [attended, next] = model_->step(batch.target_in.select(1, t), state, memory);
    expect_close(attended.attentional_state, whole.attentional_state.narrow(1, t, 1), 1e-5);
    expect_close(attended.weights, whole.weights.narrow(1, t, 1), 1e-5);
    state = next;
  }
}

TEST_P(EveryModel, S25_ASentenceAloneIsTheSentenceInABatch) {
  model_->eval();
  const Batch batch = make_small_batch();
  const Tensor together = model_->token_log_probs(batch).first;
  for (int64_t b = 0; b < 3; ++b) {
    const int64_t source = batch.source_lengths[b].item<int64_t>();
    const int64_t target = batch.target_lengths[b].item<int64_t>();
    Batch alone;
    alone.source = batch.source.narrow(0, b, 1).narrow(1, 0, source);
    alone.source_lengths = batch.source_lengths.narrow(0, b, 1);
    alone.target_in = batch.target_in.narrow(0, b, 1).narrow(1, 0, target);
    alone.target_out = batch.target_out.narrow(0, b, 1).narrow(1, 0, target);
    expect_close(model_->token_log_probs(alone).first[0], together[b].narrow(0, 0, target), 1e-5);
    EXPECT_TRUE(together[b].narrow(0, target, together.size(1) - target).eq(0).all().item<bool>());
  }
}

TEST_P(EveryModel, LossIsTheSumOfTokenLogProbs) {
  model_->eval();
  const Batch batch = make_small_batch();
  const Loss loss = model_->loss(batch, {});
  EXPECT_EQ(loss.tokens, batch.target_tokens);
  EXPECT_NEAR(loss.negative_log_likelihood.item<double>(),
              -model_->token_log_probs(batch).first.sum().item<double>(), 1e-3);
  EXPECT_NEAR(loss.objective.item<double>(), loss.negative_log_likelihood.item<double>(), 1e-3);
}

TEST_P(EveryModel, GradientsAreThoseOfCentralDifferences) {
  model_->to(at::kDouble);
  model_->eval();
  const Batch batch = make_small_batch();
  std::vector<Tensor> leaves;
  for (const auto& item : model_->named_parameters())
    if (config_.attention.score != ScoreKind::none || item.key().find("score") == std::string::npos)
      leaves.push_back(item.value());
  LossOptions options;
  options.label_smoothing = 0.1;
  expect_gradients([&] { return model_->loss(batch, options).objective; }, leaves, 2e-5, 3);
}

TEST_P(EveryModel, FastAndReferenceKernelsAgree) {
  Batch batch = make_small_batch();
  ModelConfig plain = config_;
  plain.kernels = Kernels::reference;
  Seq2Seq reference(plain);
  {
    at::NoGradGuard guard;
    const auto from = model_->named_parameters();
    for (auto& item : reference->named_parameters()) item.value().copy_(from[item.key()]);
  }
  batch.alignment = at::rand({3, batch.target_in.size(1), batch.source.size(1)});
  LossOptions options;
  options.label_smoothing = 0.1;
  options.guided_alignment = 0.5;
  const Loss fast = model_->loss(batch, options), slow = reference->loss(batch, options);
  fast.objective.backward();
  slow.objective.backward();
  expect_close(fast.objective, slow.objective, 1e-5);
  const auto expected = reference->named_parameters();
  for (const auto& item : model_->named_parameters()) {
    SCOPED_TRACE(item.key());
    ASSERT_EQ(item.value().grad().defined(), expected[item.key()].grad().defined());
    if (item.value().grad().defined())
      expect_close(item.value().grad(), expected[item.key()].grad(), 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, EveryModel, ::testing::ValuesIn(variants()),
                         [](const auto& test) { return test.param.name; });

TEST(Seq2Seq, TiedTablesAreCountedOnce) {
  ModelConfig config = small();
  const auto count = [&] { return Seq2Seq(config)->parameter_count(); };
  const int64_t untied = count();
  config.tie = Tying::target;  // without the output matrix 12 × 8, with a projection 8 → 6
  EXPECT_EQ(untied - count(), 12 * 8 - 8 * 6);
  config.tie = Tying::all;  // and without the source table 12 × 6
  EXPECT_EQ(untied - count(), 12 * 8 - 8 * 6 + 12 * 6);
}

TEST(Seq2Seq, S33_DropoutIsOffInEvaluationAndOnInTraining) {
  at::manual_seed(5);
  ModelConfig config = small();
  config.dropout = {0.5, 0.5, 0.5, 0.5, 0.5, true};
  config.encoder.layers = config.decoder.layers = 2;
  Seq2Seq model(config);
  const Batch batch = make_small_batch();
  const auto loss = [&] { return model->loss(batch, {}).objective.item<double>(); };
  EXPECT_NE(loss(), loss());
  model->eval();
  EXPECT_EQ(loss(), loss());
}

// Every combination of sizes that can't fit names its key and what to do.
TEST(ModelConfig, SizesThatDoNotFitAreNamed) {
  const auto message = [](const Change& change) -> std::string {
    ModelConfig config = small();
    change(config);
    try {
      check(config);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), Error::kUser);
      return error.what();
    }
    return "";
  };
  const auto expect = [&](const Change& change, const std::string& key, const std::string& hint) {
    const std::string text = message(change);
    EXPECT_EQ(text.rfind(key, 0), 0u) << text;
    EXPECT_NE(text.find(hint), std::string::npos) << text;
  };
  EXPECT_EQ(message([](ModelConfig&) {}), "");
  expect([](ModelConfig& c) { c.encoder.hidden = 7; }, "model.encoder.hidden", "even");
  expect(
      [](ModelConfig& c) {
        c.attention.score = ScoreKind::dot;
        c.decoder.hidden = 10;
      },
      "model.attention.score", "general");
  expect(
      [](ModelConfig& c) {
        c.decoder.start = DecoderStart::last;
        c.decoder.hidden = 10;
      },
      "model.decoder.start", "bridge");
  expect([](ModelConfig& c) { c.attention.heads = 2; }, "model.attention.heads", "projected");
  expect(
      [](ModelConfig& c) {
        c.attention.score = ScoreKind::projected;
        c.attention.heads = 3;
      },
      "model.attention.heads", "divide");
  expect(
      [](ModelConfig& c) {
        c.encoder.self_attention = {SelfAttentionKind::scaled_dot, 3};
      },
      "model.encoder.self_attention_heads", "divide");
  expect(
      [](ModelConfig& c) {
        c.attention.score = ScoreKind::none;
        c.attention.window = WindowKind::monotonic;
      },
      "model.attention.window", "global");
  expect(
      [](ModelConfig& c) {
        c.tie = Tying::all;
        c.source_vocabulary = 13;
      },
      "model.tie", "joint");
}

}  // namespace
}  // namespace softalign
