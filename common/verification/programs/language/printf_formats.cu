// printf in a kernel: conversions, flags, widths, precisions, long strings, many arguments, return
// values.
#include <cstdio>

struct Pair {
  int a;
  double b;
};

__device__ const char* names[] = {"zero", "one", "two"};

__global__ void formats(Pair pair, float f, int* returned) {
  printf("plain text, 100%% of it\n");
  printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
  printf("[%d] [%i] [%u] [%x] [%X] [%#x] [%o] [%#o]\n", -1, -1, -1, 0xbeef, 0xbeef, 0xbeef, 64, 64);
  printf("[%ld] [%lld] [%llu] [%llx] [%lu]\n", -5000000000L, -5000000000LL, ~0ULL,
         0x123456789abcdefULL, 7UL);
  // A GPU loses its way after %hhd, %zu and %.*f.
  printf("[%hd] [%hu]\n", (short)-3, (unsigned short)65535);
  printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%+.0f] [%010.4f]\n", f, f, f, f, f, f);
  printf("[%e] [%.3E] [%g] [%G] [%.10g]\n", 12345.678, 0.00012, 1e-7, 1e20, 1.0 / 3);
  printf("[%a] [%.3a]\n", 1.5, 3.141592653589793);
  printf("[%f] [%f] [%f] [%e]\n", 1.0 / 0.0, -1.0 / 0.0, 0.0, -0.0);
  printf("[%s] [%10s] [%-10s] [%.2s] [%s]\n", "text", "right", "left", "cut short",
         names[blockIdx.x + 2]);
  printf("[%c%c%c] [%3c] [%%]\n", 'a', 66, '!', 'x');
  printf("[%*d] [%-*d]\n", 6, 11, 6, 11);
  printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
         13, 14, 15, 16);
  printf("%d %f %s %c %llx %g\n", pair.a, pair.b, "mixed", 'm', 99ULL, 0.5f);
  printf("%p is null\n", (void*)nullptr);
  returned[0] = printf("three arguments %d %d %d\n", 1, 2, 3);
  returned[1] = printf("none\n");
  printf("no newline, ");
  printf("then one\n");
  printf("a tab\there and a \"quote\"\n");
}

__global__ void in_order(int n) {
  // One warp prints lane by lane, in ascending order, when the call is not divergent.
  printf("block %d thread %d of %d\n", blockIdx.x, threadIdx.x, n);
  if (threadIdx.x == 3) printf("only thread 3, value %s\n", names[1]);
}

int main() {
  int* returned;
  cudaMallocManaged(&returned, 8);
  printf("host before\n");
  formats<<<1, 1>>>({7, 0.125}, -3.14159f, returned);
  cudaDeviceSynchronize();
  printf("returned %d %d\n", returned[0], returned[1]);
  in_order<<<1, 4>>>(4);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i) in_order<<<1, 1>>>(i);
  cudaDeviceSynchronize();
  printf("host after\n");
  size_t size = 0;
  cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize);
  printf("buffer of %zu bytes\n", size);
  cudaFree(returned);
}
