// Every function that the library exports, with nothing but zeros for arguments, in each state that
// a program can be in.
#include <dlfcn.h>

#include <cstring>
#include <sstream>
#include <string>
#include <thread>

#include "answers.h"

asm(".pushsection .rodata\n"
    "exported_names: .incbin \"" ANSWERS_EXPORTS
    "\"\n"
    ".byte 0\n"
    ".popsection");
extern "C" const char exported_names[];

using namespace answers;

namespace {

/// Functions that return no error, or end what the others work on; those of other libraries, which
/// the simulator has no part in.
bool is_left_out(const std::string& name) {
  constexpr const char* others[] = {"EGL",
                                    "GL",
                                    "VDPAU",
                                    "NvSci",
                                    "External",
                                    "Graphics",
                                    "__cuda",
                                    "cudaCreateChannelDesc",
                                    "ErrorName",
                                    "ErrorString",
                                    "LastError",
                                    "DeviceReset",
                                    "ExportTable",
                                    "RDMA",
                                    "AtomicCapabilities",
                                    "AsyncNotification",
                                    "cudaLogs",
                                    "Ipc",
                                    "PoolExport",
                                    "PoolImport",
                                    "MipmappedArrayGet"};
  for (const char* part : others)
    if (name.find(part) != std::string::npos) return true;
  return false;
}

/// More zeros than any of the functions takes; a structure by value is also zeros.
using Zeros = cudaError_t (*)(long, long, long, long, long, long, long, long, long, long, long,
                              long, long, long, long, long);

void ask_all(const char* state) {
  about(state);
  std::istringstream names(exported_names);
  int question = 0;
  for (std::string name; names >> name;) {
    if (is_left_out(name) || question++ < first_question().value_or(0)) continue;
    const auto function = reinterpret_cast<Zeros>(dlsym(RTLD_DEFAULT, name.c_str()));
    if (function == nullptr) {
      std::printf("%s is not there\n", name.c_str());
      continue;
    }
    if (first_question()) std::fprintf(stderr, "%d\n", question);
    ask(name.c_str(), [&] { return function(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); });
  }
}

}  // namespace

SUBJECT(null_arguments) { ask_all("before any other call"); }

SUBJECT(null_capturing) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  ask_all("while a stream of this thread is captured");
}

SUBJECT(null_after_reset) {
  cudaFree(nullptr);
  cudaDeviceReset();
  cudaSetDevice(99);
  std::thread([] { ask_all("after cudaDeviceReset, in a second thread"); }).join();
  SHOW(cudaGetErrorName(cudaGetLastError()));
}

SUBJECT(null_after_fault) {
  fault();
  ask_all("after a kernel has faulted");
}

SUBJECT(null_after_lost_device) {
  fault();
  cudaDeviceReset();
  ask_all("after a kernel has faulted, and cudaDeviceReset");
}
