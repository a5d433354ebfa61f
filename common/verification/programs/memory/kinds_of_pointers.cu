// cudaPointerGetAttributes of every kind of memory, with addresses inside and past it.
#include <cstdio>
#include <cstdlib>
__device__ int variable[16];
__constant__ int fixed[16];
__managed__ int shared_by_both[16];
__global__ void kernel() {}
static void tell(const char* what, const void* p, const void* base) {
  cudaPointerAttributes a;
  a.type = (cudaMemoryType)42;
  a.device = 42;
  const cudaError_t e = cudaPointerGetAttributes(&a, p);
  if (e != cudaSuccess) {
    printf("%-22s %s, last %s\n", what, cudaGetErrorName(e), cudaGetErrorName(cudaGetLastError()));
    return;
  }
  auto offset = [&](const void* q) {
    return q == nullptr ? -1L : (long)((const char*)q - (const char*)base);
  };
  printf("%-22s type %d device %d dev %ld host %ld\n", what, (int)a.type, a.device,
         offset(a.devicePointer), offset(a.hostPointer));
}
int main() {
  int stack = 0;
  static int data = 0;
  tell("before any call", &stack, &stack);
  tell("null", nullptr, nullptr);
  tell("static", &data, &data);
  void* m = malloc(100);
  tell("malloc", m, m);
  char* d;
  cudaMalloc(&d, 1000);
  tell("cudaMalloc", d, d);
  tell("cudaMalloc + 999", d + 999, d);
  char *h, *w, *mapped, *managed, *host_managed;
  cudaMallocHost(&h, 1000);
  cudaHostAlloc(&w, 1000, cudaHostAllocWriteCombined);
  cudaHostAlloc(&mapped, 1000, cudaHostAllocMapped);
  cudaMallocManaged(&managed, 1000);
  cudaMallocManaged(&host_managed, 1000, cudaMemAttachHost);
  tell("cudaMallocHost", h, h);
  tell("cudaMallocHost + 500", h + 500, h);
  tell("write combined", w, w);
  tell("mapped", mapped, mapped);
  tell("managed", managed, managed);
  tell("managed + 1", managed + 1, managed);
  tell("managed, host", host_managed, host_managed);
  void *v, *c, *g;
  printf("%s\n", cudaGetErrorName(cudaGetSymbolAddress(&v, variable)));
  printf("%s\n", cudaGetErrorName(cudaGetSymbolAddress(&c, fixed)));
  printf("%s\n", cudaGetErrorName(cudaGetSymbolAddress(&g, shared_by_both)));
  tell("__device__", v, v);
  tell("__constant__", c, c);
  tell("__managed__", g, g);
  tell("shadow of __device__", (const void*)variable, (const void*)variable);
  tell("__managed__ by name", shared_by_both, g);
  tell("function", (const void*)kernel, (const void*)kernel);
  tell("wild", (const void*)0x10, nullptr);
  cudaFree(d);
  tell("freed device", d, d);
  cudaFreeHost(h);
  tell("freed pinned", h, h);
  cudaFree(managed);
  void* again;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMallocAsync(&again, 100, s);
  tell("async", again, again);
  cudaFreeAsync(again, s);
  cudaStreamSynchronize(s);
  printf("%s\n", cudaGetErrorName(cudaPointerGetAttributes(nullptr, m)));
  printf("last %s\n", cudaGetErrorName(cudaGetLastError()));
  free(m);
}
