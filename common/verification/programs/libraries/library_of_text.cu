// A library from PTX text of the program itself: its kernels, variables and parameters; what is not
// PTX, and the errors.
#include <cstdio>
#include <cstring>
static const char ptx[] = R"(.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .b32 counter = 5;
.visible .const .align 8 .b8 table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
.visible .entry scale(.param .u64 p, .param .f32 k, .param .align 4 .b8 s[12])
.maxntid 128, 1, 1
{ .reg .u64 a, o; .reg .u32 t; .reg .f32 f, g, c; .reg .b32 x;
  ld.param.u64 a, [p]; cvta.to.global.u64 a, a; mov.u32 t, %tid.x; mul.wide.u32 o, t, 4; add.u64 a, a, o; ld.global.f32 f, [a]; ld.param.f32 g, [k]; ld.param.f32 c, [s+8]; fma.rn.f32 f, f, g, c; st.global.f32 [a], f; atom.global.add.u32 x, [counter], 1; ret; }
.visible .entry bytes(.param .u64 p) { .reg .u64 a, o; .reg .u32 t, v; .reg .pred q; ld.param.u64 a, [p]; mov.u32 t, %tid.x; cvt.u64.u32 o, t; add.u64 a, a, o; mov.u64 o, table; cvta.const.u64 o, o; { .reg .u64 z; cvt.u64.u32 z, t; and.b64 z, z, 15; add.u64 o, o, z; } ld.u8 v, [o]; setp.gt.u32 q, t, 20; @q bra END; st.global.u8 [a], v; END: ret; }
)";
int main() {
  cudaLibrary_t lib;
  cudaKernel_t k, b, none;
  cudaError_t e = cudaLibraryLoadData(&lib, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0);
  printf("load %s\n", cudaGetErrorName(e));
  unsigned n = 0;
  cudaLibraryGetKernelCount(&n, lib);
  printf("count %u\n", n);
  printf("%s %s %s\n", cudaGetErrorName(cudaLibraryGetKernel(&k, lib, "scale")),
         cudaGetErrorName(cudaLibraryGetKernel(&b, lib, "bytes")),
         cudaGetErrorName(cudaLibraryGetKernel(&none, lib, "nothing")));
  cudaGetLastError();
  cudaKernel_t all[4];
  printf("%s\n", cudaGetErrorName(cudaLibraryEnumerateKernels(all, 2, lib)));
  void* g;
  size_t sz;
  e = cudaLibraryGetGlobal(&g, &sz, lib, "counter");
  printf("%s %zu\n", cudaGetErrorName(e), sz);
  void* none2;
  printf("%s\n", cudaGetErrorName(cudaLibraryGetGlobal(&none2, &sz, lib, "zzz")));
  cudaGetLastError();
  float *d, h[64];
  for (int i = 0; i < 64; ++i) h[i] = i;
  cudaMalloc(&d, 256);
  cudaMemcpy(d, h, 256, cudaMemcpyDefault);
  float f = 2.5f;
  struct {
    float x, y, z;
  } s{1, 2, 0.5f};
  void* args[] = {&d, &f, &s};
  printf("%s\n", cudaGetErrorName(cudaLaunchKernel((void*)k, 1, 64, args, 0, 0)));
  // A block above .maxntid.
  e = cudaLaunchKernel((void*)k, 1, 256, args, 0, 0);  // expect: launch-configuration
  printf("%s\n", cudaGetErrorName(e));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaMemcpy(h, d, 256, cudaMemcpyDefault);
  printf("%g %g\n", h[0], h[63]);
  int c;
  cudaMemcpy(&c, g, 4, cudaMemcpyDefault);
  printf("%d\n", c);
  cudaMemset(d, 0, 64);
  cudaLaunchKernel((void*)b, 1, 32, args, 0, 0);
  unsigned char o[64];
  cudaMemcpy(o, d, 64, cudaMemcpyDefault);
  for (int i = 0; i < 24; ++i) printf("%d ", o[i]);
  printf("\n");
  cudaFuncAttributes fa;
  e = cudaFuncGetAttributes(&fa, (void*)k);
  printf("%s %d %d %d\n", cudaGetErrorName(e), fa.maxThreadsPerBlock, fa.ptxVersion,
         fa.binaryVersion);
  const char* name = "?";
  cudaFuncGetName(&name, (void*)b);
  printf("%s\n", name);
  size_t off, psz;
  printf("%s", cudaGetErrorName(cudaFuncGetParamInfo((void*)k, 2, &off, &psz)));
  printf(" %zu %zu\n", off, psz);
  printf("%s\n", cudaGetErrorName(cudaLibraryUnload(lib)));
  printf("bad %s\n", cudaGetErrorName(cudaLibraryLoadData(&lib, "not ptx at all", nullptr, nullptr,
                                                          0, nullptr, nullptr, 0)));
  cudaGetLastError();
  printf(
      "syntax %s\n",
      cudaGetErrorName(cudaLibraryLoadData(
          &lib, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry x() { foo.bar; }",
          nullptr, nullptr, 0, nullptr, nullptr, 0)));
  cudaGetLastError();
  printf("null %s\n", cudaGetErrorName(cudaLibraryLoadData(nullptr, ptx, nullptr, nullptr, 0,
                                                           nullptr, nullptr, 0)));
  cudaGetLastError();
  printf("target %s\n",
         cudaGetErrorName(cudaLibraryLoadData(
             &lib, ".version 8.8\n.target sm_120\n.address_size 64\n.visible .entry x() { ret; }",
             nullptr, nullptr, 0, nullptr, nullptr, 0)));
  printf("file %s\n", cudaGetErrorName(cudaLibraryLoadFromFile(&lib, "/nonexistent", nullptr,
                                                               nullptr, 0, nullptr, nullptr, 0)));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
}
