// All shuffles: modes, widths, types, and lanes out of range.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

__global__ void shuffles(int* out) {
  const int lane = threadIdx.x;
  int row = 0;
  auto put = [&](int v) { out[row++ * 32 + lane] = v; };
  const int v = lane * lane + 1;
  put(__shfl_sync(0xffffffffu, v, 5));
  put(__shfl_sync(0xffffffffu, v, lane ^ 3));
  put(__shfl_sync(0xffffffffu, v, lane + 40));    // taken modulo the width
  put(__shfl_sync(0xffffffffu, v, lane * 3, 8));  // within groups of eight
  put(__shfl_up_sync(0xffffffffu, v, 1));
  put(__shfl_up_sync(0xffffffffu, v, 3, 16));
  put(__shfl_down_sync(0xffffffffu, v, 4));
  put(__shfl_down_sync(0xffffffffu, v, 2, 4));
  put(__shfl_xor_sync(0xffffffffu, v, 16));
  put(__shfl_xor_sync(0xffffffffu, v, 5, 8));
  put(__shfl_xor_sync(0xffffffffu, v, 9, 8));  // crosses the group: own value
  if (lane < 20)
    put(__shfl_sync(0x000fffffu, v, 19 - lane));
  else
    put(__shfl_sync(0xfff00000u, v, 20 + (lane + 1) % 12));
  put(__float_as_int(__shfl_sync(0xffffffffu, v * 0.1f, 31 - lane)));
  const double d = __shfl_down_sync(0xffffffffu, v / 3.0, 1);
  put(__double2loint(d));
  put(__double2hiint(d));
  const long long big = __shfl_xor_sync(0xffffffffu, (long long)v << 33 | lane, 1);
  put((int)(big >> 32));
  put((int)big);
  put((int)__shfl_up_sync(0xffffffffu, (unsigned long)v * 7u, 2));
  const __half2 h = __shfl_sync(0xffffffffu, __floats2half2_rn(lane, -lane), (lane + 1) % 32);
  put(__half_as_ushort(h.x) << 16 | __half_as_ushort(h.y));
  put(__half_as_ushort(__shfl_xor_sync(0xffffffffu, __int2half_rn(lane), 2)));
  put(__bfloat16_as_ushort(__shfl_up_sync(0xffffffffu, __int2bfloat16_rn(lane), 7)));
  // A value goes round in a ring.
  int ring = lane;
  for (int i = 0; i < 10; ++i)
    ring = __shfl_sync(0xffffffffu, ring * 3 + 1, (lane + 1) & 31) & 0xffff;
  put(ring);
  // Only the even lanes take part.
  int even = -1;
  if (lane % 2 == 0) even = __shfl_down_sync(0x55555555u, lane, 2);
  put(even);
}

__global__ void shuffle_predicates(int* out) {
  const int lane = threadIdx.x;
  int v, p;
  asm("{.reg .pred q; shfl.sync.up.b32 %0|q, %2, 3, 0x1800, 0xffffffff; selp.s32 %1, 1, 0, q;}"
      : "=r"(v), "=r"(p)
      : "r"(lane * 2));
  out[lane] = v * 10 + p;
  asm("{.reg .pred q; shfl.sync.down.b32 %0|q, %2, 5, 0x1f, 0xffffffff; selp.s32 %1, 1, 0, q;}"
      : "=r"(v), "=r"(p)
      : "r"(lane * 2));
  out[32 + lane] = v * 10 + p;
  asm("{.reg .pred q; shfl.sync.idx.b32 %0|q, %2, %3, 0x181f, 0xffffffff; selp.s32 %1, 1, 0, q;}"
      : "=r"(v), "=r"(p)
      : "r"(lane * 2), "r"(lane / 3));
  out[64 + lane] = v * 10 + p;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * 32 * sizeof(int));
  shuffles<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int r = 0; r < 23; ++r)
    for (int l = 0; l < 32; ++l) printf("%x%c", out[r * 32 + l], l == 31 ? '\n' : ' ');
  shuffle_predicates<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int r = 0; r < 3; ++r)
    for (int l = 0; l < 32; ++l) printf("%d%c", out[r * 32 + l], l == 31 ? '\n' : ' ');
  cudaFree(out);
}
