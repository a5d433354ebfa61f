// Cooperative launches: Jacobi iterations and a bitonic sort with grid.sync between the steps.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void jacobi(float* a, float* b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) {
      const float left = i > 0 ? a[i - 1] : 1.0f, right = i + 1 < n ? a[i + 1] : 0.0f;
      b[i] = (left + right) * 0.5f;
    }
    grid.sync();
    float* swap = a;
    a = b;
    b = swap;
  }
}

__global__ void bitonic(int* v, int n) {
  auto grid = cg::this_grid();
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      for (int i = grid.thread_rank(); i < n; i += grid.num_threads()) {
        const int other = i ^ j;
        if (other > i && (v[i] > v[other]) == ((i & k) == 0)) {
          const int t = v[i];
          v[i] = v[other];
          v[other] = t;
        }
      }
      grid.sync();
    }
}

__global__ void facts(unsigned long long* out) {
  auto grid = cg::this_grid();
  __shared__ int waiting;
  if (threadIdx.x == 0) waiting = blockIdx.x;
  auto token = grid.barrier_arrive();
  out[4 + grid.thread_rank() % 4] = 1;
  grid.barrier_wait(std::move(token));
  if (grid.thread_rank() == grid.size() - 1) {
    out[0] = grid.size();
    out[1] = grid.num_blocks() * 100 + grid.block_rank() + waiting * 10000;
    out[2] = grid.is_valid();
    out[3] = grid.dim_blocks().x;
  }
}

int main() {
  const int n = 500, m = 1024;
  float *a, *b;
  int* v;
  unsigned long long* f;
  cudaMalloc(&a, n * 4), cudaMalloc(&b, n * 4), cudaMalloc(&v, m * 4), cudaMallocManaged(&f, 64);
  cudaMemset(a, 0, n * 4);
  cudaMemset(f, 0, 64);
  int steps = 40, length = n;
  void* arguments[] = {&a, &b, &length, &steps};
  printf("%s\n",
         cudaGetErrorName(cudaLaunchCooperativeKernel((void*)jacobi, 4, 64, arguments, 0, 0)));
  std::vector<float> x(n);
  cudaMemcpy(x.data(), a, n * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 45; i += 4) printf("%a ", x[i]);
  std::vector<int> numbers(m);
  for (int i = 0; i < m; ++i) numbers[i] = i * 7919 % 3571 - 1000;
  cudaMemcpy(v, numbers.data(), m * 4, cudaMemcpyHostToDevice);
  int count = m;
  void* more[] = {&v, &count};
  cudaLaunchCooperativeKernel(bitonic, dim3(3), dim3(128), more);
  cudaMemcpy(numbers.data(), v, m * 4, cudaMemcpyDeviceToHost);
  int inversions = 0;
  for (int i = 1; i < m; ++i) inversions += numbers[i - 1] > numbers[i];
  printf("\ninversions %d, from %d to %d\n", inversions, numbers[0], numbers[m - 1]);
  void* last[] = {&f};
  cudaLaunchCooperativeKernel(facts, 3, 32, last);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) printf("%llu ", f[i]);
  int supported = 0;
  cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0);
  printf("\nsupported %d, too many blocks: %s\n", supported,  // expect: launch-configuration
         cudaGetErrorName(cudaLaunchCooperativeKernel(facts, 1000000, 32, last)));
  cudaGetLastError();
  cudaFree(a), cudaFree(b), cudaFree(v), cudaFree(f);
}
