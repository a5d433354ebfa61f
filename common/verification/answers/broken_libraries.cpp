// Libraries whose code cannot be used: which call says so, and what it says the second time.
#include <stdlib.h>

#include <cstring>
#include <string>

#include "answers.h"

using namespace answers;

namespace {

const char* const head = ".version 8.0\n.target sm_80\n.address_size 64\n";
const char* const entry = ".visible .entry one() { ret; }\n";

cudaError_t load(cudaLibrary_t& library, const void* code) {
  return cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

/// Loads the text and asks for what is in it; the second library is a good one.
void use(const char* what, const std::string& text) {
  about(what);
  cudaLibrary_t library = nullptr, good = nullptr;
  cudaKernel_t kernel = nullptr, all[2] = {};
  unsigned count = 99;
  void* address = nullptr;
  std::size_t bytes = 0;
  if (!ASK(load(library, text.c_str()))) return;
  ASK(cudaLibraryGetKernelCount(&count, library));
  ASK(cudaLibraryGetKernelCount(&count, library));
  SHOW(count);
  ASK(cudaLibraryGetKernel(&kernel, library, "one"));
  ASK(cudaLibraryEnumerateKernels(all, 2, library));
  ASK(cudaLibraryGetGlobal(&address, &bytes, library, "number"));
  if (kernel != nullptr) {
    ASK(cudaLaunchKernel(kernel, 1, 1, nullptr, 0, nullptr));
    ASK(cudaLaunchKernel(kernel, 1, 1, nullptr, 0, nullptr));
    cudaFuncAttributes attributes = {};
    ASK(cudaFuncGetAttributes(&attributes, kernel));
  }
  ASK(load(good, (std::string(head) + entry).c_str()));
  ASK(cudaLibraryGetKernelCount(&count, good));
  SHOW(count);
  ASK(cudaLibraryUnload(good));
  ASK(cudaLibraryUnload(library));
}

/// Asks what is in a library that was, or was not, loaded.
void ask_for_all(cudaLibrary_t& library, cudaError_t loaded) {
  if (!ASK(loaded)) return;
  unsigned count = 99;
  cudaKernel_t kernel = nullptr;
  ASK(cudaLibraryGetKernelCount(&count, library));
  SHOW(count);
  ASK(cudaLibraryGetKernel(&kernel, library, "one"));
}

/// The options of a load, one wrong.
void options() {
  about("options");
  cudaLibrary_t library = nullptr;
  const std::string text = std::string(head) + entry;
  cudaJitOption jit[] = {cudaJitMaxRegisters, cudaJitOptimizationLevel};
  void* jit_values[] = {reinterpret_cast<void*>(32), reinterpret_cast<void*>(3)};
  cudaLibraryOption own[] = {cudaLibraryBinaryIsPreserved};
  void* own_values[] = {nullptr};
  const auto load_with = [&](unsigned count, unsigned own_count) {
    return cudaLibraryLoadData(&library, text.c_str(), jit, jit_values, count, own, own_values,
                               own_count);
  };
  ASK(load_with(1, 0));
  ASK(load_with(2, 0));
  ASK(load_with(0, 1));
  ASK(cudaLibraryLoadData(&library, text.c_str(), nullptr, nullptr, 1, nullptr, nullptr, 0));
  ASK(cudaLibraryLoadData(&library, text.c_str(), jit, nullptr, 1, nullptr, nullptr, 0));
  ASK(cudaLibraryLoadData(&library, text.c_str(), jit, jit_values, 0, own, own_values, 0));
  jit[0] = static_cast<cudaJitOption>(999);
  ASK(load_with(1, 0));
  jit[0] = static_cast<cudaJitOption>(-1);
  ASK(load_with(1, 0));
  jit[0] = cudaJitOptimizationLevel;
  jit_values[0] = reinterpret_cast<void*>(77);
  ASK(load_with(1, 0));
  unsigned count = 99;
  ASK(cudaLibraryGetKernelCount(&count, library));
  own[0] = static_cast<cudaLibraryOption>(77);
  ASK(load_with(0, 1));
}

/// The compiler's messages about a text that it refuses.
void logs() {
  about("logs");
  char errors[1000] = {}, infos[1000] = {};
  cudaLibrary_t library = nullptr;
  cudaJitOption jit[] = {cudaJitErrorLogBuffer, cudaJitErrorLogBufferSizeBytes,
                         cudaJitInfoLogBuffer, cudaJitInfoLogBufferSizeBytes};
  void* values[] = {errors, reinterpret_cast<void*>(sizeof errors), infos,
                    reinterpret_cast<void*>(sizeof infos)};
  const std::string text = std::string(head) + ".visible .entry one() { mov.u32 %r1, 5; ret; }\n";
  ASK(cudaLibraryLoadData(&library, text.c_str(), jit, values, 4, nullptr, nullptr, 0));
  SHOW(errors[0] != 0);
  unsigned count = 0;
  ASK(cudaLibraryGetKernelCount(&count, library));
  SHOW(errors[0] != 0);
  SHOW(std::strstr(errors, "%r1") != nullptr);
  SHOW(static_cast<long long>(reinterpret_cast<std::size_t>(values[1])) ==
       static_cast<long long>(sizeof errors));
}

/// Bytes that begin as compiled code does.
void no_elf() {
  about("an ELF header and nothing after it");
  cudaLibrary_t library = nullptr;
  alignas(8) unsigned char bytes[256] = {0x7f, 'E', 'L', 'F'};
  ask_for_all(library, load(library, bytes));
  bytes[4] = 2, bytes[5] = bytes[6] = 1, bytes[16] = 2, bytes[18] = 62, bytes[20] = 1;
  ask_for_all(library, load(library, bytes));
  bytes[18] = 190, bytes[52] = 64, bytes[58] = 64;
  ask_for_all(library, load(library, bytes));
}

}  // namespace

SUBJECT(broken_libraries) {
  const std::string begin = head;
  use("a good one", begin + ".visible .global .align 4 .u32 number = 9;\n" + entry);
  use("no text", "");
  use("white space", "  \n");
  use("a comment", "// nothing\n");
  use("nonsense", "nonsense");
  use("a head alone", begin);
  use("no version", std::string(".target sm_80\n.address_size 64\n") + entry);
  use("no target", std::string(".version 8.0\n.address_size 64\n") + entry);
  use("a target that is none", std::string(".version 8.0\n.target blue\n") + entry);
  use("a version to come", std::string(".version 99.0\n.target sm_80\n.address_size 64\n") + entry);
  use("a version that has no such target",
      std::string(".version 6.0\n.target sm_90\n.address_size 64\n") + entry);
  use("another architecture",
      std::string(".version 9.0\n.target sm_121\n.address_size 64\n") + entry);
  use("32 bits", std::string(".version 8.0\n.target sm_80\n.address_size 32\n") + entry);
  use("no such register", begin + ".visible .entry one() { mov.u32 %r1, 5; ret; }\n");
  use("no such label", begin + ".visible .entry one() { bra there; ret; }\n");
  use("half an entry", begin + ".visible .entry one() { ret;");
  use("more shared memory than there is",
      begin +
          ".visible .entry one() { .shared .align 4 .b8 tile[60000]; .reg .u32 %r; "
          "mov.u32 %r, tile; st.shared.u32 [%r], %r; ret; }\n");
  options();
  logs();
  no_elf();
}

SUBJECT(library_files) {
  cudaLibrary_t library = nullptr;
  const auto load_file = [&](const char* name) {
    return cudaLibraryLoadFromFile(&library, name, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  const auto write = [](const char* name, const std::string& text) {
    std::FILE* file = std::fopen(name, "wb");
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
    return name;
  };
  char name[] = "/tmp/answers_XXXXXX";
  if (mkstemp(name) < 0) return;
  const std::string text = std::string(head) + entry;
  ASK(load_file(""));
  ASK(load_file("/tmp"));
  ASK(load_file("/dev/null"));
  about("empty");
  write(name, "");
  ask_for_all(library, load_file(name));
  about("nonsense");
  write(name, "nonsense");
  ask_for_all(library, load_file(name));
  about("four bytes of compiled code");
  write(name,
        "\x7f"
        "ELF");
  ask_for_all(library, load_file(name));
  about("four bytes of a fat binary");
  write(name, "\x50\xED\x55\xBA");
  ask_for_all(library, load_file(name));
  about("a fat binary that ends early");
  write(name, std::string("\x50\xED\x55\xBA\x01\x00\x10\x00\x00\x10\x00\x00\x00\x00\x00\x00", 16));
  ask_for_all(library, load_file(name));
  about("text");
  write(name, text);
  ask_for_all(library, load_file(name));
  about("text with a zero at its end");
  write(name, text + '\0');
  ask_for_all(library, load_file(name));
  std::remove(name);
}
