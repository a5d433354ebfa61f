// The common part of the programs of hand-written PTX: a kernel k(out) around a body that leaves
// two numbers of each lane in %r0 and %r1.
#pragma once
#include <cstdio>
#include <string>

struct PtxCase {
  const char* name;
  const char* declarations;
  const char* body;  ///< %lane is the lane
};

inline std::string text_of(const PtxCase& ptx) {
  return std::string(".version 9.0\n.target sm_90\n.address_size 64\n") + ptx.declarations + R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<8>; .reg .f32 %f<9>; .reg .f64 %fd<4>;
  .reg .u32 %lane;
  mov.u32 %lane, %laneid; mov.u32 %r0, 0; mov.u32 %r1, 0;
)" + ptx.body +
         R"(
END: ld.param.u64 %rd0, [out]; mad.wide.u32 %rd0, %lane, 8, %rd0;
  st.global.v2.u32 [%rd0], {%r0, %r1}; ret;
})";
}

/// Runs it with one warp and prints what some lanes leave, and a sum over all.
inline void run(const PtxCase& ptx) {
  cudaLibrary_t library;
  cudaKernel_t kernel;
  const std::string text = text_of(ptx);
  cudaError_t error =
      cudaLibraryLoadData(&library, text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (error != cudaSuccess) {
    printf("%s: %s\n", ptx.name, cudaGetErrorName(error));
    return;
  }
  cudaLibraryGetKernel(&kernel, library, "k");
  unsigned(*out)[2], values[32][2];
  cudaMalloc(&out, sizeof values);
  void* arguments[] = {&out};
  cudaLaunchKernel((void*)kernel, 1, 32, arguments, 0, nullptr);
  error = cudaMemcpy(values, out, sizeof values, cudaMemcpyDefault);
  unsigned sum = 0;
  for (const auto& lane : values) sum = sum * 31 + lane[0] * 7 + lane[1];
  printf("%s: %s", ptx.name, cudaGetErrorName(error));
  for (int lane : {0, 1, 2, 10, 31}) printf(" %x,%x", values[lane][0], values[lane][1]);
  printf(" %08x\n", sum);
  cudaFree(out);
  cudaLibraryUnload(library);
}
