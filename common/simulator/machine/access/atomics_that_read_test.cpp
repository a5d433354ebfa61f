// Atomics that find nothing to change only read: a search from level to level looks plainly at what
// earlier levels have settled, while others try to swap it.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace atomics_that_read_test {

const std::string source = R"(
struct Swap { __device__ void operator()(int* at, int v) { atomicCAS(at, -1, v); } };
struct UsedSwap {
  __device__ void operator()(int* at, int v) { if (atomicCAS(at, -1, v) == -1) __nanosleep(20); }
};
struct Maximum { __device__ void operator()(int* at, int v) { atomicMax(at, v - 50); } };
struct Minimum {
  __device__ void operator()(int* at, int v) { atomicMin((unsigned*)at, (unsigned)v + 50); }
};
struct Or { __device__ void operator()(int* at, int v) { atomicOr(at, v & 3); } };
struct And { __device__ void operator()(int* at, int v) { atomicAnd(at, v | ~3); } };

// Cells hold what x says: settled, or free. Each thread updates that of another thread, which reads it.
template <class Update> __device__ void both(const int* x, int* cells, int* y, char* letter) {
  const int i = threadIdx.x;
  cells[i] = x[i];
  __syncthreads();
  Update()(cells + (i ^ 33), i);
  if (letter) *letter = 1;
  y[i] = cells[i];
}
template <class Update> __device__ void shared(const int* x, int* y, char* letter) {
  __shared__ int cells[64];
  both<Update>(x, cells, y, letter);
}
#define KERNELS(NAME) \
  extern "C" __global__ void global_##NAME(const int* x, int* cells, int* y) { \
    both<NAME>(x, cells, y, nullptr); } \
  extern "C" __global__ void shared_##NAME(const int* x, int* cells, int* y) { \
    shared<NAME>(x, y, nullptr); }
KERNELS(Swap)
KERNELS(UsedSwap)
KERNELS(Maximum)
KERNELS(Minimum)
KERNELS(Or)
KERNELS(And)
// Kernels with accesses to single bytes look at each byte of a word.
extern "C" __global__ void global_Letter(const int* x, int* cells, int* y) {
  both<Swap>(x, cells, y, (char*)(y + 64));
}
extern "C" __global__ void shared_Letter(const int* x, int* cells, int* y) {
  __shared__ char letter;
  shared<Swap>(x, y, &letter);
}
// It fails, but what it looks at is written at the same time.
template <class T> __device__ void looks(int* cells) {
  const int i = threadIdx.x;
  cells[i] = 5;
  __syncthreads();
  *(T*)(cells + i) = 7;
  atomicCAS(cells + (i ^ 33), -1, i);
}
extern "C" __global__ void global_looks(const int*, int* cells, int*) { looks<int>(cells); }
extern "C" __global__ void shared_looks(const int*, int*, int* y) {
  __shared__ int cells[64];
  looks<int>(cells);
  y[threadIdx.x] = cells[threadIdx.x];
}
extern "C" __global__ void global_looks_at_letters(const int*, int* cells, int*) {
  looks<char>(cells);
}
)";

std::string found(const std::string& kernel, int value) {
  static Device device(source);
  static const std::uint64_t cells = device.upload(std::vector<int>(64)),
                             y = device.upload(std::vector<int>(65));
  const std::uint64_t x = device.upload(std::vector<int>(64, value));
  const auto report = device.run(kernel.c_str(), {1, 1, 1}, {64, 1, 1}, x, cells, y);
  CHECK(report.unsupported == "");
  return report.diagnoses.empty() ? "" : report.diagnoses.front().kind;
}

TEST_CASE("an atomic that changes nothing races with no plain read, one that does races") {
  struct Case {
    const char* update;
    int settled, open;
  };
  for (const Case& c : {Case{"Swap", 5, -1},
                        {"UsedSwap", 5, -1},
                        {"Maximum", 70, -99},
                        {"Or", 3, 0},
                        {"And", 0, 3},
                        {"Letter", 5, -1}})
    for (const std::string space : {"shared_", "global_"}) {
      CAPTURE(space + c.update);
      CHECK(found(space + c.update, c.settled) == "");
      CHECK(found(space + c.update, c.open) == "race");
    }
  CHECK(found("shared_Minimum", 20) == "");
  CHECK(found("shared_Minimum", -1) == "race");
}

TEST_CASE("a compare-and-swap that fails still races with a plain store") {
  for (const char* kernel : {"global_looks", "shared_looks", "global_looks_at_letters"}) {
    CAPTURE(kernel);
    CHECK(found(kernel, 0) == "race");
  }
}

}  // namespace atomics_that_read_test
