// Arrays in local memory, structs passed and returned by value, large parameters, unions and
// bit-fields.
#include <cstdio>

struct Matrix3 {
  double m[3][3];
};

struct Large {
  int words[900];  // 3600 of the 4096 bytes that older kernels could take
};

struct Mixed {
  char a;
  double b;
  short c[3];
  unsigned low : 5, middle : 12, high : 15;
  union {
    float f;
    unsigned u;
  };
};

__device__ __noinline__ Matrix3 multiply(Matrix3 a, Matrix3 b) {
  Matrix3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += a.m[i][k] * b.m[k][j];
      c.m[i][j] = sum;
    }
  return c;
}

__device__ __noinline__ Mixed change(Mixed x, int by) {
  x.a += by;
  x.b *= by;
  x.c[by % 3] = (short)-by;
  x.middle += by * 100;
  x.u ^= 0x80000000u;
  return x;
}

__global__ void kernel(const __grid_constant__ Large large, Mixed mixed, int* out, double* matrix) {
  const int t = threadIdx.x;
  int stack[64];
  int top = 0;
  // The indices are known only at run time, so the array stays in memory.
  for (int i = t; i > 0; i /= 2) stack[top++] = i;
  int result = 0;
  while (top) result = result * 7 + stack[--top];
  out[t] = result + large.words[(t * 29) % 900];

  unsigned char sieve[200];
  for (int i = 0; i < 200; ++i) sieve[i] = i > 1;
  for (int i = 2; i < 200; ++i)
    if (sieve[i])
      for (int j = i * i; j < 200; j += i) sieve[j] = 0;
  int count = 0;
  for (int i = 0; i <= t * 6; ++i) count += sieve[i];
  out[32 + t] = count;

  const Mixed m = change(mixed, t + 1);
  out[64 + t] =
      m.a + (int)m.b + m.c[(t + 1) % 3] + m.low * 3 + m.middle * 5 + m.high * 7 + (m.f < 0);

  if (t == 5) {
    Matrix3 power = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Matrix3 base = {{{0, 1, 0}, {0, 0, 1}, {1, 1, 1}}};
    for (int n = 50; n; n /= 2) {
      if (n & 1) power = multiply(power, base);
      base = multiply(base, base);
    }
    for (int i = 0; i < 9; ++i) matrix[i] = power.m[i / 3][i % 3];
  }
}

int main() {
  Large large;
  for (int i = 0; i < 900; ++i) large.words[i] = i * i;
  Mixed mixed = {};
  mixed.a = 'k';
  mixed.b = 1.5;
  mixed.c[0] = 1, mixed.c[1] = 2, mixed.c[2] = 3;
  mixed.low = 17, mixed.middle = 2000, mixed.high = 30000;
  mixed.f = 2.5f;
  int* out;
  double* matrix;
  cudaMallocManaged(&out, 96 * sizeof(int));
  cudaMallocManaged(&matrix, 9 * sizeof(double));
  kernel<<<1, 32>>>(large, mixed, out, matrix);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < 96; ++i) printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
  for (int i = 0; i < 9; ++i) printf("%.0f ", matrix[i]);
  printf("\n");
  cudaFree(out);
  cudaFree(matrix);
}
