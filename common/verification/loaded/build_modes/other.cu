// Included by main.cu, except with -rdc=true: then it is a unit of its own.
#include "header.h"
__device__ int factor = 3;
__constant__ int weights[4] = {1, 10, 100, 1000};
static __device__ __noinline__ int same_name(int x) { return x * factor; }
__device__ __noinline__ int scaled(int x) { return same_name(x) + weights[x & 3]; }
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ Operation operations[2] = {add, subtract};
__global__ void second_kernel(int* out) { out[threadIdx.x] = scaled(threadIdx.x) * 2; }
