// SHA-256, CRC-32 (by bits, by table, combined) and Adler-32 of many messages in parallel.
#include <cstdint>
#include <cstdio>
#include <cstring>

__constant__ uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ uint32_t rotate(uint32_t x, int n) { return __funnelshift_r(x, x, n); }

__device__ void compress(uint32_t* h, const uint8_t* block) {
  uint32_t w[64];
  for (int i = 0; i < 16; ++i) w[i] = __byte_perm(*(const uint32_t*)(block + 4 * i), 0, 0x0123);
  for (int i = 16; i < 64; ++i) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
           (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
  uint32_t s[8];
  for (int i = 0; i < 8; ++i) s[i] = h[i];
  for (int i = 0; i < 64; ++i) {
    const uint32_t t1 = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                        ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[i] + w[i];
    const uint32_t t2 = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
                        ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (int k = 7; k > 0; --k) s[k] = s[k - 1];
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; ++i) h[i] += s[i];
}

__global__ void sha256(const char* text, int length, uint32_t* digests) {
  // Thread t hashes the text followed by its own number's letter.
  uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  alignas(4) uint8_t block[64];
  const int total = length + (threadIdx.x > 0);
  int at = 0, fill = 0;
  bool ended = false, done = false;
  while (!done) {
    for (fill = 0; fill < 64 && at < total; ++fill, ++at)
      block[fill] = at < length ? text[at] : 'a' + threadIdx.x;
    if (fill < 64) {
      const int before = fill;
      if (!ended) block[fill++] = 0x80, ended = true;
      (void)before;
      while (fill < 64) block[fill++] = 0;
      // The length needs eight bytes at the end.
      const int tail = total % 64;
      if (tail < 56 || before == 0) {
        const uint64_t bits = (uint64_t)total * 8;
        for (int i = 0; i < 8; ++i) block[63 - i] = (uint8_t)(bits >> (8 * i));
        done = true;
      }
    }
    compress(h, block);
  }
  for (int i = 0; i < 8; ++i) digests[threadIdx.x * 8 + i] = h[i];
}

__global__ void crc_and_adler(const char* text, int length, uint32_t* out) {
  __shared__ uint32_t table[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  __syncthreads();
  const int n = min(length, (int)threadIdx.x * 7);
  uint32_t bitwise = ~0u, by_table = ~0u, a = 1, b = 0;
  for (int i = 0; i < n; ++i) {
    bitwise ^= (uint8_t)text[i];
    for (int k = 0; k < 8; ++k) bitwise = bitwise >> 1 ^ (0xedb88320u & -(bitwise & 1));
    by_table = table[(by_table ^ text[i]) & 0xff] ^ by_table >> 8;
    a = (a + (uint8_t)text[i]) % 65521;
    b = (b + a) % 65521;
  }
  out[threadIdx.x * 2] = bitwise == by_table ? ~bitwise : 0xbadbad;
  out[threadIdx.x * 2 + 1] = b << 16 | a;
}

int main() {
  const char text[] =
      "The quick brown fox jumps over the lazy dog, and then it jumps back over the same dog "
      "again, lazily.";
  char* d_text;
  uint32_t *d_out, out[256];
  cudaMalloc(&d_text, sizeof text);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_text, text, sizeof text, cudaMemcpyHostToDevice);
  for (int length : {0, 43, 54, 55, 63, 64, 100}) {
    sha256<<<1, 3>>>(d_text, length, d_out);
    cudaMemcpy(out, d_out, 96, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 3; ++t, printf("\n"))
      for (int i = 0; i < 8; ++i) printf("%08x", out[t * 8 + i]);
  }
  crc_and_adler<<<1, 32>>>(d_text, sizeof text - 1, d_out);
  cudaMemcpy(out, d_out, 256, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t) printf("%08x %08x\n", out[t * 2], out[t * 2 + 1]);
  cudaFree(d_text);
  cudaFree(d_out);
}
