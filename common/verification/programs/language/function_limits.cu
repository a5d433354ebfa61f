// The results of the math functions at the ends of their domains. Everything here is exact: zeros,
// ones, infinities, NaN.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__device__ char classify(double v) {
  if (isnan(v)) return 'n';
  if (isinf(v)) return v > 0 ? 'I' : 'i';
  if (v == 0) return signbit(v) ? 'z' : 'Z';
  if (v == 1) return '1';
  if (v == -1) return '-';
  return v > 0 ? 'P' : 'N';
}

template <typename T>
__global__ void edges(const double* in, int n, char* out) {
  const T x = (T)in[threadIdx.x];
  const T y = (T)in[blockIdx.x];
  char* o = out + (blockIdx.x * n + threadIdx.x) * 24;
  o[0] = classify(exp(x));
  o[1] = classify(log(x));
  o[2] = classify(pow(x, y));
  o[3] = classify(sin(x));
  o[4] = classify(cos(x));
  o[5] = classify(tan(x));
  o[6] = classify(asin(x));
  o[7] = classify(acos(x));
  o[8] = classify(atan2(x, y));
  o[9] = classify(tanh(x));
  o[10] = classify(erf(x));
  o[11] = classify(lgamma(x));
  o[12] = classify(tgamma(x));
  o[13] = classify(cbrt(x));
  o[14] = classify(hypot(x, y));
  o[15] = classify(sqrt(x));
  o[16] = classify(rsqrt(x));
  o[17] = classify(log1p(x));
  o[18] = classify(expm1(x));
  o[19] = classify(fmod(x, y));
  o[20] = classify(atanh(x));
  o[21] = classify(acosh(x));
  o[22] = classify(exp2(x) + log10(x));
  o[23] = 0;
}

int main() {
  const double in[] = {0.0, -0.0,   1.0,     -1.0,     2.0,       -3.0,
                       0.5, 1000.0, -1000.0, INFINITY, -INFINITY, NAN};
  const int n = sizeof in / sizeof in[0];
  double* d_in;
  char *d_out, *out = (char*)malloc(n * n * 24);
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, n * n * 24);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  for (int type = 0; type < 2; ++type) {
    if (type == 0)
      edges<float><<<n, n>>>(d_in, n, d_out);
    else
      edges<double><<<n, n>>>(d_in, n, d_out);
    cudaMemcpy(out, d_out, n * n * 24, cudaMemcpyDeviceToHost);
    puts(type ? "double" : "float");
    for (int i = 0; i < n * n; ++i) printf("%5g %5g %s\n", in[i % n], in[i / n], out + i * 24);
  }
  cudaFree(d_in);
  cudaFree(d_out);
  free(out);
}
