// An FFT over the integers modulo 998244353, used to multiply polynomials exactly.
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr uint32_t P = 998244353;

__host__ __device__ uint32_t multiply(uint32_t a, uint32_t b) {
  return (uint32_t)((uint64_t)a * b % P);
}

__host__ __device__ uint32_t power(uint32_t b, uint32_t e) {
  uint32_t r = 1;
  for (; e; e >>= 1, b = multiply(b, b))
    if (e & 1) r = multiply(r, b);
  return r;
}

__global__ void transform(uint32_t* x, int log_n, uint32_t root) {
  extern __shared__ uint32_t s[];
  const int n = 1 << log_n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[__brev(i) >> (32 - log_n)] = x[i];
  __syncthreads();
  for (int half = 1; half < n; half *= 2) {
    const uint32_t w = power(root, n / (2 * half));
    for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
      const int j = i % half, at = (i / half) * 2 * half + j;
      const uint32_t u = s[at], v = multiply(s[at + half], power(w, j));
      s[at] = u + v >= P ? u + v - P : u + v;
      s[at + half] = u >= v ? u - v : u + P - v;
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = s[i];
}

__global__ void pointwise(uint32_t* a, const uint32_t* b, uint32_t scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = multiply(multiply(a[i], b[i]), scale);
}

int main() {
  const int log_n = 9, n = 1 << log_n;
  std::vector<uint32_t> a(n, 0), b(n, 0), c(n);
  for (int i = 0; i < n / 2; ++i) a[i] = i * i + 1, b[i] = 1000 - i;
  uint32_t *d_a, *d_b;
  cudaMalloc(&d_a, n * 4), cudaMalloc(&d_b, n * 4);
  cudaMemcpy(d_a, a.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), n * 4, cudaMemcpyHostToDevice);
  const uint32_t root = power(3, (P - 1) / n);
  transform<<<1, 128, n * 4>>>(d_a, log_n, root);
  transform<<<1, 256, n * 4>>>(d_b, log_n, root);
  pointwise<<<n / 64, 64>>>(d_a, d_b, power(n, P - 2));
  transform<<<1, 128, n * 4>>>(d_a, log_n, power(root, P - 2));
  cudaMemcpy(c.data(), d_a, n * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int k = 0; k < n; ++k) {
    uint64_t sum = 0;
    for (int i = 0; i <= k; ++i)
      if (i < n / 2 && k - i < n / 2) sum = (sum + (uint64_t)a[i] * b[k - i]) % P;
    wrong += sum != c[k];
  }
  printf("%d wrong; %u %u %u\n", wrong, c[0], c[100], c[500]);
  cudaFree(d_a), cudaFree(d_b);
}
