#include "model/dropout.h"

#include <ATen/ATen.h>

#include "data/subword.h"

namespace softalign {

Tensor dropout(const Tensor& x, double rate, bool training, bool variational) {
  if (!training || rate == 0.0) return x;
  if (!variational || x.dim() < 3) return at::dropout(x, rate, /*train=*/true);
  const Tensor mask = at::empty({x.size(0), 1, x.size(2)}, x.options()).bernoulli_(1.0 - rate);
  return x * mask.div_(1.0 - rate);
}

Tensor drop_words(const Tensor& ids, double rate, bool training) {
  if (!training || rate == 0.0) return ids;
  const Tensor dropped =
      at::rand(ids.sizes(), ids.options().dtype(at::kFloat)).lt_(rate).to(at::kBool);
  return ids.masked_fill(dropped.logical_and_(ids > kEos), kUnk);
}

}  // namespace softalign
