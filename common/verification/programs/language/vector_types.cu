// Loads and stores of the built-in vector types, aligned structs, and reinterpreting between them.
#include <cstdio>
#include <cstring>

struct alignas(16) Particle {
  float3 position;
  int id;
};

struct Packed {  // 12 bytes, alignment 4
  char tag;
  short level;
  float weight;
  unsigned char rgb[3];
};

template <typename V>
__global__ void reverse(const V* in, V* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}

template <typename V>
void exercise(const char* name, int bytes) {
  int n = bytes / sizeof(V);
  unsigned char* host = new unsigned char[bytes];
  for (int i = 0; i < bytes; ++i) host[i] = (unsigned char)(i * 37 + 11);
  V *a, *b;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemset(b, 0, bytes);
  cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);
  reverse<V><<<(n + 63) / 64, 64>>>(a, b, n);
  cudaMemcpy(host, b, bytes, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < bytes; ++i) sum = (sum << 5) - sum + host[i];
  printf("%-10s %2zu bytes: %08x\n", name, sizeof(V), sum);
  cudaFree(a);
  cudaFree(b);
  delete[] host;
}

__global__ void components(float4* f, int4* i, double2* d, uchar4* c, short2* s, longlong2* l) {
  int t = threadIdx.x;
  float4 v = make_float4(t, t + 0.25f, t + 0.5f, t + 0.75f);
  f[t] = make_float4(v.w, v.z, v.y, v.x);
  i[t] = make_int4(t, -t, t << 8, ~t);
  d[t] = make_double2(t / 3.0, -t / 7.0);
  c[t] = make_uchar4(t, t * 2, t * 3, 255 - t);
  s[t] = make_short2(-t * 100, t * 100);
  l[t] = make_longlong2((long long)t << 40, -((long long)t << 33));
}

__global__ void structs(Particle* p, Packed* q) {
  int t = threadIdx.x;
  Particle mine = p[t];
  mine.position.x += mine.id;
  mine.position.y *= 2;
  mine.id = -mine.id;
  p[t] = mine;
  Packed packed = q[t];
  packed.tag ^= 32;
  packed.level += t;
  packed.weight = packed.rgb[0] + packed.rgb[1] * 0.5f;
  packed.rgb[2] = 7;
  q[t] = packed;
}

int main() {
  exercise<char>("char", 1000);
  exercise<char2>("char2", 1000);
  exercise<uchar4>("uchar4", 1000);
  exercise<short>("short", 1000);
  exercise<ushort4>("ushort4", 1000);
  exercise<int>("int", 1000);
  exercise<int2>("int2", 1000);
  exercise<int3>("int3", 996);
  exercise<float3>("float3", 996);
  exercise<float4>("float4", 1600);
  exercise<double>("double", 1600);
  exercise<double2>("double2", 1600);
  exercise<ulonglong2>("ulonglong2", 1600);
  exercise<char3>("char3", 999);
  exercise<double3>("double3", 2400);

  struct All {
    float4 f[32];
    int4 i[32];
    double2 d[32];
    longlong2 l[32];
    uchar4 c[32];
    short2 s[32];
  } * all;
  cudaMallocManaged(&all, sizeof(All));
  components<<<1, 32>>>(all->f, all->i, all->d, all->c, all->s, all->l);
  cudaDeviceSynchronize();
  for (int t = 0; t < 32; t += 9)
    printf("%a %a | %d %d %d | %a %a | %d %d | %d %d | %llx %llx\n", all->f[t].x, all->f[t].w,
           all->i[t].y, all->i[t].z, all->i[t].w, all->d[t].x, all->d[t].y, all->c[t].z,
           all->c[t].w, all->s[t].x, all->s[t].y, all->l[t].x, all->l[t].y);
  cudaFree(all);

  Particle p[16];
  Packed q[16];
  memset(q, 0, sizeof q);
  for (int t = 0; t < 16; ++t) {
    p[t] = {make_float3(t, t, t), t + 1};
    q[t] = {(char)('a' + t), (short)(t * 1000), 0, {(unsigned char)t, (unsigned char)(t * 3), 0}};
  }
  Particle* dp;
  Packed* dq;
  cudaMalloc(&dp, sizeof p);
  cudaMalloc(&dq, sizeof q);
  cudaMemcpy(dp, p, sizeof p, cudaMemcpyHostToDevice);
  cudaMemcpy(dq, q, sizeof q, cudaMemcpyHostToDevice);
  structs<<<1, 16>>>(dp, dq);
  cudaMemcpy(p, dp, sizeof p, cudaMemcpyDeviceToHost);
  cudaMemcpy(q, dq, sizeof q, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 16; t += 5)
    printf("%g %g %g %d  %c %d %g %d\n", p[t].position.x, p[t].position.y, p[t].position.z, p[t].id,
           q[t].tag, q[t].level, q[t].weight, q[t].rgb[2]);
  cudaFree(dp);
  cudaFree(dq);
}
