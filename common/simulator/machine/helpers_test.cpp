#include "simulator/machine/helpers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

using warpwise::machine::Helpers;

namespace helpers_test {

TEST_CASE("helpers run each number once, at the same time, and again") {
  for (int round = 0; round < 200; ++round) {
    const unsigned count = 1 + static_cast<unsigned>(round) % 5;
    std::vector<std::atomic<int>> ran(count);
    std::barrier together(count);  // ends only if all of them run at once
    Helpers::all().run(count, [&](unsigned number) {
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
        Helpers::all().run(2, [&](unsigned) {
          together.arrive_and_wait();
          ++ran;
        });
    });
  threads.clear();
  CHECK(ran == 400);
}

TEST_CASE("what fails here waits for the helpers first") {
  std::atomic<bool> begun = false, ended = false;
  CHECK_THROWS_AS(Helpers::all().run(2,
                                     [&](unsigned number) {
                                       if (number == 0) {
                                         begun.wait(false);
                                         throw std::runtime_error("here");
                                       }
                                       begun = true;
                                       begun.notify_all();
                                       std::this_thread::sleep_for(std::chrono::milliseconds(20));
                                       ended = true;
                                     }),
                  std::runtime_error);
  CHECK(ended);
}

}  // namespace helpers_test
