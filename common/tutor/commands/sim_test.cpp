// `learn sim` on programs that nvcc builds: exit status, report, limits.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

class Simulated {
 public:
  explicit Simulated(const std::string& source) { write_atomically(file(), source); }
  Outcome run(std::vector<std::string> options, const std::vector<std::string>& arguments = {}) {
    options.insert(options.begin(), {WARPWISE_BUILD_DIR "/tutor/learn", "sim", "--json", report()});
    options.push_back(file());
    options.insert(options.end(), arguments.begin(), arguments.end());
    return run_captured({.words = std::move(options)});
  }
  nlohmann::json json() const { return nlohmann::json::parse(read_file(report())); }

 private:
  std::string file() const { return (folder_.path() / "program.cu").string(); }
  std::string report() const { return (folder_.path() / "report.json").string(); }
  TemporaryFolder folder_;
};

constexpr const char* store = R"(
#include <cstdio>
__global__ void store(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] = 1;
}
int main(int count, char** words) {
  float* x;
  cudaMalloc(&x, 16 * sizeof(float));
  store<<<1, 32>>>(x, count > 2 ? 17 : 16);
  cudaDeviceSynchronize();
  cudaFree(x);
  std::printf("%s\n", count > 1 ? words[1] : "none");
  return 7;
}
)";

TEST_CASE("a clean program keeps its status, arguments and output") {
  Simulated program(store);
  const Outcome outcome = program.run({}, {"--json"});
  CHECK(outcome.out == "--json\n");
  CHECK(outcome.status == 7);
  const auto json = program.json();
  CHECK(json["status"] == 7);
  CHECK(json["program_status"] == 7);
  REQUIRE(json["launches"].size() == 1);
  CHECK(json["launches"][0]["kernel"] == "store(float*, int)");
  CHECK(json["launches"][0]["diagnoses"].empty());
}

TEST_CASE("a program that says of std what C has compiles with less than all headers") {
  Simulated program(R"(
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime_api.h>
#include <mma.h>
#include <type_traits>
#include <utility>
struct Size {
  int x, y;
  auto operator<=>(const Size&) const = default;
};
__global__ void fill(int* x) {
  for (int i : {0, 1}) x[i] = min(abs(-7), max(i + 7, 3));
}
int main() {
  char* text = static_cast<char*>(std::malloc(8));
  char* zeros = static_cast<char*>(std::calloc(8, 1));
  std::memset(text, 0, 8);
  std::memmove(text, "12", 3);
  std::memcpy(zeros, text, 3);
  if (std::memcmp(text, zeros, 8) != 0 || std::strcmp(text, zeros) != 0) std::abort();
  const std::size_t length = std::strlen(zeros);
  std::puts(text);
  std::putchar('3');
  std::printf("%zu\n", length);
  std::fflush(stdout);
  std::fprintf(stderr, "%d\n", Size{1, 2} < Size{1, 3});
  std::free(zeros);
  std::free(text);
  int* x;
  int host[2];
  cudaMalloc(&x, sizeof host);
  fill<<<1, 1>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDefault);
  cudaFree(x);
  const auto [first, second] = host;
  std::exit(first + second);
}
)");
  const Outcome outcome = program.run({});
  CHECK_MESSAGE(outcome.out == "12\n32\n", outcome.err);
  CHECK(outcome.status == 14);
}

TEST_CASE("a program that AddressSanitizer watches runs, and is watched") {
  const TemporaryFolder folder;
  const std::string source = (folder.path() / "watched.cu").string(),
                    program = (folder.path() / "watched").string();
  write_atomically(source, R"(
#include <cstdlib>
int main(int count, char**) {
  cudaFree(nullptr);
  char* text = static_cast<char*>(std::malloc(8));
  text[count > 1 ? 8 : 0] = 1;
  const int sum = text[0];
  std::free(text);
  return sum + 4;
}
)");
  REQUIRE(run_captured({.words = {WARPWISE_NVCC, "-arch=sm_90", "--cudart", "shared", "-Xcompiler",
                                  "-fsanitize=address", source, "-o", program}})
              .status == 0);
  const std::string learn = WARPWISE_BUILD_DIR "/tutor/learn";
  CHECK(run_captured({.words = {learn, "sim", program}}).status == 5);
  const Outcome wrong = run_captured({.words = {learn, "sim", program, "beyond"}});
  CHECK(wrong.err.find("heap-buffer-overflow") != std::string::npos);
}

TEST_CASE("a diagnosed program ends with 1, whatever it returned") {
  Simulated program(store);
  const Outcome outcome = program.run({"--threads", "1"}, {"a", "b"});
  CHECK(outcome.status == status_wrong);
  CHECK(outcome.err.find("out-of-bounds") != std::string::npos);
  const auto json = program.json();
  CHECK(json["program_status"] == 7);
  CHECK(json["launches"][0]["diagnoses"][0]["line"] == 4);
}

TEST_CASE("what is not simulated ends with 3, a crash with its signal") {
  Simulated external(
      "int main() { cudaExternalMemory_t m; return cudaImportExternalMemory(&m, nullptr); }\n");
  CHECK(external.run({}).status == status_environment);
  Simulated crash("#include <csignal>\nint main() { cudaFree(0); std::raise(SIGSEGV); }\n");
  CHECK(crash.run({}).status == 128 + 11);
  CHECK(crash.json()["program_status"] == 128 + 11);
}

TEST_CASE("a program that never ends is stopped at its limit") {
  Simulated program("int main() { cudaFree(0); for (volatile int i = 0;; i = i + 1) {} }\n");
  CHECK(program.run({"--limit", "0.3"}).status == status_wrong);
  CHECK(program.json()["status"] == status_wrong);
}

TEST_CASE("a source that does not compile shows the first error only") {
  Simulated program("int main() {\n  retrn 0;\n  retrn 1;\n}\n");
  const Outcome outcome = program.run({});
  CHECK(outcome.status == status_wrong);
  CHECK(outcome.err.find("error: ") != std::string::npos);
  CHECK(outcome.err.find("program.cu:2\n") != std::string::npos);
  CHECK(outcome.err.find("program.cu:3") == std::string::npos);
}

TEST_CASE("a source with instructions of Hopper alone is compiled for it") {
  Simulated program(R"(
__global__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
int main() {
  fence<<<1, 128>>>();
  return cudaDeviceSynchronize() + 7;
}
)");
  CHECK(program.run({}).status == 7);
}

TEST_CASE("a source with kernels that launch kernels is compiled as they need it") {
  Simulated program(R"(
__device__ int value;
__global__ void child() { value = 8; }
__global__ void parent() { child<<<1, 1>>>(); }
int main() {
  parent<<<1, 1>>>();
  int host = 0;
  cudaMemcpyFromSymbol(&host, value, sizeof host);
  return host;
}
)");
  CHECK(program.run({}).status == 8);
}

TEST_CASE("--view shows what each line cost, after what the program printed") {
  const Outcome outcome = Simulated(store).run({"--view"});
  CHECK(outcome.out == "none\n");
  CHECK(outcome.err.find("store(float*, int): 1 launch\n") != std::string::npos);
  CHECK(outcome.err.find("1  2.0 sectors           global store       4 | if (threadIdx.x < n)") !=
        std::string::npos);
  const Outcome nothing = Simulated("int main() {}").run({"--view"});
  CHECK(nothing.err.find("no kernel was launched") != std::string::npos);
}

TEST_CASE("--trace writes what one warp does; without such a warp it says how to choose") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "trace.json";
  Simulated program(store);
  CHECK(program.run({"--trace", file, "--kernel", "store", "--steps", "1000"}).status == 7);
  const auto trace = nlohmann::json::parse(read_file(file));
  CHECK(trace["kernel"] == "store(float*, int)");
  CHECK(trace["complete"] == true);
  CHECK(trace["steps"].size() > 5);
  const Outcome none = program.run({"--trace", file, "--block", "1"});
  CHECK(none.status == status_wrong);
  CHECK(none.err.find("no launch of a kernel had block 1 with a warp 0") != std::string::npos);
}

TEST_CASE("the instructions are listed with what is known of them") {
  const Outcome outcome =
      run_captured({.words = {WARPWISE_BUILD_DIR "/tutor/learn", "sim", "--isa"}});
  CHECK(outcome.status == status_ok);
  CHECK(outcome.out.find("instruction\n") != std::string::npos);
  CHECK(outcome.out.find("  dp4a.atype.btype d, a, b, c;") != std::string::npos);
  CHECK(outcome.out.find(" rows are supported.") != std::string::npos);
}

TEST_CASE("the limits are those of the GPU that was named") {
  Simulated program(R"(
#include <cstdio>
int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::printf("%d\n", properties.multiProcessorCount);
}
)");
  CHECK(program.run({"--gpu", "t4"}).out == "40\n");
  CHECK(program.run({"--gpu", "a100"}).out == "108\n");
}

TEST_CASE("the devices are as many as were asked for, one without it") {
  Simulated program(R"(
#include <cstdio>
int main() {
  int count = 0, can = 0;
  cudaGetDeviceCount(&count);
  if (count > 1) cudaDeviceCanAccessPeer(&can, 0, 1);
  std::printf("%d %d\n", count, can);
}
)");
  CHECK(program.run({}).out == "1 0\n");
  CHECK(program.run({"--gpus", "3"}).out == "3 1\n");
  CHECK(program.run({"--gpus", "2", "--peers", "none"}).out == "2 0\n");
}

}  // namespace
}  // namespace warpwise::tutor
