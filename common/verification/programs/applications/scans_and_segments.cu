// Prefix sums in several styles: Hillis and Steele, Blelloch, by warps, over segments, of a
// non-commutative product.
#include <cstdio>
#include <vector>

constexpr int kBlock = 256;

__global__ void hillis_steele(const int* in, int* out) {
  __shared__ int s[2][kBlock];
  const int t = threadIdx.x;
  int from = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[t] = s[from][t];
}

__global__ void blelloch(const int* in, int* out) {
  __shared__ int s[2 * kBlock];
  const int t = threadIdx.x;
  s[2 * t] = in[2 * t], s[2 * t + 1] = in[2 * t + 1];
  int offset = 1;
  for (int d = kBlock; d > 0; d >>= 1, offset *= 2) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
  }
  if (t == 0) s[2 * kBlock - 1] = 0;
  for (int d = 1; d < 2 * kBlock; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, v = s[a];
      s[a] = s[b];
      s[b] += v;
    }
  }
  __syncthreads();
  out[2 * t] = s[2 * t], out[2 * t + 1] = s[2 * t + 1];
}

struct Flagged {
  int value, head;
};

__device__ Flagged join(Flagged a, Flagged b) {
  return {b.head ? b.value : a.value + b.value, a.head | b.head};
}

__global__ void segmented(const int* in, const unsigned char* heads, int* out, int n) {
  __shared__ Flagged ends[kBlock / 32];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  Flagged v = t < n ? Flagged{in[t], heads[t]} : Flagged{0, 0};
  for (int d = 1; d < 32; d <<= 1) {
    const Flagged up = {__shfl_up_sync(~0u, v.value, d), __shfl_up_sync(~0u, v.head, d)};
    if (lane >= d) v = join(up, v);
  }
  if (lane == 31) ends[warp] = v;
  __syncthreads();
  if (warp == 0) {
    Flagged e = lane < kBlock / 32 ? ends[lane] : Flagged{0, 0};
    for (int d = 1; d < kBlock / 32; d <<= 1) {
      const Flagged up = {__shfl_up_sync(~0u, e.value, d), __shfl_up_sync(~0u, e.head, d)};
      if (lane >= d) e = join(up, e);
    }
    if (lane < kBlock / 32) ends[lane] = e;
  }
  __syncthreads();
  if (warp > 0) v = join(ends[warp - 1], v);
  if (t < n) out[t] = v.value;
}

// Products of 2 x 2 matrices modulo 65521: the order matters.
struct Mat {
  unsigned a, b, c, d;
};
__device__ Mat operator*(const Mat& x, const Mat& y) {
  const unsigned p = 65521;
  return {(x.a * y.a + x.b * y.c % p) % p, (x.a * y.b % p + x.b * y.d) % p,
          (x.c * y.a % p + x.d * y.c) % p, (x.c * y.b % p + x.d * y.d % p) % p};
}

__global__ void products(Mat* out) {
  __shared__ Mat s[64];
  const unsigned t = threadIdx.x;
  Mat m = {t % 7 + 1, t % 5, t % 3, t % 11 + 1};
  s[t] = m;
  for (unsigned d = 1; d < 64; d *= 2) {
    __syncthreads();
    const Mat left = t >= d ? s[t - d] : Mat{1, 0, 0, 1};
    __syncthreads();
    m = left * m;
    s[t] = m;
  }
  out[t] = m;
}

int main() {
  const int n = 512;
  std::vector<int> in(n), out(n);
  std::vector<unsigned char> heads(n);
  for (int i = 0; i < n; ++i) in[i] = i * 31 % 17 - 5, heads[i] = i * i % 13 == 1;
  int *d_in, *d_out;
  unsigned char* d_heads;
  cudaMalloc(&d_in, n * 4), cudaMalloc(&d_out, n * 4), cudaMalloc(&d_heads, n);
  cudaMemcpy(d_in, in.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d_heads, heads.data(), n, cudaMemcpyHostToDevice);
  auto show = [&](const char* name, int count) {
    cudaMemcpy(out.data(), d_out, count * 4, cudaMemcpyDeviceToHost);
    unsigned h = 0;
    for (int i = 0; i < count; ++i) h = h * 31 + out[i];
    printf("%-14s %08x: %d %d %d\n", name, h, out[1], out[count / 2], out[count - 1]);
  };
  hillis_steele<<<1, kBlock>>>(d_in, d_out);
  show("hillis_steele", kBlock);
  blelloch<<<1, kBlock>>>(d_in, d_out);
  show("blelloch", n);
  segmented<<<1, kBlock>>>(d_in, d_heads, d_out, 250);
  show("segmented", 250);
  products<<<1, 64>>>((Mat*)d_out);
  show("products", 256);
  cudaFree(d_in), cudaFree(d_out), cudaFree(d_heads);
}
