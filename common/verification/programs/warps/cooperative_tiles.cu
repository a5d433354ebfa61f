// Cooperative groups: tiles of several sizes, reductions, scans, coalesced and labelled groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

template <int kSize>
__device__ int tile_work(const cg::thread_block& block, int v) {
  auto tile = cg::tiled_partition<kSize>(block);
  int result = tile.shfl_down(v, 1) + 3 * tile.shfl_xor(v, kSize / 2) + 5 * tile.shfl(v, kSize - 1);
  result = result * 7 + (int)tile.ballot(v & 1) + tile.any(v > 90) * 2 + tile.all(v < 95);
  result = result * 7 + (int)tile.match_any(v % 4);
  result = result * 7 + cg::reduce(tile, v, cg::plus<int>()) +
           tile.meta_group_rank() * tile.meta_group_size();
  result =
      result * 7 + cg::reduce(tile, v, cg::greater<int>()) - cg::reduce(tile, v, cg::less<int>());
  result = result * 7 + cg::inclusive_scan(tile, v);
  result = result * 7 + cg::exclusive_scan(tile, v, cg::bit_xor<int>());
  return result * 7 + tile.thread_rank();
}

__global__ void tiles(const int* in, int* out, int n) {
  auto block = cg::this_thread_block();
  const int t = block.thread_rank(), v = in[t];
  out[t] = tile_work<32>(block, v);
  out[n + t] = tile_work<16>(block, v);
  out[2 * n + t] = tile_work<8>(block, v);
  out[3 * n + t] = tile_work<4>(block, v);
  out[4 * n + t] = tile_work<2>(block, v);
  auto lane = cg::tiled_partition<1>(block);
  out[5 * n + t] = cg::reduce(lane, v, cg::plus<int>()) * 10 + lane.size();
  auto dynamic = cg::tiled_partition(block, 8);
  dynamic.sync();
  out[6 * n + t] = dynamic.thread_rank() * 100 + dynamic.size();
  const double d = cg::reduce(cg::tiled_partition<16>(block), v * 0.25, cg::plus<double>());
  out[7 * n + t] = (int)(d * 4);
}

__global__ void groups(const int* in, int* out, int n) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const int t = threadIdx.x, v = in[t];
  for (int k = 0; k < 5; ++k) out[k * n + t] = -1;
  if (v % 3 != 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    out[t] = active.size() * 100 + active.thread_rank();
    out[n + t] = active.shfl(v, 0) * 1000 + active.shfl_up(v, 1);
    out[2 * n + t] = cg::reduce(active, v, cg::plus<int>()) * 100 + (int)active.ballot(v & 1) % 97;
    active.sync();
  }
  auto same = cg::labeled_partition(warp, v % 5);
  out[3 * n + t] =
      same.size() * 1000 + same.thread_rank() * 10 + cg::reduce(same, 1, cg::plus<int>());
  auto halves = cg::binary_partition(warp, v > 40);
  out[4 * n + t] = halves.size() * 100 + halves.thread_rank();
  const int leader = cg::invoke_one_broadcast(warp, [&] { return 7; });
  int mine = 0;
  cg::invoke_one(same, [&] { mine = 1; });
  out[5 * n + t] = leader + 100 * __reduce_add_sync(~0u, mine);
}

__global__ void whole_block(const int* in, int* out) {
  __shared__ cg::block_tile_memory<128> memory;
  auto block = cg::this_thread_block(memory);
  auto two_warps = cg::tiled_partition<64>(block);
  const int sum = cg::reduce(two_warps, in[block.thread_rank()], cg::plus<int>());
  const int first = two_warps.shfl(in[block.thread_rank()], 40);
  out[block.thread_rank()] = sum * 100 + first + two_warps.meta_group_rank();
  const dim3 index = block.thread_index(), group = block.group_index(), dim = block.dim_threads();
  if (block.thread_rank() == 127) out[128] = index.x + 1000 * group.x + dim.x * 10000;
}

int main() {
  const int n = 64;
  int *in, *out;
  cudaMallocManaged(&in, 128 * sizeof(int));
  cudaMallocManaged(&out, 8 * n * sizeof(int));
  for (int i = 0; i < 128; ++i) in[i] = i * 37 % 97;
  tiles<<<1, n>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int r = 0; r < 8; ++r)
    for (int i = 0; i < n; i += 3) printf("%d%c", out[r * n + i], i == 63 ? '\n' : ' ');
  groups<<<1, n>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int r = 0; r < 6; ++r)
    for (int i = 0; i < n; i += 3) printf("%d%c", out[r * n + i], i == 63 ? '\n' : ' ');
  whole_block<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i <= 128; i += 16) printf("%d ", out[i]);
  printf("\n");
  cudaFree(in);
  cudaFree(out);
}
