// __device__, __constant__ and __managed__ variables, and the functions that reach them by symbol.
#include <cstdio>
#include <cstring>

struct Config {
  int scale;
  float bias;
  char label[8];
};

__constant__ Config config = {3, 0.5f, "first"};
__constant__ float table[4][2] = {{1, 2}, {3, 4}, {5, 6}};
__device__ int counter = 41;
__device__ int grid_data[16];
__device__ int* pointer_to_data = grid_data;
__device__ const char* message = "a string in device memory";
__managed__ int shared_total = 5;
__managed__ double averages[3];
static __device__ unsigned long long hidden;

namespace inner {
__device__ short values[3] = {-1, -2, -3};
}

__global__ void use(int* out) {
  const int t = threadIdx.x;
  grid_data[t] = t * config.scale + (int)(table[t % 4][t % 2] * 10);
  if (t == 0) {
    counter++;
    shared_total += counter;
    averages[1] = config.bias / 3.0;
    hidden = 0x123456789ull;
    out[0] = config.label[0];
    int length = 0;
    for (const char* p = message; *p; ++p) ++length;
    out[1] = length;
    out[2] = inner::values[0] + inner::values[2];
    inner::values[1] = 99;
  }
  __syncthreads();
  if (t == 1) out[3] = pointer_to_data[15];
}

int main() {
  int *out, host[4], n = 0;
  cudaMalloc(&out, sizeof host);
  for (int round = 0; round < 2; ++round) {
    use<<<1, 16>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&n, counter, sizeof n);
    printf("%c %d %d %d, counter %d, managed %d %a\n", host[0], host[1], host[2], host[3], n,
           shared_total, averages[1]);
    Config changed = {7, 0.25f, "second"};
    cudaMemcpyToSymbol(config, &changed, sizeof changed);
    const float row[2] = {70, 80};
    cudaMemcpyToSymbol(table, row, sizeof row, sizeof row * 3);
    n = 100;
    cudaMemcpyToSymbol(counter, &n, sizeof n, 0, cudaMemcpyHostToDevice);
    shared_total = -1;
  }
  int part[4];
  cudaMemcpyFromSymbol(part, grid_data, sizeof part, 8 * sizeof(int));
  printf("%d %d %d %d\n", part[0], part[1], part[2], part[3]);
  unsigned long long h = 0;
  cudaMemcpyFromSymbol(&h, hidden, sizeof h);
  short v = 0;
  cudaMemcpyFromSymbol(&v, inner::values, sizeof v, sizeof v);
  printf("%llx %d\n", h, v);

  void* address = nullptr;
  size_t size = 0;
  cudaGetSymbolAddress(&address, grid_data);
  cudaGetSymbolSize(&size, grid_data);
  cudaMemset(address, 0x11, 4);
  cudaMemcpy(part, address, 8, cudaMemcpyDeviceToHost);
  printf("size %zu, %x %d\n", size, part[0], part[1]);
  cudaGetSymbolSize(&size, config);
  printf("size %zu\n", size);
  cudaGetSymbolAddress(&address, config);
  Config back;
  cudaMemcpy(&back, address, sizeof back, cudaMemcpyDeviceToHost);
  printf("%d %g %s\n", back.scale, back.bias, back.label);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  n = 7;
  cudaMemcpyToSymbolAsync(counter, &n, sizeof n, 0, cudaMemcpyHostToDevice, stream);
  n = 0;
  cudaMemcpyFromSymbolAsync(&n, counter, sizeof n, 0, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  const cudaError_t too_long = cudaMemcpyFromSymbol(part, counter, 64);  // expect: invalid-copy
  printf("%d %s\n", n, cudaGetErrorName(too_long));
  cudaStreamDestroy(stream);
  cudaFree(out);
}
