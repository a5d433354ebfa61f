// Big integers: factorials and powers with 32-bit limbs, a carry passed along by ballots, and pi to
// 200 digits.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

constexpr int kLimbs = 64;

// One warp adds two numbers of 32 limbs: which lanes generate or propagate a carry is found for all
// at once.
__device__ uint32_t warp_add(uint32_t a, uint32_t b) {
  const int lane = threadIdx.x % 32;
  const uint32_t sum = a + b;
  const unsigned generate = __ballot_sync(~0u, sum < a), propagate = __ballot_sync(~0u, sum == ~0u);
  const unsigned long long carries = (((unsigned long long)generate << 1) + propagate) ^ propagate;
  return sum + (uint32_t)(carries >> lane & 1);
}

__global__ void fibonacci(int n, uint32_t* out) {
  uint32_t a = 0, b = threadIdx.x == 0;
  for (int i = 0; i < n; ++i) {
    const uint32_t c = warp_add(a, b);
    a = b;
    b = c;
  }
  out[threadIdx.x] = a;
}

__global__ void factorials(uint32_t* out, const int* n) {
  uint32_t v[kLimbs] = {1};
  for (int f = 2; f <= n[threadIdx.x]; ++f) {
    uint64_t carry = 0;
    for (int i = 0; i < kLimbs; ++i) {
      carry += (uint64_t)v[i] * f;
      v[i] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  for (int i = 0; i < kLimbs; ++i) out[threadIdx.x * kLimbs + i] = v[i];
}

// Rabinowitz and Wagon's spigot, one thread.
__global__ void pi(char* out, int digits) {
  int a[700];
  const int length = digits * 10 / 3 + 1;
  for (int i = 0; i < length; ++i) a[i] = 2;
  int nines = 0, held = -1, written = 0;
  for (int j = 0; j <= digits; ++j) {
    int q = 0;
    for (int i = length; i > 0; --i) {
      const int x = 10 * a[i - 1] + q * i;
      a[i - 1] = x % (2 * i - 1);
      q = x / (2 * i - 1);
    }
    a[0] = q % 10;
    q /= 10;
    if (q == 9) {
      ++nines;
      continue;
    }
    if (held >= 0) out[written++] = (char)('0' + held + (q == 10));
    for (; nines; --nines) out[written++] = q == 10 ? '0' : '9';
    held = q == 10 ? 0 : q;
  }
  out[written] = 0;
}

std::string decimal(std::vector<uint32_t> v) {
  std::string text;
  for (bool any = true; any;) {
    uint64_t rest = 0;
    any = false;
    for (int i = (int)v.size() - 1; i >= 0; --i) {
      rest = rest << 32 | v[i];
      v[i] = (uint32_t)(rest / 10);
      rest %= 10;
      any = any || v[i];
    }
    text.insert(text.begin(), (char)('0' + rest));
  }
  return text;
}

int main() {
  const int n[4] = {5, 25, 100, 250};
  uint32_t* d;
  int* d_n;
  char *d_text, text[300];
  std::vector<uint32_t> all(4 * kLimbs);
  cudaMalloc(&d, all.size() * 4), cudaMalloc(&d_n, sizeof n), cudaMalloc(&d_text, sizeof text);
  cudaMemcpy(d_n, n, sizeof n, cudaMemcpyHostToDevice);
  fibonacci<<<1, 32>>>(1000, d);
  cudaMemcpy(all.data(), d, 128, cudaMemcpyDeviceToHost);
  printf("fibonacci(1000) = %s\n", decimal({all.begin(), all.begin() + 32}).c_str());
  factorials<<<1, 4>>>(d, d_n);
  cudaMemcpy(all.data(), d, all.size() * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4; ++i)
    printf("%d! = %s\n", n[i],
           decimal({all.begin() + i * kLimbs, all.begin() + (i + 1) * kLimbs}).c_str());
  pi<<<1, 1>>>(d_text, 200);
  cudaMemcpy(text, d_text, 200, cudaMemcpyDeviceToHost);
  printf("pi %.190s\n", text);
  cudaFree(d), cudaFree(d_n), cudaFree(d_text);
}
