// Atomics by which all lanes of a warp update one address. Where ptxas can tell, it lets one lane
// do it for all: for integers, not for floats, nor for what a swap gives back.
#include <cstdio>
#include <cuda/atomic>
#include <vector>

constexpr int count = 437, block = 100, grid = 5;

__device__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __noinline__ void add_elsewhere(int* sum, int value) { atomicAdd(sum, value); }

struct Arrays {
  const int* x;
  int *t, *y;
};

template <class T>
__global__ void sum(Arrays a) {
  const int i = place();
  if (i < count) atomicAdd(reinterpret_cast<T*>(a.t), static_cast<T>(a.x[i]));
}

template <class T>
__global__ void number(Arrays a) {
  const int i = place();
  if (i < count && a.x[i] > 3) a.y[i] = atomicAdd(reinterpret_cast<T*>(a.t), T{1}) >= 0;
}

__global__ void most(Arrays a) {
  const int i = place();
  if (i < count) atomicMax(a.t, a.x[i]);
}

__global__ void set_bits(Arrays a) {
  const int i = place();
  if (i < count) atomicOr(a.t, 1 << a.x[i]);
}

__global__ void room(Arrays a) {
  const int i = place();
  if (i < count) a.y[i] = atomicAdd(a.t, a.x[i]) >= 0;
}

__global__ void swapped(Arrays a) {
  const int i = place();
  if (i < count) a.y[i] = atomicExch(a.t, 7) >= 0;
}

__global__ void per_block(Arrays a) {
  const int i = place();
  if (i < count) atomicAdd(&a.t[blockIdx.x], a.x[i]);
}

__global__ void per_warp(Arrays a) {
  const int i = place();
  if (i < count) atomicAdd(&a.t[threadIdx.x / 32], a.x[i]);
}

__global__ void in_a_loop(Arrays a) {
  for (int k = 0; k < count / 100; ++k) atomicAdd(&a.t[k], a.x[place()]);
}

__global__ void as_a_switch_says(Arrays a) {
  const int i = place();
  switch (i % 3) {
    case 0:
      atomicAdd(a.t, 1);
      break;
    case 1:
      atomicAdd(a.t + 1, 1);
      break;
    default:
      atomicAdd(a.t + 2, a.x[i]);
  }
}

__global__ void two(Arrays a) {
  const int i = place();
  if (i >= count) return;
  atomicAdd(a.t, 1);
  atomicAdd(a.t + 1, a.x[i]);
}

__global__ void by_reference(Arrays a) {
  const int i = place();
  if (i < count)
    cuda::atomic_ref<int, cuda::thread_scope_device>(*a.t).fetch_add(a.x[i],
                                                                     cuda::memory_order_relaxed);
}

__global__ void elsewhere(Arrays a) {
  const int i = place();
  if (i < count) add_elsewhere(a.t, a.x[i]);
}

__global__ void seldom(Arrays a) {
  const int i = place();
  if (i < count && a.x[i] == 7) atomicAdd(a.t, 1);
}

__global__ void first_lanes(Arrays a) {
  if (threadIdx.x % 32 == 0) atomicAdd(a.t, a.x[place()]);
}

int main() {
  std::vector<int> values(500), results(500), bins(8);
  unsigned state = 1;
  for (int& value : values) value = (state = state * 1664525u + 1013904223u) >> 20 & 15;
  Arrays a;
  int* x;
  cudaMalloc(&x, 2000);
  cudaMalloc(&a.t, 32);
  cudaMalloc(&a.y, 2000);
  cudaMemcpy(x, values.data(), 2000, cudaMemcpyHostToDevice);
  a.x = x;
  const auto run = [&](const char* name, void (*kernel)(Arrays)) {
    cudaMemset(a.t, 0, 32);
    cudaMemset(a.y, 0, 2000);
    kernel<<<grid, block>>>(a);
    cudaMemcpy(bins.data(), a.t, 32, cudaMemcpyDeviceToHost);
    cudaMemcpy(results.data(), a.y, 2000, cudaMemcpyDeviceToHost);
    long long total = 0;
    for (const int result : results) total += result;
    std::printf("%s: %d %d %d %d %d, %lld\n", name, bins[0], bins[1], bins[2], bins[3], bins[4],
                total);
  };
  run("sum of int", sum<int>);
  run("sum of 64 bits", sum<unsigned long long>);
  run("sum of float", sum<float>);
  run("sum of double", sum<double>);
  run("number of int", number<int>);
  run("number of 64 bits", number<unsigned long long>);
  run("number of float", number<float>);
  run("most", most);
  run("bits", set_bits);
  run("room", room);
  run("swapped", swapped);
  run("per block", per_block);
  run("per warp", per_warp);
  run("in a loop", in_a_loop);
  run("as a switch says", as_a_switch_says);
  run("two", two);
  run("by reference", by_reference);
  run("elsewhere", elsewhere);
  run("seldom", seldom);
  run("first lanes", first_lanes);
  cudaFree(x);
  cudaFree(a.t);
  cudaFree(a.y);
}
