// Kernels launched by constructors of globals, memory freed by destructors after main, atexit
// handlers.
#include <cstdio>
#include <cstdlib>
__device__ int counter = 1;
__constant__ int step = 10;
__managed__ int shared_count = 3;
__global__ void advance() {
  atomicAdd(&counter, step);
  atomicAdd(&shared_count, 1);
}
__global__ void write(int* p, int v) { p[threadIdx.x] = v + threadIdx.x; }
struct DeviceArray {
  int* p = nullptr;
  const char* name;
  DeviceArray(const char* n, int v) : name(n) {
    cudaError_t e = cudaMalloc(&p, 32 * sizeof(int));
    write<<<1, 32>>>(p, v);
    printf("%s made: %s\n", name, cudaGetErrorName(e));
  }
  int last() const {
    int h = 0;
    cudaMemcpy(&h, p + 31, 4, cudaMemcpyDeviceToHost);
    return h;
  }
  ~DeviceArray() {
    printf("%s last %d\n", name, last());
    cudaError_t e = cudaFree(p);
    printf("%s freed: %s\n", name, cudaGetErrorName(e));
  }
};
static DeviceArray global("global", 100);
static int before_main = [] {
  advance<<<2, 4>>>();
  cudaDeviceSynchronize();
  int h = 0;
  cudaMemcpyFromSymbol(&h, counter, 4);
  return h;
}();
static struct Stream {
  cudaStream_t s;
  Stream() { cudaStreamCreate(&s); }
  ~Stream() { printf("stream destroyed: %s\n", cudaGetErrorName(cudaStreamDestroy(s))); }
} stream;
static DeviceArray& singleton() {
  static DeviceArray a("singleton", 500);
  return a;
}
int main() {
  printf("before main %d, managed %d\n", before_main, shared_count);
  printf("global %d\n", global.last());
  printf("singleton %d\n", singleton().last());
  atexit([] {
    advance<<<1, 1>>>();
    printf("at exit: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    int h = 0;
    cudaMemcpyFromSymbol(&h, counter, 4);
    printf("counter %d\n", h);
  });
  advance<<<1, 1, 0, stream.s>>>();
  cudaStreamSynchronize(stream.s);
  printf("managed %d\n", shared_count);
  return 5;
}
