// Codes that come back from calls that cannot work, and what cudaGetLastError keeps and clears.
#include <cstdio>

__global__ void nothing() {}
__global__ void __launch_bounds__(128) bounded(int* x) {
  if (x) *x = 1;
}
__global__ void shared_heavy() {
  extern __shared__ int s[];
  s[threadIdx.x] = 0;
}

void say(const char* what, cudaError_t e) {
  const cudaError_t peek = cudaPeekAtLastError(), get = cudaGetLastError(),
                    again = cudaGetLastError();
  printf("%-26s %s; peek %s, get %s, then %s\n", what, cudaGetErrorName(e), cudaGetErrorName(peek),
         cudaGetErrorName(get), cudaGetErrorName(again));
}

int main() {
  int* p = nullptr;
  int host = 0;
  say("malloc", cudaMalloc(&p, 16));
  say("malloc of nothing", cudaMalloc(&p, 0));
  printf("null %d\n", p == nullptr);
  say("malloc to null", cudaMalloc((void**)nullptr, 16));  // expect: null-pointer
  say("malloc too much", cudaMalloc(&p, (size_t)1 << 50));
  cudaMalloc(&p, 64);
  nothing<<<0, 32>>>();  // expect: launch-configuration
  say("no blocks", cudaSuccess);
  nothing<<<1, 0>>>();  // expect: launch-configuration
  say("no threads", cudaSuccess);
  nothing<<<1, 1025>>>();  // expect: launch-configuration
  say("1025 threads", cudaSuccess);
  nothing<<<1, dim3(1, 1, 65)>>>();  // expect: launch-configuration
  say("65 in z", cudaSuccess);
  nothing<<<dim3(1, 65536), 1>>>();  // expect: launch-configuration
  say("65536 blocks in y", cudaSuccess);
  nothing<<<dim3(0x80000000u), 1>>>();  // expect: launch-configuration
  say("2^31 blocks in x", cudaSuccess);
  bounded<<<1, 256>>>(p);  // expect: launch-configuration
  say("above launch bounds", cudaSuccess);
  shared_heavy<<<1, 32, 60000>>>();  // expect: launch-configuration
  say("60000 bytes shared", cudaSuccess);
  shared_heavy<<<1, 32, 500000>>>();  // expect: launch-configuration
  say("500000 bytes shared", cudaSuccess);
  say("attribute too large",
      cudaFuncSetAttribute(shared_heavy, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000));
  say("memcpy null",  // expect: invalid-copy
      cudaMemcpy(nullptr, &host, 4, cudaMemcpyHostToDevice));
  say("memcpy of 0 bytes", cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  say("memcpy kind", cudaMemcpy(p, &host, 4, (cudaMemcpyKind)17));  // expect: invalid-copy
  say("memset null", cudaMemset(nullptr, 0, 4));                    // expect: invalid-copy
  say("free host pointer", cudaFree(&host));                        // expect: invalid-free
  say("free null", cudaFree(nullptr));
  say("free inside", cudaFree(p + 1));  // expect: invalid-free
  say("set device", cudaSetDevice(99));
  say("negative device", cudaSetDevice(-1));
  int value;
  say("attribute unknown", cudaDeviceGetAttribute(&value, (cudaDeviceAttr)100000, 0));
  cudaDeviceProp properties;
  say("properties of 99", cudaGetDeviceProperties(&properties, 99));
  say("stream flags", cudaStreamCreateWithFlags((cudaStream_t*)&p, 77));
  cudaEvent_t e, f;
  cudaEventCreate(&e), cudaEventCreate(&f);
  float ms;
  say("elapsed, not recorded", cudaEventElapsedTime(&ms, e, f));
  say("event flags", cudaEventCreateWithFlags(&f, 1000));
  say("host alloc flags", cudaHostAlloc((void**)&value, 16, 0x100));
  say("unregister", cudaHostUnregister(&host));  // expect: invalid-free
  say("limit", cudaDeviceSetLimit((cudaLimit)77, 1));
  printf("%s | %s\n", cudaGetErrorString(cudaErrorInvalidConfiguration),
         cudaGetErrorName((cudaError_t)12345));
  printf("%s | %s\n", cudaGetErrorString((cudaError_t)12345),
         cudaGetErrorString(cudaErrorIllegalAddress));
  nothing<<<1, 32>>>();
  say("all well", cudaDeviceSynchronize());
  // Errors stay until they are read, over successful calls.
  cudaSetDevice(99);
  nothing<<<1, 32>>>();
  cudaDeviceSynchronize();
  say("kept", cudaSuccess);
  cudaEventDestroy(e);
}
