// mma.sync in all its dense shapes by inline PTX, ldmatrix and stmatrix. Elements are small
// integers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>

__device__ uint32_t pack_half(int a, int b) {
  return (uint32_t)__half_as_ushort(__int2half_rn(a)) | (uint32_t)__half_as_ushort(__int2half_rn(b))
                                                            << 16;
}
__device__ uint32_t pack_bf16(int a, int b) {
  return (uint32_t)__bfloat16_as_ushort(__int2bfloat16_rn(a)) |
         (uint32_t)__bfloat16_as_ushort(__int2bfloat16_rn(b)) << 16;
}
__device__ uint32_t pack_bytes(int v) {
  return (v & 127) | ((v * 3) & 127) << 8 | ((v * 7) & 255) << 16 | (uint32_t)((v * 5) & 255) << 24;
}
__device__ int value(int lane, int register_index, int salt) {
  return (lane * 5 + register_index * 3 + salt) % 9 - 4;
}

#define HALVES(name, text)                                                          \
  asm volatile(text                                                                 \
               : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])                     \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
  for (int i = 0; i < 4; ++i) out[(row * 4 + i) * 32 + lane] = (int)f[i];           \
  ++row;
#define INTEGERS(text)                                                              \
  asm volatile(text                                                                 \
               : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])                     \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); \
  for (int i = 0; i < 4; ++i) out[(row * 4 + i) * 32 + lane] = s[i];                \
  ++row;

__global__ void all_shapes(int* out) {
  const int lane = threadIdx.x;
  uint32_t a[4], b[2];
  float f[4];
  int s[4];
  int row = 0;
  for (int i = 0; i < 4; ++i)
    a[i] = pack_half(value(lane, i, 1), value(lane, i, 2)), f[i] = (float)value(lane, i, 3),
    s[i] = value(lane, i, 4);
  for (int i = 0; i < 2; ++i) b[i] = pack_half(value(lane, i, 5), value(lane, i, 7));
  HALVES(f16,
         "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
         "{%0,%1,%2,%3};");
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
      "{%0,%1,%2,%3};"
      : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  for (int i = 0; i < 4; ++i) out[(row * 4 + i) * 32 + lane] = (int)f[i];
  ++row;
  uint32_t h[2] = {pack_half(1, 2), pack_half(3, lane)};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
      : "+r"(h[0]), "+r"(h[1])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
               : "+r"(h[0]), "+r"(h[1])
               : "r"(a[2]), "r"(a[3]), "r"(b[1]));
  out[(row * 4 + 0) * 32 + lane] = (int)h[0];
  out[(row * 4 + 1) * 32 + lane] = (int)h[1];
  ++row;
  for (int i = 0; i < 4; ++i) a[i] = pack_bf16(value(lane, i, 2), value(lane, i, 6));
  for (int i = 0; i < 2; ++i) b[i] = pack_bf16(value(lane, i, 1), value(lane, i, 8));
  HALVES(bf16,
         "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
         "{%8,%9}, {%0,%1,%2,%3};");
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
      "{%0,%1,%2,%3};"
      : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
      : "r"(a[0]), "r"(a[3]), "r"(b[0]));
  for (int i = 0; i < 4; ++i) out[(row * 4 + i) * 32 + lane] = (int)f[i];
  ++row;
  for (int i = 0; i < 4; ++i) a[i] = __float_as_uint((float)value(lane, i, 4));
  for (int i = 0; i < 2; ++i) b[i] = __float_as_uint((float)value(lane, i, 3));
  HALVES(tf32,
         "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
         "{%8,%9}, {%0,%1,%2,%3};");
  asm volatile(
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
      "{%0,%1,%2,%3};"
      : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  for (int i = 0; i < 4; ++i) out[(row * 4 + i) * 32 + lane] = (int)f[i];
  ++row;
  for (int i = 0; i < 4; ++i) a[i] = pack_bytes(lane * 4 + i);
  for (int i = 0; i < 2; ++i) b[i] = pack_bytes(lane * 9 + i + 1);
  INTEGERS(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};");
  INTEGERS(
      "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};");
  INTEGERS(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
      "{%8,%9}, {%0,%1,%2,%3};");
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
      : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  for (int i = 0; i < 4; ++i) out[(row * 4 + i) * 32 + lane] = s[i];
  ++row;
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+r"(s[0]), "+r"(s[1])
               : "r"(a[0]), "r"(b[0]));
  for (int i = 0; i < 2; ++i) out[(row * 4 + i) * 32 + lane] = s[i];
  ++row;
  double d[2] = {lane * 0.5, 1.0};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(d[0]), "+d"(d[1])
               : "d"((double)(lane % 5)), "d"((double)(lane % 3)));
  for (int i = 0; i < 2; ++i) out[(row * 4 + i) * 32 + lane] = (int)(d[i] * 2);
  ++row;
}

__global__ void matrices(uint32_t* out) {
  __shared__ alignas(16) uint16_t tile[32 * 8], back[32 * 8];
  const int lane = threadIdx.x;
  for (int i = 0; i < 8; ++i) tile[lane * 8 + i] = (uint16_t)(lane * 256 + i);
  __syncwarp();
  const uint32_t address = (uint32_t)__cvta_generic_to_shared(tile + lane * 8);
  uint32_t r[4], q;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
  for (int i = 0; i < 4; ++i) out[i * 32 + lane] = r[i];
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(address));
  out[4 * 32 + lane] = r[0], out[5 * 32 + lane] = r[1];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(q)
               : "r"(address));
  out[6 * 32 + lane] = q;
  for (int i = 0; i < 4; ++i) r[i] = (uint32_t)(lane * 4 + i) | (uint32_t)(1000 + lane) << 16;
  const uint32_t target = (uint32_t)__cvta_generic_to_shared(back + lane * 8);
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(target),
               "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
  __syncwarp();
  uint32_t h = 0;
  for (int i = 0; i < 8; ++i) h = h * 31 + back[lane * 8 + i];
  out[7 * 32 + lane] = h;
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(target),
               "r"(r[0]), "r"(r[1])
               : "memory");
  __syncwarp();
  for (int i = 0; i < 8; ++i) h = h * 31 + back[lane * 8 + i];
  out[8 * 32 + lane] = h;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(q) : "r"(r[1]));
  out[9 * 32 + lane] = q;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * 32 * sizeof(int));
  cudaMemset(out, 0, 64 * 32 * sizeof(int));
  all_shapes<<<1, 32>>>(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int r = 0; r < 13 * 4; ++r)
    for (int l = 0; l < 32; ++l) printf("%d%c", out[r * 32 + l], l == 31 ? '\n' : ' ');
  matrices<<<1, 32>>>((uint32_t*)out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int r = 0; r < 10; ++r)
    for (int l = 0; l < 32; ++l) printf("%x%c", out[r * 32 + l], l == 31 ? '\n' : ' ');
  cudaFree(out);
}
