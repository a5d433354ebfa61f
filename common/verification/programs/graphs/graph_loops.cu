// Graphs that launch themselves as their own tail, until the device finds that it is done.
// Built with -rdc=true.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int width = 47, height = 40, cells = width * height;

/// A graph of kernels, copies and fills, one after the other.
struct Chain {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t last = nullptr;
  Chain() { cudaGraphCreate(&graph, 0); }
  template <typename... P, typename... A>
  Chain& kernel(void (*function)(P...), int blocks, int threads, A... given) {
    void* arguments[] = {&given..., nullptr};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(function);
    params.gridDim = dim3(blocks);
    params.blockDim = dim3(threads);
    params.kernelParams = arguments;
    const cudaGraphNode_t before = last;
    cudaGraphAddKernelNode(&last, graph, &before, before != nullptr, &params);
    return *this;
  }
  Chain& zero(int* value) {
    cudaMemsetParams params = {};
    params.dst = value;
    params.elementSize = 4;
    params.width = params.height = 1;
    const cudaGraphNode_t before = last;
    cudaGraphAddMemsetNode(&last, graph, &before, before != nullptr, &params);
    return *this;
  }
  Chain& copy(int* to, const int* from, int count) {
    const cudaGraphNode_t before = last;
    cudaGraphAddMemcpyNode1D(&last, graph, &before, before != nullptr, to, from,
                             count * sizeof(int), cudaMemcpyDeviceToDevice);
    return *this;
  }
  cudaGraphExec_t instance() const {
    cudaGraphExec_t exec = nullptr;
    const cudaError_t error =
        cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch);
    if (error != cudaSuccess) printf("instantiate: %s\n", cudaGetErrorName(error));
    cudaGraphUpload(exec, nullptr);
    return exec;
  }
};

template <typename T>
T* zeros(std::size_t count) {
  T* fresh = nullptr;
  cudaMalloc(&fresh, count * sizeof(T));
  cudaMemset(fresh, 0, count * sizeof(T));
  return fresh;
}

template <typename T>
std::vector<T> host(const T* x, std::size_t count) {
  std::vector<T> copy(count);
  cudaMemcpy(copy.data(), x, count * sizeof(T), cudaMemcpyDeviceToHost);
  return copy;
}

// Distances from one corner of a maze, a level in each round.
__global__ void next_level(const char* wall, const int* before, int* distance, const int* level,
                           int* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells || wall[i] || before[i] != -1) return;
  const int x = i % width, y = i / width;
  const bool is_next =
      (x > 0 && before[i - 1] == *level) || (x + 1 < width && before[i + 1] == *level) ||
      (y > 0 && before[i - width] == *level) || (y + 1 < height && before[i + width] == *level);
  if (!is_next) return;
  distance[i] = *level + 1;
  atomicAdd(found, 1);
}

__global__ void while_some_are_found(int* level, const int* found) {
  ++*level;
  if (*found > 0) cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

void maze() {
  std::vector<char> walls(cells);
  for (int i = 0; i < cells; ++i) {
    const int x = i % width, y = i / width;
    walls[i] = x % 4 == 3 && (x % 8 == 3 ? y != height - 1 : y != 0);
  }
  std::vector<int> start(cells, -1);
  start[0] = 0;
  char* wall = zeros<char>(cells);
  int *distance = zeros<int>(cells), *before = zeros<int>(cells);
  int *level = zeros<int>(1), *found = zeros<int>(1);
  cudaMemcpy(wall, walls.data(), cells, cudaMemcpyHostToDevice);
  cudaMemcpy(distance, start.data(), cells * sizeof(int), cudaMemcpyHostToDevice);
  const cudaGraphExec_t loop =
      Chain()
          .zero(found)
          .copy(before, distance, cells)
          .kernel(next_level, (cells + 127) / 128, 128, wall, before, distance, level, found)
          .kernel(while_some_are_found, 1, 1, level, found)
          .instance();
  cudaGraphLaunch(loop, nullptr);
  long sum = 0;
  const std::vector<int> distances = host(distance, cells);
  for (int d : distances) sum += d;
  printf("maze: %d rounds, %d to the far corner, sum %ld\n", host(level, 1)[0],
         distances[cells - 1], sum);
}

// The largest eigenvalue of a matrix, as exact as it has to be.
constexpr int n = 32;

__global__ void multiply(const float* a, const float* x, float* y) {
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[threadIdx.x * n + j] * x[j];
  y[threadIdx.x] = sum;
}

__global__ void scale(float* x, const float* y, float* value, int* rounds) {
  float largest = 0;
  for (int i = 0; i < n; ++i) largest = fmaxf(largest, fabsf(y[i]));
  __syncwarp();
  x[threadIdx.x] = y[threadIdx.x] / largest;
  if (threadIdx.x != 0) return;
  const bool is_settled = fabsf(largest - *value) < 1e-4f;
  *value = largest;
  ++*rounds;
  if (!is_settled) cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

void eigenvalue() {
  std::vector<float> matrix(n * n), ones(n, 1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) matrix[i * n + j] = 1.0f / (1 + i + j);
  float *a = zeros<float>(n * n), *x = zeros<float>(n), *y = zeros<float>(n);
  float* value = zeros<float>(1);
  int* rounds = zeros<int>(1);
  cudaMemcpy(a, matrix.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(x, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  const cudaGraphExec_t loop =
      Chain().kernel(multiply, 1, n, a, x, y).kernel(scale, 1, n, x, y, value, rounds).instance();
  cudaGraphLaunch(loop, nullptr);
  printf("eigenvalue %.3f after %d rounds\n", host(value, 1)[0], host(rounds, 1)[0]);
}

// Two graphs in turns: each launches the other as its tail.
__device__ cudaGraphExec_t halve, triple;

__global__ void step(long long* x, int* steps, int is_halving) {
  *x = is_halving ? *x / 2 : 3 * *x + 1;
  ++*steps;
  if (*x == 1) return;
  const cudaGraphExec_t next = *x % 2 == 0 ? halve : triple;
  // The graph that runs can launch itself, and the other, which does not run.
  if (cudaGraphLaunch(next, cudaStreamGraphTailLaunch) != cudaSuccess) *steps = -1000;
}

void collatz() {
  long long start = 27, *x = zeros<long long>(1);
  int* steps = zeros<int>(1);
  cudaMemcpy(x, &start, sizeof start, cudaMemcpyHostToDevice);
  const cudaGraphExec_t even = Chain().kernel(step, 1, 1, x, steps, 1).instance();
  const cudaGraphExec_t odd = Chain().kernel(step, 1, 1, x, steps, 0).instance();
  cudaMemcpyToSymbol(halve, &even, sizeof even);
  cudaMemcpyToSymbol(triple, &odd, sizeof odd);
  cudaGraphLaunch(odd, nullptr);
  printf("27 comes to %lld after %d steps\n", host(x, 1)[0], host(steps, 1)[0]);
}

// As often as asked, twice, in a stream: what comes later in the stream waits for all rounds.
__global__ void count(int* left, int* done) {
  ++*done;
  if (--*left > 0) cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

__global__ void note(const int* done, int* seen) { *seen = *done; }

void many_rounds() {
  int *left = zeros<int>(1), *done = zeros<int>(1), *seen = zeros<int>(2);
  const int rounds = 3000;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const cudaGraphExec_t loop = Chain().kernel(count, 1, 1, left, done).instance();
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i) {
    cudaMemcpyAsync(left, &rounds, sizeof rounds, cudaMemcpyHostToDevice, stream);
    cudaGraphLaunch(loop, stream);
    note<<<1, 1, 0, stream>>>(done, seen + i);
  }
  cudaStreamSynchronize(stream);
  const std::vector<int> both = host(seen, 2);
  printf("%d rounds, then %d\n", both[0], both[1]);
}

int main() {
  maze();
  eigenvalue();
  collatz();
  many_rounds();
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
