// Gravitating bodies with tiles in shared memory. Only operations that are exactly rounded are
// used, each asked for by name, so that every bit of the result is determined.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kTile = 64;

__device__ float3 pull(float3 a, float4 me, float4 other) {
  const float dx = __fsub_rn(other.x, me.x), dy = __fsub_rn(other.y, me.y),
              dz = __fsub_rn(other.z, me.z);
  const float r2 = __fmaf_rn(dx, dx, __fmaf_rn(dy, dy, __fmaf_rn(dz, dz, 0.01f)));
  const float r = __fsqrt_rn(r2);
  const float w = __fdiv_rn(other.w, __fmul_rn(r2, r));
  return make_float3(__fmaf_rn(dx, w, a.x), __fmaf_rn(dy, w, a.y), __fmaf_rn(dz, w, a.z));
}

__global__ void step(const float4* in, float4* out, float3* velocity, int n, float dt) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const float4 me = i < n ? in[i] : make_float4(0, 0, 0, 0);
  float3 a = make_float3(0, 0, 0);
  for (int base = 0; base < n; base += kTile) {
    const int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? in[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < kTile; ++k) a = pull(a, me, tile[k]);
    __syncthreads();
  }
  if (i >= n) return;
  float3 v = velocity[i];
  v = make_float3(__fmaf_rn(a.x, dt, v.x), __fmaf_rn(a.y, dt, v.y), __fmaf_rn(a.z, dt, v.z));
  velocity[i] = v;
  out[i] = make_float4(__fmaf_rn(v.x, dt, me.x), __fmaf_rn(v.y, dt, me.y), __fmaf_rn(v.z, dt, me.z),
                       me.w);
}

int main() {
  const int n = 150, blocks = (n + kTile - 1) / kTile;
  std::vector<float4> bodies(n);
  unsigned s = 99;
  auto random = [&s] { return (float)((s = s * 1664525 + 1013904223) >> 16) / 65536.0f; };
  for (auto& b : bodies)
    b = make_float4(random() - 0.5f, random() - 0.5f, random() - 0.5f, random());
  float4 *a, *b;
  float3* v;
  cudaMalloc(&a, n * sizeof(float4)), cudaMalloc(&b, n * sizeof(float4)),
      cudaMalloc(&v, n * sizeof(float3));
  cudaMemcpy(a, bodies.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  cudaMemset(v, 0, n * sizeof(float3));
  for (int i = 0; i < 4; ++i) {
    step<<<blocks, kTile>>>(a, b, v, n, 0.001f);
    std::swap(a, b);
  }
  cudaMemcpy(bodies.data(), a, n * sizeof(float4), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 11) printf("%a %a %a\n", bodies[i].x, bodies[i].y, bodies[i].z);
  cudaFree(a), cudaFree(b), cudaFree(v);
}
