// Launches whose counts follow from what the system or an earlier launch has left to chance.

#include "simulator/machine/checks/arrivals.h"

#include <vector>

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine;
using test::Device;

namespace arrivals_test {

Device& device() {
  static Device made(R"(
extern "C" __global__ void push(const int* x, int* queue, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] % 3 == 0) queue[atomicAdd(count, 1)] = i;
}
extern "C" __global__ void push_in_place(const int* x, int* queue, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) queue[i] = x[i] % 300;
}
extern "C" __global__ void visit(const int* queue, const int* x, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[queue[i]];
}
extern "C" __global__ void copy(const int* x, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2 * x[i];
}
)");
  return made;
}

const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

bool is_confirmed(const watch::LaunchReport& report) {
  CHECK(report.counts.counters.count(sectors) + report.counts.counters.count("ptx__" + sectors) ==
        1);
  return report.counts.counters.count(sectors) == 1;
}

/// Arrays for the kernels.
struct Arrays {
  std::uint64_t x = device().upload(test::numbers<int>(300));
  std::uint64_t queue = device().upload(std::vector<int>(300));
  std::uint64_t count = device().upload(std::vector<int>(1));
  std::uint64_t y = device().upload(std::vector<int>(300));

  watch::LaunchReport push() const {
    return device().run_clean("push", {3, 1, 1}, {100, 1, 1}, x, queue, count, 300);
  }
  watch::LaunchReport visit() const {
    return device().run_clean("visit", {1, 1, 1}, {100, 1, 1}, queue, x, y);
  }
  void write_anew(std::uint64_t bytes) const {
    device().memory().written(device().memory().host(queue), nullptr, bytes);
  }
};

TEST_CASE("what follows the places of a queue that an earlier launch has filled is not confirmed") {
  for (const unsigned threads : {1u, 2u}) {
    CAPTURE(threads);
    device().options().threads = threads;
    const Arrays arrays;
    CHECK(is_confirmed(arrays.visit()));
    CHECK(is_confirmed(arrays.push()));
    CHECK_FALSE(is_confirmed(arrays.visit()));
    CHECK(is_confirmed(device().run_clean("copy", {1, 1, 1}, {100, 1, 1}, arrays.queue, arrays.y)));
    arrays.write_anew(1196);
    CHECK_FALSE(is_confirmed(arrays.visit()));
    arrays.write_anew(1200);
    CHECK(is_confirmed(arrays.visit()));
  }
  device().options().threads = 1;
}

TEST_CASE("an order goes on through what a launch stores that has read it") {
  const Arrays arrays;
  const auto follow = [&](std::uint64_t index) {
    const std::uint64_t y = device().upload(std::vector<int>(300));
    return device().run_clean("visit", {1, 1, 1}, {50, 1, 1}, index, arrays.x, y);
  };
  const auto copy = [&](std::uint64_t from) {
    return device().run_clean("copy", {1, 1, 1}, {100, 1, 1}, from, arrays.y);
  };
  copy(arrays.queue);
  CHECK(is_confirmed(follow(arrays.y)));
  arrays.push();
  copy(arrays.x);
  CHECK(is_confirmed(follow(arrays.y)));
  CHECK(is_confirmed(copy(arrays.queue)));
  CHECK_FALSE(is_confirmed(follow(arrays.y)));
}

TEST_CASE("a launch without atomics leaves no doubt to the next") {
  const Arrays arrays;
  device().run_clean("push_in_place", {3, 1, 1}, {100, 1, 1}, arrays.x, arrays.queue, 300);
  CHECK(is_confirmed(arrays.visit()));
}

TEST_CASE("where memory of the host begins, its allocator decides") {
  alignas(4096) static int words[1024];
  const std::uint64_t y = device().upload(std::vector<int>(300));
  for (const std::size_t first : {0u, 4u, 128u}) {
    CAPTURE(first);
    const auto x = reinterpret_cast<std::uint64_t>(words + first);
    REQUIRE(device().memory().adopt(x, 400) != nullptr);
    const auto report = device().run_clean("copy", {1, 1, 1}, {100, 1, 1}, x, y);
    CHECK(is_confirmed(report) == (first != 4));
    CHECK(device().memory().release(x));
  }
}

}  // namespace arrivals_test
