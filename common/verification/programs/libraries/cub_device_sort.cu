// Device-wide CUB: radix sort of keys and pairs, segmented reduction, reduction by key.
#include <cstdio>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>
#include <vector>

template <typename T>
T* upload(const std::vector<T>& v) {
  T* p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

template <typename T>
std::vector<T> download(const T* p, int n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}

int main() {
  const int n = 3000;
  std::vector<unsigned> keys(n);
  std::vector<int> values(n);
  std::vector<float> floats(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = i * 2654435761u;
    values[i] = i;
    floats[i] = (float)((i * 7919) % 2003 - 1000) / 8;
  }
  unsigned *k_in = upload(keys), *k_out = upload(keys);
  int *v_in = upload(values), *v_out = upload(values);
  float *f_in = upload(floats), *f_out = upload(floats);
  size_t bytes = 0, most = 0;
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, k_in, k_out, v_in, v_out, n);
  most = bytes;
  cub::DeviceRadixSort::SortKeysDescending(nullptr, bytes, f_in, f_out, n);
  most = bytes > most ? bytes : most;
  void* storage;
  cudaMalloc(&storage, most + 65536);
  bytes = most + 65536;
  cub::DeviceRadixSort::SortPairs(storage, bytes, k_in, k_out, v_in, v_out, n);
  cub::DeviceRadixSort::SortKeysDescending(storage, bytes, f_in, f_out, n);
  auto sorted = download(k_out, n);
  auto order = download(v_out, n);
  auto descending = download(f_out, n);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += keys[order[i]] != sorted[i];
    if (i) wrong += sorted[i - 1] > sorted[i], wrong += descending[i - 1] < descending[i];
  }
  printf("sorted, %d wrong:", wrong);
  for (int i = 0; i < n; i += 331) printf(" %08x/%d/%g", sorted[i], order[i], descending[i]);
  printf("\n");

  const std::vector<int> begins = {0, 10, 10, 500, 1500, 3000};
  int* offsets = upload(begins);
  cub::DeviceSegmentedReduce::Sum(storage, bytes, v_in, v_out, 5, offsets, offsets + 1);
  for (int v : download(v_out, 5)) printf("%d ", v);
  printf("\n");

  std::vector<int> groups(n);
  for (int i = 0; i < n; ++i) groups[i] = i / 7 % 50 / 2;
  int *g_in = upload(groups), *g_out = upload(groups), *runs = upload(begins);
  cub::DeviceReduce::ReduceByKey(storage, bytes, g_in, g_out, v_in, v_out, runs,
                                 cuda::std::plus<>(), n);
  const int count = download(runs, 1)[0];
  printf("%d groups:", count);
  auto sums = download(v_out, count), names = download(g_out, count);
  for (int i = 0; i < count; i += 19) printf(" %d=%d", names[i], sums[i]);
  printf("\n%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (void* p : {(void*)k_in, (void*)k_out, (void*)v_in, (void*)v_out, (void*)f_in, (void*)f_out,
                  storage, (void*)offsets, (void*)g_in, (void*)g_out, (void*)runs})
    cudaFree(p);
}
