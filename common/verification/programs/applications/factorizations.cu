// LU with pivoting, QR by reflections and Cholesky by tiles, whose loads ptxas puts after the
// branch of the last tiles.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
#define N 61
__global__ void lu_pivot(double* A, int* piv, int n) {  // one block
  __shared__ double best[128];
  __shared__ int where[128];
  for (int k = 0; k < n; k++) {
    double m = -1;
    int at = k;
    for (int i = k + threadIdx.x; i < n; i += blockDim.x) {
      double v = fabs(A[i * n + k]);
      if (v > m) {
        m = v;
        at = i;
      }
    }
    best[threadIdx.x] = m;
    where[threadIdx.x] = at;
    __syncthreads();
    for (int s = blockDim.x / 2; s; s >>= 1) {
      if (threadIdx.x < s) {
        double o = best[threadIdx.x + s];
        int w = where[threadIdx.x + s];
        if (o > best[threadIdx.x] || (o == best[threadIdx.x] && w < where[threadIdx.x])) {
          best[threadIdx.x] = o;
          where[threadIdx.x] = w;
        }
      }
      __syncthreads();
    }
    int p = where[0];
    if (threadIdx.x == 0) piv[k] = p;
    if (p != k)
      for (int j = threadIdx.x; j < n; j += blockDim.x) {
        double t = A[k * n + j];
        A[k * n + j] = A[p * n + j];
        A[p * n + j] = t;
      }
    __syncthreads();
    double d = A[k * n + k];
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) A[i * n + k] /= d;
    __syncthreads();
    for (int t = threadIdx.x; t < (n - k - 1) * (n - k - 1); t += blockDim.x) {
      int i = k + 1 + t / (n - k - 1), j = k + 1 + t % (n - k - 1);
      A[i * n + j] -= A[i * n + k] * A[k * n + j];
    }
    __syncthreads();
  }
}
__global__ void lu_solve(const double* A, const int* piv, double* b, int n) {
  extern __shared__ double x[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = b[i];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 0; k < n; k++) {
      double t = x[k];
      x[k] = x[piv[k]];
      x[piv[k]] = t;
    }
  __syncthreads();
  for (int k = 0; k < n; k++) {
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) x[i] -= A[i * n + k] * x[k];
    __syncthreads();
  }
  for (int k = n - 1; k >= 0; k--) {
    if (threadIdx.x == 0) x[k] /= A[k * n + k];
    __syncthreads();
    for (int i = threadIdx.x; i < k; i += blockDim.x) x[i] -= A[i * n + k] * x[k];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) b[i] = x[i];
}
__device__ double block_sum(double v, double* scratch) {
  for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (unsigned w = 0; w < blockDim.x / 32; w++) v += scratch[w];
  __syncthreads();
  return v;
}
__global__ void householder(double* A, double* R, int m, int n) {
  __shared__ double scratch[8], v[N + 16];
  for (int k = 0; k < n; k++) {
    double s = 0;
    for (int i = k + threadIdx.x; i < m; i += blockDim.x) s += A[i * n + k] * A[i * n + k];
    double norm = sqrt(block_sum(s, scratch));
    double a = A[k * n + k], alpha = a > 0 ? -norm : norm;
    for (int i = k + threadIdx.x; i < m; i += blockDim.x)
      v[i] = A[i * n + k] - (i == k ? alpha : 0);
    __syncthreads();
    s = 0;
    for (int i = k + threadIdx.x; i < m; i += blockDim.x) s += v[i] * v[i];
    double vv = block_sum(s, scratch);
    if (vv == 0) continue;
    for (int j = k; j < n; j++) {
      s = 0;
      for (int i = k + threadIdx.x; i < m; i += blockDim.x) s += v[i] * A[i * n + j];
      double f = 2 * block_sum(s, scratch) / vv;
      for (int i = k + threadIdx.x; i < m; i += blockDim.x) A[i * n + j] -= f * v[i];
      __syncthreads();
    }
  }
  for (int t = threadIdx.x; t < n * n; t += blockDim.x) R[t] = t / n <= t % n ? A[t] : 0;
}
template <int B>
__global__ void cholesky_diag(float* A, int n, int k0) {
  __shared__ float t[B][B + 1];
  int x = threadIdx.x, y = threadIdx.y;
  t[y][x] = (k0 + y < n && k0 + x < n) ? A[(k0 + y) * n + k0 + x] : (x == y ? 1.f : 0.f);
  __syncthreads();
  for (int k = 0; k < B; k++) {
    if (x == k && y == k) t[k][k] = sqrtf(t[k][k]);
    __syncthreads();
    if (x == k && y > k) t[y][k] /= t[k][k];
    __syncthreads();
    if (x > k && y >= x) t[y][x] -= t[y][k] * t[x][k];
    __syncthreads();
  }
  if (k0 + y < n && k0 + x < n && y >= x) A[(k0 + y) * n + k0 + x] = t[y][x];
}
template <int B>
__global__ void cholesky_panel(float* A, int n, int k0) {
  int row = k0 + B + blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float r[B];
#pragma unroll
  for (int c = 0; c < B; c++) {
    float s = A[row * n + k0 + c];
#pragma unroll
    for (int j = 0; j < c; j++) s -= r[j] * A[(k0 + c) * n + k0 + j];
    r[c] = s / A[(k0 + c) * n + k0 + c];
  }
#pragma unroll
  for (int c = 0; c < B; c++) A[row * n + k0 + c] = r[c];
}
template <int B>
__global__ void cholesky_update(float* A, int n, int k0) {
  __shared__ float a[B][B + 1], b[B][B + 1];
  int r = k0 + B + blockIdx.y * B, c = k0 + B + blockIdx.x * B;
  if (c > r) return;
  int x = threadIdx.x, y = threadIdx.y;
  a[y][x] = r + y < n ? A[(r + y) * n + k0 + x] : 0.f;
  b[y][x] = c + y < n ? A[(c + y) * n + k0 + x] : 0.f;
  __syncthreads();
  float s = 0;
  for (int k = 0; k < B; k++) s += a[y][k] * b[x][k];
  if (r + y < n && c + x < n) A[(r + y) * n + c + x] -= s;
}
template <class T>
unsigned hash(const std::vector<T>& v) {
  unsigned h = 2166136261u;
  auto p = (const unsigned char*)v.data();
  for (size_t i = 0; i < v.size() * sizeof(T); i++) h = (h ^ p[i]) * 16777619u;
  return h;
}
int main() {
  std::vector<double> A(N * N), b(N), x(N), R(N * N);
  unsigned s = 5;
  auto rnd = [&] {
    s = s * 1664525u + 1013904223u;
    return (s >> 8) / 16777216.0 - 0.5;
  };
  for (auto& a : A) a = rnd();
  for (int i = 0; i < N; i++) {
    b[i] = 0;
    for (int j = 0; j < N; j++) b[i] += A[i * N + j] * (j + 1);
  }
  double *dA, *db, *dR;
  int* dp;
  cudaMalloc(&dA, N * N * 8);
  cudaMalloc(&db, N * 8);
  cudaMalloc(&dR, N * N * 8);
  cudaMalloc(&dp, N * 4);
  cudaMemcpy(dA, A.data(), N * N * 8, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), N * 8, cudaMemcpyHostToDevice);
  lu_pivot<<<1, 128>>>(dA, dp, N);
  lu_solve<<<1, 64, N * 8>>>(dA, dp, db, N);
  cudaMemcpy(x.data(), db, N * 8, cudaMemcpyDeviceToHost);
  double err = 0;
  for (int i = 0; i < N; i++) err = fmax(err, fabs(x[i] - (i + 1)));
  printf("lu %08x %s\n", hash(x), err < 1e-9 ? "ok" : "BAD");
  cudaMemcpy(dA, A.data(), N * N * 8, cudaMemcpyHostToDevice);
  householder<<<1, 256>>>(dA, dR, N, N);
  cudaMemcpy(R.data(), dR, N * N * 8, cudaMemcpyDeviceToHost);
  printf("qr %08x %.17g %.17g\n", hash(R), R[0], R[N * N - 1]);
  const int M = 83;
  constexpr int B = 16;
  std::vector<float> S(M * M);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) S[i * M + j] = 1.f / (1 + abs(i - j)) + (i == j ? 2.f : 0.f);
  float* dS;
  cudaMalloc(&dS, M * M * 4);
  cudaMemcpy(dS, S.data(), M * M * 4, cudaMemcpyHostToDevice);
  for (int k = 0; k < M; k += B) {
    cholesky_diag<B><<<1, dim3(B, B)>>>(dS, M, k);
    int left = M - k - B;
    if (left > 0) {
      cholesky_panel<B><<<(left + 31) / 32, 32>>>(dS, M, k);
      int t = (left + B - 1) / B;
      cholesky_update<B><<<dim3(t, t), dim3(B, B)>>>(dS, M, k);
    }
  }
  std::vector<float> L(M * M);
  cudaMemcpy(L.data(), dS, M * M * 4, cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j <= i; j++) {
      double t = 0;
      for (int k = 0; k <= j; k++) t += (double)L[i * M + k] * L[j * M + k];
      worst = fmax(worst, fabs(t - S[i * M + j]));
    }
  printf("cholesky %08x %s %s\n", hash(L), worst < 1e-5 ? "ok" : "BAD",
         cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(dA);
  cudaFree(db);
  cudaFree(dR);
  cudaFree(dp);
  cudaFree(dS);
}
