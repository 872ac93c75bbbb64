#include "app/config/sections.h"

namespace softalign {

void declare_training(Section& root, TrainingConfig& config, Kernels& kernels,
                      ResourceConfig& resources, InspectionConfig& inspection) {
  Section& training = root.section("training", "how the weights are found");

  OptimizerConfig& optimizer = config.optimizer;
  training.key("optimizer", optimizer.kind, kOptimizerNames, "rule of the updates");
  training.key("learning_rate", optimizer.learning_rate, positive(), "highest learning rate");
  training.key("beta1", optimizer.beta1, half_open(0, 1), "adam: decay of the mean gradient");
  training.key("beta2", optimizer.beta2, half_open(0, 1), "adam: decay of the mean square");
  training.key("epsilon", optimizer.epsilon, positive(), "adam: added to the root");
  training.key("weight_decay", optimizer.weight_decay, not_negative(),
               "pull towards zero; decoupled for adamw");
  training.key("momentum", optimizer.momentum, half_open(0, 1), "sgd");
  training.key("clip_norm", optimizer.clip_norm, not_negative(),
               "largest norm of the gradient; 0: no clipping");

  ScheduleConfig& schedule = config.schedule;
  training.key("schedule", schedule.kind, kScheduleNames, "course of the learning rate");
  training.key("warmup_steps", schedule.warmup_steps, at_least(0),
               "updates of linear rise before any schedule");
  training.key("decay", schedule.decay, Range{0, 1, true, true, "in (0, 1)"},
               "schedule plateau: factor");
  training.key("plateau_patience", schedule.plateau_patience, at_least(0),
               "schedule plateau: validations without improvement before the factor");
  training.key("minimum_learning_rate", schedule.minimum, not_negative(),
               "lowest learning rate; a plateau there ends the training");
  training.key("luong_start", schedule.luong_start, between(0, 1),
               "schedule luong: share of all updates before the first halving");
  training.key("luong_interval", schedule.luong_interval, left_open(0, 1),
               "schedule luong: share of all updates between halvings");

  SamplerConfig& sampler = config.sampler;
  training.key("batch_tokens", sampler.batch_tokens, between(1, 100'000'000),
               "most target tokens in a batch, with padding");
  training.key("batch_sentences", sampler.batch_sentences, between(0, 1'000'000),
               "most sentences in a batch; 0: no limit");
  training.key("bucket_batches", sampler.bucket_batches, between(1, 1'000'000),
               "sentences of similar length are sought among so many batches");
  training.key("accumulate", config.accumulate, between(1, 100'000), "batches per update");

  training.key("label_smoothing", config.loss.label_smoothing, half_open(0, 1),
               "share of the probability spread over the vocabulary");
  training.key("guided_alignment", config.loss.guided_alignment, not_negative(),
               "weight of the loss that pulls attention to corpus.train.alignment; 0: off");
  training.key("subword_sampling", config.subword_sampling, between(0, 1),
               "alpha of subword regularisation or BPE-dropout; 0: off");
  training.key("ema_decay", config.ema_decay, half_open(0, 1),
               "moving average of the weights that validation uses; 0: off");
  training.key("average_best", config.average_best, between(1, 100),
               "the final weights are the mean of the k best");

  training.key("max_epochs", config.max_epochs, at_least(0), "0: no limit");
  training.key("max_steps", config.max_steps, at_least(0), "updates; 0: no limit");
  training.key("max_minutes", config.max_minutes, not_negative(), "of one run; 0: no limit");
  training.key("validate_every", config.validate_every, at_least(0),
               "updates; 0: at the end of each epoch");
  training.key("checkpoint_every", config.checkpoint_every, at_least(0),
               "updates between saves of the state for --resume; 0: at validations");
  training.key("report_every", config.report_every, at_least(1), "updates between reports");
  training.key("diagnostics", config.diagnostics,
               "reports tell of the attention: variance and gradient of the scores, entropy");
  training.key("patience", config.patience, at_least(0),
               "validations without improvement before stopping; 0: never");
  training.key("metric", config.metric, kMetricNames,
               "chooses the best weights, and serves plateau and patience");
  training.key("neighbours", inspection.neighbours, between(0, 1'000'000),
               "training states of each kind to keep for `serve`; 0: none");
  training.key("seed", config.seed, "start of all random draws");
  training.key("kernels", kernels, kKernelNames,
               "fused loops where they can run, or plain LibTorch operations everywhere");
  training.key("threads", resources.threads, between(0, 1024), "0: all cores of this process");
  training.key("peer_timeout", resources.peer_timeout, between(1, 86'400),
               "several processes: seconds after which a silent one is lost");
}

}  // namespace softalign
