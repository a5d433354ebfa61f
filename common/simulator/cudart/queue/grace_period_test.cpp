#include "simulator/cudart/queue/grace_period.h"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "simulator/cudart/queue/own_threads.h"
#include "simulator/cudart/tests/fake_module.h"

namespace warpwise::cudart {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto grace_period = 100ms;

int* new_number() {
  int* device = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), sizeof(int)) == cudaSuccess);
  cudaMemset(device, 0, sizeof(int));
  cudaDeviceSynchronize();
  runtime().queue.set_grace_period(grace_period);
  return device;
}

// Its value there, seen past the queue.
int now(const int* device) {
  return *reinterpret_cast<volatile int*>(
      runtime().memory.host(reinterpret_cast<std::uint64_t>(device)));
}

bool ready() { return true; }
bool asleep() { return false; }

// An operation issued at 0 and asked for by nobody, and the looks at its program one after the
// other.
struct Unasked {
  GracePeriod decides;
  bool starts(std::chrono::nanoseconds now, std::chrono::nanoseconds had, bool (*is_ready)()) {
    static std::chrono::nanoseconds until_now;
    until_now = had;
    return decides.is_over(1, Clock::time_point{}, grace_period,
                           {Clock::time_point{now}, [] { return until_now; }, is_ready});
  }
};

TEST_CASE("work that no call waits for does not start while the program is kept from running") {
  Unasked work;
  bool has_started = false;
  for (auto now = 0ms; now < 50 * grace_period; now += 5ms)
    has_started |= work.starts(now, 1ms, ready);
  CHECK_FALSE(has_started);
}

TEST_CASE("work that no call waits for starts at last, also where the program never gets to run") {
  Unasked work;
  CHECK_FALSE(work.starts(grace_period, 0ms, ready));
  CHECK(work.starts(50 * grace_period, 0ms, ready));
}

TEST_CASE(
    "work that no call waits for starts when the program has run for a while without asking") {
  Unasked work;
  CHECK_FALSE(work.starts(grace_period - 1ns, 500ms, ready));
  CHECK_FALSE(work.starts(grace_period, 500ms, ready));
  CHECK_FALSE(work.starts(2 * grace_period, 500ms + grace_period / 5 - 1ns, ready));
  CHECK(work.starts(2 * grace_period, 500ms + grace_period / 5, ready));
}

TEST_CASE("work that no call waits for starts when the program sleeps at two looks in succession") {
  Unasked work;
  CHECK_FALSE(work.starts(grace_period, 0ms, asleep));
  CHECK_FALSE(work.starts(grace_period + 1ms, 0ms, asleep));  // too soon for another look
  CHECK_FALSE(work.starts(grace_period + 5ms, 0ms, ready));
  CHECK_FALSE(work.starts(grace_period + 10ms, 0ms, asleep));
  CHECK(work.starts(grace_period + 15ms, 0ms, asleep));
}

TEST_CASE("work that no call waits for starts while the program sleeps, and while it computes") {
  int* const device = new_number();
  const auto give_up = [until = Clock::now() + 120s] { return Clock::now() > until; };
  launch_fake_on("fill", device, 3, 1);
  while (now(device) == 0 && !give_up()) std::this_thread::sleep_for(grace_period);
  CHECK(now(device) == 3);
  launch_fake_on("fill", device, 4, 1);
  while (now(device) == 3 && !give_up())
    ;
  CHECK(now(device) == 4);
  cudaFree(device);
}

TEST_CASE("a program that runs is distinguished from one that sleeps") {
  CHECK(program_is_ready());  // this thread
  bool while_it_sleeps = true;
  std::thread own([&] {
    name_own_thread("test");
    while (while_it_sleeps) while_it_sleeps = program_is_ready();
  });
  own.join();
  CHECK_FALSE(while_it_sleeps);
}

}  // namespace
}  // namespace warpwise::cudart
