#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "data/corpus.h"

namespace softalign {

using at::Tensor;

/// A batch of sentence pairs as right-padded ids (PAD = 0).
struct Batch {
  Tensor source;          // [batch, source] int64, EOS at each sentence's end
  Tensor source_lengths;  // [batch] int64, EOS counted
  Tensor target_in;       // [batch, target] int64, BOS y…
  Tensor target_out;      // [batch, target] int64, y… EOS
  Tensor target_lengths;  // [batch] int64, EOS counted
  Tensor alignment;  // [batch, target, source] float, each row with links sums to 1, other rows
                     // 0; undefined if no sentence of the batch has links
  std::vector<int64_t> sentences;  // corpus positions
  int64_t target_tokens = 0;       // without padding, EOS counted

  Batch to(at::Device device) const;
  /// These sentences alone, without the padding that the others asked for.
  Batch select(const std::vector<int64_t>& rows) const;
  /// At most `parts` batches of about equal work, sentences of like lengths together.
  std::vector<Batch> split(int64_t parts) const;
};

/// Builds the batch of these pairs. EOS rows of the alignment are linked to the source's EOS.
Batch make_batch(const std::vector<const EncodedPair*>& pairs,
                 const std::vector<int64_t>& sentences);

/// Source side alone: ids with EOS appended, padded, and the lengths.
struct SourceBatch {
  Tensor ids;      // [batch, source]
  Tensor lengths;  // [batch]
};
SourceBatch make_source_batch(const std::vector<std::vector<int64_t>>& sources);

}  // namespace softalign
