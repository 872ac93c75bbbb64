#include "model/training/random_state.h"

#include <ATen/CPUGeneratorImpl.h>

#include <locale>
#include <mutex>
#include <sstream>

#include "data/error.h"

namespace softalign {

std::string to_text(const std::mt19937_64& random) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << random;
  return text.str();
}

std::mt19937_64 to_random(const std::string& text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  std::mt19937_64 random;
  if (!(stream >> random)) throw Error("the saved random state is damaged");
  return random;
}

Tensor generator_state() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return generator.get_state();
}

void set_generator_state(const Tensor& state) {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_state(state);
}

}  // namespace softalign
