// Options: Black-Scholes in float and double, binomial trees, implied volatility, averages over
// paths; special functions in one sum, and dates.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                    \
  do {                                                                 \
    const cudaError_t error = (call);                                  \
    if (error != cudaSuccess) {                                        \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
      std::exit(1);                                                    \
    }                                                                  \
  } while (0)

std::vector<void*> owned;

template <class T>
std::vector<T> fetched(const T* d, size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}

template <class T>
T* uploaded(const std::vector<T>& v) {
  T* d = nullptr;
  CHECK(cudaMalloc(&d, v.size() * sizeof(T)));
  owned.push_back(d);
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}

template <class T>
T* zeros(size_t n) {
  T* d = nullptr;
  CHECK(cudaMalloc(&d, n * sizeof(T)));
  owned.push_back(d);
  cudaMemset(d, 0, n * sizeof(T));
  return d;
}

/// A hash of all bits, and five of the values.
template <class T>
void show(const char* what, const T* d, size_t n) {
  const std::vector<T> v = fetched(d, n);
  uint64_t hash = 1469598103934665603ull;
  const auto* bytes = reinterpret_cast<const unsigned char*>(v.data());
  for (size_t i = 0; i < n * sizeof(T); ++i) hash = (hash ^ bytes[i]) * 1099511628211ull;
  std::printf("%-28s %016llx", what, static_cast<unsigned long long>(hash));
  for (size_t i = 0; i < n && i < 5; ++i)
    std::printf(" %.9g", static_cast<double>(v[i * (n > 5 ? n / 5 : 1)]));
  std::printf("\n");
}

struct Random {
  uint32_t state;
  uint32_t next() { return state = state * 1664525u + 1013904223u; }
  float unit() { return (next() >> 8) * (1.0f / 16777216.0f); }
  float sym() { return 2 * unit() - 1; }
};

struct Option {
  float s, k, t;
};
__device__ float cnd(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float c =
      0.39894228040143267794f * expf(-.5f * d * d) *
      (k * (0.31938153f +
            k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - c : c;
}
__global__ void black_scholes(const Option* o, float2* out, float r, float v, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const float q = sqrtf(o[i].t),
                d1 = (__logf(o[i].s / o[i].k) + (r + .5f * v * v) * o[i].t) / (v * q),
                d2 = d1 - v * q, e = __expf(-r * o[i].t), n1 = cnd(d1), n2 = cnd(d2);
    out[i] = {o[i].s * n1 - o[i].k * e * n2, o[i].k * e * (1 - n2) - o[i].s * (1 - n1)};
  }
}
__global__ void exact(const Option* o, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double s = o[i].s, k = o[i].k, t = o[i].t, v = .3,
               d1 = (log(s / k) + (.02 + v * v / 2) * t) / (v * sqrt(t));
  out[i] = s * normcdf(d1) - k * exp(-.02 * t) * normcdf(d1 - v * sqrt(t)) + erfc(d1) +
           norm3d(d1, s, k) * 1e-3 + normcdfinv(.3 + .001 * i) + erfinv(.5 - .001 * i) + lgamma(t) +
           tgamma(.5 + t) + cbrt(s) + j0(k) + y1(t) + cyl_bessel_i0(t);
}
template <int Steps>
__global__ void binomial(const Option* o, float* out, float r, float v, bool american) {
  __shared__ float call[Steps + 1];
  const Option p = o[blockIdx.x];
  const float dt = p.t / Steps, u = expf(v * sqrtf(dt)), d = 1 / u, df = expf(-r * dt),
              pu = (1 / df - d) / (u - d);
  for (int i = threadIdx.x; i <= Steps; i += blockDim.x)
    call[i] = fmaxf(p.k - p.s * powf(u, 2.f * i - Steps), 0.f);
  for (int step = Steps; step > 0; --step) {
    __syncthreads();
    float next[(Steps + 63) / 64];
    int c = 0;
    for (int i = threadIdx.x; i < step; i += blockDim.x, ++c) {
      next[c] = df * (pu * call[i + 1] + (1 - pu) * call[i]);
      if (american) next[c] = fmaxf(next[c], p.k - p.s * powf(u, 2.f * i - step + 1));
    }
    __syncthreads();
    c = 0;
    for (int i = threadIdx.x; i < step; i += blockDim.x, ++c) call[i] = next[c];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = call[0];
}
__global__ void implied(const Option* o, const float2* price, float* vol, int* steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float lo = .01f, hi = 2.f;
  int k = 0;
  while (hi - lo > 1e-4f && k < 60) {
    const float v = .5f * (lo + hi), q = sqrtf(o[i].t),
                d1 = (logf(o[i].s / o[i].k) + (.02f + .5f * v * v) * o[i].t) / (v * q);
    const float c = o[i].s * cnd(d1) - o[i].k * expf(-.02f * o[i].t) * cnd(d1 - v * q);
    (c > price[i].x ? hi : lo) = v;
    ++k;
  }
  vol[i] = lo;
  steps[i] = k;
}
__global__ void asian(const Option* o, float* sum, float* square, int paths, int steps) {
  __shared__ float a[4], b[4];
  const Option p = o[blockIdx.x];
  float s = 0, q = 0;
  for (int path = threadIdx.x; path < paths; path += blockDim.x) {
    unsigned x = path * 747796405u + blockIdx.x * 2891336453u;
    float spot = p.s, avg = 0;
    for (int k = 0; k < steps; ++k) {
      x = x * 747796405u + 2891336453u;
      unsigned w = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
      w = w >> 22 ^ w;
      const float z = normcdfinvf((w >> 8) * (1.f / (1 << 24)) + 1e-8f);
      spot *= expf(-.025f * p.t / steps + .3f * sqrtf(p.t / steps) * z);
      avg += spot;
    }
    const float v = fmaxf(avg / steps - p.k, 0.f);
    s += v;
    q += v * v;
  }
  for (int d = 16; d; d >>= 1) s += __shfl_down_sync(~0u, s, d), q += __shfl_down_sync(~0u, q, d);
  if (threadIdx.x % 32 == 0) a[threadIdx.x / 32] = s, b[threadIdx.x / 32] = q;
  __syncthreads();
  if (!threadIdx.x)
    sum[blockIdx.x] = a[0] + a[1] + a[2] + a[3], square[blockIdx.x] = b[0] + b[1] + b[2] + b[3];
}
__global__ void dates(const int* days, int* ymd, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int z = days[i] + 719468, era = (z >= 0 ? z : z - 146096) / 146097;
  const unsigned doe = z - era * 146097,
                 yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365,
                 doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
  const int m = mp < 10 ? mp + 3 : mp - 9;
  ymd[i] = ((int)yoe + era * 400 + (m <= 2)) * 10000 + m * 100 + doy - (153 * mp + 2) / 5 + 1;
}
int main() {
  Random g{71};
  const int n = 130;
  std::vector<Option> o(n);
  for (auto& x : o) x = {5 + 25 * g.unit(), 5 + 25 * g.unit(), .25f + 3 * g.unit()};
  Option* d = uploaded(o);
  float2* r = zeros<float2>(n);
  float *f = zeros<float>(2 * n), *f2 = zeros<float>(n);
  double* e = zeros<double>(n);
  int* k = zeros<int>(n);
  black_scholes<<<2, 48>>>(d, r, .02f, .3f, n);
  show("black scholes", (float*)r, 2 * n);
  implied<<<5, 32>>>(d, r, f, k, n);
  show("implied", f, n);
  show("steps", k, n);
  exact<<<3, 64>>>(d, e, n);
  show("double", e, n);
  binomial<256><<<8, 64>>>(d, f, .06f, .3f, false);
  show("european", f, 8);
  binomial<256><<<8, 64>>>(d, f, .06f, .3f, true);
  show("american", f, 8);
  asian<<<4, 128>>>(d, f, f2, 256, 16);
  show("asian", f, 4);
  show("squares", f2, 4);
  std::vector<int> days(n);
  for (auto& x : days) x = (int)(g.next() >> 15) - 60000;
  int* dd = uploaded(days);
  dates<<<3, 64>>>(dd, k, n);
  show("dates", k, n);
  CHECK(cudaDeviceSynchronize());
  for (void* p : owned) CHECK(cudaFree(p));
}
