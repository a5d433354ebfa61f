#include "simulator/machine/schedule/helpers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

using warpwise::machine::Helpers;

namespace helpers_test {

/// Calls work(0) here and the rest on helpers.
void run(unsigned count, const std::function<void(unsigned)>& work) {
  Helpers::Team team(Helpers::all(), count, work);
  team.start();
  work(0);
}

TEST_CASE("helpers run each number once, at the same time, and again") {
  for (int round = 0; round < 200; ++round) {
    const unsigned count = 1 + static_cast<unsigned>(round) % 5;
    std::vector<std::atomic<int>> ran(count);
    std::barrier together(count);  // ends only if all of them run at once
    run(count, [&](unsigned number) {
      together.arrive_and_wait();
      ++ran[number];
    });
    for (const std::atomic<int>& times : ran) REQUIRE(times == 1);
  }
}

TEST_CASE("several threads have helpers at once") {
  Helpers::all().prepare(1);
  std::atomic<int> ran = 0;
  std::barrier together(4);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 100; ++round)
        run(2, [&](unsigned) {
          together.arrive_and_wait();
          ++ran;
        });
    });
  threads.clear();
  CHECK(ran == 400);
}

TEST_CASE("what fails here waits for the helpers first") {
  std::atomic<bool> begun = false, ended = false;
  const auto work = [&](unsigned number) {
    if (number == 0) {
      begun.wait(false);
      throw std::runtime_error("here");
    }
    begun = true;
    begun.notify_all();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ended = true;
  };
  CHECK_THROWS_AS(run(2, work), std::runtime_error);
  CHECK(ended);
}

TEST_CASE("a team that is not started does nothing") {
  std::atomic<int> ran = 0;
  const std::function<void(unsigned)> work = [&](unsigned) { ++ran; };
  { const Helpers::Team team(Helpers::all(), 3, work); }
  CHECK(ran == 0);
}

}  // namespace helpers_test
