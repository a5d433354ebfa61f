// Warp-wide algorithms of CUB, with whole warps and parts of them.
#include <cstdio>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

template <int kLogical>
__device__ int reduce_and_scan(int v, int t) {
  using Reduce = cub::WarpReduce<int, kLogical>;
  using Scan = cub::WarpScan<int, kLogical>;
  __shared__ typename Reduce::TempStorage reduce[64 / kLogical];
  __shared__ typename Scan::TempStorage scan[64 / kLogical];
  const int w = t / kLogical;
  int result = Reduce(reduce[w]).Sum(v);
  if (t % kLogical) result = 0;
  __syncwarp();
  const int most = Reduce(reduce[w]).Reduce(
      v, [](int a, int b) { return a > b ? a : b; }, kLogical - 1);
  if (t % kLogical == 0) result = result * 3 + most;
  __syncwarp();
  int inclusive, exclusive, total;
  Scan(scan[w]).InclusiveSum(v, inclusive, total);
  __syncwarp();
  Scan(scan[w]).ExclusiveScan(v, exclusive, 1000, [](int a, int b) { return a < b ? a : b; });
  __syncwarp();
  return result * 7 + inclusive * 5 + exclusive * 3 + total +
         Scan(scan[w]).Broadcast(v, kLogical / 2);
}

__global__ void warps(const int* in, int* out) {
  const int t = threadIdx.x, w = t / 32;
  const int v = in[t];
  out[t] = reduce_and_scan<32>(v, t);
  out[64 + t] = reduce_and_scan<16>(v, t);
  out[128 + t] = reduce_and_scan<4>(v, t);
  using Segmented = cub::WarpReduce<int>;
  __shared__ Segmented::TempStorage segmented[2];
  const int head = Segmented(segmented[w]).HeadSegmentedSum(v, t % 7 == 0);
  out[192 + t] = t % 7 == 0 || t % 32 == 0 ? head : 0;
  using Sort = cub::WarpMergeSort<int, 3, 32>;
  __shared__ Sort::TempStorage sort[2];
  int keys[3] = {v, in[63 - t] * 3 % 101, v ^ 21};
  Sort(sort[w]).Sort(keys, Less());
  for (int i = 0; i < 3; ++i) out[256 + t * 3 + i] = keys[i];
  using Exchange = cub::WarpExchange<int, 3, 32>;
  __shared__ Exchange::TempStorage exchange[2];
  __syncwarp();
  int moved[3];
  Exchange(exchange[w]).BlockedToStriped(keys, moved);
  for (int i = 0; i < 3; ++i) out[448 + t * 3 + i] = moved[i];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * 4);
  cudaMallocManaged(&out, 640 * 4);
  for (int i = 0; i < 64; ++i) in[i] = i * 53 % 97;
  warps<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 640; ++i) printf("%d%c", out[i], i % 32 == 31 ? '\n' : ' ');
  cudaFree(in);
  cudaFree(out);
}
