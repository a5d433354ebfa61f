// A kernel and the host talk through mapped memory while the kernel runs.
#include <cstdio>
#include <cuda/atomic>
#include <thread>
#define CHECK(x)                                                         \
  do {                                                                   \
    cudaError_t e_ = (x);                                                \
    if (e_ != cudaSuccess) {                                             \
      printf("line %d: %s -> %s\n", __LINE__, #x, cudaGetErrorName(e_)); \
      return 1;                                                          \
    }                                                                    \
  } while (0)
__global__ void server(volatile int* request, volatile int* answer) {
  int last = 0;
  for (;;) {
    int r;
    while ((r = *request) == last) {
    }
    if (r < 0) break;
    last = r;
    answer[1] = r * r;
    __threadfence_system();
    answer[0] = r;
  }
  answer[0] = -1;
}
__global__ void with_atomic(int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_system> f(*flag);
  while (f.load(cuda::memory_order_acquire) != 3) {
  }
  *out = 30;
  f.store(4, cuda::memory_order_release);
}
int main() {
  volatile int* h;
  CHECK(cudaHostAlloc((void**)&h, 64, cudaHostAllocMapped));
  for (int i = 0; i < 16; ++i) h[i] = 0;
  int* d;
  CHECK(cudaHostGetDevicePointer((void**)&d, (void*)h, 0));
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  server<<<1, 1, 0, s>>>(d, d + 8);
  CHECK(cudaGetLastError());
  printf("query %s\n", cudaGetErrorName(cudaStreamQuery(s)));
  for (int r : {3, 5, 12}) {
    h[0] = r;
    while (h[8] != r) std::this_thread::yield();
    printf("%d squared is %d\n", r, h[9]);
  }
  h[0] = -1;
  CHECK(cudaStreamSynchronize(s));
  printf("end %d\n", h[8]);
  int *flag, *out;
  CHECK(cudaMallocHost(&flag, 8));
  *flag = 0;
  out = flag + 1;
  with_atomic<<<1, 1, 0, s>>>(flag, out);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  cuda::atomic_ref<int, cuda::thread_scope_system> f(*flag);
  f.store(3, cuda::memory_order_release);
  while (f.load(cuda::memory_order_acquire) != 4) {
  }
  printf("out %d\n", *out);
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaFreeHost(flag));
  CHECK(cudaFreeHost((void*)h));
  CHECK(cudaStreamDestroy(s));
}
