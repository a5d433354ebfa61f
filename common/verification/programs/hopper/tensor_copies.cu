// Bulk copies of boxes of tensors (TMA): ranks, types, swizzles, steps, what is outside, clipped
// stores, reductions, clusters; each line a hash of what arrived.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/ptx>
#include <vector>

namespace ptx = cuda::ptx;

constexpr unsigned room = 8192, tensor_bytes = 1 << 16;

struct Box {
  const char* name;
  int type;  // CUtensorMapDataType
  int rank;
  uint64_t dims[5];
  uint32_t box[5];
  int at[5];
  int swizzle = 0, fill = 0;
  uint32_t steps[5] = {1, 1, 1, 1, 1};
  uint32_t padding = 0;  // bytes between rows
};

__device__ uint64_t* filled_and_ready(unsigned char* tile, const unsigned* from) {
  __shared__ uint64_t bar;
  for (unsigned i = threadIdx.x; i < room / 4; i += blockDim.x)
    reinterpret_cast<unsigned*>(tile)[i] = from[i];
  if (threadIdx.x == 0) ptx::mbarrier_init(&bar, 1);
  ptx::fence_proxy_async();
  __syncthreads();
  return &bar;
}

template <int rank>
__global__ void load(const __grid_constant__ CUtensorMap map, Box box, unsigned bytes,
                     const unsigned* from, unsigned* to) {
  extern __shared__ __align__(1024) unsigned char tile[];
  uint64_t* bar = filled_and_ready(tile, from);
  if (threadIdx.x == 0) {
    int32_t at[rank];
    for (int i = 0; i < rank; ++i) at[i] = box.at[i];
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, at, bar);
  }
  while (!ptx::mbarrier_try_wait_parity(bar, 0)) {
  }
  for (unsigned i = threadIdx.x; i < room / 4; i += blockDim.x)
    to[i] = reinterpret_cast<unsigned*>(tile)[i];
}

enum class Update { none, add, min, max, inc, dec, bit_and, bit_or, bit_xor };

template <int rank>
__global__ void store(const __grid_constant__ CUtensorMap map, Box box, Update update,
                      const unsigned* from) {
  extern __shared__ __align__(1024) unsigned char tile[];
  filled_and_ready(tile, from);
  if (threadIdx.x != 0) return;
  int32_t at[rank];
  for (int i = 0; i < rank; ++i) at[i] = box.at[i];
  const auto reduce = [&](auto op) {
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, op, &map, at, tile);
  };
  switch (update) {
    case Update::none:
      ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, at, tile);
      break;
    case Update::add:
      reduce(ptx::op_add);
      break;
    case Update::min:
      reduce(ptx::op_min);
      break;
    case Update::max:
      reduce(ptx::op_max);
      break;
    case Update::inc:
      reduce(ptx::op_inc);
      break;
    case Update::dec:
      reduce(ptx::op_dec);
      break;
    case Update::bit_and:
      reduce(ptx::op_and_op);
      break;
    case Update::bit_or:
      reduce(ptx::op_or_op);
      break;
    case Update::bit_xor:
      reduce(ptx::op_xor_op);
      break;
  }
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

// Each block loads half of a tile for all blocks of its cluster.
__global__ void __cluster_dims__(2, 1, 1)
    to_both(const __grid_constant__ CUtensorMap map, unsigned* out) {
  __shared__ alignas(128) unsigned tile[2][256];
  __shared__ uint64_t bar;
  const unsigned rank = ptx::get_sreg_cluster_ctarank();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  if (threadIdx.x == 0) {
    const int32_t at[2] = {8 * (int)blockIdx.x, 16 * (int)rank - 2};
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                   sizeof tile);
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
        "cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(
            (unsigned)__cvta_generic_to_shared(tile[rank])),
        "l"(&map), "r"(at[0]), "r"(at[1]), "r"((unsigned)__cvta_generic_to_shared(&bar)),
        "h"((short)3)
        : "memory");
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  for (int i = threadIdx.x; i < 512; i += blockDim.x)
    out[blockIdx.x * 512 + i] = (&tile[0][0])[i] * (rank + 1);
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
}

// The pixels that a convolution's window of three by three meets, one offset after another.
__global__ void windows(const __grid_constant__ CUtensorMap map, unsigned bytes, unsigned* out) {
  extern __shared__ __align__(1024) unsigned char tile[];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_proxy_async();
  }
  __syncthreads();
  unsigned hash = threadIdx.x;
  for (int i = 0; i < 9; ++i) {
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                     bytes);
      asm volatile(
          "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
          "[%0], "
          "[%1, {%2, %3, %4, %5}], [%6], {%7, %8};" ::"r"((unsigned)__cvta_generic_to_shared(tile)),
          "l"(&map), "r"(8), "r"(-1), "r"(2), "r"((int)blockIdx.x),
          "r"((unsigned)__cvta_generic_to_shared(&bar)), "h"((short)(i % 3)), "h"((short)(i / 3))
          : "memory");
    }
    while (!ptx::mbarrier_try_wait_parity(&bar, i % 2)) {
    }
    for (unsigned at = threadIdx.x; at < bytes / 4; at += blockDim.x)
      hash = hash * 16777619u ^ reinterpret_cast<unsigned*>(tile)[at];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = hash;
}

__constant__ CUtensorMap constant_map;

// The barrier of libcu++ and its older names; maps that are not parameters.
__global__ void scaled(const CUtensorMap* source, float factor) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  namespace experimental = cuda::device::experimental;
  __shared__ alignas(128) float tile[16][32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  const int x = blockIdx.x * 32, y = blockIdx.y * 16;
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    experimental::cp_async_bulk_tensor_2d_global_to_shared(tile, source, x, y, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < 512; i += blockDim.x) (&tile[0][0])[i] *= factor;
  experimental::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    experimental::cp_async_bulk_tensor_2d_shared_to_global(&constant_map, x, y, tile);
    experimental::cp_async_bulk_commit_group();
    experimental::cp_async_bulk_wait_group_read<0>();
  }
}

// A transposed matrix by tiles of 32 x 32, whose columns are read without bank conflicts.
__global__ void transposed(const __grid_constant__ CUtensorMap in,
                           const __grid_constant__ CUtensorMap out) {
  __shared__ alignas(1024) unsigned from[1024], to[1024];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(&in) : "memory");
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_proxy_async();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const int32_t at[2] = {32 * (int)blockIdx.x, 32 * (int)blockIdx.y};
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 4096);
    ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, from, &in, at, &bar);
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %2}];" ::"l"(&in),
                 "r"(at[0] + 32), "r"(at[1]));
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  const auto swizzled = [](unsigned row, unsigned column) {
    return 32 * row + (column ^ row % 8 * 4);
  };
  const unsigned lane = threadIdx.x % 32;
  for (unsigned row = threadIdx.x / 32; row < 32; row += blockDim.x / 32)
    to[swizzled(row, lane)] = from[swizzled(lane, row)];
  ptx::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    const int32_t at[2] = {32 * (int)blockIdx.y, 32 * (int)blockIdx.x};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &out, at, to);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

template <class Function>
Function driver(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
  return reinterpret_cast<Function>(found);
}

unsigned long long hash(const unsigned* words, size_t count) {
  unsigned long long h = 1469598103934665603ull;
  for (size_t i = 0; i < count; ++i) h = (h ^ words[i]) * 1099511628211ull;
  return h;
}

constexpr int element_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

struct Runner {
  std::vector<unsigned> tensor, tile, got;
  char* on_device;
  unsigned *from, *to;
  Runner() : tensor(tensor_bytes / 4), tile(room / 4), got(room / 4) {
    unsigned state = 1;
    const auto bits = [&] {
      state = state * 1664525u + 1013904223u;
      const unsigned word = state ^ state >> 15;
      // Some are small, some infinite, some no numbers.
      return state % 7 == 0    ? word & 0x807f83ffu
             : state % 11 == 0 ? word | 0x7f807c00u
             : state % 13 == 0 ? (word & ~0x1fffu) | 0x1000u  // half way between two of tf32
                               : word;
    };
    for (unsigned& word : tensor) word = bits();
    for (unsigned& word : tile) word = bits();
    cudaMalloc(&on_device, 2 * tensor_bytes);
    cudaMalloc(&from, room);
    cudaMalloc(&to, room);
    cudaMemcpy(from, tile.data(), room, cudaMemcpyDefault);
  }
  ~Runner() {
    cudaFree(on_device);
    cudaFree(from);
    cudaFree(to);
  }
  /// @return bytes of the box in shared memory; 0: refused.
  unsigned map_of(const Box& b, CUtensorMap& map) {
    static const auto encode = driver<decltype(&cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled");
    const unsigned each = element_bytes[b.type];
    uint64_t strides[5], bytes = (b.dims[0] * each + b.padding + 15) / 16 * 16;
    unsigned arriving = b.box[0] * each;
    for (int i = 1; i < b.rank; ++i) {
      strides[i - 1] = bytes;
      bytes *= b.dims[i];
      arriving *= (b.box[i] + b.steps[i] - 1) / b.steps[i];
    }
    if (bytes > tensor_bytes || arriving > room) printf("too large: ");
    CUresult result =
        encode(&map, (CUtensorMapDataType)b.type, b.rank, on_device, b.dims, strides, b.box,
               b.steps, CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)b.swizzle,
               CU_TENSOR_MAP_L2_PROMOTION_L2_128B, (CUtensorMapFloatOOBfill)b.fill);
    if (result != CUDA_SUCCESS) printf("%s: refused, %d\n", b.name, result);
    cudaMemcpy(on_device, tensor.data(), tensor_bytes, cudaMemcpyDefault);
    return result == CUDA_SUCCESS ? arriving : 0;
  }
  void loads(const Box& b) {
    CUtensorMap map;
    const unsigned bytes = map_of(b, map);
    if (!bytes) return;
    constexpr decltype(&load<1>) kernels[] = {load<1>, load<2>, load<3>, load<4>, load<5>};
    kernels[b.rank - 1]<<<1, 64, room>>>(map, b, bytes, from, to);
    const cudaError_t error = cudaMemcpy(got.data(), to, room, cudaMemcpyDefault);
    printf("load %s: %s %u %016llx\n", b.name, cudaGetErrorName(error), bytes,
           hash(got.data(), room / 4));
  }
  void stores(const Box& b, Update update = Update::none) {
    static const char* const names[] = {"store", "add", "min", "max", "inc",
                                        "dec",   "and", "or",  "xor"};
    CUtensorMap map;
    if (!map_of(b, map)) return;
    constexpr decltype(&store<1>) kernels[] = {store<1>, store<2>, store<3>, store<4>, store<5>};
    kernels[b.rank - 1]<<<1, 64, room>>>(map, b, update, from);
    std::vector<unsigned> now(tensor_bytes / 4);
    const cudaError_t error = cudaMemcpy(now.data(), on_device, tensor_bytes, cudaMemcpyDefault);
    unsigned changed = 0;
    for (size_t i = 0; i < now.size(); ++i) changed += now[i] != tensor[i];
    printf("%s %s: %s %u %016llx\n", names[static_cast<int>(update)], b.name,
           cudaGetErrorName(error), changed, hash(now.data(), now.size()));
  }
};

enum { u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz };

const Box boxes[] = {
    {"a line", u8, 1, {1000}, {64}, {160}},
    {"the end of a line", u16, 1, {250}, {64}, {216}},
    {"before a line", s32, 1, {250}, {64}, {-24}},
    {"inside", u32, 2, {64, 64}, {16, 8}, {8, 4}},
    {"a corner", u32, 2, {60, 33}, {16, 8}, {-4, -3}},
    {"the other corner", f32, 2, {62, 33}, {16, 8}, {56, 30}},
    {"wholly outside", f16, 2, {64, 64}, {32, 8}, {64, 70}},
    {"larger than all", f16, 2, {40, 3}, {128, 9}, {-32, -2}},
    {"rows with padding", bf16, 2, {50, 20}, {64, 20}, {0, 0}, 0, 0, {1, 1, 1, 1, 1}, 64},
    {"swizzled by 32", u8, 2, {64, 64}, {32, 16}, {16, 5}, 1},
    {"swizzled by 64", u16, 2, {64, 64}, {32, 16}, {32, 5}, 2},
    {"swizzled by 128", u32, 2, {64, 64}, {32, 16}, {32, 55}, 3},
    {"narrower than its swizzle", u32, 2, {64, 64}, {16, 16}, {12, 5}, 3},
    {"narrower still", u32, 2, {64, 64}, {4, 21}, {12, 5}, 2},
    {"no multiple of its swizzle", f16, 2, {64, 64}, {24, 20}, {16, 5}, 3},
    {"a cube", u64, 3, {10, 9, 8}, {4, 3, 5}, {2, 1, 6}},
    {"a swizzled cube", f32, 3, {40, 9, 8}, {32, 3, 5}, {20, 7, 2}, 3},
    {"four dimensions", s64, 4, {6, 5, 4, 3}, {2, 3, 3, 2}, {4, -1, 2, 1}},
    {"five dimensions", u16, 5, {16, 4, 3, 3, 2}, {8, 3, 2, 2, 2}, {8, 2, 1, -1, 0}},
    {"five swizzled", u8, 5, {64, 4, 3, 3, 2}, {32, 3, 2, 2, 2}, {48, 2, 1, -1, 1}, 1},
    {"every second row", u32, 2, {32, 40}, {16, 15}, {8, 3}, 0, 0, {1, 2}},
    {"every third and second", f32, 3, {32, 20, 9}, {16, 7, 4}, {8, -1, 2}, 2, 0, {1, 3, 2}},
    {"steps of columns do nothing", f32, 2, {32, 20}, {16, 7}, {8, 2}, 0, 0, {2, 1}},
    {"no numbers outside: half", f16, 2, {37, 20}, {32, 6}, {24, 17}, 0, 1},
    {"no numbers outside: bfloat16", bf16, 2, {37, 20}, {32, 6}, {24, -2}, 2, 1},
    {"no numbers outside: float", f32, 2, {37, 20}, {32, 6}, {24, 17}, 3, 1},
    {"no numbers outside: double", f64, 2, {37, 20}, {16, 6}, {30, 17}, 0, 1},
    {"no numbers outside: without subnormals", f32_ftz, 2, {37, 20}, {32, 6}, {24, 17}, 0, 1},
    {"no numbers outside: tf32", tf32, 2, {37, 20}, {32, 6}, {24, 17}, 0, 1},
    {"no numbers outside: tf32, ftz", tf32_ftz, 2, {37, 20}, {32, 6}, {24, 17}, 0, 1},
    {"without subnormals", f32_ftz, 2, {64, 64}, {64, 16}, {0, 8}},
    {"rounded", tf32, 2, {64, 64}, {64, 16}, {0, 8}},
    {"rounded without subnormals", tf32_ftz, 2, {64, 64}, {64, 16}, {0, 8}},
};

int main() {
  using enum Update;
  Runner run;
  for (const Box& box : boxes) run.loads(box);
  for (const Box& box : boxes)
    if (box.fill == 0 && std::ranges::all_of(box.at, [](int at) { return at >= 0; }))
      run.stores(box);
  Box box = {"of u32", u32, 2, {60, 33}, {32, 8}, {40, 28}, 3};
  for (Update update : {add, min, max, inc, dec, bit_and, bit_or, bit_xor}) run.stores(box, update);
  box.type = s32, box.name = "of s32";
  for (Update update : {add, min, max, bit_and, bit_or, bit_xor}) run.stores(box, update);
  box.dims[0] = 30, box.box[0] = 16, box.at[0] = 20;
  box.type = u64, box.name = "of u64";
  for (Update update : {add, min, max, bit_and, bit_or, bit_xor}) run.stores(box, update);
  box.type = s64, box.name = "of s64";
  for (Update update : {min, max}) run.stores(box, update);
  box.dims[0] = 60, box.box[0] = 32, box.at[0] = 40;
  box.type = f32, box.name = "of f32";
  run.stores(box, add);
  box.type = f32_ftz, box.name = "of f32, ftz";
  run.stores(box, add);
  box.type = f16, box.name = "of f16";
  for (Update update : {add, min, max}) run.stores(box, update);
  box.type = bf16, box.name = "of bf16";
  for (Update update : {add, min, max}) run.stores(box, update);

  CUtensorMap in, out;
  std::vector<unsigned> got(4 * 512);
  unsigned* words;
  cudaMalloc(&words, got.size() * 4);
  run.map_of({"both", u32, 2, {50, 40}, {16, 16}}, in);
  to_both<<<4, 64>>>(in, words);
  cudaError_t error = cudaMemcpy(got.data(), words, got.size() * 4, cudaMemcpyDefault);
  printf("to both blocks: %s %016llx\n", cudaGetErrorName(error), hash(got.data(), got.size()));
  cudaFree(words);

  run.map_of({"scaled", f32, 2, {100, 50}, {32, 16}}, in);
  std::vector<float> numbers(5000);
  for (int i = 0; i < 5000; ++i) numbers[i] = i * 0.25f;
  cudaMemcpy(run.on_device, numbers.data(), 20000, cudaMemcpyDefault);
  CUtensorMap* in_memory;
  cudaMalloc(&in_memory, sizeof in);
  cudaMemcpy(in_memory, &in, sizeof in, cudaMemcpyDefault);
  cudaMemcpyToSymbol(constant_map, &in, sizeof in);
  scaled<<<dim3(4, 4), 128>>>(in_memory, 3);
  error = cudaMemcpy(numbers.data(), run.on_device, 20000, cudaMemcpyDefault);
  double sum = 0;
  for (int i = 0; i < 5000; ++i) sum += numbers[i] * (i % 7);
  printf("scaled: %s %.2f %.2f\n", cudaGetErrorName(error), numbers[4999], sum);
  cudaFree(in_memory);

  run.map_of({"out", u32, 2, {70, 100}, {32, 32}, {}, 3}, out);
  driver<decltype(&cuTensorMapReplaceAddress)>("cuTensorMapReplaceAddress")(
      &out, run.on_device + tensor_bytes);
  run.map_of({"in", u32, 2, {100, 70}, {32, 32}, {}, 3}, in);
  transposed<<<dim3(4, 3), 256>>>(in, out);
  std::vector<unsigned> now(100 * 72);
  error = cudaMemcpy(now.data(), run.on_device + tensor_bytes, now.size() * 4, cudaMemcpyDefault);
  int wrong = 0;
  for (int y = 0; y < 70; ++y)
    for (int x = 0; x < 100; ++x) wrong += run.tensor[y * 100 + x] != now[x * 72 + y];
  printf("transposed: %s %d wrong\n", cudaGetErrorName(error), wrong);

  // Images of 13 x 9 with 40 channels of which 32 are taken, in windows one pixel over the edges.
  const cuuint64_t dims[4] = {40, 13, 9, 3}, strides[3] = {80, 1040, 9360};
  const cuuint32_t steps[4] = {1, 2, 1, 1};
  const int lower[2] = {-1, -1}, upper[2] = {-1, -1};
  CUresult result = driver<decltype(&cuTensorMapEncodeIm2col)>("cuTensorMapEncodeIm2col")(
      &in, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, run.on_device, dims, strides, lower, upper, 32, 50,
      steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_64B,
      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  windows<<<3, 32, room>>>(in, 32 * 2 * 50, run.to);
  error = cudaMemcpy(got.data(), run.to, 3 * 32 * 4, cudaMemcpyDefault);
  printf("windows: %d %s %016llx\n", result, cudaGetErrorName(error), hash(got.data(), 96));
}

// Built as C++20.
