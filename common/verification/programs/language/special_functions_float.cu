// Single-precision functions against double precision: the error in units in the last place has to
// stay within the bound that the CUDA C++ Programming Guide documents.
#include <cmath>
#include <cstdio>

__device__ float ulps(float got, double want) {
  if (isnan(want)) return isnan(got) ? 0 : 1e9f;
  if (isinf(got) && fabs(want) > 3.4028234e38) return 0;
  if (isinf(want)) return isinf(got) ? 0 : 1e9f;
  const double magnitude = fmax(fabs(want), 1.17549435e-38);
  const int e = ilogb(magnitude) - 23;
  return (float)fabs(ldexp((double)got - want, -e));
}

#define FUNCTIONS(X)                                                                         \
  X(exp, expf(x), exp((double)x), 2.0f)                                                      \
  X(exp2, exp2f(x), exp2((double)x), 2.2f)                                                   \
  X(exp10, exp10f(x), exp10((double)x), 2.2f)                                                \
  X(expm1, expm1f(x), expm1((double)x), 1.2f)                                                \
  X(log, logf(p), log((double)p), 1.2f)                                                      \
  X(log2, log2f(p), log2((double)p), 1.2f)                                                   \
  X(log10, log10f(p), log10((double)p), 2.2f)                                                \
  X(log1p, log1pf(p), log1p((double)p), 1.2f)                                                \
  X(pow, powf(p, x * 0.125f), pow((double)p, (double)(x * 0.125f)), 4.2f)                    \
  X(sin, sinf(x), sin((double)x), 2.2f)                                                      \
  X(cos, cosf(x), cos((double)x), 2.2f)                                                      \
  X(tan, tanf(x), tan((double)x), 4.2f)                                                      \
  X(sin_large, sinf(x * 1e7f), sin((double)(x * 1e7f)), 2.2f)                                \
  X(cos_large, cosf(x * 1e30f), cos((double)(x * 1e30f)), 2.2f)                              \
  X(sinpi, sinpif(x), sinpi((double)x), 1.2f)                                                \
  X(cospi, cospif(x), cospi((double)x), 1.2f)                                                \
  X(asin, asinf(u), asin((double)u), 2.2f)                                                   \
  X(acos, acosf(u), acos((double)u), 2.2f)                                                   \
  X(atan, atanf(x), atan((double)x), 2.2f)                                                   \
  X(atan2, atan2f(x, u), atan2((double)x, (double)u), 3.2f)                                  \
  X(sinh, sinhf(x), sinh((double)x), 3.2f)                                                   \
  X(cosh, coshf(x), cosh((double)x), 2.2f)                                                   \
  X(tanh, tanhf(x), tanh((double)x), 2.2f)                                                   \
  X(asinh, asinhf(x), asinh((double)x), 3.2f)                                                \
  X(acosh, acoshf(p + 1), acosh((double)(p + 1)), 4.2f)                                      \
  X(atanh, atanhf(u * 0.99f), atanh((double)(u * 0.99f)), 3.2f)                              \
  X(erf, erff(x), erf((double)x), 2.2f)                                                      \
  X(erfc, erfcf(x * 0.1f), erfc((double)(x * 0.1f)), 4.2f)                                   \
  X(erfcx, erfcxf(x * 0.1f), erfcx((double)(x * 0.1f)), 4.2f)                                \
  X(erfinv, erfinvf(u * 0.98f), erfinv((double)(u * 0.98f)), 2.2f)                           \
  X(lgamma, lgammaf(p + 3), lgamma((double)(p + 3)), 6.2f)                                   \
  X(tgamma, tgammaf(p), tgamma((double)p), 5.2f)                                             \
  X(cbrt, cbrtf(x), cbrt((double)x), 1.2f)                                                   \
  X(rcbrt, rcbrtf(p), rcbrt((double)p), 1.2f)                                                \
  X(hypot, hypotf(x, u), hypot((double)x, (double)u), 3.2f)                                  \
  X(rhypot, rhypotf(x, p), rhypot((double)x, (double)p), 2.2f)                               \
  X(norm3d, norm3df(x, u, p), norm3d((double)x, (double)u, (double)p), 3.2f)                 \
  X(rsqrt, rsqrtf(p), rsqrt((double)p), 2.2f)                                                \
  X(normcdf, normcdff(u * 4), normcdf((double)(u * 4)), 5.2f)                                \
  X(normcdfinv, normcdfinvf(u * 0.49f + 0.5f), normcdfinv((double)(u * 0.49f + 0.5f)), 5.2f) \
  X(cyl_bessel_i0, cyl_bessel_i0f(u * 8), cyl_bessel_i0((double)(u * 8)), 6.2f)              \
  X(fdividef, fdividef(x, p), (double)x / (double)p, 2.2f)

constexpr int kCount = 256;

// x from -80 to 80, p positive up to 30, u from -1 to 1.
__global__ void measure(float* worst) {
  const int i = threadIdx.x;
  const float x = -80.0f + i * (160.0f / (kCount - 1));
  const float p = (i + 1) * 0.1171875f;
  const float u = -1.0f + i * (2.0f / (kCount - 1));
  int row = 0;
#define RUN(name, got, want, bound) worst[row++ * kCount + i] = ulps(got, want);
  FUNCTIONS(RUN)
#undef RUN
}

// The Bessel functions have an absolute bound where they are small.
__global__ void bessel(int* bad) {
  const float x = threadIdx.x * 0.03125f;
  const float e0 = fabsf(j0f(x) - (float)j0((double)x));
  const float e1 = fabsf(j1f(x) - (float)j1((double)x));
  const float e2 = fabsf(jnf(2, x) - (float)jn(2, (double)x));
  const float e3 = x > 0 ? fabsf(y0f(x) - (float)y0((double)x)) : 0;
  const float e4 = x > 0 ? fabsf(y1f(x) - (float)y1((double)x)) : 0;
  if (e0 > 2e-6f) atomicAdd(&bad[0], 1);
  if (e1 > 2e-6f) atomicAdd(&bad[1], 1);
  if (e2 > 4e-6f) atomicAdd(&bad[2], 1);
  if (e3 > 2e-6f) atomicAdd(&bad[3], 1);
  if (e4 > 2e-5f) atomicAdd(&bad[4], 1);
}

int main() {
  struct Bound {
    const char* name;
    float bound;
  };
  const Bound bounds[] = {
#define NAME(name, got, want, bound) {#name, bound},
      FUNCTIONS(NAME)};
  const int rows = sizeof bounds / sizeof bounds[0];
  float* worst;
  int* bad;
  cudaMallocManaged(&worst, rows * kCount * sizeof(float));
  cudaMallocManaged(&bad, 5 * sizeof(int));
  for (int i = 0; i < 5; ++i) bad[i] = 0;
  measure<<<1, kCount>>>(worst);
  bessel<<<1, 256>>>(bad);
  cudaDeviceSynchronize();
  for (int r = 0; r < rows; ++r) {
    float most = 0;
    for (int i = 0; i < kCount; ++i)
      most = worst[r * kCount + i] > most ? worst[r * kCount + i] : most;
    if (most <= bounds[r].bound)
      printf("%-14s within %.1f ulp\n", bounds[r].name, bounds[r].bound);
    else
      printf("%-14s off by %g ulp, the bound is %g\n", bounds[r].name, most, bounds[r].bound);
  }
  printf("bessel: %d %d %d %d %d outside\n", bad[0], bad[1], bad[2], bad[3], bad[4]);
  cudaFree(worst);
  cudaFree(bad);
}
