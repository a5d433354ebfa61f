// architecture: 90a
// wgmma as Hopper's kernels use it, by inline PTX: tiles swizzled by 128 bytes that threads store,
// two stages filled by cp.async, a product whose factor stays in registers, a warp that fetches
// by bulk copies for two warpgroups that multiply, and other types.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstdio>
#include <vector>

// Parts of wgmma

enum Swizzle : uint64_t { none = 0, by_128 = 1, by_64 = 2, by_32 = 3 };

__device__ uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ uint64_t descriptor(uint32_t address, uint32_t leading, uint32_t stride, Swizzle mode) {
  return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)(leading >> 4) << 16 |
         (uint64_t)(stride >> 4) << 32 | (uint64_t)mode << 62;
}
__device__ void fence_registers() { asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory"); }
template <int Groups>
__device__ void wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(Groups) : "memory");
}
__device__ void fence_shared() { asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory"); }

/// D (64 x 64) += or = A * B, rows of 128 bytes along K.
__device__ void multiply_bf16(float (&d)[32], uint64_t a, uint64_t b, int adds) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "%32, %33, p, 1, 1, 0, 0;\n"
      "}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b), "r"(adds));
}
/// D (64 x 64) += A * B, A in registers, B with its 64 columns side by side.
__device__ void multiply_held(float (&d)[32], const uint32_t (&a)[4], uint64_t b, int adds) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "{%32, %33, %34, %35}, %36, p, 1, 1, 1;\n"
      "}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(adds));
}
#define NARROW(NAME, OPCODE, TYPE, LETTER, REST)                                              \
  __device__ void NAME(TYPE(&d)[8], uint64_t a, uint64_t b, int adds) {                       \
    asm volatile("{.reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned." OPCODE \
                 " {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p" REST ";}"                     \
                 : "+" LETTER(d[0]), "+" LETTER(d[1]), "+" LETTER(d[2]), "+" LETTER(d[3]),    \
                   "+" LETTER(d[4]), "+" LETTER(d[5]), "+" LETTER(d[6]), "+" LETTER(d[7])     \
                 : "l"(a), "l"(b), "r"(adds));                                                \
  }
NARROW(multiply_e4m3, "m64n16k32.f32.e4m3.e4m3", float, "f", ", 1, 1")
NARROW(multiply_tf32, "m64n16k8.f32.tf32.tf32", float, "f", ", 1, 1")
NARROW(multiply_s8, "m64n16k32.s32.s8.s8", int, "r", "")
NARROW(multiply_bits, "m64n16k256.s32.b1.b1.and.popc", int, "r", "")
NARROW(multiply_f16, "m64n32k16.f16.f16.f16", uint32_t, "r", ", 1, -1, 0, 0")

/// Which element of D a thread has in register i.
__device__ int row_of(int i) {
  return threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8;
}
__device__ int column_of(int i) { return i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2; }

/// Offset of piece `piece` (16 bytes) of a row of 128 bytes.
__device__ int swizzled(int row, int piece) { return row * 128 + ((piece ^ row % 8) << 4); }

// Tiles that threads store

__global__ void tiles_stored(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n,
                             int k) {
  __shared__ alignas(1024) unsigned char tile_a[64 * 128], tile_b[64 * 128];
  const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
  float d[32];
  for (int k0 = 0; k0 < k; k0 += 64) {
    for (int i = threadIdx.x; i < 64 * 8; i += 128) {
      const int row = i / 8, piece = i % 8;
      *reinterpret_cast<uint4*>(tile_a + swizzled(row, piece)) =
          *reinterpret_cast<const uint4*>(a + (row0 + row) * k + k0 + piece * 8);
      *reinterpret_cast<uint4*>(tile_b + swizzled(row, piece)) =
          *reinterpret_cast<const uint4*>(b + (column0 + row) * k + k0 + piece * 8);
    }
    fence_shared();
    __syncthreads();
    fence_registers();
    for (int step = 0; step < 4; ++step)
      multiply_bf16(d, descriptor(shared_address(tile_a) + step * 32, 16, 1024, by_128),
                    descriptor(shared_address(tile_b) + step * 32, 16, 1024, by_128),
                    k0 + step > 0);
    commit();
    wait<0>();
    __syncthreads();
  }
  for (int i = 0; i < 32; ++i) c[(row0 + row_of(i)) * n + column0 + column_of(i)] = d[i];
}

// Two stages, filled by cp.async

__global__ void two_stages(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n, int k) {
  extern __shared__ __align__(1024) unsigned char stages[];
  const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
  auto fetch = [&](int stage, int k0) {
    for (int i = threadIdx.x; i < 64 * 8; i += 128) {
      const int row = i / 8, piece = i % 8;
      const uint32_t to = shared_address(stages) + stage * 16384 + swizzled(row, piece);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to),
                   "l"(a + (row0 + row) * k + k0 + piece * 8));
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to + 8192),
                   "l"(b + (column0 + row) * k + k0 + piece * 8));
    }
    asm volatile("cp.async.commit_group;\n");
  };
  float d[32] = {};
  fetch(0, 0);
  for (int k0 = 0; k0 < k; k0 += 64) {
    const int stage = k0 / 64 % 2;
    if (k0 + 64 < k) {
      fetch(stage ^ 1, k0 + 64);
      asm volatile("cp.async.wait_group 1;\n" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 0;\n" ::: "memory");
    }
    fence_shared();
    __syncthreads();
    fence_registers();
    const uint32_t start = shared_address(stages) + stage * 16384;
#pragma unroll
    for (int step = 0; step < 4; ++step)
      multiply_bf16(d, descriptor(start + step * 32, 16, 1024, by_128),
                    descriptor(start + 8192 + step * 32, 16, 1024, by_128), 1);
    commit();
    wait<0>();
    __syncthreads();
  }
  for (int i = 0; i < 32; ++i) c[(row0 + row_of(i)) * n + column0 + column_of(i)] = d[i];
}

// One product's result is the next one's factor

/// y = (q * k^T / 8) * v for 64 rows of q and tiles of 64 rows of k and v, all of 64 columns.
__global__ void chained(const __half* q, const __half* k, const __half* v, float* y, int rows) {
  __shared__ alignas(1024) unsigned char of_q[64 * 128], of_k[64 * 128], of_v[64 * 128];
  auto store = [](unsigned char* tile, const __half* from) {
    for (int i = threadIdx.x; i < 64 * 8; i += 128)
      *reinterpret_cast<uint4*>(tile + swizzled(i / 8, i % 8)) =
          *reinterpret_cast<const uint4*>(from + i * 8);
  };
  store(of_q, q);
  float sum[32] = {};
  for (int row0 = 0; row0 < rows; row0 += 64) {
    store(of_k, k + row0 * 64);
    store(of_v, v + row0 * 64);
    fence_shared();
    __syncthreads();
    uint32_t held[16];
    for (int half = 0; half < 4; ++half) {  // 16 columns of the scores
      float score[8] = {};
      fence_registers();
      for (int step = 0; step < 4; ++step)
        asm volatile(
            "{.reg .pred p; setp.ne.b32 p, %10, 0; "
            "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
            "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0;}"
            : "+f"(score[0]), "+f"(score[1]), "+f"(score[2]), "+f"(score[3]), "+f"(score[4]),
              "+f"(score[5]), "+f"(score[6]), "+f"(score[7])
            : "l"(descriptor(shared_address(of_q) + step * 32, 16, 1024, by_128)),
              "l"(descriptor(shared_address(of_k) + half * 2048 + step * 32, 16, 1024, by_128)),
              "r"(int(step > 0)));
      commit();
      wait<0>();
      // Two neighbours of a row are a register of the next product's factor.
      for (int i = 0; i < 4; ++i) {
        const __half2 both = __floats2half2_rn(score[2 * i] / 8, score[2 * i + 1] / 8);
        held[half * 4 + i] = reinterpret_cast<const uint32_t&>(both);
      }
    }
    fence_registers();
    for (int step = 0; step < 4; ++step)
      multiply_held(sum,
                    {held[step * 4], held[step * 4 + 1], held[step * 4 + 2], held[step * 4 + 3]},
                    descriptor(shared_address(of_v) + step * 2048, 1024, 1024, by_128), 1);
    commit();
    wait<0>();
    __syncthreads();
  }
  for (int i = 0; i < 32; ++i) y[row_of(i) * 64 + column_of(i)] = sum[i];
}

// A warp fetches, two warpgroups multiply

constexpr int ring = 2;
struct Ring {
  alignas(1024) unsigned char a[ring][2][64 * 128], b[ring][64 * 128];
  alignas(8) uint64_t full[ring], empty[ring];
};

__device__ void wait_for(uint64_t* barrier, int phase) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra.uni DONE;\n"
      "bra.uni LAB_WAIT;\n"
      "DONE:\n"
      "}\n" ::"r"(shared_address(barrier)),
      "r"(phase)
      : "memory");
}

/// Tiles of A (128 rows) and B (64 rows), 64 columns, are in global memory as shared memory wants
/// them.
__global__ __launch_bounds__(384) void specialised(const unsigned char* a, const unsigned char* b,
                                                   float* c, int tiles) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Ring& r = *reinterpret_cast<Ring*>(memory);
  if (threadIdx.x == 0) {
    for (int i = 0; i < ring; ++i) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&r.full[i])));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(shared_address(&r.empty[i])));
    }
    asm volatile("fence.proxy.async;" ::: "memory");
  }
  __syncthreads();
  const int group = threadIdx.x / 128;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;\n");
    if (threadIdx.x < 32) {
      uint32_t is_chosen;
      asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}"
                   : "=r"(is_chosen));
      for (int tile = 0; is_chosen && tile < tiles; ++tile) {
        const int at = tile % ring, round = tile / ring;
        if (round > 0) wait_for(&r.empty[at], (round - 1) % 2);
        const uint32_t full = shared_address(&r.full[at]);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full),
                     "r"(3 * 8192));
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
            "[%3];" ::"r"(shared_address(r.a[at])),
            "l"(a + tile * 16384), "r"(16384), "r"(full)
            : "memory");
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
            "[%3];" ::"r"(shared_address(r.b[at])),
            "l"(b + tile * 8192), "r"(8192), "r"(full)
            : "memory");
      }
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;\n");
  float d[32];
  for (int tile = 0; tile < tiles; ++tile) {
    const int at = tile % ring;
    wait_for(&r.full[at], tile / ring % 2);
    fence_registers();
    for (int step = 0; step < 4; ++step)
      multiply_bf16(d, descriptor(shared_address(r.a[at][group - 1]) + step * 32, 16, 1024, by_128),
                    descriptor(shared_address(r.b[at]) + step * 32, 16, 1024, by_128),
                    tile + step > 0);
    commit();
    wait<0>();
    if (threadIdx.x % 128 == 0)
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&r.empty[at]))
                   : "memory");
  }
  for (int i = 0; i < 32; ++i) c[((group - 1) * 64 + row_of(i)) * 64 + column_of(i)] = d[i];
}

// Other types, without a swizzle

template <class T, class Multiply>
__device__ void narrow(const unsigned char* a, const unsigned char* b, T* c, int columns,
                       Multiply multiply) {
  __shared__ alignas(128) unsigned char of_a[64 * 64], of_b[32 * 64];
  // Rows of 64 bytes become blocks of 8 rows by 16 bytes: 4 along K, then the next 8 rows.
  auto store = [](unsigned char* to, const unsigned char* from, int rows) {
    for (int i = threadIdx.x; i < rows * 4; i += 128) {
      const int row = i / 4, piece = i % 4;
      *reinterpret_cast<uint4*>(to + row / 8 * 512 + piece * 128 + row % 8 * 16) =
          *reinterpret_cast<const uint4*>(from + i * 16);
    }
  };
  store(of_a, a, 64);
  store(of_b, b, columns);
  fence_shared();
  __syncthreads();
  T d[8];
  fence_registers();
  for (int step = 0; step < 2; ++step)
    multiply(d, descriptor(shared_address(of_a) + step * 256, 128, 512, none),
             descriptor(shared_address(of_b) + step * 256, 128, 512, none), step);
  commit();
  wait<0>();
  for (int i = 0; i < 8; ++i) c[i * 128 + threadIdx.x] = d[i];
}
__global__ void of_e4m3(const unsigned char* a, const unsigned char* b, float* c) {
  narrow(a, b, c, 16, multiply_e4m3);
}
__global__ void of_tf32(const unsigned char* a, const unsigned char* b, float* c) {
  narrow(a, b, c, 16, multiply_tf32);
}
__global__ void of_s8(const unsigned char* a, const unsigned char* b, int* c) {
  narrow(a, b, c, 16, multiply_s8);
}
__global__ void of_bits(const unsigned char* a, const unsigned char* b, int* c) {
  narrow(a, b, c, 16, multiply_bits);
}
__global__ void of_f16(const unsigned char* a, const unsigned char* b, uint32_t* c) {
  narrow(a, b, c, 32, multiply_f16);
}

// The host

uint32_t state = 12345;
uint32_t random_bits() { return state = state * 1664525u + 1013904223u, state >> 8; }
float small() { return ((int)(random_bits() % 65) - 32) / 16.0f; }

template <class T>
T* upload(const std::vector<T>& values) {
  T* device;
  cudaMalloc(&device, values.size() * sizeof(T));
  cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
template <class T>
std::vector<T> download(const T* device, size_t count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}
template <class T>
void show(const char* name, const std::vector<T>& values, double worst) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < values.size() * sizeof(T); ++i)
    hash = (hash ^ reinterpret_cast<const unsigned char*>(values.data())[i]) * 0x100000001b3ull;
  printf("%s: %016llx, %s\n", name, (unsigned long long)hash,
         worst < 0      ? cudaGetErrorString(cudaGetLastError())
         : worst < 1e-3 ? "right"
                        : "wrong");
}
template <class T>
double worst_of(const std::vector<float>& c, const std::vector<T>& a, const std::vector<T>& b,
                int m, int n, int k) {
  double worst = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l) sum += (double)(float)a[i * k + l] * (double)(float)b[j * k + l];
      worst = fmax(worst, fabs(sum - c[i * n + j]));
    }
  return worst;
}

void run_tiles() {
  const int m = 128, n = 192, k = 256;
  std::vector<__nv_bfloat16> a(m * k), b(n * k);
  for (auto& x : a) x = __float2bfloat16(small());
  for (auto& x : b) x = __float2bfloat16(small());
  const auto *da = upload(a), *db = upload(b);
  float* dc = upload(std::vector<float>(m * n));
  tiles_stored<<<dim3(n / 64, m / 64), 128>>>(da, db, dc, n, k);
  auto c = download(dc, m * n);
  show("tiles that threads store", c, worst_of(c, a, b, m, n, k));
  two_stages<<<dim3(n / 64, m / 64), 128, 2 * 16384>>>(da, db, dc, n, k);
  c = download(dc, m * n);
  show("two stages", c, worst_of(c, a, b, m, n, k));
}

void run_chained() {
  const int rows = 128;
  std::vector<__half> q(64 * 64), k(rows * 64), v(rows * 64);
  for (auto* matrix : {&q, &k, &v})
    for (auto& x : *matrix) x = __float2half(small());
  float* dy = upload(std::vector<float>(64 * 64));
  chained<<<1, 128>>>(upload(q), upload(k), upload(v), dy, rows);
  show("chained", download(dy, 64 * 64), -1);
}

void run_specialised() {
  const int tiles = 5;
  std::vector<__nv_bfloat16> a(128 * 64 * tiles), b(64 * 64 * tiles);
  for (auto& x : a) x = __float2bfloat16(small());
  for (auto& x : b) x = __float2bfloat16(small());
  // Element k of a tile's row: where the swizzle has it.
  auto in_order = [](const std::vector<__nv_bfloat16>& from, int rows) {
    std::vector<__nv_bfloat16> to(from.size());
    for (size_t i = 0; i < from.size(); ++i) {
      const size_t row = i / 64, element = i % 64;
      to[i / 64 % rows * (64 * tiles) + i / (64 * rows) * 64 + element] =
          from[row * 64 + ((element / 8 ^ row % 8) << 3) + element % 8];
    }
    return to;
  };
  float* dc = upload(std::vector<float>(128 * 64));
  cudaFuncSetAttribute(specialised, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Ring));
  specialised<<<1, 384, sizeof(Ring)>>>(reinterpret_cast<const unsigned char*>(upload(a)),
                                        reinterpret_cast<const unsigned char*>(upload(b)), dc,
                                        tiles);
  const auto c = download(dc, 128 * 64);
  show("a warp fetches", c, worst_of(c, in_order(a, 128), in_order(b, 64), 128, 64, 64 * tiles));
}

template <class T, class Fill>
void run_narrow(const char* name, void (*kernel)(const unsigned char*, const unsigned char*, T*),
                Fill fill) {
  std::vector<unsigned char> a(64 * 64), b(32 * 64);
  fill(a);
  fill(b);
  T* dc = upload(std::vector<T>(8 * 128));
  kernel<<<1, 128>>>(upload(a), upload(b), dc);
  show(name, download(dc, 8 * 128), -1);
}

int main() {
  run_tiles();
  run_chained();
  run_specialised();
  run_narrow("e4m3", of_e4m3, [](auto& bytes) {
    for (auto& x : bytes) x = __nv_fp8_e4m3(small()).__x;
  });
  run_narrow("tf32", of_tf32, [](auto& bytes) {
    for (size_t i = 0; i < bytes.size(); i += 4) {
      const float x = small() * 1.01f;
      memcpy(&bytes[i], &x, 4);
    }
  });
  auto any = [](auto& bytes) {
    for (auto& x : bytes) x = (unsigned char)random_bits();
  };
  run_narrow("s8", of_s8, any);
  run_narrow("bits", of_bits, any);
  run_narrow("f16, B negated", of_f16, [](auto& bytes) {
    for (size_t i = 0; i < bytes.size(); i += 2) {
      const __half x = __float2half(small());
      memcpy(&bytes[i], &x, 2);
    }
  });
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
