#pragma once

#include <optional>
#include <vector>

#include "model/attention/diagnostics.h"
#include "model/seq2seq.h"
#include "model/training/exchange.h"
#include "model/training/optimizer.h"
#include "model/training/position.h"
#include "model/workers.h"

namespace softalign {

/// What a process wants of all that train with it.
struct Wishes {
  bool to_stop = false, to_end_in_time = false;
};

/// The gradients of batches. Each batch is shared out over the processes of a group and the workers
/// of each of them; a worker computes on a replica of the model with gradients of its own.
class Gradients {
 public:
  /// One worker for each of LibTorch's threads. The others outlive this.
  Gradients(Seq2Seq& model, Optimizer& optimizer, Group& group);

  /// All replicas into training mode.
  void set_training();

  struct Sums {
    softalign::Sums sums;
    AttentionSums attention;  // where options.keep_scores asks for it
  };
  /// Adds the gradients of this process's share of a batch, which is the same for all processes,
  /// and returns its sums. `is_last`: of an update.
  Sums add(const Batch& batch, const LossOptions& options, bool is_last);
  /// After an update's last batch: gradients and sums of this process → those of all, wishes of one
  /// → wishes of all.
  void add_up(softalign::Sums& sums, Wishes& wishes);

 private:
  Optimizer& optimizer_;
  Group& group_;
  Workers workers_;
  std::vector<Seq2Seq> replicas_;  // one for each worker, the model first; all share the weights
  std::optional<GradientExchange> exchange_;
};

}  // namespace softalign
