// Memory nodes in graphs: allocate, use, free; an allocation that outlives its graph; graph memory
// attributes.
#include <cstdint>
#include <cstdio>
#define CHECK(x)                                                                              \
  do {                                                                                        \
    cudaError_t e_ = (x);                                                                     \
    if (e_ != cudaSuccess) printf("line %d: %s -> %s\n", __LINE__, #x, cudaGetErrorName(e_)); \
  } while (0)
__global__ void squares(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i * i;
}
__global__ void total(const int* p, int n, long long* out) {
  long long s = 0;
  for (int i = threadIdx.x; i < n; i += 32) s += p[i];
  for (int o = 16; o; o /= 2) s += __shfl_down_sync(~0u, s, o);
  if (threadIdx.x == 0) *out = s;
}
int main() {
  const int n = 3000;
  long long* out;
  CHECK(cudaMallocManaged(&out, 8));
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  cudaGraph_t g;
  CHECK(cudaGraphCreate(&g, 0));
  cudaMemAllocNodeParams ap = {};
  ap.bytesize = n * sizeof(int);
  ap.poolProps.allocType = cudaMemAllocationTypePinned;
  ap.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t alloc, k1, k2, fr;
  CHECK(cudaGraphAddMemAllocNode(&alloc, g, nullptr, 0, &ap));
  int* p = (int*)ap.dptr;
  printf("address known %d\n", p != nullptr);
  int count = n;
  void* a1[] = {&p, &count};
  cudaKernelNodeParams kp = {};
  kp.func = (void*)squares;
  kp.gridDim = dim3(12);
  kp.blockDim = dim3(256);
  kp.kernelParams = a1;
  CHECK(cudaGraphAddKernelNode(&k1, g, &alloc, 1, &kp));
  void* a2[] = {&p, &count, &out};
  kp.func = (void*)total;
  kp.gridDim = dim3(1);
  kp.blockDim = dim3(32);
  kp.kernelParams = a2;
  CHECK(cudaGraphAddKernelNode(&k2, g, &k1, 1, &kp));
  CHECK(cudaGraphAddMemFreeNode(&fr, g, &k2, 1, p));
  cudaMemAllocNodeParams back = {};
  CHECK(cudaGraphMemAllocNodeGetParams(alloc, &back));
  void* freed = nullptr;
  CHECK(cudaGraphMemFreeNodeGetParams(fr, &freed));
  printf("bytes %zu, same %d %d\n", back.bytesize, back.dptr == p, freed == p);
  cudaGraphExec_t x;
  CHECK(cudaGraphInstantiate(&x, g, 0));
  for (int i = 0; i < 3; ++i) {
    *out = 0;
    CHECK(cudaGraphLaunch(x, s));
    CHECK(cudaStreamSynchronize(s));
    printf("total %lld\n", *out);
  }
  cudaGraph_t copy;
  printf("clone %s\n", cudaGetErrorName(cudaGraphClone(&copy, g)));
  printf("second exec %s\n", cudaGetErrorName([&] {
           cudaGraphExec_t y;
           return cudaGraphInstantiate(&y, g, 0);
         }()));
  printf("remove %s\n", cudaGetErrorName(cudaGraphDestroyNode(k2)));
  printf("last %s\n", cudaGetErrorName(cudaGetLastError()));
  uint64_t used = 99, high = 99;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &high));
  printf("used %d, high at least the array %d\n", used == 0, high >= n * 4);
  CHECK(cudaDeviceGraphMemTrim(0));
  uint64_t zero = 0;
  CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  CHECK(cudaGraphExecDestroy(x));
  CHECK(cudaGraphDestroy(g));
  // captured: the allocation is freed by another graph, or outside
  int* q = nullptr;
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&q, n * 4, s));
  squares<<<12, 256, 0, s>>>(q, n);
  CHECK(cudaStreamEndCapture(s, &g));
  CHECK(cudaGraphInstantiate(&x, g, 0));
  CHECK(cudaGraphLaunch(x, s));
  total<<<1, 32, 0, s>>>(q, n, out);
  CHECK(cudaStreamSynchronize(s));
  printf("outside %lld\n", *out);
  printf("launched again while allocated: %s\n", cudaGetErrorName(cudaGraphLaunch(x, s)));
  cudaGetLastError();
  CHECK(cudaFreeAsync(q, s));
  CHECK(cudaStreamSynchronize(s));
  printf("launched again: %s\n", cudaGetErrorName(cudaGraphLaunch(x, s)));
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaFree(q));
  CHECK(cudaGraphExecDestroy(x));
  CHECK(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(x, s));
  total<<<1, 32, 0, s>>>(q, n, out);
  CHECK(cudaFreeAsync(q, s));
  CHECK(cudaStreamSynchronize(s));
  printf("automatic %lld\n", *out);
  CHECK(cudaGraphExecDestroy(x));
  CHECK(cudaGraphDestroy(g));
  CHECK(cudaFree(out));
  CHECK(cudaStreamDestroy(s));
}
