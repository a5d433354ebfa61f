// CUB's warps of 3, 5 and 7 lanes: their lanes talk through shared memory and a barrier of the
// warp, whose mask CUB takes from the first of them for all.
#include <cstdio>
#include <cub/cub.cuh>

constexpr int threads = 70;

struct Furthest {
  __device__ int operator()(int a, int b) const { return abs(a) < abs(b) ? b : a; }
};

/// Logical warps do not go over the end of a warp: the last lanes have none.
template <int lanes>
struct Place {
  static constexpr int in_warp = 32 / lanes, in_block = (threads + 31) / 32 * in_warp;
  int lane = threadIdx.x % 32 % lanes;
  int in_this_warp = threadIdx.x % 32 / lanes;
  int group = threadIdx.x / 32 * in_warp + in_this_warp;
  __device__ bool is_whole() const {
    return in_this_warp < in_warp && (threadIdx.x - lane) + lanes <= threads;
  }
};

__device__ int input() { return static_cast<int>(threadIdx.x * 37 % 101) - 50; }

template <int lanes>
__global__ void reduce(int* out) {
  using Warp = cub::WarpReduce<int, lanes>;
  const Place<lanes> place;
  __shared__ typename Warp::TempStorage storage[Place<lanes>::in_block];
  if (!place.is_whole()) return;
  Warp warp(storage[place.group]);
  const int sum = warp.Sum(input());
  __syncwarp(__activemask());
  const int furthest = warp.Reduce(input(), Furthest{});
  __syncwarp(__activemask());
  const int first_two = warp.Sum(input(), 2);
  if (place.lane != 0) return;
  out[place.group * 3] = sum;
  out[place.group * 3 + 1] = furthest;
  out[place.group * 3 + 2] = first_two;
}

template <int lanes>
__global__ void scan(int* out) {
  using Warp = cub::WarpScan<int, lanes>;
  const Place<lanes> place;
  __shared__ typename Warp::TempStorage storage[Place<lanes>::in_block];
  if (!place.is_whole()) return;
  Warp warp(storage[place.group]);
  int inclusive, exclusive, total, furthest;
  warp.InclusiveSum(input(), inclusive);
  __syncwarp(__activemask());
  warp.ExclusiveSum(input(), exclusive, total);
  __syncwarp(__activemask());
  warp.InclusiveScan(input(), furthest, Furthest{});
  out[threadIdx.x] = inclusive + 1000 * exclusive;
  out[threads + threadIdx.x] = total;
  out[threads * 2 + threadIdx.x] = furthest;
}

int main() {
  int *device = nullptr, host[threads * 3];
  cudaMalloc(&device, sizeof host);
  auto run = [&](const char* name, auto kernel) {
    cudaMemset(device, 0, sizeof host);
    kernel<<<1, threads>>>(device);
    const cudaError_t error = cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s: %s", name, cudaGetErrorName(error));
    for (const int value : host) printf(" %d", value);
    printf("\n");
  };
  run("sums of 3", reduce<3>);
  run("sums of 5", reduce<5>);
  run("sums of 7", reduce<7>);
  run("scans of 3", scan<3>);
  run("scans of 5", scan<5>);
  run("scans of 7", scan<7>);
  cudaFree(device);
}
