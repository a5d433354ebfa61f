// Libraries, functions of the driver.
#include "answers.h"

using namespace answers;

SUBJECT(libraries) {
  const char* ptx =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .global .align 4 .u32 number = 9;\n"
      ".visible .entry one(.param .u64 p) { .reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
      "ld.param.u64 %rd1, [p]; mov.u32 %r1, 4711; st.global.u32 [%rd1], %r1; ret; }\n"
      ".visible .entry two() { ret; }\n";
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr, all[4] = {};
  unsigned count = 9;
  void* address = nullptr;
  std::size_t bytes = 0;
  const auto load = [&](const void* code) {
    return cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  ASK(load("nonsense"));
  ASK(load(nullptr));
  ASK(load(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry x() { wobble; }"));
  ASK(cudaLibraryLoadData(nullptr, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  ASK(cudaLibraryLoadFromFile(&library, "/no/such/file", nullptr, nullptr, 0, nullptr, nullptr, 0));
  ASK(cudaLibraryLoadFromFile(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  if (!ASK(load(ptx))) return;
  ASK(cudaLibraryGetKernelCount(&count, library));
  SHOW(count);
  ASK(cudaLibraryGetKernelCount(nullptr, library));
  ASK(cudaLibraryEnumerateKernels(all, 4, library));
  SHOW(all[1]);
  SHOW(all[2]);
  ASK(cudaLibraryEnumerateKernels(nullptr, 2, library));
  ASK(cudaLibraryEnumerateKernels(all, 0, library));
  ASK(cudaLibraryGetKernel(&kernel, library, "one"));
  ASK(cudaLibraryGetKernel(&kernel, library, "three"));
  ASK(cudaLibraryGetKernel(&kernel, library, nullptr));
  ASK(cudaLibraryGetKernel(nullptr, library, "one"));
  ASK(cudaLibraryGetKernel(&kernel, nullptr, "one"));
  ASK(cudaLibraryGetGlobal(&address, &bytes, library, "number"));
  SHOW(bytes);
  int value = 0;
  ASK(cudaMemcpy(&value, address, 4, cudaMemcpyDeviceToHost));
  SHOW(value);
  ASK(cudaLibraryGetGlobal(nullptr, &bytes, library, "number"));
  ASK(cudaLibraryGetGlobal(&address, nullptr, library, "number"));
  ASK(cudaLibraryGetGlobal(&address, &bytes, library, "nothing"));
  ASK(cudaLibraryGetGlobal(&address, &bytes, library, nullptr));
  ASK(cudaLibraryGetManaged(&address, &bytes, library, "number"));
  ASK(cudaLibraryGetManaged(&address, &bytes, library, "nothing"));
  ASK(cudaLibraryGetUnifiedFunction(&address, library, "one"));
  ASK(cudaLibraryGetUnifiedFunction(&address, library, "nothing"));
  ASK(cudaLibraryGetKernel(&kernel, library, "one"));
  ASK(cudaMalloc(&address, 4));
  void* arguments[] = {&address};
  ASK(cudaLaunchKernel(kernel, 1, 1, arguments, 0, nullptr));
  ASK(cudaMemcpy(&value, address, 4, cudaMemcpyDeviceToHost));
  SHOW(value);
  ASK(cudaLibraryUnload(library));
  ASK(cudaLibraryUnload(nullptr));
  about("driver entry points");
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
  const auto look = [&](const char* name, unsigned version, unsigned long long flags = 0) {
    return cudaGetDriverEntryPointByVersion(name, &entry, version, flags, &found);
  };
  ASK(look("cuNoSuchThing", 13000));
  SHOW(entry);
  SHOW(static_cast<int>(found));
  ASK(look(nullptr, 13000));
  ASK(look("", 13000));
  ASK(look("cuInit", 13000, 77));
  ASK(look("cuGraphAddNode", 5000));
  SHOW(static_cast<int>(found));
  ASK(cudaGetDriverEntryPointByVersion("cuInit", nullptr, 13000, 0, &found));
  ASK(cudaGetDriverEntryPointByVersion("cuNoSuchThing", &entry, 13000, 0, nullptr));
  ASK(cudaGetDriverEntryPoint("cuNoSuchThing", &entry, 0, &found));
  SHOW(static_cast<int>(found));
}
