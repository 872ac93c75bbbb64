#pragma once

#include <ATen/core/Tensor.h>

#include <random>
#include <string>

namespace softalign {

using at::Tensor;

/// A generator's state as text, the same under every locale; throws Error on other text.
std::string to_text(const std::mt19937_64& random);
std::mt19937_64 to_random(const std::string& text);

/// The state of LibTorch's default CPU generator, which dropout and initialisation draw from.
Tensor generator_state();
void set_generator_state(const Tensor& state);

/// Gives the default generator its present state back at the end of the scope.
class KeepGenerator {
 public:
  KeepGenerator() : state_(generator_state()) {}
  ~KeepGenerator() { set_generator_state(state_); }
  KeepGenerator(const KeepGenerator&) = delete;
  KeepGenerator& operator=(const KeepGenerator&) = delete;

 private:
  Tensor state_;
};

}  // namespace softalign
