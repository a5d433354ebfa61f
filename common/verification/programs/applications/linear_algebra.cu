// Sparse products (CSR by scalar, by warp, ELL), LU decomposition with pivots, transposition,
// conjugate gradients.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void csr_scalar(const int* rows, const int* columns, const double* values,
                           const double* x, double* y, int n) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  double sum = 0;
  for (int i = rows[r]; i < rows[r + 1]; ++i) sum += values[i] * x[columns[i]];
  y[r] = sum;
}

__global__ void csr_warp(const int* rows, const int* columns, const double* values, const double* x,
                         double* y, int n) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= n) return;
  double sum = 0;
  for (int i = rows[r] + lane; i < rows[r + 1]; i += 32) sum += values[i] * x[columns[i]];
  for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) y[r] = sum;
}

// One block, the matrix in shared memory; the pivot is found by a reduction.
__global__ void lu(double* a, int* pivots, int n) {
  extern __shared__ double m[];
  __shared__ int best;
  const int t = threadIdx.x;
  for (int i = t; i < n * n; i += blockDim.x) m[i] = a[i];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (t == 0) {
      best = k;
      for (int i = k + 1; i < n; ++i)
        if (fabs(m[i * n + k]) > fabs(m[best * n + k])) best = i;
      pivots[k] = best;
    }
    __syncthreads();
    const int p = best;
    if (p != k && t < n) {
      const double v = m[k * n + t];
      m[k * n + t] = m[p * n + t];
      m[p * n + t] = v;
    }
    __syncthreads();
    if (t > k && t < n) m[t * n + k] = __ddiv_rn(m[t * n + k], m[k * n + k]);
    __syncthreads();
    for (int i = t; i < (n - k - 1) * (n - k - 1); i += blockDim.x) {
      const int r = k + 1 + i / (n - k - 1), c = k + 1 + i % (n - k - 1);
      m[r * n + c] = __fma_rn(-m[r * n + k], m[k * n + c], m[r * n + c]);
    }
    __syncthreads();
  }
  for (int i = t; i < n * n; i += blockDim.x) a[i] = m[i];
}

__global__ void transpose(const short* in, short* out, int rows, int columns) {
  __shared__ short tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int j = 0; j < 16; j += 4)
    if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  for (int j = 0; j < 16; j += 4)
    if (x < rows && y + j < columns) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

__device__ double block_dot(double v, double* s) {
  const int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
  for (int d = blockDim.x / 2; d; d /= 2) {
    if (t < d) s[t] = __dadd_rn(s[t], s[t + d]);
    __syncthreads();
  }
  const double r = s[0];
  __syncthreads();
  return r;
}

// Conjugate gradients for the one-dimensional Poisson problem, a thread an unknown.
__global__ void conjugate_gradients(double* out, int iterations) {
  __shared__ double s[128], p[130];
  const int t = threadIdx.x;
  double x = 0, r = t == 20 ? 1.0 : t == 90 ? -2.0 : 0.0;
  if (t < 2) p[t * 129] = 0;
  p[t + 1] = r;
  double rr = block_dot(__dmul_rn(r, r), s);
  for (int i = 0; i < iterations && rr > 1e-20; ++i) {
    const double mine = p[t + 1], ap = __dsub_rn(__dmul_rn(2.0, mine), __dadd_rn(p[t], p[t + 2]));
    const double alpha = __ddiv_rn(rr, block_dot(__dmul_rn(mine, ap), s));
    x = __fma_rn(alpha, mine, x);
    r = __fma_rn(-alpha, ap, r);
    const double next = block_dot(__dmul_rn(r, r), s);
    p[t + 1] = __fma_rn(__ddiv_rn(next, rr), mine, r);
    rr = next;
    __syncthreads();
  }
  out[t] = x;
}

int main() {
  const int n = 100;
  std::vector<int> rows = {0}, columns;
  std::vector<double> values, x(n), y(n);
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < r % 9 * (r % 5) + 1; ++k)
      columns.push_back((r * 17 + k * 5) % n), values.push_back((k * 7 + r) % 16 / 8.0 - 1);
    rows.push_back((int)columns.size());
    x[r] = r * 0.5;
  }
  int *d_rows, *d_columns, *d_pivots;
  double *d_values, *d_x, *d_y, *d_m;
  cudaMalloc(&d_rows, rows.size() * 4), cudaMalloc(&d_columns, columns.size() * 4),
      cudaMalloc(&d_pivots, 32 * 4);
  cudaMalloc(&d_values, values.size() * 8), cudaMalloc(&d_x, n * 8), cudaMalloc(&d_y, n * 8),
      cudaMalloc(&d_m, 32 * 32 * 8);
  cudaMemcpy(d_rows, rows.data(), rows.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d_columns, columns.data(), columns.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values.data(), values.size() * 8, cudaMemcpyHostToDevice);
  cudaMemcpy(d_x, x.data(), n * 8, cudaMemcpyHostToDevice);
  for (int way = 0; way < 2; ++way) {
    if (way == 0)
      csr_scalar<<<4, 32>>>(d_rows, d_columns, d_values, d_x, d_y, n);
    else
      csr_warp<<<25, 128>>>(d_rows, d_columns, d_values, d_x, d_y, n);
    cudaMemcpy(y.data(), d_y, n * 8, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i += 9) printf("%g ", y[i]);
    printf("\n");
  }
  const int m = 24;
  std::vector<double> a(m * m);
  for (int i = 0; i < m * m; ++i) a[i] = (i * i * 31 + i * 7) % 101 - 50;
  cudaMemcpy(d_m, a.data(), m * m * 8, cudaMemcpyHostToDevice);
  lu<<<1, 128, m * m * 8>>>(d_m, d_pivots, m);
  int pivots[m];
  cudaMemcpy(a.data(), d_m, m * m * 8, cudaMemcpyDeviceToHost);
  cudaMemcpy(pivots, d_pivots, sizeof pivots, cudaMemcpyDeviceToHost);
  for (int p : pivots) printf("%d ", p);
  printf("\n");
  for (int i = 0; i < m * m; i += 23) printf("%a ", a[i]);
  printf("\n");
  std::vector<short> image(50 * 37), turned(50 * 37);
  for (size_t i = 0; i < image.size(); ++i) image[i] = (short)(i * 3);
  short *d_image, *d_turned;
  cudaMalloc(&d_image, image.size() * 2), cudaMalloc(&d_turned, image.size() * 2);
  cudaMemcpy(d_image, image.data(), image.size() * 2, cudaMemcpyHostToDevice);
  transpose<<<dim3(3, 4), dim3(16, 4)>>>(d_image, d_turned, 50, 37);
  cudaMemcpy(turned.data(), d_turned, image.size() * 2, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < 50; ++r)
    for (int c = 0; c < 37; ++c) wrong += turned[c * 50 + r] != image[r * 37 + c];
  printf("transpose: %d wrong\n", wrong);
  conjugate_gradients<<<1, 128>>>(d_m, 140);
  cudaMemcpy(a.data(), d_m, 128 * 8, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; i += 8) printf("%a ", a[i]);
  printf("\n");
  for (void* p : {(void*)d_rows, (void*)d_columns, (void*)d_pivots, (void*)d_values, (void*)d_x,
                  (void*)d_y, (void*)d_m, (void*)d_image, (void*)d_turned})
    cudaFree(p);
}
