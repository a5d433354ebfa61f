// Arrays on the heap of the device, of classes whose operator new[] is their own. Where there is an
// operator delete[] that wants the size, nvcc keeps the number of elements before the first one;
// where there is one without as well, it has asked for no room for it.
#include <cstdio>
#include <cstdlib>

struct Plain {
  float values[3];
  __device__ Plain() {}
  __device__ static void* operator new[](std::size_t bytes) { return malloc(bytes); }
  __device__ static void operator delete[](void* array, std::size_t bytes) noexcept {
    printf("%d bytes\n", static_cast<int>(bytes));
    free(array);
  }
};

struct WithEnd : Plain {
  __device__ ~WithEnd() { values[0] = 0; }
};

struct TwoWays {
  float values[3];
  __device__ TwoWays() {}
  __device__ static void* operator new[](std::size_t bytes) {
    printf("%d bytes\n", static_cast<int>(bytes));
    return malloc(bytes);
  }
  __device__ static void operator delete[](void* array) noexcept { free(array); }
  __device__ static void operator delete[](void* array, std::size_t) noexcept { free(array); }
};

template <class T>
__global__ void add_up(const float* in, int n, float* sum) {
  T* array = new T[n];
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) array[i].values[k] = in[k] + i;
  float total = 0;
  for (int i = 0; i < n; ++i)
    for (float value : array[i].values) total += value;
  *sum = total;
  delete[] array;
}

template <class T>
void try_arrays(const char* name, const float* in, float* sum) {
  for (int n : {1, 4, 7}) {
    add_up<T><<<1, 1>>>(in, n, sum);
    printf("%s %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
    float total;
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    printf("%g\n", total);
  }
}

int main() {
  const float values[] = {1, 2, 3};
  float *in, *sum;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&sum, sizeof *sum);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  try_arrays<Plain>("plain", in, sum);
  try_arrays<WithEnd>("with an end", in, sum);
  try_arrays<TwoWays>("two ways", in, sum);
  cudaFree(in);
  cudaFree(sum);
}
