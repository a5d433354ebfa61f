// Matrix products as courses build them up: naive, blocks in registers, cp.async, swizzled
// ldmatrix, parts of K that take turns, tiles handed out, batches of pointers.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

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

constexpr int M = 64, N = 96, K = 80;
__global__ void naive(const float* a, const float* b, float* c) {
  const int r = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = 0; i < K; ++i) s += a[r * K + i] * b[i * N + k];
  c[r * N + k] = s;
}
template <int BM, int BN, int BK, int TM, int TN>
__global__ void blocked(const float* __restrict__ a, const float* __restrict__ b, float* c) {
  __shared__ float as[BK][BM], bs[BK][BN];
  const int tr = threadIdx.x / (BN / TN), tc = threadIdx.x % (BN / TN),
            threads = BM * BN / (TM * TN);
  float acc[TM][TN] = {}, ra[TM], rb[TN];
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = threadIdx.x * 4; i < BM * BK; i += threads * 4) {
      const float4 v =
          *reinterpret_cast<const float4*>(&a[(blockIdx.y * BM + i / BK) * K + k0 + i % BK]);
      as[i % BK][i / BK] = v.x;
      as[i % BK + 1][i / BK] = v.y;
      as[i % BK + 2][i / BK] = v.z;
      as[i % BK + 3][i / BK] = v.w;
    }
    for (int i = threadIdx.x * 4; i < BK * BN; i += threads * 4)
      *reinterpret_cast<float4*>(&bs[i / BN][i % BN]) =
          *reinterpret_cast<const float4*>(&b[(k0 + i / BN) * N + blockIdx.x * BN + i % BN]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      for (int i = 0; i < TM; ++i) ra[i] = as[k][tr * TM + i];
      for (int j = 0; j < TN; ++j) rb[j] = bs[k][tc * TN + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) acc[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; j += 4)
      *reinterpret_cast<float4*>(
          &c[(blockIdx.y * BM + tr * TM + i) * N + blockIdx.x * BN + tc * TN + j]) =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
}
__global__ void buffered(const float* a, const float* b, float* c) {
  __shared__ __align__(16) float as[2][16][16], bs[2][16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  auto load = [&](int s, int k0) {
    if (x < 4) {
      __pipeline_memcpy_async(&as[s][y][x * 4], &a[(blockIdx.y * 16 + y) * K + k0 + x * 4], 16);
      __pipeline_memcpy_async(&bs[s][y][x * 4], &b[(k0 + y) * N + blockIdx.x * 16 + x * 4], 16);
    }
    __pipeline_commit();
  };
  load(0, 0);
  float acc = 0;
  for (int t = 0; t < K / 16; ++t) {
    if (t + 1 < K / 16)
      load((t + 1) & 1, (t + 1) * 16);
    else
      __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int k = 0; k < 16; ++k) acc = fmaf(as[t & 1][y][k], bs[t & 1][k][x], acc);
    __syncthreads();
  }
  c[(blockIdx.y * 16 + y) * N + blockIdx.x * 16 + x] = acc;
}
__global__ void tensor(const __half* a, const __half* b, float* c) {
#if __CUDA_ARCH__ >= 800
  __shared__ __align__(128) __half as[32][32], bs[32][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, wm = warp / 2, wn = warp % 2;
  float acc[2][4] = {};
  auto sw = [](int r, int chunk) { return (chunk ^ (r >> 1)) & 3; };
  for (int k0 = 0; k0 < 64; k0 += 32) {
    {
      const int r = threadIdx.x / 4, ch = threadIdx.x % 4;
      *reinterpret_cast<uint4*>(&as[r][sw(r, ch) * 8]) =
          *reinterpret_cast<const uint4*>(&a[(blockIdx.y * 32 + r) * 64 + k0 + ch * 8]);
      *reinterpret_cast<uint4*>(&bs[r][sw(r, ch) * 8]) =
          *reinterpret_cast<const uint4*>(&b[(k0 + r) * N + blockIdx.x * 32 + ch * 8]);
    }
    __syncthreads();
    for (int kk = 0; kk < 32; kk += 16) {
      unsigned fa[4], fb[4];
      {
        const int r = wm * 16 + lane % 16, ch = kk / 8 + lane / 16;
        const unsigned p = __cvta_generic_to_shared(&as[r][sw(r, ch) * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                     : "r"(p));
      }
      {
        const int r = kk + lane % 16, ch = wn * 2 + lane / 16;
        const unsigned p = __cvta_generic_to_shared(&bs[r][sw(r, ch) * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                     : "r"(p));
      }
      for (int n = 0; n < 2; ++n)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
            "{%8,%9}, {%0,%1,%2,%3};"
            : "+f"(acc[n][0]), "+f"(acc[n][1]), "+f"(acc[n][2]), "+f"(acc[n][3])
            : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[2 * n]), "r"(fb[2 * n + 1]));
    }
    __syncthreads();
  }
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 4; i += 2)
      *reinterpret_cast<float2*>(&c[(blockIdx.y * 32 + wm * 16 + lane / 4 + i * 4) * N +
                                    blockIdx.x * 32 + wn * 16 + n * 8 + lane % 4 * 2]) =
          make_float2(acc[n][i], acc[n][i + 1]);
#endif
}
__global__ void split_k(const float* a, const float* b, float* c, int* turn, int splits) {
  const int r = blockIdx.y * 16 + threadIdx.y, k = blockIdx.x * 16 + threadIdx.x, per = K / splits,
            z = blockIdx.z;
  float s = 0;
  for (int i = z * per; i < (z + 1) * per; ++i) s += a[r * K + i] * b[i * N + k];
  int* t = &turn[blockIdx.y * gridDim.x + blockIdx.x];
  if (threadIdx.x + threadIdx.y == 0)
    while (atomicAdd(t, 0) != z) __nanosleep(50);
  __syncthreads();
  __threadfence();
  if (z) s += c[r * N + k];
  c[r * N + k] = s;
  __threadfence();
  __syncthreads();
  if (threadIdx.x + threadIdx.y == 0) atomicExch(t, (z + 1) % splits);
}
__global__ void persistent(const float* a, const float* b, float* c, int* next) {
  __shared__ int tile;
  const int tiles = (M / 16) * (N / 16);
  for (;;) {
    if (threadIdx.x + threadIdx.y == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    const int t = tile;
    __syncthreads();
    if (t >= tiles) return;
    const int r = t / (N / 16) * 16 + threadIdx.y, k = t % (N / 16) * 16 + threadIdx.x;
    float s = 0;
    for (int i = 0; i < K; ++i) s += a[r * K + i] * b[i * N + k];
    c[r * N + k] = s;
  }
}
__global__ void batched(const float* const* as, const float* const* bs, float* const* cs, int n) {
  const float* a = as[blockIdx.x];
  const float* b = bs[blockIdx.x];
  float s = 0;
  for (int i = 0; i < n; ++i) s += a[threadIdx.y * n + i] * b[i * n + threadIdx.x];
  cs[blockIdx.x][threadIdx.y * n + threadIdx.x] = s;
}
int main() {
  Random g{141};
  std::vector<float> a(M * K), b(K * N);
  for (float& v : a) v = g.sym();
  for (float& v : b) v = g.sym();
  float *da = uploaded(a), *db = uploaded(b), *c = zeros<float>(M * N);
  auto check = [&](const char* w) {
    CHECK(cudaGetLastError());
    show(w, c, M * N);
    CHECK(cudaMemset(c, 0, M * N * 4));
  };
  const dim3 t(16, 16), gr(N / 16, M / 16);
  naive<<<gr, t>>>(da, db, c);
  check("naive");
  blocked<32, 32, 8, 4, 4><<<dim3(N / 32, M / 32), 64>>>(da, db, c);
  check("blocked");
  blocked<64, 32, 16, 8, 4><<<dim3(N / 32, M / 64), 64>>>(da, db, c);
  check("blocked 8x4");
  buffered<<<gr, t>>>(da, db, c);
  check("buffered");
  std::vector<__half> ha(M * 64), hb(64 * N);
  for (auto& v : ha) v = __float2half(g.sym());
  for (auto& v : hb) v = __float2half(g.sym());
  __half *dha = uploaded(ha), *dhb = uploaded(hb);
  tensor<<<dim3(N / 32, M / 32), 128>>>(dha, dhb, c);
  check("tensor");
  int* turn = zeros<int>(64);
  split_k<<<dim3(N / 16, M / 16, 4), t>>>(da, db, c, turn, 4);
  check("split k");
  persistent<<<5, t>>>(da, db, c, turn + 63);
  check("persistent");
  std::vector<float*> pa, pb, pc;
  for (int i = 0; i < 7; ++i)
    pa.push_back(da + i * 64), pb.push_back(db + i * 100), pc.push_back(c + i * 64);
  float **qa = uploaded(pa), **qb = uploaded(pb), **qc = uploaded(pc);
  batched<<<7, dim3(8, 8)>>>(qa, qb, qc, 8);
  check("batched");
  CHECK(cudaDeviceSynchronize());
  for (void* p : owned) CHECK(cudaFree(p));
}
