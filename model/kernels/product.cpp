#include "model/kernels/product.h"

#include <ATen/ATen.h>

#ifdef SOFTALIGN_ONEDNN
#include <dnnl.h>
#endif

namespace softalign {
namespace {

#ifdef SOFTALIGN_ONEDNN
bool is_float_matrix(const Tensor& x) {
  return x.device().is_cpu() && x.scalar_type() == at::kFloat && x.dim() == 2 && x.numel() > 0;
}

// Rows one after another, or the transpose of such a matrix. A side of 1 allows either.
struct Layout {
  char transposed;
  int64_t row;  // floats from one row, or column, to the next
  bool fits;
};

Layout layout_of(const Tensor& x) {
  const int64_t rows = x.size(0), columns = x.size(1);
  if ((columns == 1 || x.stride(1) == 1) && (rows == 1 || x.stride(0) >= columns))
    return {'N', rows == 1 ? columns : x.stride(0), true};
  if ((rows == 1 || x.stride(0) == 1) && (columns == 1 || x.stride(1) >= rows))
    return {'T', columns == 1 ? rows : x.stride(1), true};
  return {'N', 0, false};
}

bool multiply_by_onednn(const Tensor& c, const Tensor& a, const Tensor& b, float beta) {
  if (!is_float_matrix(a) || !is_float_matrix(b) || !is_float_matrix(c)) return false;
  const Layout A = layout_of(a), B = layout_of(b), C = layout_of(c);
  if (!A.fits || !B.fits || !C.fits || C.transposed == 'T') return false;
  return dnnl_sgemm(A.transposed, B.transposed, a.size(0), b.size(1), a.size(1), 1.0f,
                    a.data_ptr<float>(), A.row, b.data_ptr<float>(), B.row, beta,
                    c.data_ptr<float>(), C.row) == dnnl_success;
}
#endif

}  // namespace

void multiply(const Tensor& c, const Tensor& a, const Tensor& b, float beta) {
#ifdef SOFTALIGN_ONEDNN
  if (multiply_by_onednn(c, a, b, beta)) return;
#endif
  const at::NoGradGuard no_grad;
  Tensor product = c;
  at::addmm_out(product, c, a, b, beta, 1.0f);
}

Tensor rows_of(const Tensor& row, int64_t count) {
  return at::empty({count, row.size(0)}, row.options()).copy_(row);
}

}  // namespace softalign
