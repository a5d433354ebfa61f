#include "simulator/image/cubin.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "simulator/image/compile_fixture.h"

using namespace warpwise::image;
using test::Bytes;

namespace cubin_test {

const std::string kSource = R"(
extern "C" {
__global__ void nothing() {}
__global__ void copy(const float4* a, float4* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i];
}
__global__ void __launch_bounds__(256, 2) reverse(float* x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void odd_shared(float* x) {
  extern __shared__ float d[];
  __shared__ double s[40];
  __shared__ char c[3];
  c[x[1] > 0] = 3;
  s[threadIdx.x] = x[0];
  d[threadIdx.x] = x[0];
  __syncthreads();
  x[threadIdx.x] = d[3] + s[x[3] > 0] + c[x[0] > 3];
}
__global__ void dynamic_shared(float* x) {
  extern __shared__ float d[];
  d[threadIdx.x] = x[0];
  __syncthreads();
  x[threadIdx.x] = d[3];
}
__global__ void __launch_bounds__(1024, 2) spill(float* p) {
  float a[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) a[i] = p[i * 32 + threadIdx.x];
#pragma unroll
  for (int i = 0; i < 64; ++i) p[threadIdx.x * 64 + i] = a[63 - i] * a[i] + a[(i * 7) % 64];
}
__device__ __noinline__ float indexed(float x, int n) {
  float a[16];
  for (int i = 0; i < 16; ++i) a[i] = x * i;
  a[n] = 3;
  return a[n & 7];
}
__global__ void calls(float* p, int n, char c) { p[threadIdx.x] = indexed(p[threadIdx.x], n + c); }
}
)";

/// The output of `ptxas -v` about one kernel for one architecture.
struct Said {
  unsigned registers = 0;
  unsigned shared_bytes = 0;
  unsigned stack_bytes = 0;
};

using Report = std::map<std::pair<unsigned, std::string>, Said>;

unsigned number_before(const std::string& line, const std::string& unit) {
  std::smatch match;
  const std::regex pattern("([0-9]+) " + unit);
  return std::regex_search(line, match, pattern) ? std::stoul(match[1]) : 0;
}

Report read_report(const std::string& log) {
  Report report;
  std::istringstream lines(log);
  std::string kernel, function;
  unsigned architecture = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, std::regex("entry function '([^']+)' for 'sm_([0-9]+)'"))) {
      kernel = match[1];
      architecture = std::stoul(match[2]);
    } else if (std::regex_search(line, match, std::regex("properties for (.+)"))) {
      function = match[1];
    } else if (line.find("bytes stack frame") != std::string::npos && function == kernel) {
      report[{architecture, kernel}].stack_bytes = number_before(line, "bytes stack frame");
    } else if (line.find("Used ") != std::string::npos) {
      report[{architecture, kernel}].registers = number_before(line, "registers");
      report[{architecture, kernel}].shared_bytes = number_before(line, "bytes smem");
    }
  }
  return report;
}

/// All architectures' cubins of one compilation, and the output of ptxas about them.
struct Everything {
  Report report;
  std::map<unsigned, std::map<std::string, KernelFacts>> facts;
};

const Everything& everything() {
  static const Everything result = [] {
    std::string options = "-fatbin -Xptxas -v --threads 2";
    for (const char* number : {"75", "80", "90", "100", "120"}) {
      options += std::string(" -gencode arch=compute_") + number + ",code=sm_" + number;
    }
    const test::Compiled compiled = test::compile_once(options, kSource);
    Everything all;
    for (const Entry& entry : read_container(compiled.out)) {
      all.facts[entry.architecture] = read_cubin(entry.payload);
    }
    all.report = read_report(compiled.log);
    return all;
  }();
  return result;
}

TEST_CASE("registers, static shared memory and stack are what ptxas says") {
  const Everything& all = everything();
  REQUIRE(all.report.size() == 5 * 7);
  REQUIRE(all.facts.size() == 5);
  for (const auto& [key, said] : all.report) {
    const auto& [architecture, kernel] = key;
    CAPTURE(architecture);
    CAPTURE(kernel);
    REQUIRE(all.facts.at(architecture).contains(kernel));
    const KernelFacts& facts = all.facts.at(architecture).at(kernel);
    CHECK(said.registers > 0);
    CHECK(facts.registers == said.registers);
    CHECK(facts.static_shared_bytes == said.shared_bytes);
    CHECK(facts.local_bytes == said.stack_bytes);
    CHECK(facts.stack_bytes == facts.local_bytes);  // none of them makes a call
  }
  // The fixture is useful only if these are not 0.
  CHECK(all.facts.at(90).at("reverse").static_shared_bytes == 1024);
  CHECK(all.facts.at(75).at("reverse").static_shared_bytes == 1024);
  CHECK(all.facts.at(90).at("odd_shared").static_shared_bytes > 320);
  CHECK(all.facts.at(90).at("spill").local_bytes > 0);
}

TEST_CASE("every architecture gives the kernels and nothing else") {
  for (const auto& [architecture, facts] : everything().facts) {
    CAPTURE(architecture);
    CHECK(facts.size() == 7);
  }
}

TEST_CASE("launch bounds and parameter bytes") {
  for (const auto& [architecture, facts] : everything().facts) {
    CAPTURE(architecture);
    CHECK(facts.at("reverse").max_threads == 256);
    CHECK(facts.at("spill").max_threads == 1024);
    CHECK(facts.at("copy").max_threads == 0);
    CHECK(facts.at("nothing").parameter_bytes == 0);
    CHECK(facts.at("copy").parameter_bytes == 20);
    CHECK(facts.at("calls").parameter_bytes == 13);
  }
}

TEST_CASE("code that ptxas kept within a kernel is the kernel's") {
  for (const auto& [architecture, facts] : everything().facts) {
    CAPTURE(architecture);
    const auto& memory = facts.at("calls").memory;
    CHECK(std::any_of(memory.begin(), memory.end(), [](const MemoryInstruction& access) {
      return access.space == MemoryInstruction::Space::local;
    }));
  }
}

TEST_CASE(
    "frames of functions are what ptxas says, within a kernel's code and compiled separately") {
  const std::string source = R"(
__device__ __noinline__ int small(int n) { return n < 2 ? n : small(n - 1) * 3 + small(n - 2); }
__device__ __noinline__ int large(int n, int x) {
  volatile int kept[100];
  kept[n % 100] = x;
  return n == 0 ? kept[0] : large(n - 1, x * 3) + kept[n % 100];
}
__device__ __noinline__ int leaf(int n) { return n * n + 1; }
extern "C" __global__ void calls(int* x) { x[1] = small(x[0]) + large(x[0], 3) + leaf(x[0]); }
)";
  for (const char* architecture : {"75", "80", "90"}) {
    CAPTURE(architecture);
    const std::string options = std::string("-cubin -arch=sm_") + architecture;
    const auto [apart, said] = test::compile_once(options + " -G -Xptxas -v", source);
    const KernelFacts calls = read_cubin(apart).at("calls");
    CHECK_FALSE(calls.stack_bytes.has_value());  // one of them calls itself
    auto frames = calls.frame_bytes;
    REQUIRE(frames.size() == 3);
    for (const auto& [name, bytes] : frames) {
      CAPTURE(name);
      const std::regex pattern("Function properties for " + name +
                               "\\s*\n\\s*(?:ptxas[^\n]*:)?\\s*(\\d+) bytes stack frame");
      std::smatch match;
      REQUIRE(std::regex_search(said, match, pattern));
      CHECK(bytes == std::stoul(match[1]));
    }
    frames = read_cubin(test::compile(options, source)).at("calls").frame_bytes;
    REQUIRE(frames.contains("_Z5largeii"));
    CHECK(frames.at("_Z5largeii") >= 400);
    CHECK(frames.at("_Z5largeii") % 16 == 0);
    CHECK(frames.at("_Z5smalli") > 0);
    CHECK(frames.at("_Z5smalli") < 100);
  }
}

TEST_CASE("code that only diverged lanes run is distinguished from the rest") {
  const auto kernels = read_cubin(test::compile("-cubin -arch=sm_90", R"(
extern "C" __global__ void parts(const int* in, int* out) {
  int t = threadIdx.x, v = in[t];
  if (v > 3) v += __shfl_xor_sync(__activemask(), v, 1);
  v += in[t + 1];
  out[t] = v;
  v = __shfl_xor_sync(~0u, v, 1);
  v += in[t + 128];
  v += __shfl_xor_sync(~0u, v, 2);
  out[t + 64] = v;
}
extern "C" __global__ void stays(const int* in, int* out) {
  int t = threadIdx.x;
  out[t] = in[t] + in[t + 128] + __shfl_xor_sync(~0u, in[t + 1], 1);
}
)"));
  const auto accesses = [&](const char* kernel, bool are_for_parted_lanes) {
    const auto& memory = kernels.at(kernel).memory;
    return std::count_if(memory.begin(), memory.end(), [&](const MemoryInstruction& instruction) {
      return instruction.space == MemoryInstruction::Space::global &&
             instruction.is_for_parted_lanes == are_for_parted_lanes;
    });
  };
  CHECK(accesses("parts", false) == 5);
  CHECK(accesses("parts", true) == 1);
  CHECK(accesses("stays", false) == 4);
  CHECK(accesses("stays", true) == 0);
}

TEST_CASE("variables in shared memory take no room in a relocatable cubin") {
  const Bytes bytes = test::compile("-cubin -arch=sm_90 -rdc=true", R"(
__global__ void large(int* x) {
  __shared__ int s[12000];
  s[threadIdx.x * 100] = *x;
  __syncthreads();
  *x = s[*x];
}
)");
  CHECK(bytes.size() < 48000);
  CHECK(read_cubin(bytes).size() == 1);
}

TEST_CASE("a relocatable cubin is also read") {
  const Bytes bytes = test::compile("-cubin -arch=sm_90 -rdc=true", R"(
extern __device__ float elsewhere(float);
extern "C" __global__ void far(float* x) { x[threadIdx.x] = elsewhere(x[threadIdx.x]); }
)");
  const auto facts = read_cubin(bytes);
  REQUIRE(facts.size() == 1);
  CHECK(facts.at("far").registers > 0);
  CHECK(facts.at("far").parameter_bytes == 8);
}

TEST_CASE("bytes that are not a cubin of CUDA 13 are refused with the reason") {
  const auto error_of = [](const Bytes& bytes) -> std::string {
    try {
      read_cubin(bytes);
    } catch (const ImageError& error) {
      return error.what();
    }
    return "no error";
  };
  CHECK(error_of({}).find("ends too early") != std::string::npos);
  CHECK(error_of(Bytes(100)).find("not a 64-bit ELF") != std::string::npos);
  CHECK(error_of(test::to_bytes(test::read_text("/proc/self/exe"))).find("for a processor") !=
        std::string::npos);
  Bytes old = test::compile("-cubin -arch=sm_90", "__global__ void k() {}");
  CHECK(error_of(old) == "no error");
  old[8] = std::byte{7};
  CHECK(error_of(old).find("older than CUDA 13") != std::string::npos);
}

}  // namespace cubin_test
