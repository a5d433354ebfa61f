// The kernels that textbooks and courses begin with: element by element, by strides, through tiles,
// sums, scans, sorting, sparse rows, simulations. One launch each, as a student writes them.
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

__device__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void saxpy(float* y, const float* x, int n) {
  const int i = place();
  if (i < n) y[i] = 2 * x[i] + y[i];
}

__global__ void saxpy_by_strides(float* y, const float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = 2 * x[i] + y[i];
}

__global__ void bytes_flipped(unsigned char* y, const unsigned char* x, int n) {
  const int i = place();
  if (i < n) y[i] = x[i] ^ 7;
}

__global__ void doubles(double* y, const double* x, int n) {
  const int i = place();
  if (i < n) y[i] = x[i] * 1.5;
}

__global__ void shifted(float* y, const float* x, int n) {
  const int i = place();
  if (i + 3 < n) y[i] = x[i + 3];
}

__global__ void strided(float* y, const float* x, int n) {
  const int i = place();
  y[i] = x[(i * 7) % n];
}

__global__ void scatter(float* o, const float* x, const int* p, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    o[p[i]] = x[i];
}

__global__ void gather(float* o, const float* x, const int* p, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    o[i] = x[p[i]];
}

__global__ void transpose_naive(float* o, const float* x, int w) {
  int a = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 32 + threadIdx.y;
  o[a * w + b] = x[b * w + a];
}

__global__ void transpose_tile(float* o, const float* x, int w) {
  __shared__ float t[32][33];
  int a = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) t[threadIdx.y + j][threadIdx.x] = x[(b + j) * w + a];
  __syncthreads();
  a = blockIdx.y * 32 + threadIdx.x;
  b = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) o[(b + j) * w + a] = t[threadIdx.x][threadIdx.y + j];
}

__global__ void product(float* c, const float* a, const float* b, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}

__global__ void product_of_tiles(float* c, const float* a, const float* b, int n) {
  __shared__ float A[16][16], B[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float s = 0;
  for (int t = 0; t < n; t += 16) {
    A[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
    B[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; k++) s += A[threadIdx.y][k] * B[k][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = s;
}

__global__ void stencil_2d(float* o, const float* x, int w) {
  int a = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 8 + threadIdx.y;
  if (a > 0 && b > 0 && a < w - 1 && b < w - 1)
    o[b * w + a] = 0.2f * (x[b * w + a] + x[b * w + a - 1] + x[b * w + a + 1] + x[(b - 1) * w + a] +
                           x[(b + 1) * w + a]);
}

__global__ void stencil_1d_shared(float* o, const float* x, int n) {
  __shared__ float t[256 + 6];
  const int i = place();
  int l = threadIdx.x + 3;
  t[l] = x[i];
  if (threadIdx.x < 3) {
    t[l - 3] = i >= 3 ? x[i - 3] : 0;
    t[l + 256] = i + 256 < n ? x[i + 256] : 0;
  }
  __syncthreads();
  float s = 0;
  for (int k = -3; k <= 3; k++) s += t[l + k];
  o[i] = s;
}

__global__ void stencil_3d(float* o, const float* x, int w) {
  int a = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 8 + threadIdx.y;
  if (a > 0 && b > 0 && a < w - 1 && b < w - 1)
    for (int c = 1; c < w - 1; c++) {
      int q = (c * w + b) * w + a;
      o[q] = x[q] * -6 + x[q - 1] + x[q + 1] + x[q - w] + x[q + w] + x[q - w * w] + x[q + w * w];
    }
}

__global__ void life(unsigned char* o, const unsigned char* x, int w) {
  int a = blockIdx.x * 32 + threadIdx.x, b = blockIdx.y * 8 + threadIdx.y;
  int s = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) s += x[((b + j + w) % w) * w + (a + i + w) % w];
  int me = x[b * w + a];
  s -= me;
  o[b * w + a] = s == 3 || (me && s == 2);
}

__global__ void histogram(int* h, const int* x, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&s[x[i] & 255], 1);
  __syncthreads();
  atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}

__global__ void sum_in_shared_memory(float* o, const float* x, int n) {
  __shared__ float s[256];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int k = 128; k; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (!threadIdx.x) o[blockIdx.x] = s[0];
}

__global__ void sum_with_idle_lanes(float* o, const float* x, int n) {
  __shared__ float s[256];
  const int i = place();
  s[threadIdx.x] = x[i];
  __syncthreads();
  for (int k = 1; k < 256; k *= 2) {
    if (threadIdx.x % (2 * k) == 0) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (!threadIdx.x) o[blockIdx.x] = s[0];
}

__global__ void sum_by_shuffles(float* o, const float* x, int n) {
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  for (int k = 16; k; k /= 2) v += __shfl_xor_sync(~0u, v, k);
  if (threadIdx.x % 32 == 0) atomicAdd(o, v);
}

__global__ void scan_hillis_steele(float* o, const float* x, int n) {
  __shared__ float s[2][256];
  int p = 0, t = threadIdx.x;
  const int i = place();
  s[0][t] = x[i];
  __syncthreads();
  for (int k = 1; k < 256; k *= 2) {
    p ^= 1;
    s[p][t] = s[p ^ 1][t] + (t >= k ? s[p ^ 1][t - k] : 0);
    __syncthreads();
  }
  o[i] = s[p][t];
}

__global__ void scan_blelloch(float* o, const float* x, int n) {
  __shared__ float s[512];
  int t = threadIdx.x, b = blockIdx.x * 512;
  s[2 * t] = x[b + 2 * t];
  s[2 * t + 1] = x[b + 2 * t + 1];
  int of = 1;
  for (int d = 256; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
      int a = of * (2 * t + 1) - 1, c = of * (2 * t + 2) - 1;
      s[c] += s[a];
    }
    of *= 2;
  }
  if (!t) s[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    of /= 2;
    __syncthreads();
    if (t < d) {
      int a = of * (2 * t + 1) - 1, c = of * (2 * t + 2) - 1;
      float q = s[a];
      s[a] = s[c];
      s[c] += q;
    }
  }
  __syncthreads();
  o[b + 2 * t] = s[2 * t];
  o[b + 2 * t + 1] = s[2 * t + 1];
}

__global__ void bitonic_step(int* x, int j, int k) {
  const int i = place();
  int l = i ^ j;
  if (l > i) {
    int a = x[i], b = x[l];
    if ((i & k) == 0 ? a > b : a < b) {
      x[i] = b;
      x[l] = a;
    }
  }
}

__global__ void bitonic_in_a_block(int* x) {
  __shared__ int s[512];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 512 + t];
  __syncthreads();
  for (int k = 2; k <= 512; k *= 2)
    for (int j = k / 2; j; j /= 2) {
      int l = t ^ j;
      if (l > t) {
        int a = s[t], b = s[l];
        if ((t & k) == 0 ? a > b : a < b) {
          s[t] = b;
          s[l] = a;
        }
      }
      __syncthreads();
    }
  x[blockIdx.x * 512 + t] = s[t];
}

__global__ void mandelbrot(unsigned char* o, int w) {
  int a = blockIdx.x * 16 + threadIdx.x, b = blockIdx.y * 16 + threadIdx.y;
  float cx = -2 + 3.f * a / w, cy = -1.5f + 3.f * b / w, x = 0, y = 0;
  int k = 0;
  for (; k < 200 && x * x + y * y < 4; k++) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
  }
  o[b * w + a] = k;
}

__global__ void gravity(float4* p, float4* v, int n) {
  const int i = place();
  float4 me = p[i];
  float ax = 0, ay = 0, az = 0;
  __shared__ float4 s[256];
  for (int t = 0; t < n; t += 256) {
    s[threadIdx.x] = p[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; k++) {
      float dx = s[k].x - me.x, dy = s[k].y - me.y, dz = s[k].z - me.z,
            r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
      r = r * r * r * s[k].w;
      ax += dx * r;
      ay += dy * r;
      az += dz * r;
    }
    __syncthreads();
  }
  v[i] = make_float4(ax, ay, az, 0);
}

__global__ void sparse_rows(float* y, const int* row, const int* col, const float* val,
                            const float* x, int n) {
  const int r = place();
  if (r < n) {
    float s = 0;
    for (int k = row[r]; k < row[r + 1]; k++) s += val[k] * x[col[k]];
    y[r] = s;
  }
}

__global__ void sparse_rows_by_warp(float* y, const int* row, const int* col, const float* val,
                                    const float* x, int n) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x & 31;
  if (r < n) {
    float s = 0;
    for (int k = row[r] + l; k < row[r + 1]; k += 32) s += val[k] * x[col[k]];
    for (int o = 16; o; o /= 2) s += __shfl_down_sync(~0u, s, o);
    if (!l) y[r] = s;
  }
}

__global__ void follow_links(int* o, const int* next, int n) {
  const int i = place();
  int p = i;
  for (int k = 0; k < 16; k++) p = next[p];
  o[i] = p;
}

__global__ void find_text(int* o, const char* t, const char* p, int m, int n) {
  const int i = place();
  if (i + m <= n) {
    int k = 0;
    while (k < m && t[i + k] == p[k]) k++;
    if (k == m) atomicAdd(o, 1);
  }
}

struct Particle {
  float a, b, c, d, e, f, g;
};

__global__ void array_of_structures(Particle* s, int n) {
  const int i = place();
  s[i].a += s[i].d;
  s[i].b += s[i].e;
  s[i].c += s[i].f;
}

__global__ void structure_of_arrays(float* a, int n) {
  const int i = place();
  a[i] += a[i + 3 * n];
  a[i + n] += a[i + 4 * n];
  a[i + 2 * n] += a[i + 5 * n];
}

__global__ void counts_in_local_array(int* o, const int* x, int n) {
  const int i = place();
  int h[16] = {};
  for (int k = 0; k < 16; k++) h[x[(i + k) % n] & 15]++;
  int s = 0;
  for (int k = 0; k < 16; k++) s = s * 3 + h[k];
  o[i] = s;
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void fibonacci_numbers(int* o, int n) {
  const int i = place();
  o[i] = fibonacci(i % 8 + 4);
}

__global__ void half_pairs(__half2* y, const __half2* x, int n) {
  const int i = place();
  if (i < n) y[i] = __hfma2(x[i], x[i], y[i]);
}

__global__ void wide_vectors(float4* y, const float4* x, int n) {
  const int i = place();
  if (i < n) {
    float4 v = x[i];
    v.x *= 2;
    v.y *= 3;
    v.z *= 4;
    v.w *= 5;
    y[i] = v;
  }
}

__global__ void convolution(float* o, const float* x, const float* k, int w) {
  int a = blockIdx.x * 16 + threadIdx.x, b = blockIdx.y * 16 + threadIdx.y;
  float s = 0;
  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++) {
      int p = a + i, q = b + j;
      if (p >= 0 && q >= 0 && p < w && q < w) s += x[q * w + p] * k[(j + 2) * 5 + i + 2];
    }
  o[b * w + a] = s;
}

__global__ void monte_carlo(float* o, int n) {
  const int i = place();
  unsigned s = i * 747796405u + 2891336453u;
  int in = 0;
  for (int k = 0; k < 100; k++) {
    s = s * 1664525u + 1013904223u;
    float x = (s >> 8) * (1.f / 16777216);
    s = s * 1664525u + 1013904223u;
    float y = (s >> 8) * (1.f / 16777216);
    in += x * x + y * y < 1;
  }
  o[i] = in;
}

__global__ void count_primes(int* o, int n) {
  const int i = place();
  int c = i > 1;
  for (int d = 2; d * d <= i; d++)
    if (i % d == 0) {
      c = 0;
      break;
    }
  if (c) atomicAdd(o, 1);
}

__global__ void radix_digits(int* cnt, const int* x, int sh, int n) {
  __shared__ int c[16][256];
  for (int k = 0; k < 16; k++) c[k][threadIdx.x] = 0;
  const int i = place();
  c[(x[i] >> sh) & 15][threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x < 16) {
    int s = 0;
    for (int k = 0; k < 256; k++) s += c[threadIdx.x][k];
    cnt[threadIdx.x * gridDim.x + blockIdx.x] = s;
  }
}
/// The hash of a kernel's results.
unsigned fingerprint(const char* bytes, std::size_t size) {
  unsigned hash = 2166136261u;
  for (std::size_t i = 0; i < size; ++i)
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 16777619u;
  return hash;
}

int main() {
  constexpr int n = 1 << 13, width = 64, rows = 500;
  constexpr std::size_t bytes = n * 32;
  std::mt19937 random(1);
  std::vector<int> order(n), values(n), starts(rows + 1), columns(n);
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
  for (int& value : values) value = random() & 0xffff;
  for (int& column : columns) column = random() % rows;
  for (int r = 0; r < rows; ++r) starts[r + 1] = starts[r] + 8;
  std::vector<float> small(bytes / 4);
  for (float& value : small) value = static_cast<float>(random() % 9) - 4;
  const auto uploaded = [](const auto& from) {
    void* to;
    cudaMalloc(&to, from.size() * sizeof from[0]);
    cudaMemcpy(to, from.data(), from.size() * sizeof from[0], cudaMemcpyHostToDevice);
    return to;
  };
  auto* const o = static_cast<int*>(uploaded(order));
  auto* const v = static_cast<int*>(uploaded(values));
  auto* const at = static_cast<int*>(uploaded(starts));
  auto* const of = static_cast<int*>(uploaded(columns));
  auto* const x = static_cast<float*>(uploaded(small));
  char* made;
  cudaMalloc(&made, bytes);
  std::vector<char> back(bytes);
  const auto show = [&](const char* name, auto launch) {
    cudaMemset(made, 0, bytes);
    launch();
    cudaMemcpy(back.data(), made, bytes, cudaMemcpyDeviceToHost);
    std::printf("%-24s %08x %s\n", name, fingerprint(back.data(), bytes),
                cudaGetErrorName(cudaGetLastError()));
  };
#define SHOW(kernel, grid, block, ...) show(#kernel, [&] { kernel<<<grid, block>>>(__VA_ARGS__); })
  auto* const f = reinterpret_cast<float*>(made);
  auto* const i = reinterpret_cast<int*>(made);
  auto* const u = reinterpret_cast<unsigned char*>(made);
  const int blocks = n / 256;
  const dim3 tile(16, 16), wide(32, 8);
  SHOW(saxpy, blocks, 256, f, x, n - 3);
  SHOW(saxpy_by_strides, 7, 96, f, x, n - 3);
  SHOW(bytes_flipped, blocks, 256, u, reinterpret_cast<unsigned char*>(v), n - 5);
  SHOW(doubles, blocks, 256, reinterpret_cast<double*>(made), reinterpret_cast<double*>(x), n);
  SHOW(shifted, blocks, 256, f, x, n);
  SHOW(strided, blocks, 256, f, x, n);
  SHOW(scatter, 5, 128, f, x, o, n);
  SHOW(gather, 5, 128, f, x, o, n);
  SHOW(transpose_naive, dim3(2, 2), dim3(32, 32), f, x, width);
  SHOW(transpose_tile, dim3(2, 2), wide, f, x, width);
  SHOW(product, dim3(4, 4), tile, f, x, x + n, width);
  SHOW(product_of_tiles, dim3(4, 4), tile, f, x, x + n, width);
  SHOW(stencil_2d, dim3(2, 8), wide, f, x, width);
  SHOW(stencil_1d_shared, blocks, 256, f, x, n);
  SHOW(stencil_3d, dim3(1, 3), wide, f, x, 20);
  SHOW(life, dim3(2, 8), wide, u, reinterpret_cast<unsigned char*>(v), width);
  SHOW(histogram, 5, 256, i, v, n);
  SHOW(sum_in_shared_memory, 5, 256, f, x, n);
  SHOW(sum_with_idle_lanes, blocks, 256, f, x, n);
  SHOW(sum_by_shuffles, 5, 256, f, x, n);
  SHOW(scan_hillis_steele, blocks, 256, f, x, n);
  SHOW(scan_blelloch, n / 512, 256, f, x, n);
  show("bitonic_step", [&] {
    cudaMemcpy(i, v, n * 4, cudaMemcpyDeviceToDevice);
    bitonic_step<<<blocks, 256>>>(i, 1, 2);
    bitonic_step<<<blocks, 256>>>(i, 64, 128);
  });
  show("bitonic_in_a_block", [&] {
    cudaMemcpy(i, v, n * 4, cudaMemcpyDeviceToDevice);
    bitonic_in_a_block<<<3, 512>>>(i);
  });
  SHOW(mandelbrot, dim3(3, 3), tile, u, 48);
  SHOW(gravity, 2, 256, reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(made), 512);
  SHOW(sparse_rows, 4, 128, f, at, of, x, x, rows);
  SHOW(sparse_rows_by_warp, 63, 256, f, at, of, x, x, rows);
  SHOW(follow_links, blocks / 4, 256, i, o, n / 4);
  SHOW(find_text, blocks, 256, i, reinterpret_cast<char*>(x), reinterpret_cast<char*>(x) + 400, 5,
       n);
  show("array_of_structures", [&] {
    cudaMemcpy(f, x, bytes, cudaMemcpyDeviceToDevice);
    array_of_structures<<<blocks, 256>>>(reinterpret_cast<Particle*>(made), n);
  });
  show("structure_of_arrays", [&] {
    cudaMemcpy(f, x, bytes, cudaMemcpyDeviceToDevice);
    structure_of_arrays<<<blocks / 8, 256>>>(f, n / 8);
  });
  SHOW(counts_in_local_array, blocks / 4, 256, i, v, n);
  SHOW(fibonacci_numbers, 2, 96, i, n);
  SHOW(half_pairs, blocks, 256, reinterpret_cast<__half2*>(made), reinterpret_cast<__half2*>(v), n);
  SHOW(wide_vectors, blocks / 2, 256, reinterpret_cast<float4*>(made), reinterpret_cast<float4*>(x),
       n / 2);
  SHOW(convolution, dim3(4, 4), tile, f, x, x + n, width);
  SHOW(monte_carlo, 3, 128, f, n);
  SHOW(count_primes, blocks / 4, 256, i, n);
  SHOW(radix_digits, blocks, 256, i, v, 4, n);
  for (void* array : {static_cast<void*>(o), static_cast<void*>(v), static_cast<void*>(at),
                      static_cast<void*>(of), static_cast<void*>(x), static_cast<void*>(made)})
    cudaFree(array);
}
