// Threads that touch the same words, or nearly, and are still right: bytes side by side, atomics of
// less than a word, looks before an atomic, pointers to local variables that stay with their
// thread, copies that end where their arrays on the host do.
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#include <vector>

constexpr int threads = 128;

template <class T>
using Ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

// The odd bytes are stored, the even ones counted: a word has both.
__global__ void bytes_side_by_side(unsigned char* bytes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2)
    bytes[i] = i;
  else
    for (int k = 0; k < 3; ++k) Ref<unsigned char>(bytes[i]).fetch_add(1);
}

__global__ void halves_in_shared_memory(unsigned short* out) {
  __shared__ unsigned short words[threads];
  const int t = threadIdx.x;
  words[t] = 0;
  __syncthreads();
  if (t % 2)
    words[t] = 3 * t;
  else
    cuda::atomic_ref<unsigned short, cuda::thread_scope_block>(words[t]).fetch_or(t);
  __syncthreads();
  out[t] = words[threads - 1 - t];
}

// A thread that sees that a node has no level yet lets the atomic decide which one sets it.
__global__ void first_to_come(int* level, int* queue, int* count) {
  const int node = (blockIdx.x * blockDim.x + threadIdx.x) / 3;
  if (level[node] == -1 && atomicCAS(&level[node], -1, 7) == -1) queue[atomicAdd(count, 1)] = node;
}

__global__ void shorter_ways(int* distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, node = i % 5, way = 1000 - i;
  if (way < distance[node]) atomicMin(&distance[node], way);
}

__global__ void marks(unsigned* bits) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 7 % 256;
  const unsigned mark = 1u << i % 32;
  if (!(bits[i / 32] & mark)) atomicOr(&bits[i / 32], mark);
}

// As the CUDA programming guide adds numbers that have no atomic of their own.
__global__ void sum(double* total) {
  auto* words = reinterpret_cast<unsigned long long*>(total);
  unsigned long long seen = *words, expected;
  do {
    expected = seen;
    seen = atomicCAS(words, expected, __double_as_longlong(__longlong_as_double(expected) + 0.5));
  } while (seen != expected);
}

__global__ void largest(const float* x, float* most) {
  auto* word = reinterpret_cast<int*>(most);
  const float mine = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int seen = *word; __int_as_float(seen) < mine;) {
    const int expected = seen;
    seen = atomicCAS(word, expected, __float_as_int(mine));
    if (seen == expected) break;
  }
}

struct Step {
  int* values;
  const Step* before;
};

__device__ __noinline__ int sum_of(const Step* step) {
  int total = 0;
  for (; step; step = step->before)
    for (int i = 0; i < 3; ++i) total += step->values[i];
  return total;
}

__device__ __noinline__ int nested(int depth, const Step* before) {
  int values[3] = {depth, 2 * depth, 3 * depth};
  const Step step = {values, before};
  return depth == 0 ? sum_of(&step) : nested(depth - 1, &step);
}

// Each thread leaves the address of its own variable, and takes it up again.
__global__ void own_variables(const int* zero, int* out) {
  __shared__ int* places[threads];
  const int t = threadIdx.x;
  int mine[4] = {t, t + 1, t + 2, t + 3};
  places[t] = mine;
  __syncthreads();
  places[t][zero[t] + 1] = 5;
  out[t] = mine[zero[0] + 1] + mine[zero[1] + 3] + nested(4, nullptr);
}

template <class T>
long long checksum(const T* device, int n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  long long total = 0;
  for (int i = 0; i < n; ++i) total += static_cast<long long>(host[i]) * (i % 10 + 1);
  return total;
}

template <class T>
T* filled(int n, int byte) {
  T* made;
  cudaMalloc(&made, n * sizeof(T));
  cudaMemset(made, byte, n * sizeof(T));
  return made;
}

float of_the_program[threads];

// Copies from and to each kind of memory that a host has, to its last byte.
bool copies_fit() {
  float *device = filled<float>(threads, 0), local[threads];
  for (int i = 0; i < threads; ++i) local[i] = i;
  const size_t bytes = sizeof local;
  std::vector<float> values(threads);
  auto* block = static_cast<float*>(malloc(bytes));
  cudaMemcpy(device, local, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(of_the_program, device, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(device, of_the_program, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(block, device, bytes, cudaMemcpyDeviceToHost);
  block = static_cast<float*>(realloc(block, 2 * bytes));
  cudaMemcpy(block + threads, device, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy2D(values.data(), 32, block, 64, 32, threads / 8, cudaMemcpyHostToHost);
  cudaMemcpy(values.data() + threads - 1, device + threads - 1, 4, cudaMemcpyDeviceToHost);
  const bool is_right = block[2 * threads - 1] == threads - 1 && values[8] == 16 &&
                        values.back() == threads - 1 && of_the_program[5] == 5;
  free(block);
  cudaFree(device);
  return is_right;
}

int main() {
  auto* bytes = filled<unsigned char>(512, 0);
  bytes_side_by_side<<<4, threads>>>(bytes);
  printf("bytes %lld\n", checksum(bytes, 512));
  auto* halves = filled<unsigned short>(threads, 0);
  halves_in_shared_memory<<<1, threads>>>(halves);
  printf("halves %lld\n", checksum(halves, threads));
  int *level = filled<int>(512, 255), *queue = filled<int>(512, 0), *count = filled<int>(1, 0);
  first_to_come<<<4, threads>>>(level, queue, count);
  printf("levels %lld, %lld nodes\n", checksum(level, 170), checksum(count, 1));
  int* distance = filled<int>(5, 0x7f);
  shorter_ways<<<4, threads>>>(distance);
  printf("distances %lld\n", checksum(distance, 5));
  auto* bits = filled<unsigned>(8, 0);
  marks<<<4, threads>>>(bits);
  printf("marks %lld\n", checksum(bits, 8));
  auto* total = filled<double>(1, 0);
  sum<<<4, threads>>>(total);
  printf("sum %lld\n", checksum(total, 1));
  std::vector<float> x(512);
  for (int i = 0; i < 512; ++i) x[i] = i * 37 % 501;
  auto *device = filled<float>(512, 0), *most = filled<float>(1, 0);
  cudaMemcpy(device, x.data(), 512 * sizeof(float), cudaMemcpyHostToDevice);
  largest<<<4, threads>>>(device, most);
  printf("largest %lld\n", checksum(most, 1));
  int *zero = filled<int>(threads, 0), *out = filled<int>(threads, 0);
  own_variables<<<1, threads>>>(zero, out);
  printf("own variables %lld\n", checksum(out, threads));
  printf("copies %s\n", copies_fit() ? "right" : "wrong");
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
