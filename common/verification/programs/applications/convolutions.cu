// Convolutions: filters in constant memory, implicit products on tensor cores, Winograd, depthwise.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                    \
  do {                                                                 \
    const cudaError_t error = (call);                                  \
    if (error != cudaSuccess) {                                        \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
      std::exit(1);                                                    \
    }                                                                  \
  } while (0)

std::vector<void*> owned;

template <class T>
std::vector<T> fetched(const T* d, size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}

template <class T>
T* uploaded(const std::vector<T>& v) {
  T* d = nullptr;
  CHECK(cudaMalloc(&d, v.size() * sizeof(T)));
  owned.push_back(d);
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}

template <class T>
T* zeros(size_t n) {
  T* d = nullptr;
  CHECK(cudaMalloc(&d, n * sizeof(T)));
  owned.push_back(d);
  cudaMemset(d, 0, n * sizeof(T));
  return d;
}

/// A hash of all bits, and five of the values.
template <class T>
void show(const char* what, const T* d, size_t n) {
  const std::vector<T> v = fetched(d, n);
  uint64_t hash = 1469598103934665603ull;
  const auto* bytes = reinterpret_cast<const unsigned char*>(v.data());
  for (size_t i = 0; i < n * sizeof(T); ++i) hash = (hash ^ bytes[i]) * 1099511628211ull;
  std::printf("%-28s %016llx", what, static_cast<unsigned long long>(hash));
  for (size_t i = 0; i < n && i < 5; ++i)
    std::printf(" %.9g", static_cast<double>(v[i * (n > 5 ? n / 5 : 1)]));
  std::printf("\n");
}

struct Random {
  uint32_t state;
  uint32_t next() { return state = state * 1664525u + 1013904223u; }
  float unit() { return (next() >> 8) * (1.0f / 16777216.0f); }
  float sym() { return 2 * unit() - 1; }
};

using namespace nvcuda;
constexpr int C = 8, H = 14, W = 14, F = 16, R = 3;
__constant__ float filter[F * C * R * R];
__global__ void direct(const float* in, float* out) {
  __shared__ float tile[C][10][10];
  const int oy = blockIdx.y * 8, ox = blockIdx.x * 8;
  for (int i = threadIdx.y * 8 + threadIdx.x; i < C * 100; i += 64) {
    const int c = i / 100, y = oy + i / 10 % 10 - 1, x = ox + i % 10 - 1;
    tile[c][i / 10 % 10][i % 10] =
        y >= 0 && y < H && x >= 0 && x < W ? in[(c * H + y) * W + x] : 0.f;
  }
  __syncthreads();
  const int y = oy + threadIdx.y, x = ox + threadIdx.x;
  if (y >= H || x >= W) return;
  for (int f = 0; f < F; ++f) {
    float s = 0;
    for (int c = 0; c < C; ++c)
#pragma unroll
      for (int r = 0; r < R; ++r)
#pragma unroll
        for (int t = 0; t < R; ++t)
          s += filter[((f * C + c) * R + r) * R + t] * tile[c][threadIdx.y + r][threadIdx.x + t];
    out[(f * H + y) * W + x] = s;
  }
}
template <class T>
__device__ T narrow(float f);
template <>
__device__ __half narrow<__half>(float f) {
  return __float2half(f);
}
template <>
__device__ __nv_bfloat16 narrow<__nv_bfloat16>(float f) {
  return __float2bfloat16(f);
}
// one warp: 16 filters by 16 pixels, K = C*9 padded to 80
template <class T>
__global__ void implicit_gemm(const float* in, float* out) {
  __shared__ __align__(32) T a[16][80], b[80][16];
  __shared__ __align__(32) float c[16][16];
  const int lane = threadIdx.x, p0 = blockIdx.x * 16;
  for (int i = lane; i < 16 * 80; i += 32) {
    const int f = i / 80, k = i % 80;
    a[f][k] = narrow<T>(k < C * 9 ? filter[f * C * 9 + k] : 0.f);
    const int kk = i / 16, p = p0 + i % 16, ch = kk / 9, y = p / W + kk % 9 / 3 - 1,
              x = p % W + kk % 3 - 1;
    b[kk][i % 16] = narrow<T>(kk < C * 9 && p < H * W && y >= 0 && y < H && x >= 0 && x < W
                                  ? in[(ch * H + y) * W + x]
                                  : 0.f);
  }
  __syncwarp();
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.f);
  for (int k = 0; k < 80; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, &a[0][k], 80);
    wmma::load_matrix_sync(fb, &b[k][0], 16);
    wmma::mma_sync(acc, fa, fb, acc);
  }
  for (int i = 0; i < acc.num_elements; ++i) acc.x[i] = fmaxf(acc.x[i], 0.f);
  wmma::store_matrix_sync(&c[0][0], acc, 16, wmma::mem_col_major);
  __syncwarp();
  for (int i = lane; i < 256; i += 32)
    if (p0 + i / 16 < H * W) out[(i % 16) * H * W + p0 + i / 16] = c[i / 16][i % 16];
}
__global__ void depthwise(const float* in, const float* w, float* out, int stride) {
  const int c = blockIdx.z, y = blockIdx.y * blockDim.y + threadIdx.y,
            x = blockIdx.x * blockDim.x + threadIdx.x;
  const int oh = (H + stride - 1) / stride, ow = (W + stride - 1) / stride;
  if (y >= oh || x >= ow) return;
  float s = 0;
  for (int r = -1; r <= 1; ++r)
    for (int t = -1; t <= 1; ++t) {
      const int yy = y * stride + r, xx = x * stride + t;
      if (yy < 0 || yy >= H || xx < 0 || xx >= W) continue;
      s = __fmaf_rn(in[(c * H + yy) * W + xx], w[c * 9 + (r + 1) * 3 + t + 1], s);
    }
  out[(c * oh + y) * ow + x] = s;
}
__global__ void winograd(const float* in, float* out) {
  const int tile = blockIdx.x * blockDim.x + threadIdx.x, f = blockIdx.y;
  if (tile >= H / 2 * W / 2) return;
  const int y0 = tile / (W / 2) * 2, x0 = tile % (W / 2) * 2;
  float m[4][4] = {};
  for (int c = 0; c < C; ++c) {
    float d[4][4], t[4][4], g[4][3], u[4][4];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        const int y = y0 + i - 1, x = x0 + j - 1;
        d[i][j] = y >= 0 && y < H && x >= 0 && x < W ? in[(c * H + y) * W + x] : 0.f;
      }
    for (int j = 0; j < 4; ++j) {
      t[0][j] = d[0][j] - d[2][j];
      t[1][j] = d[1][j] + d[2][j];
      t[2][j] = d[2][j] - d[1][j];
      t[3][j] = d[1][j] - d[3][j];
    }
    for (int i = 0; i < 4; ++i) {
      d[i][0] = t[i][0] - t[i][2];
      d[i][1] = t[i][1] + t[i][2];
      d[i][2] = t[i][2] - t[i][1];
      d[i][3] = t[i][1] - t[i][3];
    }
    const float* w = &filter[(f * C + c) * 9];
    for (int j = 0; j < 3; ++j) {
      g[0][j] = w[j];
      g[1][j] = .5f * (w[j] + w[3 + j] + w[6 + j]);
      g[2][j] = .5f * (w[j] - w[3 + j] + w[6 + j]);
      g[3][j] = w[6 + j];
    }
    for (int i = 0; i < 4; ++i) {
      u[i][0] = g[i][0];
      u[i][1] = .5f * (g[i][0] + g[i][1] + g[i][2]);
      u[i][2] = .5f * (g[i][0] - g[i][1] + g[i][2]);
      u[i][3] = g[i][2];
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) m[i][j] += u[i][j] * d[i][j];
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      float s = 0;
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
          const float ka = i == 0 ? (a < 3 ? 1.f : 0.f) : (a == 0 ? 0.f : a == 1 ? 1.f : -1.f);
          const float kb = j == 0 ? (b < 3 ? 1.f : 0.f) : (b == 0 ? 0.f : b == 1 ? 1.f : -1.f);
          s += ka * kb * m[a][b];
        }
      out[(f * H + y0 + i) * W + x0 + j] = s;
    }
}
int main() {
  Random g{5};
  std::vector<float> in(C * H * W), w(F * C * 9);
  for (float& x : in) x = g.sym();
  for (float& x : w) x = g.sym() * .3f;
  float *di = uploaded(in), *dw = uploaded(w), *o = zeros<float>(F * H * W);
  CHECK(cudaMemcpyToSymbol(filter, w.data(), w.size() * 4));
  direct<<<dim3(2, 2), dim3(8, 8)>>>(di, o);
  show("direct", o, F * H * W);
  implicit_gemm<__half><<<(H * W + 15) / 16, 32>>>(di, o);
  show("half", o, F * H * W);
#ifndef NOBF
  implicit_gemm<__nv_bfloat16><<<(H * W + 15) / 16, 32>>>(di, o);
  show("bfloat16", o, F * H * W);
#endif
  winograd<<<dim3(2, F), 32>>>(di, o);
  show("winograd", o, F * H * W);
  depthwise<<<dim3(2, 2, C), dim3(8, 8)>>>(di, dw, o, 1);
  show("depthwise 1", o, C * H * W);
  depthwise<<<dim3(1, 1, C), dim3(8, 8)>>>(di, dw, o, 2);
  show("depthwise 2", o, C * H * W / 4);
  CHECK(cudaDeviceSynchronize());
  for (void* p : owned) CHECK(cudaFree(p));
}
