// Tiles of two and four warps, which before sm_80 work in memory of the program's: reductions,
// scans, votes, shuffles and barriers, one right after the other.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int threads = 256, results = 7;

template <int size>
__global__ void together(int* out) {
  __shared__ cg::block_tile_memory<threads> memory;
  __shared__ int numbers[threads];
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<size>(block);
  const int rank = static_cast<int>(tile.thread_rank()), thread = static_cast<int>(threadIdx.x);
  const int own = thread * 37 % 101;
  int* const mine = out + thread * results;
  mine[0] = cg::reduce(tile, own, cg::plus<int>());
  mine[1] = cg::reduce(tile, own, cg::greater<int>());
  mine[2] = cg::exclusive_scan(tile, own);
  mine[3] = tile.shfl(own, size - 7);
  mine[4] = tile.any(own == 100) + 2 * tile.all(own < 101);
  numbers[thread] = mine[2];
  tile.sync();
  const int opposite = thread - rank + size - 1 - rank;
  mine[5] = numbers[opposite];
  tile.sync();
  numbers[opposite] = own;
  tile.sync();
  mine[6] = cg::inclusive_scan(tile, numbers[thread], cg::bit_xor<int>());
}

template <int size>
void run(int* out) {
  cudaMemset(out, 0xff, threads * results * sizeof(int));
  together<size><<<1, threads>>>(out);
  static int found[threads * results];
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  printf("%d: %s\n", size, cudaGetErrorName(cudaGetLastError()));
  for (int k = 0; k < results; ++k) {
    unsigned hash = 0;
    for (int i = 0; i < threads; ++i)
      hash = hash * 31 + static_cast<unsigned>(found[i * results + k]);
    printf("%u %d %d\n", hash, found[5 * results + k], found[(threads - 3) * results + k]);
  }
}

int main() {
  int* out;
  cudaMalloc(&out, threads * results * sizeof(int));
  run<64>(out);
  run<128>(out);
  run<256>(out);
  cudaFree(out);
}
