// The runtime's answers to kernels that call it.
// Built with -rdc=true.
#include <cstdio>

__global__ void nothing() {}
__global__ void __launch_bounds__(64) bounded(int* p) { *p = 1; }
__global__ void with_shared() {
  extern __shared__ int words[];
  words[threadIdx.x] = 1;
}

__device__ void tell(const char* what, cudaError_t returned) {
  printf("%-28s %-28s last %s\n", what, cudaGetErrorName(returned),
         cudaGetErrorName(cudaPeekAtLastError()));
}

__device__ void tell_last(const char* what) {
  const cudaError_t seen = cudaPeekAtLastError(), taken = cudaGetLastError();
  printf("%-28s %-28s then %s\n", what, cudaGetErrorName(taken),
         cudaGetErrorName(seen == taken ? cudaGetLastError() : cudaErrorUnknown));
}

__global__ void launches() {
  nothing<<<0, 1>>>();  // expect: launch-configuration
  tell_last("no blocks");
  nothing<<<1, 0>>>();  // expect: launch-configuration
  tell_last("no threads");
  nothing<<<1, 1025>>>();  // expect: launch-configuration
  tell_last("1025 threads");
  nothing<<<1, dim3(1, 1, 65)>>>();  // expect: launch-configuration
  tell_last("65 threads in z");
  nothing<<<dim3(1, 65536), 1>>>();  // expect: launch-configuration
  tell_last("65536 blocks in y");
  nothing<<<1, 1, 49152>>>();
  tell_last("48 KiB of shared memory");
  nothing<<<1, 1, 49153>>>();  // expect: launch-configuration
  tell_last("a byte more");
  bounded<<<1, 65>>>(nullptr);  // expect: launch-configuration
  tell_last("more than its bounds");
  with_shared<<<1, 32, 128>>>();
  tell_last("shared memory");
  nothing<<<1, 1, 0, reinterpret_cast<cudaStream_t>(0x1234)>>>();
  tell_last("no such stream");
}

__global__ void questions() {
  int value = -1;
  tell("device", cudaGetDevice(&value));
  printf("  %d\n", value);
  tell("devices", cudaGetDeviceCount(&value));
  printf("  %d\n", value);
  tell("threads of a block", cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
  printf("  %d\n", value);
  tell("of another device", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
  printf("  %d\n", value);
  value = -1;
  tell("no attribute", cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0));
  printf("  %d\n", value);
  cudaGetLastError();
  size_t bytes = 77;
  tell("heap", cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  printf("  %llu\n", static_cast<unsigned long long>(bytes));
  tell("stack", cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  printf("  %llu\n", static_cast<unsigned long long>(bytes));
  tell("pending launches", cudaDeviceGetLimit(&bytes, cudaLimitDevRuntimePendingLaunchCount));
  printf("  %llu\n", static_cast<unsigned long long>(bytes));
  tell("version", cudaRuntimeGetVersion(&value));
  printf("  %d\n", value);
  printf("%s / %s / %s\n", cudaGetErrorString(cudaSuccess),
         cudaGetErrorString(cudaErrorInvalidValue),
         cudaGetErrorString(static_cast<cudaError_t>(12345)));
  cudaFuncAttributes attributes;
  tell("attributes", cudaFuncGetAttributes(&attributes, bounded));
  printf("  %d threads, ptx %d, binary %d, shared %d\n", attributes.maxThreadsPerBlock,
         attributes.ptxVersion, attributes.binaryVersion,
         static_cast<int>(attributes.sharedSizeBytes));
  tell("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, nothing, 256, 0));
  printf("  %d\n", value);
  tell("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, nothing, 1024, 40000));
  printf("  %d\n", value);
  tell("occupancy of no threads",
       cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, nothing, 0, 0));
}

__global__ void resources() {
  void *some = nullptr, *none = nullptr;
  tell("malloc", cudaMalloc(&some, 100));
  printf("  %d\n", some != nullptr);
  tell("malloc of nothing", cudaMalloc(&none, 0));
  printf("  %d\n", none != nullptr);
  tell("malloc of too much", cudaMalloc(&none, 1 << 30));
  printf("  %d\n", none != nullptr);
  tell("free", cudaFree(some));
  tell("free of null", cudaFree(nullptr));
  cudaGetLastError();
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  tell("stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  printf("  %d\n", stream != nullptr);
  tell("event with time", cudaEventCreateWithFlags(&event, cudaEventDefault));
  cudaGetLastError();
  tell("event", cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  printf("  %d\n", event != nullptr);
  tell("record", cudaEventRecord(event, stream));
  tell("wait", cudaStreamWaitEvent(stream, event, 0));
  tell("end of event", cudaEventDestroy(event));
  tell("end of stream", cudaStreamDestroy(stream));
  tell("end of no stream", cudaStreamDestroy(nullptr));
}

__global__ void copies(int* a, int* b) {
  tell("fill", cudaMemsetAsync(a, 0x11, 40, 0));
  tell("copy", cudaMemcpyAsync(b, a, 20, cudaMemcpyDeviceToDevice, 0));
  tell("copy of rows", cudaMemcpy2DAsync(b + 12, 16, a, 12, 8, 2, cudaMemcpyDeviceToDevice, 0));
  tell("fill of rows", cudaMemset2DAsync(a + 12, 16, 0x22, 8, 2, 0));
  tell("copy of nothing", cudaMemcpyAsync(b, a, 0, cudaMemcpyDeviceToDevice, 0));
  tell("copy from the host",
       cudaMemcpyAsync(b, a, 4, cudaMemcpyHostToDevice, 0));  // expect: invalid-copy
  tell("copy to null",
       cudaMemcpyAsync(nullptr, a, 4, cudaMemcpyDefault, 0));  // expect: invalid-copy
}

__device__ int deepest;
__global__ void deeper(int depth) {
  deepest = depth;
  if (depth < 40) deeper<<<1, 1>>>(depth + 1);
}

void wait(const char* what) {
  const cudaError_t error = cudaDeviceSynchronize();
  fflush(stdout);
  printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main() {
  int* words;
  cudaMalloc(&words, 800);
  cudaMemset(words, 0, 800);
  launches<<<1, 1>>>();
  wait("launches");
  questions<<<1, 1>>>();
  wait("questions");
  resources<<<1, 1>>>();
  wait("resources");
  copies<<<1, 1>>>(words, words + 100);
  wait("copies");
  deeper<<<1, 1>>>(0);
  wait("deeper");
  int depth;
  cudaMemcpyFromSymbol(&depth, deepest, sizeof depth);
  printf("%d\n", depth);
}
