// Arithmetic with explicit rounding in float and double. Bits are printed, so nothing may be off by
// one.
#include <cmath>
#include <cstdio>
#include <cstring>

__global__ void floats(const float* in, int n, unsigned* out) {
  const int i = threadIdx.x;
  const float a = in[i / n % n], b = in[i % n], c = in[(i * 7 + 3) % n];
  const float r[] = {__fadd_rn(a, b),    __fadd_rz(a, b),    __fadd_ru(a, b),    __fadd_rd(a, b),
                     __fsub_rn(a, b),    __fsub_rz(a, b),    __fsub_ru(a, b),    __fsub_rd(a, b),
                     __fmul_rn(a, b),    __fmul_rz(a, b),    __fmul_ru(a, b),    __fmul_rd(a, b),
                     __fdiv_rn(a, b),    __fdiv_rz(a, b),    __fdiv_ru(a, b),    __fdiv_rd(a, b),
                     __fmaf_rn(a, b, c), __fmaf_rz(a, b, c), __fmaf_ru(a, b, c), __fmaf_rd(a, b, c),
                     __fsqrt_rn(a),      __fsqrt_rz(a),      __fsqrt_ru(a),      __fsqrt_rd(a),
                     __frcp_rn(a),       __frcp_rz(a),       __frcp_ru(a),       __frcp_rd(a)};
  for (int k = 0; k < 28; ++k) out[k * n * n + i] = __float_as_uint(r[k]);
}

__global__ void doubles(const double* in, int n, unsigned long long* out) {
  const int i = threadIdx.x;
  const double a = in[i / n % n], b = in[i % n], c = in[(i * 7 + 3) % n];
  const double r[] = {__dadd_rn(a, b),   __dadd_rz(a, b),   __dadd_ru(a, b),   __dadd_rd(a, b),
                      __dsub_rn(a, b),   __dsub_rz(a, b),   __dsub_ru(a, b),   __dsub_rd(a, b),
                      __dmul_rn(a, b),   __dmul_rz(a, b),   __dmul_ru(a, b),   __dmul_rd(a, b),
                      __ddiv_rn(a, b),   __ddiv_rz(a, b),   __ddiv_ru(a, b),   __ddiv_rd(a, b),
                      __fma_rn(a, b, c), __fma_rz(a, b, c), __fma_ru(a, b, c), __fma_rd(a, b, c),
                      __dsqrt_rn(a),     __dsqrt_rz(a),     __dsqrt_ru(a),     __dsqrt_rd(a),
                      __drcp_rn(a),      __drcp_rz(a),      __drcp_ru(a),      __drcp_rd(a)};
  for (int k = 0; k < 28; ++k) out[k * n * n + i] = (unsigned long long)__double_as_longlong(r[k]);
}

const char* names[] = {"add", "sub", "mul", "div", "fma", "sqrt", "rcp"};
const char* modes[] = {"rn", "rz", "ru", "rd"};

template <typename T, typename Bits, typename Kernel>
void run(const char* title, const T* in, int n, Kernel kernel) {
  T* d_in;
  Bits* d_out;
  const int pairs = n * n;
  Bits* out = new Bits[28 * pairs];
  cudaMalloc(&d_in, n * sizeof(T));
  cudaMalloc(&d_out, 28 * pairs * sizeof(Bits));
  cudaMemcpy(d_in, in, n * sizeof(T), cudaMemcpyHostToDevice);
  kernel<<<1, pairs>>>(d_in, n, d_out);
  cudaMemcpy(out, d_out, 28 * pairs * sizeof(Bits), cudaMemcpyDeviceToHost);
  for (int k = 0; k < 28; ++k) {
    Bits h = 5381;
    for (int i = 0; i < pairs; ++i) h = h * 33 ^ out[k * pairs + i];
    printf("%s %s_%s: %llx |", title, names[k / 4], modes[k % 4], (unsigned long long)h);
    for (int i = 1; i < pairs; i += 31) printf(" %llx", (unsigned long long)out[k * pairs + i]);
    printf("\n");
  }
  cudaFree(d_in);
  cudaFree(d_out);
  delete[] out;
}

int main() {
  const float f[] = {0.0f,          -0.0f,          1.0f,         -3.0f,     0.1f,
                     1.0f / 3.0f,   16777217.0f,    1e-45f,       -1.1e-38f, 1.17549435e-38f,
                     3.4028235e38f, -3.3e38f,       INFINITY,     -INFINITY, NAN,
                     1e-20f,        0x1.fffffep-1f, 0x1.000002p0f};
  const double d[] = {0.0,
                      -0.0,
                      1.0,
                      -3.0,
                      0.1,
                      1.0 / 3.0,
                      9007199254740993.0,
                      5e-324,
                      -1.1e-308,
                      2.2250738585072014e-308,
                      1.7976931348623157e308,
                      -1.7e308,
                      INFINITY,
                      -INFINITY,
                      NAN,
                      1e-160,
                      0x1.fffffffffffffp-1,
                      0x1.0000000000001p0};
  run<float, unsigned>("float", f, 18, floats);
  run<double, unsigned long long>("double", d, 18, doubles);
  return 0;
}
