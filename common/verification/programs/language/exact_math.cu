// Functions of the math library whose results are exact: printed bit for bit.
#include <cmath>
#include <cstdio>

template <typename T>
struct Row {
  T value[24];
  int integer[8];
};

template <typename T>
__global__ void exact(const T* in, int n, Row<T>* rows) {
  const int i = blockIdx.x;
  const int j = threadIdx.x;
  const T x = in[i], y = in[j];
  Row<T>& r = rows[i * n + j];
  int exponent = 0, quotient = 0;
  T whole = 0;
  int k = 0;
  r.value[k++] = fmod(x, y);
  r.value[k++] = remainder(x, y);
  r.value[k++] = remquo(x, y, &quotient);
  r.value[k++] = ldexp(x, j * 9 - 60);
  r.value[k++] = scalbn(x, -j);
  r.value[k++] = frexp(x, &exponent);
  r.value[k++] = modf(x, &whole);
  r.value[k++] = whole;
  r.value[k++] = logb(x);
  r.value[k++] = nextafter(x, y);
  r.value[k++] = rint(x);
  r.value[k++] = nearbyint(x);
  r.value[k++] = floor(x);
  r.value[k++] = ceil(x);
  r.value[k++] = trunc(x);
  r.value[k++] = round(x);
  r.value[k++] = fmin(x, y);
  r.value[k++] = fmax(x, y);
  r.value[k++] = fdim(x, y);
  r.value[k++] = copysign(x, y);
  r.value[k++] = fabs(x);
  r.value[k++] = fma(x, y, x);
  r.value[k++] = sqrt(fabs(x));
  r.value[k++] = x / y;
  r.integer[0] = isfinite(x) ? ilogb(x) : 0;
  r.integer[1] = exponent;
  r.integer[2] = isfinite(x) && y != 0 && !isnan(y) ? quotient & 7 : 0;
  r.integer[3] = signbit(x) != 0;
  r.integer[4] = isnan(x) + 2 * isinf(x) + 4 * isfinite(x);
  r.integer[5] = fabs(x) < T(1e9) ? (int)lrint(x) : 0;
  r.integer[6] = fabs(x) < T(1e9) ? (int)llround(x) : 0;
  r.integer[7] = !(x < y || x >= y) + 2 * (x > y) + 4 * (x < y || x > y);
}

template <typename T>
void run(const char* name, const T* in, int n) {
  T* d_in;
  Row<T>* rows;
  cudaMalloc(&d_in, n * sizeof(T));
  cudaMallocManaged(&rows, n * n * sizeof(Row<T>));
  cudaMemcpy(d_in, in, n * sizeof(T), cudaMemcpyHostToDevice);
  exact<T><<<n, n>>>(d_in, n, rows);
  cudaDeviceSynchronize();
  for (int k = 0; k < 24; ++k) {
    unsigned long long hash = 0;
    for (int i = 0; i < n * n; ++i) {
      const T v = rows[i].value[k];
      unsigned long long bits = 0;
      if (v == v) __builtin_memcpy(&bits, &v, sizeof v);  // every NaN counts as the same
      hash = hash * 1000003 + bits;
    }
    printf("%s %2d %016llx", name, k, hash);
    for (int i = 3; i < n * n; i += 41) {
      const double v = (double)rows[i].value[k];
      if (v != v)
        printf(" nan");
      else
        printf(" %a", v);
    }
    printf("\n");
  }
  for (int k = 0; k < 8; ++k) {
    printf("%s integer %d:", name, k);
    for (int i = 0; i < n * n; i += 5) printf(" %d", rows[i].integer[k]);
    printf("\n");
  }
  cudaFree(d_in);
  cudaFree(rows);
}

int main() {
  const double d[] = {
      0.0,  -0.0,   0.5,      -0.5, 1.5, -2.5, 3.0, 7.25, -100.75, 1e-310, 4503599627370497.5,
      1e22, -1e300, INFINITY, NAN};
  float f[15];
  for (int i = 0; i < 15; ++i) f[i] = (float)d[i];
  f[9] = 1e-40f;
  f[12] = -1e38f;
  run("double", d, 15);
  run("float", f, 15);
}
