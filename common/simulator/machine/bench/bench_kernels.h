#pragma once

/// The kernels that simulator_bench runs.
namespace warpwise::bench {

constexpr char source[] = R"(
#include <cooperative_groups.h>
#include <cub/block/block_reduce.cuh>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
extern "C" __global__ void arithmetic(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i], b = a + 1, c = a + 2, d = a + 3;
#pragma unroll 8
  for (int k = 0; k < n; ++k) {
    a = a * b + c;
    b = b * c + d;
    c = c * d + a;
    d = d * a + b;
  }
  y[i] = a + b + c + d;
}
extern "C" __global__ void block_per_row(const float* x, float* y, int columns) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float total;
  const float* row = x + blockIdx.x * columns;
  float v = row[threadIdx.x];
  float sum = Reduce(storage).Sum(v);
  if (threadIdx.x == 0) total = sum;
  __syncthreads();
  y[blockIdx.x * columns + threadIdx.x] = v / total;
}
extern "C" __global__ void block_by_shuffles(const float* x, float* y, int columns) {
  __shared__ float partial[4];
  float v = x[blockIdx.x * columns + threadIdx.x], sum = v;
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = partial[0] + partial[1] + partial[2] + partial[3];
  y[blockIdx.x * columns + threadIdx.x] = v / sum;
}
extern "C" __global__ void packs(const float4* x, float4* y, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, part = threadIdx.x % 8;
  const float4* from = x + row * (columns / 4) + part;
  float4 v[4];
  float sum = 0;
  for (int k = 0; k < 4; ++k) v[k] = from[8 * k];
  for (int k = 0; k < 4; ++k) sum += v[k].x + v[k].y + v[k].z + v[k].w;
  for (int d = 4; d; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  float scale = 1 / sum;
  for (int k = 0; k < 4; ++k) {
    v[k].x *= scale; v[k].y *= scale; v[k].z *= scale; v[k].w *= scale;
    y[row * (columns / 4) + part + 8 * k] = v[k];
  }
}
extern "C" __global__ void warp_per_row(const float* x, float* y, int columns) {
  int row = blockIdx.x * blockDim.x / 32 + threadIdx.x / 32, lane = threadIdx.x % 32;
  float v[4], sum = 0;
  for (int k = 0; k < 4; ++k) sum += v[k] = x[row * columns + lane + 32 * k];
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  for (int k = 0; k < 4; ++k) y[row * columns + lane + 32 * k] = v[k] / sum;
}
extern "C" __global__ void transpose(const float* x, float* y, int n) {
  __shared__ float tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = x[(row + k) * n + column];
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) y[(row + k) * n + column] = tile[threadIdx.x][threadIdx.y + k];
}
extern "C" __global__ void copy(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = x[i];
}
extern "C" __global__ void copy_wide(const float4* x, float4* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = x[i];
}
extern "C" __global__ void stencil(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i] * 2 + x[i + 1];
}
extern "C" __global__ void columns(const float* x, float* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * n;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += x[i + k];
  for (int k = 0; k < n; ++k) y[i + k] = sum;
}
extern "C" __global__ void multiply(const float* x, float* y, int n) {
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += x[row * n + k] * x[k * n + column];
  y[row * n + column] = sum;
}
extern "C" __global__ void histogram(const float* x, float* y, int n) {
  unsigned* bins = reinterpret_cast<unsigned*>(y) + (1 << 19);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[(__float_as_uint(x[i]) + i * 37) % n], 1u);
}
extern "C" __global__ void multiply_tiled(const float* x, float* y, int n) {
  __shared__ float a[16][16], b[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    a[threadIdx.y][threadIdx.x] = x[row * n + tile + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = x[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  y[row * n + column] = sum;
}
extern "C" __global__ void window(const float* x, float* y, int n) {
  __shared__ float tile[20][20];
  int left = blockIdx.x * 16, top = blockIdx.y * 16;
  for (int k = threadIdx.y * 16 + threadIdx.x; k < 400; k += 256) {
    int column = left + k % 20 - 2, row = top + k / 20 - 2;
    bool inside = column >= 0 && row >= 0 && column < n && row < n;
    tile[k / 20][k % 20] = inside ? x[row * n + column] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) sum += tile[threadIdx.y + j][threadIdx.x + i] * (i + j);
  y[(top + threadIdx.y) * n + left + threadIdx.x] = sum;
}
extern "C" __global__ void gather(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i * 40503u % n];
}
extern "C" __global__ void structures(const float* x, float* y, int n) {
  struct Particle { float position[3], velocity[3], mass; };
  auto* p = reinterpret_cast<Particle*>(y) + blockIdx.x * blockDim.x + threadIdx.x;
  for (int axis = 0; axis < 3; ++axis) p->position[axis] += p->velocity[axis] * 0.5f;
}
extern "C" __global__ void shared_bins(const float* x, float* y, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[(__float_as_uint(x[i]) + i * 40503u >> 8) % 256], 1u);
  __syncthreads();
  atomicAdd(reinterpret_cast<unsigned*>(y) + threadIdx.x, bins[threadIdx.x]);
}
extern "C" __global__ void scatter(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i * 40503u % n] = x[i];
}
extern "C" __global__ void shared_ranks(const float* x, float* y, int n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned rank = atomicAdd(&counts[__float_as_uint(x[i]) + i * 40503u >> 8 & 255], 1u);
  y[i] = rank;
}
extern "C" __global__ void search(const float* x, float* y, int n) {
  int *level = reinterpret_cast<int*>(y), *next = level + (1 << 19), *count = level + (1 << 20) - 1;
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  for (int edge = 0; edge <= node % 8; ++edge) {
    unsigned to = (static_cast<unsigned>(x[node * 8 + edge]) + edge + node * 40503u) % n;
    if (atomicCAS(&level[to], 0, 1) == 0) next[atomicAdd(count, 1)] = to;
  }
}
template <class Factor, int K>
__device__ void multiply_tiles(const Factor* a, const Factor* b, float* c, int n) {
  using namespace nvcuda::wmma;
  fragment<accumulator, 16, 16, K, float> sum;
  int row = blockIdx.y * 16, column = (blockIdx.x * blockDim.y + threadIdx.y) * 16;
  fill_fragment(sum, 0);
  for (int k = 0; k < n; k += K) {
    if constexpr (K == 16) {
      fragment<matrix_a, 16, 16, K, Factor, row_major> left;
      fragment<matrix_b, 16, 16, K, Factor, row_major> right;
      load_matrix_sync(left, a + row * n + k, n);
      load_matrix_sync(right, b + k * n + column, n);
      mma_sync(sum, left, right, sum);
    } else {
      fragment<matrix_a, 16, 16, K, precision::tf32, row_major> left;
      fragment<matrix_b, 16, 16, K, precision::tf32, row_major> right;
      load_matrix_sync(left, a + row * n + k, n);
      load_matrix_sync(right, b + k * n + column, n);
      for (float& value : left.x) value = __float_to_tf32(value);
      for (float& value : right.x) value = __float_to_tf32(value);
      mma_sync(sum, left, right, sum);
    }
  }
  store_matrix_sync(c + row * n + column, sum, n, mem_row_major);
}
extern "C" __global__ void product_half(const float* x, float* y, int n) {
  multiply_tiles<__half, 16>(reinterpret_cast<const __half*>(x), reinterpret_cast<const __half*>(x),
                             y, n);
}
extern "C" __global__ void product_tf32(const float* x, float* y, int n) {
  multiply_tiles<float, 8>(x, x, y, n);
}
extern "C" __global__ void product_bytes(const float* x, float* y, int n) {
  using namespace nvcuda::wmma;
  const auto* bytes = reinterpret_cast<const signed char*>(x);
  fragment<matrix_a, 16, 16, 16, signed char, row_major> left;
  fragment<matrix_b, 16, 16, 16, signed char, row_major> right;
  fragment<accumulator, 16, 16, 16, int> sum;
  int row = blockIdx.y * 16, column = (blockIdx.x * blockDim.y + threadIdx.y) * 16;
  fill_fragment(sum, 0);
  for (int k = 0; k < n; k += 16) {
    load_matrix_sync(left, bytes + row * n + k, n);
    load_matrix_sync(right, bytes + k * n + column, n);
    mma_sync(sum, left, right, sum);
  }
  store_matrix_sync(reinterpret_cast<int*>(y) + row * n + column, sum, n, mem_row_major);
}
extern "C" __global__ void multiplications(const float* x, float* y, int n) {
  unsigned a[4] = {0x3c003c00, 0x3c014000, 0x38003c00, 0x3c003555}, b[2] = {0x3c003c00, 0x2e663c00};
  float c[4] = {x[threadIdx.x], 0, 1, 2};
  for (int k = 0; k < n; ++k) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    a[k % 4] ^= 1;
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = c[0] + c[1] + c[2] + c[3];
}
extern "C" __global__ void copy_ring(const float* x, float* y, int n) {
  __shared__ float4 a[3][256], b[3][256];
  int thread = threadIdx.y * 16 + threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32;
  auto start = [&](int tile) {
    if (tile * 32 < n) {
      int line = thread / 8, part = thread % 8 * 4;
      __pipeline_memcpy_async(&a[tile % 3][thread], &x[(row + line) * n + tile * 32 + part], 16);
      __pipeline_memcpy_async(&b[tile % 3][thread], &x[(tile * 32 + line) * n + column + part], 16);
    }
    __pipeline_commit();
  };
  float sum[2][2] = {};
  start(0);
  start(1);
  for (int tile = 0; tile * 32 < n; ++tile) {
    start(tile + 2);
    __pipeline_wait_prior(2);
    __syncthreads();
    const float* left = reinterpret_cast<float*>(a[tile % 3]) + threadIdx.y * 32;
    const float* right = reinterpret_cast<float*>(b[tile % 3]) + threadIdx.x;
    for (int k = 0; k < 32; ++k)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) sum[i][j] += left[512 * i + k] * right[32 * k + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      y[(row + threadIdx.y + 16 * i) * n + column + threadIdx.x + 16 * j] = sum[i][j];
}
extern "C" __global__ void copy_words(const float* x, float* y, int n) {
  __shared__ float tile[256];
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[i], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[i] = tile[255 - threadIdx.x];
    __syncthreads();
  }
}
extern "C" __global__ void sparse_rows(const float* x, float* y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned* starts = reinterpret_cast<const unsigned*>(x);
  unsigned jitter = starts[row] + row * 40503u >> 9;
  unsigned next = starts[row + 1] + (row + 1) * 40503u >> 9;
  float sum = 0;
  for (int k = row * 8 + jitter % 4; k < row * 8 + 8 + next % 4; ++k)
    sum += x[k] * x[(static_cast<unsigned>(x[k]) + k) * 2654435761u % n];
  y[row] = sum;
}
__device__ __noinline__ float step(float a, float b) { return a * b + 1; }
extern "C" __global__ void calls(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i];
#pragma unroll 1
  for (int k = 0; k < n; ++k) a = step(a, 0.5f);
  y[i] = a;
}
extern "C" __global__ void scatter_random(const float* x, float* y, int n, const int* order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[order[i]] = x[i];
}
extern "C" __global__ void compare_and_swap(const float* x, float* y, int n, const int* order) {
  unsigned* words = reinterpret_cast<unsigned*>(y);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 4 * n; i += gridDim.x * blockDim.x) {
    unsigned *word = words + order[i % n] % (n / 4), old = *word, seen;
    do {
      seen = old;
      old = atomicCAS(word, seen, seen * 3 + 1);
    } while (old != seen);
  }
}
extern "C" __global__ void sums_half(const float* x, float* y, int n, const int* order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(reinterpret_cast<__half*>(y) + order[i] % n, __float2half(x[i]));
}
extern "C" __global__ void scatter_strides(const float* x, float* y, int n, const int* order) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[order[i]] = x[i];
}
extern "C" __global__ void largest(const float* x, float* y, int n, const int* order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(reinterpret_cast<int*>(y) + order[i] % (n / 4), i);
}
extern "C" __global__ void updates_where_low(const float* x, float* y, int n, const int* order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int* counts = reinterpret_cast<int*>(y);
  if (static_cast<volatile int*>(counts)[order[i]] < 5) atomicAdd(counts + order[n - 1 - i], 1);
}
__device__ __noinline__ void sort(int* a, int first, int last) {
  if (first >= last) return;
  int pivot = a[(first + last) / 2], i = first, j = last;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i > j) break;
    int larger = a[i];
    a[i++] = a[j];
    a[j--] = larger;
  }
  sort(a, first, j);
  sort(a, i, last);
}
extern "C" __global__ void quicksort(const float* x, float* y, int n, const int* order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, a[32];
  for (int k = 0; k < 32; ++k) a[k] = order[i * 32 + k];
  sort(a, 0, 31);
  for (int k = 0; k < 32; ++k) y[k * n + i] = a[k];
}
// Each element becomes the mean of its neighbours, again and again, between two halves of y.
__device__ void smooth(const float* from, float* to, int i, int n) {
  to[i] = (from[i ? i - 1 : 0] + from[i] + from[i + 1 < n ? i + 1 : i] + i % 7) / 3;
}
extern "C" __global__ void grid_rounds(const float* x, float* y, int rounds) {
  auto grid = cooperative_groups::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int round = 0; round < rounds; ++round) {
    smooth(y + round % 2 * n, y + (round + 1) % 2 * n, i, n);
    grid.sync();
  }
}
extern "C" __global__ void counted_rounds(const float* x, float* y, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  int* arrived = (int*)(y + 2 * n);
  for (int round = 0; round < rounds; ++round) {
    smooth(y + round % 2 * n, y + (round + 1) % 2 * n, i, n);
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1);
      while (*(volatile int*)arrived < (round + 1) * (int)gridDim.x)
        ;
      __threadfence();
    }
    __syncthreads();
  }
}
// A scan in one pass: each block adds what those before it have made known, the nearest first.
extern "C" __global__ void chained_scan(const float* x, float* y, int n) {
  __shared__ int shared_tile, before, of_warps[8];
  int* counter = reinterpret_cast<int*>(y) + (1 << 19);
  volatile int *states = counter + 32, *sums = states + 4096, *prefixes = sums + 4096;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x == 0) shared_tile = atomicAdd(counter, 1);
  __syncthreads();
  int tile = shared_tile, i = tile * 256 + threadIdx.x;
  int sum = static_cast<int>(x[i]);
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) of_warps[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; ++w) sum += of_warps[w];
  if (threadIdx.x == 255) {
    sums[tile] = sum;
    __threadfence();
    states[tile] = 1;
    int prefix = 0;
    for (int back = tile - 1; back >= 0; --back) {
      int state;
      while ((state = states[back]) == 0)
        ;
      __threadfence();
      prefix += state == 2 ? prefixes[back] : sums[back];
      if (state == 2) break;
    }
    prefixes[tile] = prefix + sum;
    __threadfence();
    states[tile] = 2;
    before = prefix;
  }
  __syncthreads();
  reinterpret_cast<int*>(y)[i] = before + sum;
}
extern "C" __global__ void spin_lock(const float* x, float* y, int n) {
  int *lock = reinterpret_cast<int*>(y), *sum = lock + 32;
  for (int k = 0; k < n; ++k) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    __threadfence();
    *sum = *sum + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
extern "C" __global__ void ticket_lock(const float* x, float* y, int n) {
  int *next = reinterpret_cast<int*>(y), *serving = next + 32, *sum = next + 64;
  for (int k = 0; k < n; ++k) {
    int mine = atomicAdd(next, 1);
    while (*static_cast<volatile int*>(serving) != mine)
      ;
    __threadfence();
    *sum = *sum + 1;
    __threadfence();
    *static_cast<volatile int*>(serving) = mine + 1;
  }
}
// Level by level through a graph of n nodes with four edges each; who finds a node puts it on.
extern "C" __global__ void queue_search(const float* x, float* y, int n) {
  auto grid = cooperative_groups::this_grid();
  int *level = reinterpret_cast<int*>(y), *queue = level + (1 << 18), *tail = queue + (1 << 18);
  if (grid.thread_rank() == 0) level[0] = 1, queue[0] = 0, *tail = 1;
  grid.sync();
  for (int first = 0, last = 1, depth = 2; first < last; ++depth) {
    for (int at = first + grid.thread_rank(); at < last; at += grid.size()) {
      int node = queue[at];
      for (int edge = 1; edge <= 4; ++edge) {
        int to = (node * 4u + edge * 40503u) % n;
        if (level[to] == 0 && atomicCAS(&level[to], 0, depth) == 0) queue[atomicAdd(tail, 1)] = to;
      }
    }
    grid.sync();
    first = last;
    last = *tail;
    grid.sync();
  }
}
)";

}  // namespace warpwise::bench
