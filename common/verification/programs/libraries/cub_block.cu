// Block-wide algorithms of CUB.
#include <cstdio>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <vector>

constexpr int kThreads = 128, kItems = 4, kTile = kThreads * kItems;

__global__ void block_algorithms(const int* in, int* out, int valid) {
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<unsigned, kThreads, kItems, int>;
  using Scan = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_RAKING>;
  using WarpScans = cub::BlockScan<long long, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
  using Reduce = cub::BlockReduce<int, kThreads, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
  using Raking = cub::BlockReduce<double, kThreads, cub::BLOCK_REDUCE_RAKING>;
  using Histogram =
      cub::BlockHistogram<unsigned char, kThreads, kItems, 16, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
    Sort::TempStorage sort;
    Scan::TempStorage scan;
    WarpScans::TempStorage warp_scans;
    Reduce::TempStorage reduce;
    Raking::TempStorage raking;
    Histogram::TempStorage histogram;
  } temp;
  __shared__ int bins[16];
  const int t = threadIdx.x;
  int items[kItems], positions[kItems];
  unsigned keys[kItems];
  unsigned char small[kItems];
  Load(temp.load).Load(in, items, valid, -1);
  __syncthreads();
  const int sum = Reduce(temp.reduce).Sum(items);
  __syncthreads();
  const int largest = Reduce(temp.reduce)
                          .Reduce(
                              items[0], [](int a, int b) { return a > b ? a : b; }, 100);
  __syncthreads();
  const double raked = Raking(temp.raking).Sum(items[1] * 0.25);
  __syncthreads();
  if (t == 0) out[0] = sum, out[1] = largest, out[2] = (int)(raked * 4);
  int prefix[kItems], aggregate;
  Scan(temp.scan).ExclusiveSum(items, prefix, aggregate);
  __syncthreads();
  long long inclusive;
  WarpScans(temp.warp_scans).InclusiveSum((long long)items[0] << 33, inclusive);
  __syncthreads();
  Store(temp.store).Store(out + 16, prefix);
  __syncthreads();
  out[16 + kTile + t] = (int)(inclusive >> 33) + aggregate;
  for (int i = 0; i < kItems; ++i) {
    keys[i] = (unsigned)items[i] * 2654435761u >> 7;
    positions[i] = t * kItems + i;
    small[i] = items[i] & 15;
  }
  Histogram(temp.histogram).Histogram(small, bins);
  __syncthreads();
  if (t >= 3 && t < 16) out[3 + t % 13] += bins[t] * (t + 1);
  Sort(temp.sort).SortBlockedToStriped(keys, positions);
  for (int i = 0; i < kItems; ++i) {
    out[16 + kTile + kThreads + i * kThreads + t] = (int)keys[i];
    out[16 + 2 * kTile + kThreads + i * kThreads + t] = positions[i];
  }
}

int main() {
  const int n = 16 + 3 * kTile + kThreads;
  std::vector<int> in(kTile), out(n);
  for (int i = 0; i < kTile; ++i) in[i] = i * 7919 % 1000;
  int *d_in, *d_out;
  cudaMalloc(&d_in, kTile * 4);
  cudaMalloc(&d_out, n * 4);
  cudaMemcpy(d_in, in.data(), kTile * 4, cudaMemcpyHostToDevice);
  for (int valid : {kTile, 300}) {
    cudaMemset(d_out, 0, n * 4);
    block_algorithms<<<1, kThreads>>>(d_in, d_out, valid);
    printf("%s\n", cudaGetErrorName(cudaMemcpy(out.data(), d_out, n * 4, cudaMemcpyDeviceToHost)));
    unsigned h = 0;
    for (int v : out) h = h * 31 + v;
    printf("%08x:", h);
    for (int i = 0; i < n; i += i < 16 ? 1 : 41) printf(" %d", out[i]);
    printf("\n");
  }
  cudaFree(d_in);
  cudaFree(d_out);
}
