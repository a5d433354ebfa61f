#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "simulator/cudart/child.h"

// One program, built in every way that nvcc offers, runs and gives the same.
namespace warpwise::cudart {
namespace {

namespace fs = std::filesystem;

/// Included by main.cu, except with -rdc=true: then it is a unit of its own.
const char* const other_unit = R"(
__device__ int factor = 3;
__constant__ int weights[4] = {1, 10, 100, 1000};
static __device__ __noinline__ int same_name(int x) { return x * factor; }
__device__ __noinline__ int scaled(int x) { return same_name(x) + weights[x & 3]; }
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ Operation operations[2] = {add, subtract};
__global__ void second_kernel(int* out) { out[threadIdx.x] = scaled(threadIdx.x) * 2; }
)";

const char* const header = R"(
using Operation = int (*)(int, int);
struct Matrix { int values[3][3]; double scale; };
extern __device__ int factor;
extern __constant__ int weights[4];
__device__ int scaled(int x);
extern __device__ Operation operations[2];
__global__ void second_kernel(int* out);
template <class T> __device__ T largest(T a, T b) { return a < b ? b : a; }
)";

const char* const main_unit = R"(
#include <cstdio>
#include <vector>
#ifdef __CUDACC_RDC__
#include "header.h"
static __device__ __noinline__ int same_name(int x) { return x - 1; }
#define minus_one same_name
#else
using Operation = int (*)(int, int);
struct Matrix { int values[3][3]; double scale; };
template <class T> __device__ T largest(T a, T b) { return a < b ? b : a; }
#include "other.cu"
static __device__ int minus_one(int x) { return x - 1; }
#endif
struct Animal { __device__ virtual int legs(int age) const = 0; __device__ virtual ~Animal() {} };
struct Dog : Animal { __device__ int legs(int age) const override { return largest(4, age); } };
struct Bird : Animal { __device__ int legs(int) const override { return 2; } };
__device__ __noinline__ Matrix transposed(Matrix m) {
  Matrix t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t.values[i][j] = m.values[j][i];
  t.scale = m.scale * 2;
  return t;
}
__device__ int collatz(int n) { return n <= 1 ? 0 : 1 + collatz(n % 2 ? 3 * n + 1 : n / 2); }
__device__ int chosen(int which, int x) {
  switch (which % 7) {
    case 0: return x * 3;
    case 1: return x / 7;
    case 2: return x ^ 0x55;
    case 3: return __popc(x);
    case 4: return x - 11;
    case 5: return x << 3;
    default: return -x;
  }
}
__managed__ int managed = 5;
__global__ void kernel(int* out, float* floats, Matrix m) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = scaled(t) + (*operations[t & 1])(t, 9);
  __syncthreads();
  Matrix r = transposed(m);
  Animal* animal = t % 3 ? static_cast<Animal*>(new Dog) : new Bird;
  out[t] = tile[63 - t] + r.values[t % 3][t / 3 % 3] + int(r.scale) + animal->legs(t) +
           collatz(t + 1) + chosen(t, t * 13) + minus_one(t) + managed;
  delete animal;
  floats[t] = 1.0f / (t + 1) * 3.0f + sqrtf(t);
  if (t == 5) printf("from the device: %d %s\n", out[t], "text");
}
int main() {
  const int n = 64;
  int* out;
  float* floats;
  cudaMalloc(&out, n * 4);
  cudaMalloc(&floats, n * 4);
  Matrix m;
  for (int i = 0; i < 9; ++i) m.values[i / 3][i % 3] = i * i;
  m.scale = 1.5;
  int seven = 7;
  cudaMemcpyToSymbol(factor, &seven, 4);
  std::vector<int> got(n), second(n);
  std::vector<float> got_floats(n);
  cudaDeviceSetLimit(cudaLimitStackSize, 16384);  // for collatz, 112 calls deep
  kernel<<<1, n>>>(out, floats, m);
  cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(got_floats.data(), floats, n * 4, cudaMemcpyDeviceToHost);
  second_kernel<<<1, n>>>(out);
  cudaMemcpy(second.data(), out, n * 4, cudaMemcpyDeviceToHost);
  int weights[4] = {1, 10, 100, 1000}, wrong = 0;
  auto scaled = [&](int x) { return x * 7 + weights[x & 3]; };
  auto steps = [](int k) { int s = 0; for (; k > 1; ++s) k = k % 2 ? 3 * k + 1 : k / 2; return s; };
  for (int t = 0; t < n; ++t) {
    int u = 63 - t, x = t * 13;
    int cases[7] = {x * 3, x / 7, x ^ 0x55, __builtin_popcount(x), x - 11, x << 3, -x};
    int want = scaled(u) + (u & 1 ? u - 9 : u + 9) + m.values[t / 3 % 3][t % 3] + 3 +
               (t % 3 ? (t > 4 ? t : 4) : 2) + steps(t + 1) + cases[t % 7] + t - 1 + 5;
    float near = 1.0f / (t + 1) * 3.0f + __builtin_sqrtf(t);
    if (got[t] != want || second[t] != 2 * scaled(t)) ++wrong;
    if (__builtin_fabsf(got_floats[t] - near) > 1e-5f * near) ++wrong;
  }
  printf("%d wrong, %s\n", wrong, cudaGetErrorName(cudaDeviceSynchronize()));
  return wrong != 0;
}
)";

struct Mode {
  std::string name, options;
  bool separate = false;
};

/// Compilers take their time: each build tries several options at once.
const std::vector<Mode> modes = {
    {"fast", "-arch=sm_90 -lineinfo -use_fast_math"},
    {"debug", "-arch=sm_90 -G --compress-mode=size"},
    {"old", "-arch=sm_75 --compress-mode=speed"},
    {"new", "-gencode arch=compute_100,code=compute_100 --compress-mode=none"},
    {"many",
     "-gencode arch=compute_90,code=sm_90 -gencode arch=compute_100,code=[sm_100,compute_100]"},
    {"separate", "-arch=sm_90 -rdc=true", true},
    {"separate_debug", "-arch=sm_90 -rdc=true -G", true},
};

/// All modes, built once, two compilers at a time.
class Programs {
 public:
  Programs() {
    std::string name = (fs::temp_directory_path() / "build_modes_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    std::ofstream(folder_ / "header.h") << "#pragma once\n" << header;
    std::ofstream(folder_ / "other.cu") << "#ifdef __CUDACC_RDC__\n#include \"header.h\"\n#endif\n"
                                        << other_unit;
    std::ofstream(folder_ / "main.cu") << main_unit;
    std::ofstream list(folder_ / "list");
    for (const Mode& mode : modes)
      list << "-std=c++17 --cudart shared " << mode.options << " -o " << mode.name << " main.cu"
           << (mode.separate ? " other.cu" : "") << "\n";
    list.close();
    Ending built =
        run_command("cd " + folder_.string() + " && xargs -a list -P 2 -L 1 '" WARPWISE_NVCC "'");
    INFO(built.text);
    REQUIRE(built.status == 0);
  }
  ~Programs() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  Ending run(const std::string& mode) const {
    return run_command("exec timeout 60 env LD_PRELOAD=" WARPWISE_BUILD_DIR
                       "/simulator/libcudart.so.13 " +
                       (folder_ / mode).string());
  }

 private:
  fs::path folder_;
};

TEST_CASE("a program gives the same however it was built") {
  const Programs programs;
  for (const Mode& mode : modes) {
    INFO(mode.name);
    const Ending ending = programs.run(mode.name);
    CHECK(ending.status == 0);
    CHECK(ending.says("from the device: "));
    CHECK(ending.says("0 wrong, cudaSuccess\n"));
    CHECK(ending.says("PTX for compute_100") == (mode.name == "new"));
  }
}

}  // namespace
}  // namespace warpwise::cudart
