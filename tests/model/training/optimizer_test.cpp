#include "model/training/optimizer.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/types.h>
// clip_grad.h names torch::Tensor without including it.
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <cmath>
#include <memory>

#include "data/error.h"
#include "tests/support/tensors.h"

namespace softalign {
namespace {

std::vector<Tensor> some_parameters() {
  at::manual_seed(3);
  std::vector<Tensor> parameters;
  for (const auto& shape : std::vector<std::vector<int64_t>>{{5, 3}, {1}, {40, 33}, {17}})
    parameters.push_back(at::randn(shape).requires_grad_());
  return parameters;
}

std::vector<Tensor> copies(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> result;
  for (const Tensor& tensor : tensors) result.push_back(tensor.detach().clone().requires_grad_());
  return result;
}

Tensor objective(const std::vector<Tensor>& parameters, int64_t step) {
  Tensor sum = at::zeros({});
  for (const Tensor& parameter : parameters)
    sum = sum + (parameter * static_cast<double>(step)).sin().sum() + parameter.pow(2).sum();
  return sum;
}

// Both round to float32 in another order; Adam's division by a small √v makes that larger.
constexpr double kRounding = 1e-5;

/// Ten updates of ours and of LibTorch's optimizer, with clipping on most of them.
void expect_same_as(torch::optim::Optimizer& theirs, std::vector<Tensor>& their_parameters,
                    const OptimizerConfig& config) {
  std::vector<Tensor> ours = copies(their_parameters);
  Optimizer optimizer(ours, config);
  for (int64_t step = 1; step <= 10; ++step) {
    theirs.zero_grad();
    objective(their_parameters, step).backward();
    const double their_norm = torch::nn::utils::clip_grad_norm_(their_parameters, config.clip_norm);
    theirs.step();

    optimizer.zero_gradients();
    (objective(ours, step) * 8.0).backward();
    const double norm = optimizer.scale_gradients(1.0 / 8.0);
    optimizer.step(config.learning_rate, norm);
    EXPECT_NEAR(norm, their_norm, 1e-5 * their_norm);
    for (size_t i = 0; i < ours.size(); ++i)
      expect_close(ours[i].detach(), their_parameters[i].detach(), kRounding);
  }
}

TEST(Optimizer, AdamIsThatOfLibTorch) {
  OptimizerConfig config;
  config.kind = OptimizerKind::adam;
  config.learning_rate = 0.01;
  config.weight_decay = 0.1;
  config.clip_norm = 5.0;
  std::vector<Tensor> parameters = some_parameters();
  torch::optim::Adam theirs(parameters, torch::optim::AdamOptions(0.01).weight_decay(0.1));
  expect_same_as(theirs, parameters, config);
}

TEST(Optimizer, AdamWIsThatOfLibTorch) {
  OptimizerConfig config;
  config.kind = OptimizerKind::adamw;
  config.learning_rate = 0.02;
  config.weight_decay = 0.2;
  config.beta1 = 0.8;
  config.beta2 = 0.95;
  config.epsilon = 1e-6;
  config.clip_norm = 1000.0;
  std::vector<Tensor> parameters = some_parameters();
  torch::optim::AdamW theirs(
      parameters, torch::optim::AdamWOptions(0.02).weight_decay(0.2).betas({0.8, 0.95}).eps(1e-6));
  expect_same_as(theirs, parameters, config);
}

TEST(Optimizer, SgdIsThatOfLibTorch) {
  for (const double momentum : {0.0, 0.9}) {
    OptimizerConfig config;
    config.kind = OptimizerKind::sgd;
    config.learning_rate = 0.05;
    config.weight_decay = 0.01;
    config.momentum = momentum;
    config.clip_norm = 2.0;
    std::vector<Tensor> parameters = some_parameters();
    torch::optim::SGD theirs(parameters,
                             torch::optim::SGDOptions(0.05).weight_decay(0.01).momentum(momentum));
    expect_same_as(theirs, parameters, config);
  }
}

TEST(Optimizer, ParametersAndGradientsAreViewsOfFlatBuffers) {
  std::vector<Tensor> parameters = some_parameters();
  const std::vector<Tensor> before = copies(parameters);
  Optimizer optimizer(parameters, {});
  objective(parameters, 1).backward();
  double squares = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_TRUE(parameters[i].equal(before[i]));
    EXPECT_TRUE(parameters[i].is_leaf());
    squares += parameters[i].grad().pow(2).sum().item<double>();
  }
  EXPECT_NEAR(optimizer.flat_gradients().pow(2).sum().item<double>(), squares, 1e-3);
  EXPECT_NEAR(optimizer.scale_gradients(0.5), 0.5 * std::sqrt(squares), 1e-3);
  optimizer.zero_gradients();
  EXPECT_EQ(parameters[2].grad().abs().max().item<float>(), 0.0f);
  optimizer.set_parameters(at::full_like(optimizer.flat_parameters(), 2.0));
  EXPECT_EQ(parameters[0][4][2].item<float>(), 2.0f);
}

TEST(Optimizer, ReplicasShareTheWeightsAndTheirGradientsAreSummed) {
  std::vector<Tensor> model = some_parameters(), replica = copies(model), alone = copies(model);
  OptimizerConfig config;
  config.clip_norm = 0;
  Optimizer optimizer(model, config), reference(alone, config);
  optimizer.add_replica(replica);
  for (int64_t step = 1; step <= 3; ++step) {
    optimizer.zero_gradients();
    reference.zero_gradients();
    objective(model, step).backward();
    objective(replica, step).backward();
    (objective(alone, step) * 2).backward();
    const double norm = optimizer.scale_gradients(0.5);
    EXPECT_NEAR(norm, reference.scale_gradients(0.5), 1e-5 * norm);
    optimizer.step(0.01, norm);
    reference.step(0.01, norm);
  }
  for (size_t k = 0; k < model.size(); ++k) {
    EXPECT_EQ(model[k].data_ptr(), replica[k].data_ptr());
    EXPECT_TRUE(model[k].allclose(alone[k], 1e-5, 1e-5));
  }
}

TEST(Optimizer, ReplacedOrMissingGradientsAreTakenOver) {
  std::vector<Tensor> parameters = some_parameters();
  Optimizer optimizer(parameters, {});
  parameters[0].mutable_grad() = at::full_like(parameters[0], 2.0);
  for (size_t i = 1; i < parameters.size(); ++i) parameters[i].mutable_grad() = Tensor();
  EXPECT_NEAR(optimizer.scale_gradients(1.0), std::sqrt(15 * 4.0), 1e-6);
  EXPECT_TRUE(parameters[3].grad().defined());
}

TEST(Optimizer, S22_ANormThatIsNotFiniteIsSeenBeforeAnythingIsChanged) {
  std::vector<Tensor> parameters = some_parameters();
  const std::vector<Tensor> before = copies(parameters);
  Optimizer optimizer(parameters, {});
  optimizer.zero_gradients();
  parameters[1].mutable_grad().fill_(std::nan(""));
  EXPECT_FALSE(std::isfinite(optimizer.scale_gradients(1.0)));
  EXPECT_TRUE(parameters[0].equal(before[0]));
}

TEST(Optimizer, S19_StateComesBackAndOtherStatesAreRefused) {
  OptimizerConfig config;
  std::vector<Tensor> one = some_parameters(), two = copies(one);
  Optimizer first(one, config), second(two, config);
  const auto update = [](Optimizer& optimizer, std::vector<Tensor>& parameters, int64_t step) {
    optimizer.zero_gradients();
    objective(parameters, step).backward();
    optimizer.step(0.01, optimizer.scale_gradients(1.0));
  };
  for (int64_t step = 1; step <= 3; ++step) update(first, one, step);
  second.set_parameters(first.flat_parameters());
  second.restore(first.state());
  for (int64_t step = 4; step <= 6; ++step) {
    update(first, one, step);
    update(second, two, step);
  }
  EXPECT_TRUE(first.flat_parameters().equal(second.flat_parameters()));

  config.kind = OptimizerKind::sgd;
  std::vector<Tensor> three = copies(one);
  Optimizer other(three, config);
  EXPECT_THROW(other.restore(first.state()), Error);
}

}  // namespace
}  // namespace softalign
