// Products and sums whose rounding the program leaves open: the compiler may make one instruction
// of both, and then rounds once. Bits of all results are printed.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <cstring>

constexpr int values = 61, results = 12;

/// Results of every form in which a product meets a sum.
template <class T>
__device__ void combine(T a, T b, T c, T d, T* out, int stride) {
  int k = 0;
  auto put = [&](T value) { out[k++ * stride] = value; };
  put(a * b + c);
  put(a * b - c);
  put(c - a * b);
  put(-(a * b) + c);
  put(a * b + c * d);
  put(a * b - d * c);
  const T read_twice = a * c;
  put(read_twice + b);
  put(d - read_twice);
  const T also_stored = b * d;
  put(also_stored + a);
  put(also_stored);
  put((a * b + c) * d + a);
  put(a * b);
}

template <class T>
__global__ void operators(const T* in, T* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= values) return;
  const auto at = [&](int i) { return in[(t * 7 + i * 13 + i * i * t) % values]; };
  combine(at(1), at(2), at(3), at(4), out + t, values);
}

/// As the others, for float and double: there the compiler itself writes most of the fma.
template <class T>
struct Open {
  T value;
};
#define OPEN_OPERATIONS(T, letter, type)                                                      \
  __device__ Open<T> operator*(Open<T> a, Open<T> b) {                                        \
    Open<T> d;                                                                                \
    asm("mul." type " %0, %1, %2;" : "=" letter(d.value) : letter(a.value), letter(b.value)); \
    return d;                                                                                 \
  }                                                                                           \
  __device__ Open<T> operator+(Open<T> a, Open<T> b) {                                        \
    Open<T> d;                                                                                \
    asm("add." type " %0, %1, %2;" : "=" letter(d.value) : letter(a.value), letter(b.value)); \
    return d;                                                                                 \
  }                                                                                           \
  __device__ Open<T> operator-(Open<T> a, Open<T> b) {                                        \
    Open<T> d;                                                                                \
    asm("sub." type " %0, %1, %2;" : "=" letter(d.value) : letter(a.value), letter(b.value)); \
    return d;                                                                                 \
  }                                                                                           \
  __device__ Open<T> operator-(Open<T> a) {                                                   \
    Open<T> d;                                                                                \
    asm("neg." type " %0, %1;" : "=" letter(d.value) : letter(a.value));                      \
    return d;                                                                                 \
  }
OPEN_OPERATIONS(float, "f", "f32")
OPEN_OPERATIONS(double, "d", "f64")
#undef OPEN_OPERATIONS

/// @param make gives the value number i.
template <class T, class Make>
void run(const char* name, Make make) {
  T host[values], *in, *out;
  for (int i = 0; i < values; ++i) host[i] = make(i);
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, results * sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  operators<<<2, 32>>>(in, out);
  T back[results * values];
  cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
  for (int k = 0; k < results; ++k) {
    unsigned long long hash = 1469598103934665603ull;
    printf("%s %2d:", name, k);
    for (int i = 0; i < values; ++i) {
      unsigned long long bits = 0;
      memcpy(&bits, &back[k * values + i], sizeof(T));
      hash = (hash ^ bits) * 1099511628211ull;
      if (i < 4) printf(" %llx", bits);
    }
    printf(" ... %016llx\n", hash);
  }
  cudaFree(in);
  cudaFree(out);
}

/// Numbers of several sizes whose products need rounding.
double number(int i) {
  const double scale[] = {1, -3, 0.01, 40};
  return scale[i % 4] * (1 + i * 0.137 + i * i * 0.0031);
}

int main() {
  run<__half>("half", [](int i) { return __double2half(number(i)); });
  run<__half2>("half2", [](int i) {
    return __halves2half2(__double2half(number(i)), __double2half(number(i + 5)));
  });
  run<__nv_bfloat16>("bfloat16", [](int i) { return __double2bfloat16(number(i)); });
  run<__nv_bfloat162>("bfloat162", [](int i) {
    return __halves2bfloat162(__double2bfloat16(number(i)), __double2bfloat16(number(i + 5)));
  });
  run<Open<float>>("float", [](int i) { return Open<float>{(float)number(i)}; });
  run<Open<double>>("double", [](int i) { return Open<double>{number(i)}; });
  return cudaDeviceSynchronize();
}
