// Approximations of constants, which the compiler computes: it rounds them correctly, where the
// unit of the GPU need not. And quotients by constants, which are products.
#include <cmath>
#include <cstdio>

#define CONSTANTS(X) \
  X(0.0f);           \
  X(-0.0f);          \
  X(1.0f);           \
  X(2.0f);           \
  X(0.5f);           \
  X(3.0f);           \
  X(10.0f);          \
  X(0.999f);         \
  X(0.1f);           \
  X(0.3f);           \
  X(-1.0f);          \
  X(-2.5f);          \
  X(0.7071067f);     \
  X(1.5f);           \
  X(7.0f);           \
  X(100.0f);         \
  X(1e-3f);          \
  X(1e3f);           \
  X(1e10f);          \
  X(1e-10f);         \
  X(3.1415927f);     \
  X(1.5707964f);     \
  X(6.2831855f);     \
  X(1e-40f);         \
  X(-1e-40f);        \
  X(1e-38f);         \
  X(3e38f);          \
  X(126.5f);         \
  X(-126.5f);        \
  X(-149.0f);        \
  X(-140.3f);        \
  X(128.0f);         \
  X(12345.678f);     \
  X(INFINITY);       \
  X(-INFINITY);      \
  X(17.3f);          \
  X(-4.345f);        \
  X(11.48f);         \
  X(0.0625f);        \
  X(19.999f);        \
  X(2.351f);         \
  X(-20.9f);         \
  X(8.384f);         \
  X(-9.76e-3f);      \
  X(64.0f);          \
  X(5.55f);          \
  X(-31.25f);        \
  X(13.37f);

#define STORE(value) out[k++] = __float_as_uint(value)
#define KERNEL(name, X)                                         \
  __global__ void name(unsigned* out, const float* in, int n) { \
    [[maybe_unused]] float r;                                   \
    int k = 0;                                                  \
    CONSTANTS(X)                                                \
  }

#define X0(c)                                       \
  asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X1(c)                                           \
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X2(c)                                       \
  asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X3(c)                                           \
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X4(c)                                       \
  asm("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X5(c)                                           \
  asm("sin.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X6(c)                                       \
  asm("cos.approx.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X7(c)                                       \
  asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X8(c)                                           \
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X9(c)                                        \
  asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X10(c)                                        \
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X11(c)                                            \
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define X12(c)                                       \
  asm("tanh.approx.f32 %0, %1;" : "=f"(r) : "f"(c)); \
  STORE(r)
#define D0(c)                                                       \
  asm("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(in[k]), "f"(c)); \
  STORE(r)
#define D1(c)                                                     \
  asm("div.full.f32 %0, %1, %2;" : "=f"(r) : "f"(in[k]), "f"(c)); \
  STORE(r)
#define D2(c)                                                           \
  asm("div.approx.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(c), "f"(in[k])); \
  STORE(r)
#define D3(c) STORE(__fdividef(in[k], c) + in[k + 1])
#define F0(c) STORE(__powf(fabsf(c), in[k]))
#define F1(c) STORE(in[k] + __logf(fabsf(c)))
#define F2(c) STORE(__expf(c) * in[k] + __sinf(c) - in[k + 2])
#define F3(c) STORE(__log2f(fabsf(c)) * __cosf(c) + in[k])
#define F4(c) STORE(in[k] * rsqrtf(fabsf(c)))
KERNEL(kX0, X0)
KERNEL(kX1, X1)
KERNEL(kX2, X2)
KERNEL(kX3, X3)
KERNEL(kX4, X4)
KERNEL(kX5, X5)
KERNEL(kX6, X6)
KERNEL(kX7, X7)
KERNEL(kX8, X8)
KERNEL(kX9, X9)
KERNEL(kX10, X10)
KERNEL(kX11, X11)
KERNEL(kX12, X12)
KERNEL(kD0, D0)
KERNEL(kD1, D1)
KERNEL(kD2, D2)
KERNEL(kD3, D3)
KERNEL(kF0, F0)
KERNEL(kF1, F1)
KERNEL(kF2, F2)
KERNEL(kF3, F3)
KERNEL(kF4, F4)

int main() {
  constexpr int n = 48;
  float values[n + 8];
  for (int i = 0; i < n + 8; ++i) values[i] = (i * 37 % 29 - 11) * 0.37f;
  unsigned *out, bits[n];
  float* in;
  cudaMalloc(&out, sizeof bits);
  cudaMalloc(&in, sizeof values);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
#define RUN(name)                                             \
  name<<<1, 1>>>(out, in, n);                                 \
  cudaMemcpy(bits, out, sizeof bits, cudaMemcpyDeviceToHost); \
  printf(#name);                                              \
  for (int i = 0; i < n; ++i) printf(" %08x", bits[i]);       \
  printf("\n");
  RUN(kX0);
  RUN(kX1);
  RUN(kX2);
  RUN(kX3);
  RUN(kX4);
  RUN(kX5);
  RUN(kX6);
  RUN(kX7);
  RUN(kX8);
  RUN(kX9);
  RUN(kX10);
  RUN(kX11);
  RUN(kX12);
  RUN(kD0);
  RUN(kD1);
  RUN(kD2);
  RUN(kD3);
  RUN(kF0);
  RUN(kF1);
  RUN(kF2);
  RUN(kF3);
  RUN(kF4);
  cudaFree(in);
  cudaFree(out);
}
