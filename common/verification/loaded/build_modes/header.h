#pragma once

using Operation = int (*)(int, int);
struct Matrix {
  int values[3][3];
  double scale;
};
template <class T>
__device__ T largest(T a, T b) {
  return a < b ? b : a;
}

#ifdef __CUDACC_RDC__
extern __device__ int factor;
extern __constant__ int weights[4];
__device__ int scaled(int x);
extern __device__ Operation operations[2];
__global__ void second_kernel(int* out);
#endif
