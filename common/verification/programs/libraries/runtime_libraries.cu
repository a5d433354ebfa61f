// A module given as PTX text at run time: cudaLibraryLoadData, kernels and variables by name.
#include <cstdio>

const char* text = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 offset = 1000;
.visible .entry triple(.param .u64 out, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %a<4>;
  ld.param.u64 %a0, [out];
  ld.param.u32 %r0, [n];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %p, %r4, %r0;
  @%p bra DONE;
  cvta.to.global.u64 %a1, %a0;
  mul.wide.u32 %a2, %r4, 4;
  add.u64 %a3, %a1, %a2;
  ld.global.u32 %r5, [offset];
  mad.lo.u32 %r6, %r4, 3, %r5;
  st.global.u32 [%a3], %r6;
DONE:
  ret;
}
.visible .entry other() { ret; }
)";

__global__ void compiled(int* x) { *x = 17; }

int main() {
  cudaLibrary_t library;
  cudaError_t e = cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0);
  printf("load %s\n", cudaGetErrorName(e));
  if (e != cudaSuccess) return 1;
  unsigned count = 0;
  cudaLibraryGetKernelCount(&count, library);
  cudaKernel_t kernel;
  printf("%u kernels, triple: %s, ", count,
         cudaGetErrorName(cudaLibraryGetKernel(&kernel, library, "triple")));
  cudaKernel_t missing;
  printf("missing: %s\n", cudaGetErrorName(cudaLibraryGetKernel(&missing, library, "quadruple")));
  void* offset = nullptr;
  size_t bytes = 0;
  printf("offset: %s", cudaGetErrorName(cudaLibraryGetGlobal(&offset, &bytes, library, "offset")));
  unsigned value = 0;
  cudaMemcpy(&value, offset, sizeof value, cudaMemcpyDeviceToHost);
  printf(", %zu bytes, %u\n", bytes, value);
  unsigned *out, host[100], n = 90;
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  value = 7;
  cudaMemcpy(offset, &value, sizeof value, cudaMemcpyHostToDevice);
  void* arguments[] = {&out, &n};
  printf("launch %s\n",
         cudaGetErrorName(cudaLaunchKernel((const void*)kernel, 4, 32, arguments, 0, 0)));
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%u %u %u %u\n", host[0], host[1], host[89], host[90]);
  const char* name = "";
  cudaFuncGetName(&name, (const void*)kernel);
  cudaFuncAttributes attributes;
  printf("%s %s\n", name,
         cudaGetErrorName(cudaFuncGetAttributes(&attributes, (const void*)kernel)));
  cudaGetLastError();
  // A kernel of this program by its handle.
  cudaKernel_t handle;
  printf("handle %s\n", cudaGetErrorName(cudaGetKernel(&handle, (const void*)compiled)));
  void* own[] = {&out};
  cudaLaunchKernel((const void*)handle, 1, 1, own, 0, 0);
  cudaMemcpy(host, out, 4, cudaMemcpyDeviceToHost);
  printf("%u, unload %s\n", host[0], cudaGetErrorName(cudaLibraryUnload(library)));
  cudaLibrary_t broken;
  printf("broken: %d\n",
         cudaLibraryLoadData(&broken, ".version 8.0\n.target sm_80\nnonsense", nullptr, nullptr, 0,
                             nullptr, nullptr, 0) != cudaSuccess);
  cudaGetLastError();
  cudaFree(out);
}
