// The SIMD-within-a-word intrinsics (packed bytes and halfwords).
#include <cstdio>
#include <vector>

// clang-format off
#define OPS2(X) \
  X(__vadd2) X(__vadd4) X(__vaddss2) X(__vaddss4) X(__vaddus2) X(__vaddus4) X(__vsub2) \
  X(__vsub4) X(__vsubss2) X(__vsubss4) X(__vsubus2) X(__vsubus4) X(__vavgs2) X(__vavgs4) \
  X(__vavgu2) X(__vavgu4) X(__vhaddu2) X(__vhaddu4) X(__vabsdiffs2) X(__vabsdiffs4) \
  X(__vabsdiffu2) X(__vabsdiffu4) X(__vsads2) X(__vsads4) X(__vsadu2) X(__vsadu4) \
  X(__vmaxs2) X(__vmaxs4) X(__vmaxu2) X(__vmaxu4) X(__vmins2) X(__vmins4) X(__vminu2) \
  X(__vminu4) X(__vcmpeq2) X(__vcmpeq4) X(__vcmpges2) X(__vcmpges4) X(__vcmpgeu4) \
  X(__vcmpgts2) X(__vcmpgtu4) X(__vcmples4) X(__vcmplts2) X(__vcmpltu4) X(__vcmpne4) \
  X(__vseteq2) X(__vseteq4) X(__vsetges4) X(__vsetgtu4) X(__vsetles2) X(__vsetltu2) \
  X(__vsetne4)
#define OPS1(X) \
  X(__vabs2) X(__vabs4) X(__vabsss2) X(__vabsss4) X(__vneg2) X(__vneg4) X(__vnegss2) \
  X(__vnegss4)
// clang-format on

__global__ void pairs(const unsigned* in, int n, unsigned* out, int stride) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  if (t >= n * n) return;
  const unsigned a = in[t / n], b = in[t % n];
  int row = 0;
#define STORE(f) out[row++ * stride + t] = f(a, b);
  OPS2(STORE)
#undef STORE
#define STORE(f) out[row++ * stride + t] = f(a) + (b & 1);
  OPS1(STORE)
#undef STORE
  out[row++ * stride + t] = __viaddmax_s32(a, b, 5);
  out[row++ * stride + t] = __viaddmin_u32(a, b, 500u);
  out[row++ * stride + t] = __vimax3_s32(a, b, -3);
  out[row++ * stride + t] = __vimin3_u32(a, b, 77u);
  out[row++ * stride + t] = __vimax3_s16x2(a, b, 0x00058000u);
  out[row++ * stride + t] = __viaddmax_s16x2_relu(a, b, 0x00020003u);
  out[row++ * stride + t] = __vimin_s32_relu(a, b);
  bool high, low;
  unsigned chosen = __vibmax_u16x2(a, b, &high, &low);
  out[row++ * stride + t] = chosen ^ (high << 3) ^ (low << 1);
}

int main() {
  std::vector<const char*> names = {
#define NAME(f) #f,
      OPS2(NAME) OPS1(NAME) "viaddmax_s32",
      "viaddmin_u32",
      "vimax3_s32",
      "vimin3_u32",
      "vimax3_s16x2",
      "viaddmax_s16x2_relu",
      "vimin_s32_relu",
      "vibmax_u16x2"};
  std::vector<unsigned> in = {0u,          0x01010101u, 0x7f807f80u, 0x80007fffu, 0xffffffffu,
                              0x80808080u, 0xfffe0001u, 0x12345678u, 0x89abcdefu, 0x00ff00ffu};
  const int n = (int)in.size(), pairs_count = n * n, rows = (int)names.size();
  unsigned *d_in, *d_out;
  cudaMalloc(&d_in, n * 4);
  cudaMalloc(&d_out, pairs_count * rows * 4);
  cudaMemcpy(d_in, in.data(), n * 4, cudaMemcpyHostToDevice);
  pairs<<<4, 32>>>(d_in, n, d_out, pairs_count);
  std::vector<unsigned> out(pairs_count * rows);
  cudaMemcpy(out.data(), d_out, out.size() * 4, cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) {
    unsigned sum = 0;
    for (int i = 0; i < pairs_count; ++i) sum = sum * 31 + out[r * pairs_count + i];
    const unsigned* row = &out[r * pairs_count];
    printf("%-20s %08x  %08x %08x %08x %08x\n", names[r], sum, row[23], row[38], row[67], row[89]);
  }
  cudaFree(d_in);
  cudaFree(d_out);
  return cudaGetLastError() != cudaSuccess;
}
