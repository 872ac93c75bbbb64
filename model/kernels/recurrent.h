#pragma once

#include "model/rnn/cell.h"

namespace softalign {

/// True where run_layer_fused can stand in for run_layer: float32 on a CPU, no layer norm.
bool can_run_fused(const Tensor& inputs, const CellWeights& weights);

/// run_layer (model/rnn/cell.h) by fused loops, forward and backward: one product for the inputs of
/// all steps, one recurrent product and one pass over the gates per step, and in the backward pass
/// one product per weight matrix over all steps. Equal to run_layer to rounding.
LayerOutput run_layer_fused(CellKind kind, const Tensor& inputs, const Tensor& mask,
                            const CellState& initial, const CellWeights& weights, bool reverse);

}  // namespace softalign
