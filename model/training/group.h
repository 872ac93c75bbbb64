#pragma once

#include <ATen/core/Tensor.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "model/training/safetensors.h"

namespace softalign {

using at::Tensor;

/// The place of this process among those that train one model together.
struct GroupConfig {
  int64_t rank = 0, size = 1;
  std::string address;  // of the process of rank 0
  int64_t port = 29500;
  std::string interface;  // of the network; empty: the loopback where the address is local, else
                          // the one that this machine's name resolves to
  std::chrono::seconds timeout{60};  // a peer that is silent for so long is lost
};

/// Processes that train one model together, over LibTorch's own c10d with Gloo. All of them call
/// the same functions in the same order. Every call throws Error(kMachine) when a peer is lost: at
/// once where its connection breaks, else after the timeout.
class Group {
 public:
  Group();  // this process alone: nothing is sent
  /// Waits for the others. Throws Error where this program was built without Gloo.
  explicit Group(const GroupConfig& config);
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  int64_t rank() const { return config_.rank; }
  int64_t size() const { return config_.size; }
  bool is_first() const { return config_.rank == 0; }

  /// tensor ← its sum over all processes, in place; contiguous, on the CPU.
  void sum(const Tensor& tensor);
  /// As `sum`, but only begun: the tensor is left alone until `wait` returns.
  void begin_sum(const Tensor& tensor);
  void wait();

  /// What the first process has. The others wait without a limit as long as it lives: it may be
  /// validating.
  void broadcast(const Tensor& tensor);
  void broadcast(std::string& bytes);
  void broadcast(NamedTensors& tensors);

 private:
  struct Connection;
  GroupConfig config_;
  std::unique_ptr<Connection> connection_;  // null: alone
};

}  // namespace softalign
