// Device-wide CUB: reductions, scans, selection, run lengths, histograms.
#include <cstdio>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <vector>

template <typename Call>
void with_storage(Call call) {
  void* storage = nullptr;
  size_t bytes = 0;
  call(storage, bytes);
  cudaMalloc(&storage, bytes ? bytes : 1);
  const cudaError_t status = call(storage, bytes);
  if (status != cudaSuccess) printf("%s\n", cudaGetErrorName(status));
  cudaFree(storage);
}

struct IsOdd {
  __device__ bool operator()(int v) const { return v & 1; }
};

void show(const char* name, const int* device, int n) {
  std::vector<int> host(n);
  cudaMemcpy(host.data(), device, n * 4, cudaMemcpyDeviceToHost);
  unsigned h = 0;
  for (int v : host) h = h * 1000003 + v;
  printf("%s %d %08x:", name, n, h);
  for (int i = 0; i < n; i += n / 12 + 1) printf(" %d", host[i]);
  printf("\n");
}

int main() {
  const int n = 6000;
  std::vector<int> host(n);
  unsigned s = 7;
  for (int& v : host) v = (int)((s = s * 1664525 + 1013904223) >> 27);
  int *in, *out, *count;
  cudaMalloc(&in, n * 4), cudaMalloc(&out, n * 4), cudaMalloc(&count, (n + 1) * 4);
  cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice);
  int c = 0;

  with_storage([&](void* p, size_t& b) { return cub::DeviceReduce::Sum(p, b, in, out, n); });
  show("sum", out, 1);
  with_storage([&](void* p, size_t& b) { return cub::DeviceReduce::Max(p, b, in, out, 100); });
  show("max", out, 1);
  with_storage([&](void* p, size_t& b) { return cub::DeviceScan::InclusiveSum(p, b, in, out, n); });
  show("inclusive", out, n);
  with_storage(
      [&](void* p, size_t& b) { return cub::DeviceSelect::If(p, b, in, out, count, n, IsOdd()); });
  cudaMemcpy(&c, count, 4, cudaMemcpyDeviceToHost);
  show("odd", out, c);
  int* lengths;
  cudaMalloc(&lengths, n * 4);
  with_storage([&](void* p, size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(p, b, in, out, lengths, count, n);
  });
  cudaMemcpy(&c, count, 4, cudaMemcpyDeviceToHost);
  show("runs", out, c);
  show("lengths", lengths, c);
  with_storage([&](void* p, size_t& b) {
    return cub::DeviceHistogram::HistogramEven(p, b, in, count, 9, 0, 32, n);
  });
  show("histogram", count, 8);
  cudaFree(in), cudaFree(out), cudaFree(count), cudaFree(lengths);
}
