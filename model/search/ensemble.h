#pragma once

#include <cstdint>
#include <vector>

#include "data/batch.h"
#include "model/search/fast_steps.h"
#include "model/seq2seq.h"

namespace softalign {

/// One or several models that read the same sentences and step together. The rows of its batch are
/// the live hypotheses of all sentences.
class Ensemble {
 public:
  /// Encodes the sources: one row per sentence. Models outlive the ensemble.
  Ensemble(std::vector<Seq2Seq>& models, const SourceBatch& sources);

  struct Step {
    Tensor
        log_probs;   // log of the mean of the models' p(y_t) [rows, vocabulary], float, on the host
    Tensor weights;  // the mean of their α_t [rows, source], float, on the host
  };
  /// Reads one token per row.
  Step step(const std::vector<int64_t>& tokens);

  /// Row i goes on from what was row rows[i]. Only what moved is copied: the encoder's side stays
  /// where each row still belongs to the same sentence.
  void select(const std::vector<int64_t>& rows);

 private:
  struct Member {
    Seq2Seq model;
    at::Device device;
    std::optional<FastSteps> fast;  // in the place of what follows
    Memory memory;
    DecoderState state;
  };
  std::vector<Member> members_;
  std::vector<int64_t> sentences_;  // of each row
};

/// Puts models into evaluation mode, and back at the end of its life.
class EvaluationMode {
 public:
  explicit EvaluationMode(std::vector<Seq2Seq>& models);
  ~EvaluationMode();
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  std::vector<Seq2Seq> in_training_;
};

/// log of the mean of probabilities given as logarithms.
Tensor log_mean_exp(const std::vector<Tensor>& log_probs);
Tensor mean(const std::vector<Tensor>& tensors);

/// As contiguous floats on the host.
Tensor on_host(const Tensor& tensor);

/// Where a model's parameters are.
at::Device device_of(Seq2Seq& model);

}  // namespace softalign
