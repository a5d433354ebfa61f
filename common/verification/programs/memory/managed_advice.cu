// Managed memory: cudaMemAdvise, cudaMemPrefetchAsync, cudaMemRangeGetAttribute(s), attach flags.
#include <cstdint>
#include <cstdio>
#define SHOW(x) printf("%s -> %s\n", #x, cudaGetErrorName(x))
__global__ void scale(float* x, int n, float f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= f;
}
__managed__ int total = 5;
__managed__ float table[64];
__global__ void use_table() { atomicAdd(&total, (int)table[threadIdx.x]); }
int main() {
  const int n = 1 << 16;
  float* x;
  SHOW(cudaMallocManaged(&x, n * sizeof(float)));
  for (int i = 0; i < n; ++i) x[i] = 1.0f + i % 3;
  cudaMemLocation device = {}, host = {};
  device.type = cudaMemLocationTypeDevice;
  host.type = cudaMemLocationTypeHost;
  SHOW(cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetReadMostly, device));
  SHOW(cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetPreferredLocation, device));
  SHOW(cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetAccessedBy, host));
  int32_t read_mostly = -7, type = -7, id = -7, by[4] = {-7, -7, -7, -7};
  SHOW(cudaMemRangeGetAttribute(&read_mostly, 4, cudaMemRangeAttributeReadMostly, x,
                                n * sizeof(float)));
  printf("read mostly %d\n", read_mostly);
  SHOW(cudaMemRangeGetAttribute(&id, 4, cudaMemRangeAttributePreferredLocation, x,
                                n * sizeof(float)));
  printf("preferred %d\n", id);
  SHOW(cudaMemRangeGetAttribute(&type, 4, cudaMemRangeAttributePreferredLocationType, x,
                                n * sizeof(float)));
  printf("preferred type %d\n", type);
  SHOW(cudaMemRangeGetAttribute(by, 16, cudaMemRangeAttributeAccessedBy, x, n * sizeof(float)));
  printf("by %d %d\n", by[0], by[1]);
  SHOW(cudaMemPrefetchAsync(x, n * sizeof(float), device, 0, 0));
  SHOW(cudaMemRangeGetAttribute(&id, 4, cudaMemRangeAttributeLastPrefetchLocation, x,
                                n * sizeof(float)));
  printf("last prefetch %d\n", id);
  scale<<<16, 256>>>(x, n, 2);
  SHOW(cudaMemPrefetchAsync(x, n * sizeof(float), host, 0, 0));
  SHOW(cudaDeviceSynchronize());
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  printf("sum %.0f\n", sum);
  SHOW(cudaMemRangeGetAttribute(&id, 4, cudaMemRangeAttributeLastPrefetchLocation, x,
                                n * sizeof(float)));
  printf("last prefetch %d\n", id);
  int32_t many[2] = {-9, -9};
  void* data[2] = {&many[0], &many[1]};
  size_t sizes[2] = {4, 4};
  cudaMemRangeAttribute which[2] = {cudaMemRangeAttributeReadMostly,
                                    cudaMemRangeAttributePreferredLocation};
  SHOW(cudaMemRangeGetAttributes(data, sizes, which, 2, x, n * sizeof(float)));
  printf("%d %d\n", many[0], many[1]);
  SHOW(cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseUnsetReadMostly, device));
  SHOW(cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseUnsetPreferredLocation, device));
  SHOW(cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseUnsetAccessedBy, host));
  SHOW(cudaMemRangeGetAttributes(data, sizes, which, 2, x, n * sizeof(float)));
  printf("%d %d\n", many[0], many[1]);
  // refused
  float* plain;
  cudaMalloc(&plain, 4096);
  SHOW(cudaMemPrefetchAsync(plain, 4096, device, 0, 0));
  SHOW(cudaMemAdvise(plain, 4096, cudaMemAdviseSetReadMostly, device));
  SHOW(cudaMemPrefetchAsync(x, n * sizeof(float) * 100, device, 0, 0));
  SHOW(cudaMemPrefetchAsync(x, 0, device, 0, 0));
  SHOW(cudaMemPrefetchAsync(x, n * sizeof(float), device, 1, 0));
  device.id = 55;
  SHOW(cudaMemPrefetchAsync(x, n * sizeof(float), device, 0, 0));
  SHOW(cudaMemAdvise(x, 100, (cudaMemoryAdvise)99, host));
  SHOW(cudaMemRangeGetAttribute(&id, 3, cudaMemRangeAttributeReadMostly, x, n * sizeof(float)));
  SHOW(cudaMallocManaged(&plain, 0));
  SHOW(cudaMallocManaged(&plain, 16, 7));
  printf("last %s\n", cudaGetErrorName(cudaGetLastError()));
  // variables
  for (int i = 0; i < 64; ++i) table[i] = i;
  use_table<<<1, 64>>>();
  SHOW(cudaDeviceSynchronize());
  printf("total %d\n", total);
  int* address = nullptr;
  SHOW(cudaGetSymbolAddress((void**)&address, total));
  printf("address is the variable's %d\n", address == &total);
  cudaPointerAttributes a;
  SHOW(cudaPointerGetAttributes(&a, &table[3]));
  printf("type %d\n", a.type);
  // attach
  cudaStream_t s;
  cudaStreamCreate(&s);
  SHOW(cudaStreamAttachMemAsync(s, x, 0, cudaMemAttachSingle));
  scale<<<16, 256, 0, s>>>(x, n, 0.5f);
  SHOW(cudaStreamSynchronize(s));
  printf("x[1] %.1f\n", x[1]);
  SHOW(cudaStreamAttachMemAsync(s, x, 100, cudaMemAttachSingle));
  SHOW(cudaStreamAttachMemAsync(s, x, 0, 17));
  SHOW(cudaStreamDestroy(s));
  SHOW(cudaFree(x));
}
