#pragma once

#include <cstdint>
#include <string>

#include "data/sampler.h"
#include "model/config.h"
#include "model/search/options.h"

namespace softalign {

enum class OptimizerKind { sgd, adam, adamw };
constexpr Names<OptimizerKind, 3> kOptimizerNames{
    {{OptimizerKind::sgd, "sgd"}, {OptimizerKind::adam, "adam"}, {OptimizerKind::adamw, "adamw"}}};

/// constant; inverse_sqrt: linear warm-up, then ∝ 1/√step (Vaswani et al. 2017); cosine: warm-up,
/// then a half cosine to `minimum` at max_steps; plateau: times `decay` whenever the metric hasn't
/// improved for `plateau_patience` validations; luong: constant for `luong_start` of max_steps,
/// halved there and again every `luong_interval` of them (Luong et al. 2015, §4.1). Where max_steps
/// is 0, it is estimated from max_epochs and the first epoch's batches.
enum class ScheduleKind { constant, inverse_sqrt, cosine, plateau, luong };
constexpr Names<ScheduleKind, 5> kScheduleNames{{{ScheduleKind::constant, "constant"},
                                                 {ScheduleKind::inverse_sqrt, "inverse_sqrt"},
                                                 {ScheduleKind::cosine, "cosine"},
                                                 {ScheduleKind::plateau, "plateau"},
                                                 {ScheduleKind::luong, "luong"}}};

enum class Metric { perplexity, bleu, chrf };
constexpr Names<Metric, 3> kMetricNames{
    {{Metric::perplexity, "perplexity"}, {Metric::bleu, "bleu"}, {Metric::chrf, "chrf"}}};

struct OptimizerConfig {
  OptimizerKind kind = OptimizerKind::adam;
  double learning_rate = 0.001;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weight_decay = 0.0;  // decoupled for adamw, else added to the gradient
  double momentum = 0.0;      // sgd
  double clip_norm = 1.0;     // largest norm of the whole gradient; 0: no clipping
};

struct ScheduleConfig {
  ScheduleKind kind = ScheduleKind::constant;
  int64_t warmup_steps = 0;      // linear from 0, before any schedule
  double decay = 0.5;            // plateau
  int64_t plateau_patience = 2;  // validations
  double minimum = 0.0;          // lowest learning rate; plateau stops the training there
  double luong_start = 0.667, luong_interval = 0.083;
};

struct TrainingConfig {
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
  LossOptions loss;
  SamplerConfig sampler;
  int64_t accumulate = 1;        // batches per update
  int64_t max_epochs = 10;       // 0: no limit
  int64_t max_steps = 0;         // updates; 0: no limit
  double max_minutes = 0;        // of training in this run; 0: no limit
  int64_t validate_every = 0;    // updates; 0: at each epoch's end
  int64_t checkpoint_every = 0;  // updates between writes of `last`; 0: at validations only
  int64_t report_every = 50;     // updates
  double ema_decay = 0.0;    // moving average e ← d·e + (1−d)·w of the weights after step t,
                             // d = min(ema_decay, (1+t)/(10+t)); 0: off
  int64_t average_best = 1;  // `best` is the mean of the k best validated weights
  int64_t patience = 0;      // validations without improvement before stopping; 0: never
  Metric metric = Metric::bleu;   // chooses `best`, plateau and patience
  double subword_sampling = 0.0;  // alpha of Subword::sample; 0: off
  bool diagnostics = false;       // reports describe the attention, see AttentionReport
  uint64_t seed = 1;
};

struct ValidationConfig {
  SearchOptions search;       // how validation sentences are translated
  int64_t max_sentences = 0;  // translate only the first n; 0: all
};

}  // namespace softalign
