#include "data/batch.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

namespace softalign {
namespace {

/// Rows of ids, padded on the right, and where the next row goes.
Tensor padded(size_t rows, int64_t columns) {
  return at::full({static_cast<int64_t>(rows), columns}, kPad, at::kLong);
}

/// links[t][i] = 1 for each link of the pair and for its EOS, each row then divided by its sum.
void fill_alignment(const EncodedPair& pair, float* links, int64_t columns) {
  const auto source_size = static_cast<int64_t>(pair.source.size());
  const auto target_size = static_cast<int64_t>(pair.target.size());
  for (const Link& link : pair.links) links[link.target * columns + link.source] = 1.0f;
  links[target_size * columns + source_size] = 1.0f;
  for (int64_t t = 0; t < target_size; ++t) {
    float* const row = links + t * columns;
    const auto count = static_cast<float>(std::count(row, row + columns, 1.0f));
    for (int64_t i = 0; i < columns && count > 0; ++i) row[i] /= count;
  }
}

}  // namespace

SourceBatch make_source_batch(const std::vector<std::vector<int64_t>>& sources) {
  int64_t longest = 1;
  for (const auto& source : sources) {
    longest = std::max(longest, static_cast<int64_t>(source.size()) + 1);
  }
  SourceBatch batch;
  batch.ids = padded(sources.size(), longest);                                   // [batch, source]
  batch.lengths = at::empty({static_cast<int64_t>(sources.size())}, at::kLong);  // [batch]
  auto* row = batch.ids.data_ptr<int64_t>();
  auto* length = batch.lengths.data_ptr<int64_t>();
  for (const auto& source : sources) {
    *std::copy(source.begin(), source.end(), row) = kEos;
    row += longest;
    *length++ = static_cast<int64_t>(source.size()) + 1;
  }
  return batch;
}

Batch make_batch(const std::vector<const EncodedPair*>& pairs,
                 const std::vector<int64_t>& sentences) {
  std::vector<std::vector<int64_t>> sources, targets;
  bool has_links = false;
  for (const EncodedPair* pair : pairs) {
    sources.push_back(pair->source);
    targets.push_back(pair->target);
    has_links = has_links || !pair->links.empty();
  }
  const SourceBatch source = make_source_batch(sources);
  const SourceBatch target = make_source_batch(targets);
  Batch batch;
  batch.source = source.ids;
  batch.source_lengths = source.lengths;
  batch.target_out = target.ids;
  batch.target_lengths = target.lengths;
  batch.sentences = sentences;

  const int64_t rows = target.ids.size(0), steps = target.ids.size(1);
  batch.target_in = padded(pairs.size(), steps);  // [batch, target]
  auto* row = batch.target_in.data_ptr<int64_t>();
  for (const auto& ids : targets) {
    *row = kBos;
    std::copy(ids.begin(), ids.end(), row + 1);
    row += steps;
    batch.target_tokens += static_cast<int64_t>(ids.size()) + 1;
  }
  if (has_links) {
    const int64_t columns = source.ids.size(1);
    batch.alignment = at::zeros({rows, steps, columns}, at::kFloat);  // [batch, target, source]
    auto* links = batch.alignment.data_ptr<float>();
    for (const EncodedPair* pair : pairs) {
      if (!pair->links.empty()) fill_alignment(*pair, links, columns);
      links += steps * columns;
    }
  }
  return batch;
}

Batch Batch::select(const std::vector<int64_t>& rows) const {
  const Tensor index = at::tensor(rows, at::kLong);
  Batch part;
  part.source_lengths = source_lengths.index_select(0, index);
  part.target_lengths = target_lengths.index_select(0, index);
  const int64_t columns = part.source_lengths.max().item<int64_t>();
  const int64_t steps = part.target_lengths.max().item<int64_t>();
  part.source = source.index_select(0, index).narrow(1, 0, columns).contiguous();
  part.target_in = target_in.index_select(0, index).narrow(1, 0, steps).contiguous();
  part.target_out = target_out.index_select(0, index).narrow(1, 0, steps).contiguous();
  if (alignment.defined())
    part.alignment = alignment.index_select(0, index)
                         .narrow(1, 0, steps)
                         .narrow(2, 0, columns)
                         .contiguous();
  for (const int64_t row : rows) part.sentences.push_back(sentences[static_cast<size_t>(row)]);
  part.target_tokens = part.target_lengths.sum().item<int64_t>();
  return part;
}

std::vector<Batch> Batch::split(int64_t parts) const {
  const int64_t count = source.size(0);
  if (parts <= 1 || count <= 1) return {*this};
  const auto *source_length = source_lengths.data_ptr<int64_t>(),
             *target_length = target_lengths.data_ptr<int64_t>();
  const auto work = [&](int64_t row) { return source_length[row] + target_length[row]; };
  std::vector<int64_t> rows(static_cast<size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](int64_t a, int64_t b) { return work(a) < work(b); });
  int64_t all = 0, done = 0;
  for (const int64_t row : rows) all += work(row);
  std::vector<Batch> batches;
  std::vector<int64_t> part;
  for (const int64_t row : rows) {
    part.push_back(row);
    done += work(row);
    if (done * parts < all * static_cast<int64_t>(batches.size() + 1)) continue;
    batches.push_back(select(part));
    part.clear();
  }
  return batches;
}

Batch Batch::to(at::Device device) const {
  Batch moved = *this;
  for (Tensor* tensor : {&moved.source, &moved.source_lengths, &moved.target_in, &moved.target_out,
                         &moved.target_lengths, &moved.alignment}) {
    if (tensor->defined()) *tensor = tensor->to(device);
  }
  return moved;
}

}  // namespace softalign
