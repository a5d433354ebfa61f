// Matrix products: naive, tiled, tiled with several results per thread, with vector loads, and
// split along K. The numbers are small integers: all ways agree exactly.
#include <cstdio>
#include <vector>

__global__ void naive(const float* A, const float* B, float* C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}

template <int T>
__global__ void tiled(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[T][T], b[T][T + 1];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    a[y][x] = row < M && k + x < K ? A[row * K + k + x] : 0;
    b[y][x] = k + y < K && col < N ? B[(k + y) * N + col] : 0;
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}

// 32 x 32 results by 64 threads, 4 x 4 each; sizes are multiples.
__global__ void registers(const float* A, const float* B, float* C, int N, int K) {
  __shared__ float a[8][32];
  __shared__ float4 b[8][8];
  const int t = threadIdx.x, tx = t % 8, ty = t / 8;
  const float* ap = A + (blockIdx.y * 32) * K;
  const float* bp = B + blockIdx.x * 32;
  float c[4][4] = {};
  for (int k = 0; k < K; k += 8) {
    for (int i = t; i < 256; i += 64) a[i % 8][i / 8] = ap[(i / 8) * K + k + i % 8];
    b[t / 8][t % 8] = *reinterpret_cast<const float4*>(bp + (k + t / 8) * N + (t % 8) * 4);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const float4 bv = b[i][tx];
      for (int r = 0; r < 4; ++r) {
        const float av = a[i][ty * 4 + r];
        c[r][0] += av * bv.x, c[r][1] += av * bv.y, c[r][2] += av * bv.z, c[r][3] += av * bv.w;
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    *reinterpret_cast<float4*>(C + (blockIdx.y * 32 + ty * 4 + r) * N + blockIdx.x * 32 + tx * 4) =
        make_float4(c[r][0], c[r][1], c[r][2], c[r][3]);
}

__global__ void split_k(const float* A, const float* B, float* C, int M, int N, int K, int part) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  float sum = 0;
  for (int k = blockIdx.z * part; k < min(K, (int)(blockIdx.z + 1) * part); ++k)
    sum += A[row * K + k] * B[k * N + col];
  atomicAdd(C + row * N + col, sum);
}

int main() {
  int shapes[][3] = {{64, 64, 40}, {45, 70, 33}, {1, 100, 7}, {32, 32, 8}};
  for (auto& s : shapes) {
    const int M = s[0], N = s[1], K = s[2];
    std::vector<float> a(M * K), b(K * N), c(M * N), reference;
    for (int i = 0; i < M * K; ++i) a[i] = (float)(i * 7 % 13 - 6);
    for (int i = 0; i < K * N; ++i) b[i] = (float)(i * 5 % 11 - 5);
    float *A, *B, *C;
    cudaMalloc(&A, a.size() * 4), cudaMalloc(&B, b.size() * 4), cudaMalloc(&C, c.size() * 4);
    cudaMemcpy(A, a.data(), a.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(B, b.data(), b.size() * 4, cudaMemcpyHostToDevice);
    const dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
    for (int kind = 0; kind < 5; ++kind) {
      cudaMemset(C, 0, c.size() * 4);
      if (kind == 0) naive<<<grid, block>>>(A, B, C, M, N, K);
      if (kind == 1) tiled<16><<<grid, block>>>(A, B, C, M, N, K);
      if (kind == 2) tiled<8><<<dim3((N + 7) / 8, (M + 7) / 8), dim3(8, 8)>>>(A, B, C, M, N, K);
      if (kind == 3 && (M % 32 || N % 32 || K % 8)) continue;
      if (kind == 3) registers<<<dim3(N / 32, M / 32), 64>>>(A, B, C, N, K);
      if (kind == 4) split_k<<<dim3(grid.x, grid.y, (K + 9) / 10), block>>>(A, B, C, M, N, K, 10);
      cudaMemcpy(c.data(), C, c.size() * 4, cudaMemcpyDeviceToHost);
      if (kind == 0) reference = c;
      printf("%dx%dx%d kind %d: %s, %g %g\n", M, N, K, kind, c == reference ? "equal" : "different",
             c[0], c.back());
    }
    cudaFree(A), cudaFree(B), cudaFree(C);
  }
}
