// Softmax, layer normalisation, GELU and attention in float, compared with double on the host.
#include <cmath>
#include <cstdio>
#include <vector>

__device__ float warp_sum(float v) {
  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  return v;
}
__device__ float warp_max(float v) {
  for (int d = 16; d; d /= 2) v = fmaxf(v, __shfl_xor_sync(~0u, v, d));
  return v;
}

__global__ void softmax(const float* in, float* out, int columns) {
  const float* row = in + blockIdx.x * columns;
  float most = -INFINITY, sum = 0;
  for (int i = threadIdx.x; i < columns; i += 32) most = fmaxf(most, row[i]);
  most = warp_max(most);
  for (int i = threadIdx.x; i < columns; i += 32) sum += expf(row[i] - most);
  sum = warp_sum(sum);
  for (int i = threadIdx.x; i < columns; i += 32)
    out[blockIdx.x * columns + i] = expf(row[i] - most) / sum;
}

__global__ void layer_norm_gelu(const float* in, float* out, int columns) {
  __shared__ float partial[2][4];
  const float* row = in + blockIdx.x * columns;
  float sum = 0, square = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i], square += row[i] * row[i];
  sum = warp_sum(sum), square = warp_sum(square);
  if (threadIdx.x % 32 == 0)
    partial[0][threadIdx.x / 32] = sum, partial[1][threadIdx.x / 32] = square;
  __syncthreads();
  sum = partial[0][0] + partial[0][1] + partial[0][2] + partial[0][3];
  square = partial[1][0] + partial[1][1] + partial[1][2] + partial[1][3];
  const float mean = sum / columns, scale = rsqrtf(square / columns - mean * mean + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    const float x = (row[i] - mean) * scale;
    out[blockIdx.x * columns + i] =
        0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
  }
}

// Online softmax: one warp a query, keys in tiles.
template <int D>
__global__ void attention(const float* q, const float* k, const float* v, float* out, int n) {
  __shared__ float keys[32][D + 1], values[32][D + 1];
  const int lane = threadIdx.x;
  float acc = 0, most = -INFINITY, sum = 0;  // lane d < D owns one column of the result
  for (int base = 0; base < n; base += 32) {
    for (int i = lane; i < 32 * D; i += 32) {
      const int row = base + i / D;
      keys[i / D][i % D] = row < n ? k[row * D + i % D] : 0;
      values[i / D][i % D] = row < n ? v[row * D + i % D] : 0;
    }
    __syncwarp();
    float score = 0;
    for (int d = 0; d < D; ++d) score += q[blockIdx.x * D + d] * keys[lane][d];
    score = base + lane < n ? score * 0.25f : -INFINITY;
    const float new_most = fmaxf(most, warp_max(score)), shrink = expf(most - new_most),
                p = expf(score - new_most);
    sum = sum * shrink + warp_sum(p);
    acc *= shrink;
    for (int j = 0; j < 32; ++j) {
      const float pj = __shfl_sync(~0u, p, j);
      if (lane < D) acc += pj * values[j][lane];
    }
    most = new_most;
    __syncwarp();
  }
  if (lane < D) out[blockIdx.x * D + lane] = acc / sum;
}

bool close(const std::vector<float>& got, const std::vector<double>& want) {
  for (size_t i = 0; i < got.size(); ++i)
    if (!(std::fabs(got[i] - want[i]) <= 2e-5 * std::fmax(1.0, std::fabs(want[i])))) {
      printf("at %zu: %g, not %g\n", i, got[i], want[i]);
      return false;
    }
  return true;
}

int main() {
  const int rows = 12, columns = 75, n = rows * columns;
  std::vector<float> x(n), y(n);
  std::vector<double> want(n);
  for (int i = 0; i < n; ++i) x[i] = (float)(i * 7919 % 1009) / 100 - 5;
  float *a, *b, *c, *d;
  for (float** p : {&a, &b, &c, &d}) cudaMalloc(p, n * 4);
  cudaMemcpy(a, x.data(), n * 4, cudaMemcpyHostToDevice);
  softmax<<<rows, 32>>>(a, b, columns);
  cudaMemcpy(y.data(), b, n * 4, cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += std::exp((double)x[r * columns + i]);
    for (int i = 0; i < columns; ++i)
      want[r * columns + i] = std::exp((double)x[r * columns + i]) / sum;
  }
  printf("softmax %s\n", close(y, want) ? "right" : "wrong");
  layer_norm_gelu<<<rows, 128>>>(a, b, columns);
  cudaMemcpy(y.data(), b, n * 4, cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) {
    double sum = 0, square = 0;
    for (int i = 0; i < columns; ++i)
      sum += x[r * columns + i], square += (double)x[r * columns + i] * x[r * columns + i];
    const double mean = sum / columns, scale = 1 / std::sqrt(square / columns - mean * mean + 1e-5);
    for (int i = 0; i < columns; ++i) {
      const double v = (x[r * columns + i] - mean) * scale;
      want[r * columns + i] = 0.5 * v * (1 + std::tanh(0.7978845608 * (v + 0.044715 * v * v * v)));
    }
  }
  printf("layer norm and gelu %s\n", close(y, want) ? "right" : "wrong");
  constexpr int D = 16;
  const int tokens = 45;
  cudaMemcpy(b, x.data() + 100, tokens * D * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(c, x.data() + 180, tokens * D * 4, cudaMemcpyHostToDevice);
  attention<D><<<tokens, 32>>>(a, b, c, d, tokens);
  y.resize(tokens * D), want.assign(tokens * D, 0);
  cudaMemcpy(y.data(), d, tokens * D * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < tokens; ++i) {
    double sum = 0, most = -1e300, score[tokens];
    for (int j = 0; j < tokens; ++j) {
      score[j] = 0;
      for (int e = 0; e < D; ++e) score[j] += (double)x[i * D + e] * x[100 + j * D + e];
      most = std::fmax(most, score[j] *= 0.25);
    }
    for (int j = 0; j < tokens; ++j) sum += score[j] = std::exp(score[j] - most);
    for (int j = 0; j < tokens; ++j)
      for (int e = 0; e < D; ++e) want[i * D + e] += score[j] / sum * x[180 + j * D + e];
  }
  printf("attention %s\n", close(y, want) ? "right" : "wrong");
  for (float* p : {a, b, c, d}) cudaFree(p);
}
