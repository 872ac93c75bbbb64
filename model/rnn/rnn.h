#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <utility>
#include <vector>

#include "model/config.h"
#include "model/rnn/cell.h"

namespace softalign {

using at::Tensor;

/// State of a stack of recurrent layers. `c` is undefined for a GRU.
struct RnnState {
  Tensor h, c;  // [layers, batch, hidden]
  Tensor keep;  // variational dropout's masks for the steps of these sentences
                // [layers − 1, batch, hidden]; undefined until a step in training draws them

  Tensor top() const { return h.select(0, -1); }  // [batch, hidden]
  RnnState select(const Tensor& rows) const;      // rows: [n] int64 positions in the batch
};

struct RnnConfig {
  CellKind cell = CellKind::lstm;
  int64_t input_size = 0;
  int64_t hidden = 0;  // of one direction
  int64_t layers = 1;
  bool bidirectional = false;
  bool residual = false;  // each layer from the second on adds its input
  bool layer_norm = false;
  double dropout = 0.0;      // between layers
  bool variational = false;  // one dropout mask for all steps
  Kernels kernels = Kernels::fast;
};

struct RnnOutput {
  Tensor states;  // [batch, time, directions·hidden] of the last layer; zeros on padding
  RnnState last;  // [layers, batch, directions·hidden]: forward after the last token, backward
                  // after the first
};

/// A stack of LSTM (Hochreiter & Schmidhuber 1997) or GRU (Cho et al. 2014) layers over
/// right-padded sentences. Parameters are named weight_ih_l0[_reverse], weight_hh_l0, bias_ih_l0,
/// bias_hh_l0 in LibTorch's and cuDNN's form (see cell.h). The backward direction starts at each
/// sentence's own last token; padding is never read.
class RnnImpl : public torch::nn::Module {
 public:
  explicit RnnImpl(const RnnConfig& config);

  /// inputs [batch, time, input_size]; mask [batch, time] bool, true where there is a token
  /// (undefined: everywhere); initial: the state before the first token (h undefined: zeros), for
  /// one direction only.
  RnnOutput forward(const Tensor& inputs, const Tensor& mask, const RnnState& initial = {});

  /// One step of a one-directional stack: input [batch, input_size] and the state before it give
  /// the stack's output [batch, hidden] and the state after it.
  std::pair<Tensor, RnnState> step(const Tensor& input, const RnnState& state);

  const CellWeights& weights(int64_t layer) const {  // of the first direction
    return layers_[static_cast<size_t>(layer)].front();
  }

 private:
  RnnConfig config_;
  std::vector<std::vector<CellWeights>> layers_;  // [layer][direction]
};
TORCH_MODULE(Rnn);

}  // namespace softalign
