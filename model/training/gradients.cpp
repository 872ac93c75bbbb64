#include "model/training/gradients.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "model/dropout.h"
#include "model/training/random_state.h"

namespace softalign {

Gradients::Gradients(Seq2Seq& model, Optimizer& optimizer, Group& group)
    : optimizer_(optimizer), group_(group), workers_(at::get_num_threads()), replicas_{model} {
  const KeepGenerator keep;  // a replica draws its first weights in vain
  while (static_cast<int64_t>(replicas_.size()) < workers_.count()) {
    replicas_.emplace_back(model->config());
    optimizer.add_replica(replicas_.back()->parameters());
  }
  // With one worker gradients can go out while others are computed.
  if (group.size() > 1 && workers_.count() == 1)
    exchange_.emplace(group, model->parameters(), optimizer.flat_gradients());
}

void Gradients::set_training() {
  for (Seq2Seq& replica : replicas_) replica->train();
}

Gradients::Sums Gradients::add(const Batch& batch, const LossOptions& options, bool is_last) {
  const int64_t workers = workers_.count();
  const std::vector<Batch> parts = batch.split(group_.size() * workers);
  std::vector<Sums> sums(static_cast<size_t>(workers));
  std::vector<uint64_t> seeds(parts.size());
  for (uint64_t& seed : seeds) seed = draw_seed();
  if (exchange_ && is_last) exchange_->begin();
  workers_.run([&](int64_t worker) {
    const auto k = static_cast<size_t>(worker);
    const auto part = static_cast<size_t>(group_.rank() * workers + worker);
    if (part >= parts.size()) return;
    const DropoutSeed seed(seeds[part]);
    const Loss loss = replicas_[k]->loss(parts[part], options);
    if (options.keep_scores) keep_score_gradients(loss.attended);
    loss.objective.backward();
    sums[k].sums = sums_of(parts[part], loss);
    if (options.keep_scores)
      sums[k].attention =
          attention_sums(loss.attended, parts[part].source_lengths, parts[part].target_lengths);
  });
  Sums all;
  for (const Sums& part : sums) {
    all.sums += part.sums;
    all.attention += part.attention;
  }
  return all;
}

void Gradients::add_up(softalign::Sums& sums, Wishes& wishes) {
  if (group_.size() == 1) return;
  if (exchange_) {
    exchange_->finish();
  } else {
    optimizer_.add_replicas();
    group_.sum(optimizer_.flat_gradients());
  }
  const Tensor all = at::tensor(
      std::vector<double>{sums.objective, sums.negative_log_likelihood, sums.correct,
                          static_cast<double>(sums.source_tokens),
                          static_cast<double>(sums.target_tokens),
                          static_cast<double>(sums.padded_tokens), wishes.to_stop ? 1.0 : 0.0,
                          wishes.to_end_in_time ? 1.0 : 0.0},
      at::kDouble);
  group_.sum(all);
  const double* const values = all.data_ptr<double>();
  sums.objective = values[0];
  sums.negative_log_likelihood = values[1];
  sums.correct = values[2];
  sums.source_tokens = std::llround(values[3]);
  sums.target_tokens = std::llround(values[4]);
  sums.padded_tokens = std::llround(values[5]);
  wishes = {values[6] > 0, values[7] > 0};
}

}  // namespace softalign
