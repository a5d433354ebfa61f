// 64- and 128-bit integers: division, high products, shifts, counting, and two small algorithms.
#include <cstdio>

typedef unsigned long long u64;
typedef long long i64;
typedef unsigned __int128 u128;

__global__ void wide(const u64* in, int n, u64* out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n * n) return;
  u64 a = in[t / n], b = in[t % n];
  i64 sa = (i64)a, sb = (i64)b;
  u64* r = out + t * 16;
  r[0] = a * b;
  r[1] = __umul64hi(a, b);
  r[2] = (u64)__mul64hi(sa, sb);
  r[3] = b ? a / b : 1;
  r[4] = b ? a % b : 1;
  r[5] = (sb && !(sb == -1 && sa < -sa)) ? (u64)(sa / sb) : 1;
  r[6] = (sb && sb != -1) ? (u64)(sa % sb) : 1;
  r[7] = a << (b & 63);
  r[8] = a >> (b & 63);
  r[9] = (u64)(sa >> (b & 63));
  r[10] = (u64)__clzll(sa) << 32 | (u64)__popcll(b) << 16 | (u64)__ffsll(sb);
  r[11] = __brevll(a) + b;
  r[12] = min(sa, sb) ^ max(a, b);
  u128 wide_product = (u128)a * b + a;
  r[13] = (u64)(wide_product >> 64);
  r[14] = (u64)(wide_product >> (b & 127));
  r[15] = b ? (u64)((wide_product ^ ((u128)0x1234567 << 70)) / b) : 3;
}

// Miller-Rabin with 128-bit products: deterministic for all 64-bit numbers with these bases.
__device__ u64 power(u64 base, u64 exponent, u64 modulus) {
  u64 result = 1;
  for (base %= modulus; exponent; exponent >>= 1) {
    if (exponent & 1) result = (u64)((u128)result * base % modulus);
    base = (u64)((u128)base * base % modulus);
  }
  return result;
}

__device__ bool is_prime(u64 n) {
  const u64 bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (u64 p : bases)
    if (n % p == 0) return n == p;
  u64 d = n - 1;
  int s = 0;
  while (!(d & 1)) d >>= 1, ++s;
  for (u64 a : bases) {
    u64 x = power(a, d, n);
    if (x == 1 || x == n - 1) continue;
    bool composite = true;
    for (int i = 1; i < s && composite; ++i) {
      x = (u64)((u128)x * x % n);
      if (x == n - 1) composite = false;
    }
    if (composite) return false;
  }
  return true;
}

__global__ void primes(u64 from, unsigned* verdict) {
  bool prime = is_prime(from + threadIdx.x);
  unsigned mask = __ballot_sync(~0u, prime);
  if (threadIdx.x == 0) *verdict = mask;
}

__global__ void fibonacci(u64* out) {
  u128 a = 0, b = 1;
  for (int i = 0; i < 180; ++i) {
    u128 c = a + b;
    a = b;
    b = c;
  }
  out[0] = (u64)(a >> 64);
  out[1] = (u64)a;
  __int128 negative = -(__int128)a;
  out[2] = (u64)(negative >> 65);
  out[3] = (u64)(negative / 1000000007);
  out[4] = (u64)(negative % 1000000007);
}

int main() {
  u64 in[] = {0,
              1,
              3,
              10,
              63,
              64,
              0xffffffffull,
              0x100000000ull,
              0x7fffffffffffffffull,
              0x8000000000000000ull,
              0xfffffffffffffff6ull,
              0xffffffffffffffffull,
              0x123456789abcdef0ull};
  const int n = sizeof in / sizeof *in;
  u64 *d_in, *d_out;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, n * n * 16 * sizeof(u64));
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  wide<<<6, 32>>>(d_in, n, d_out);
  static u64 out[n * n * 16];
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int op = 0; op < 16; ++op) {
    u64 h = 14695981039346656037ull;
    for (int i = 0; i < n * n; ++i) h = (h ^ out[i * 16 + op]) * 1099511628211ull;
    printf("op %2d %016llx  %016llx %016llx\n", op, h, out[44 * 16 + op], out[141 * 16 + op]);
  }
  unsigned* d_verdict;
  cudaMalloc(&d_verdict, 4);
  for (u64 from : {2ull, 1000000000000ull, 18446744073709551521ull}) {
    primes<<<1, 32>>>(from, d_verdict);
    unsigned verdict;
    cudaMemcpy(&verdict, d_verdict, 4, cudaMemcpyDeviceToHost);
    printf("primes from %llu: %08x\n", from, verdict);
  }
  fibonacci<<<1, 1>>>(d_out);
  cudaMemcpy(out, d_out, 5 * sizeof(u64), cudaMemcpyDeviceToHost);
  printf("fibonacci(180) = %016llx%016llx, %llx %llx %llx\n", out[0], out[1], out[2], out[3],
         out[4]);
  cudaFree(d_in), cudaFree(d_out), cudaFree(d_verdict);
}
