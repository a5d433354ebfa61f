#include "tutor/course/program_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

constexpr const char* with_kernel = R"(
__global__ void one(float* x) { x[threadIdx.x] = 1; }
int main() { float* x; cudaMalloc(&x, 128); one<<<1, 32>>>(x); return cudaDeviceSynchronize(); }
)";
constexpr const char* without_kernel = "int main() { return cudaDeviceSynchronize(); }\n";

// Builds a program from a text; the folder lives as long as the tests.
fs::path built(const std::string& name, const char* source, const std::vector<std::string>& flags,
               const std::string& compiler = WARPWISE_NVCC) {
  static const TemporaryFolder folder;
  const fs::path program = folder.path() / name;
  const fs::path text = folder.path() / (name + (compiler == WARPWISE_NVCC ? ".cu" : ".cpp"));
  write_atomically(text, source);
  Command command{.words = {compiler, text.string(), "-o", program.string()}};
  command.words.insert(command.words.end(), flags.begin(), flags.end());
  const Outcome outcome = run_captured(command);
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
  return program;
}

std::string refused(const fs::path& program) { return refusal(read_program(program)); }

int status_of(const fs::path& program) {
  try {
    read_program(program);
  } catch (const Failure& failure) {
    CHECK(failure.message.find('\n') == std::string::npos);
    return failure.status;
  }
  return status_ok;
}

TEST_CASE("programs with PTX and the shared runtime are accepted") {
  const fs::path plain = built("plain", with_kernel, {"--cudart", "shared", "-arch=sm_90"});
  const ProgramFile program = read_program(plain);
  CHECK(program.device_code);
  CHECK(program.ptx);
  CHECK(program.machine_code);
  CHECK(refusal(program) == "");
}

TEST_CASE("a pipe is not a program, and no thread waits for it") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  CHECK(status_of(folder.path() / "pipe") == status_usage);
}

TEST_CASE("a program that never launches needs no PTX") {
  const fs::path program = built("idle", without_kernel,
                                 {"--cudart", "shared", "-gencode", "arch=compute_90,code=sm_90"});
  CHECK(refused(program) == "");
}

TEST_CASE("a program whose device code is in a library of its own is accepted") {
  ProgramFile program{.elf = true, .program = true};
  program.needed = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6"};
  CHECK(refusal(program).find("no device code") != std::string::npos);
  program.needed.push_back("libkernels.so");
  CHECK(refusal(program) == "");
}

TEST_CASE("every form of embedding is read") {
  CHECK(refused(built("rdc", with_kernel, {"--cudart", "shared", "-rdc=true", "-arch=sm_90"})) ==
        "");
  CHECK(refused(built("speed", with_kernel, {"--cudart", "shared", "-compress-mode=speed"})) == "");
  CHECK(refused(built("ptx_only", with_kernel,
                      {"--cudart", "shared", "-gencode", "arch=compute_90,code=compute_90"})) ==
        "");
}

TEST_CASE("a program that cannot be simulated says what corrects it") {
  const fs::path fixed = built("fixed", with_kernel, {"--cudart", "static"});
  CHECK(refused(fixed).find("rebuild with nvcc --cudart shared") != std::string::npos);
  const fs::path sass =
      built("sass", with_kernel, {"--cudart", "shared", "-gencode", "arch=compute_90,code=sm_90"});
  CHECK(refused(sass).find("only SASS") != std::string::npos);
  CHECK(refused(sass).find("code=[compute_90,sm_90]") != std::string::npos);
  const fs::path host = built("host", "int main() { return 0; }\n", {}, "c++");
  CHECK(refused(host).find("no device code") != std::string::npos);
  const fs::path object = built("object.o", with_kernel, {"-c"});
  CHECK(refused(object).find("object file") != std::string::npos);
}

TEST_CASE("libraries that need a GPU are named") {
  ProgramFile program{.elf = true, .program = true, .device_code = true, .ptx = true};
  for (const auto& [file, name] :
       {std::pair("libcuda.so.1", "libcuda"), std::pair("libcublas.so.13", "cuBLAS"),
        std::pair("libcublasLt.so.13", "cuBLAS"), std::pair("libcufft.so.12", "cuFFT"),
        std::pair("libcudnn.so.9", "cuDNN")}) {
    program.needed = {"libcudart.so.13", file};
    CHECK(refusal(program).find(name) != std::string::npos);
  }
  program.needed = {"libcudart.so.12"};
  CHECK(refusal(program) == "it needs libcudart.so.12: rebuild with a CUDA 13 toolkit");
  program.needed = {"libcudart.so.13"};
  CHECK(refusal(program) == "");
}

TEST_CASE("a file that is not a program at all is reported separately") {
  const TemporaryFolder folder;
  write_atomically(folder.path() / "text", "echo not a program\n");
  write_atomically(folder.path() / "empty", "");
  CHECK(refused(folder.path() / "text").find("not a program of this machine") != std::string::npos);
  CHECK(refused(folder.path() / "empty").find("not a program of this machine") !=
        std::string::npos);
  CHECK(status_of(folder.path()) == status_usage);
  CHECK(status_of(folder.path() / "missing") == status_usage);
  CHECK(status_of(folder.path() / "text" / "inside") == status_usage);
  CHECK(status_of("/dev/null") == status_usage);
}

TEST_CASE("a program cut off or damaged anywhere is refused or read, never a crash") {
  const std::string whole = read_file(built("whole", with_kernel, {"--cudart", "shared"}));
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "damaged";
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 1 + whole.size() / 200) {
    write_atomically(path, whole.substr(0, bytes));
    // The section table is at the end: without it nothing can be known.
    CHECK(refused(path) != "");
  }
  int refusals = 0;
  for (std::size_t at = 0; at < whole.size(); at += at < 64 ? 1 : 97) {
    std::string damaged = whole;
    for (std::size_t i = at; i < std::min(at + 4, whole.size()); ++i) damaged[i] = '\xff';
    write_atomically(path, damaged);
    refusals += refused(path).empty() ? 0 : 1;
  }
  CHECK(refusals > 0);
}

}  // namespace
}  // namespace warpwise::tutor
