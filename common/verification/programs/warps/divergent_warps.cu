// Shuffles, votes and matches under divergence, masks computed meanwhile, loops of different
// lengths, fallthrough and goto.
#include <cstdio>
__device__ int collatz(int n) {
  int c = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    if (++c > 500) break;
  }
  return c;
}
__device__ __noinline__ int early(int t, int d) {
  if (d == 0 || t % (d + 1) == 1) return t;
  for (int i = 0; i < d; ++i) {
    if (t == i * 3) return early(t / 2, d - 1) + 1;
    if ((t ^ i) % 5 == 4) continue;
    if (i > 6) break;
  }
  return early(t + 1, d - 1) * 2;
}
__global__ void go(int* out) {
  const int t = threadIdx.x, l = t & 31;
  int k = 0;
#define PUT(v) out[(k++) * 128 + t] = (v)
  PUT(collatz(t + 1));
  PUT(early(t, 5));
  unsigned full = 0xffffffff;
  {
    unsigned m = __ballot_sync(full, l % 3 != 1);
    int v = -1;
    if (l % 3 != 1) {
      int src = __ffs(m) - 1;
      v = __shfl_sync(m, t * 2, src) + __reduce_add_sync(m, l) + __popc(__match_any_sync(m, l / 6));
    }
    PUT(v);
  }
  {
    int v = 0;
    unsigned todo = full;
    while (true) {
      int leader = __ffs(todo) - 1;
      int key = __shfl_sync(todo, t * 7 % 5, leader);
      bool same = key == t * 7 % 5;
      unsigned peers = __ballot_sync(todo, same);
      if (same) {
        v = key * 100 + __popc(peers & ((1u << l) - 1));
        break;
      }
      todo &= ~peers;
    }
    PUT(v);
  }
  {
    int v = t;
    switch (t % 9) {
      case 0:
        v += 1;
      case 1:
        v *= 2;
        break;
      case 2: {
        for (int i = 0; i < l; ++i)
          if (i * i > l) {
            v -= i;
            goto done;
          }
        v = 7;
      }
      case 3:
        v ^= 55;
      default:
        v += 1000;
        break;
      case 7:
      return_path:
        v = -v;
    }
    if (v > 1020 && v % 2) {
      v -= 500;
      goto return_path;
    }
  done:
    PUT(v);
  }
  {
    int v = 0;
    for (int i = 0; i < 5; ++i) {
      if (l >= i * 4) {
        unsigned m = __activemask();
        m = __ballot_sync(full << i * 4, 1);
        v += __popc(m) * (i + 1);
        __syncwarp(m);
      }
    }
    PUT(v);
  }
  {
    int x = (t * 37) % 101;
    for (int size = 2; size <= 32; size *= 2)
      for (int st = size / 2; st; st /= 2) {
        int o = __shfl_xor_sync(full, x, st);
        bool up = (l & size) == 0, low = (l & st) == 0;
        x = (low == up) ? min(x, o) : max(x, o);
      }
    PUT(x);
  }
  {
    int x = l + 1;
    for (int d = 1; d < 32; d *= 2) {
      int o = __shfl_up_sync(full, x, d, 8);
      if (l % 8 >= d) x += o;
    }
    PUT(x);
    PUT(__shfl_down_sync(full, x, 3, 16));
    PUT(__shfl_sync(full, x, l * 5, 4));
    PUT(__shfl_sync(full, x, -1));
    PUT(__shfl_up_sync(full, t, 40));
  }
  {
    long long v = __shfl_xor_sync(full, (long long)t << 33 | l, 17);
    PUT((int)(v >> 30));
    double d = __shfl_sync(full, t * 0.25, l ^ 3);
    PUT((int)(d * 4));
    int pred;
    unsigned m = __match_all_sync(full, t / 64, &pred);
    PUT((int)m + pred);
    m = __match_all_sync(full, t / 16, &pred);
    PUT((int)m + pred);
    m = __match_any_sync(full, (long long)(t % 5) << 40);
    PUT((int)m);
    m = __match_any_sync(full, l < 4 ? 0.f : -0.f);
    PUT((int)m);
  }
  {
    PUT(__reduce_max_sync(full, l ^ 21) + __reduce_min_sync(full, (int)(l * 7 % 31) - 15));
    PUT((int)(__reduce_and_sync(full, ~(1u << l % 9)) + __reduce_xor_sync(full, t * 77) +
              __reduce_or_sync(full, 1u << l % 7)));
  }
  {
    int v = 0;
    if (l < 20) {
      if (l % 2) {
        v = __any_sync(__ballot_sync(0x000fffffu & 0xaaaaaaaau, 1), l == 7) * 3;
      } else {
        v = __all_sync(0x55555u, l < 20) * 5;
      }
      __syncwarp(0xfffff);
      v += __shfl_sync(0xfffff, v, (l + 1) % 20) * 10;
    }
    PUT(v);
  }
  if (t == 0) printf("%d rows\n", k);
  if (l > 25) return;
  unsigned rest = __ballot_sync(0x3ffffff, 1);
  PUT(__popc(rest));
  if (t > 100) return;
  __syncthreads();
  PUT(t);
}
int main() {
  int* d;
  static int h[32 * 128];
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  go<<<1, 128>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDefault);
  for (int k = 0; k < 27; ++k) {
    unsigned x = 0;
    for (int i = 0; i < 128; ++i) x = x * 31 + h[k * 128 + i];
    printf("%d %08x %d %d %d\n", k, x, h[k * 128 + 1], h[k * 128 + 30], h[k * 128 + 77]);
  }
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
}
