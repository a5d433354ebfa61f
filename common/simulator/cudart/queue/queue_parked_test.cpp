#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include "simulator/cudart/queue/own_threads.h"
#include "simulator/cudart/report/report.h"
#include "simulator/cudart/tests/child.h"
#include "simulator/cudart/tests/fake_module.h"

// Launches that wait for something which another stream does, or the host.
namespace warpwise::cudart {
namespace {

// Two numbers on the device and a stream of each kind.
struct Scene {
  int* x = nullptr;
  cudaStream_t blocking = nullptr, free = nullptr;

  Scene() {
    // However busy this machine is, nothing starts here without being asked for.
    runtime().queue.set_grace_period(std::chrono::hours(1));
    cudaMalloc(reinterpret_cast<void**>(&x), 2 * sizeof(int));
    cudaMemset(x, 0, 2 * sizeof(int));
    cudaStreamCreate(&blocking);
    cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
  }
  ~Scene() {
    cudaFree(x);
    cudaStreamDestroy(blocking), cudaStreamDestroy(free);
  }
};

TEST_CASE("a launch that waits lets another stream go on") {
  const Scene scene;
  launch_fake_on("await", scene.x, 1, 1, scene.free);
  launch_fake_on("fill", scene.x, 1, 1, scene.blocking);
  CHECK(cudaStreamSynchronize(scene.free) == cudaSuccess);
}

TEST_CASE("two launches wait for each other in turns") {
  const Scene scene;
  cudaStream_t third = nullptr;
  REQUIRE(cudaStreamCreate(&third) == cudaSuccess);
  // The first waits for the second, which waits for a fill after an event of the third stream.
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  launch_fake_on("await", scene.x, 7, 1, scene.free);
  launch_fake_on("await", scene.x + 1, 3, 1, scene.blocking);
  launch_fake_on("fill", scene.x, 7, 1, scene.blocking);
  launch_fake_on("fill", scene.x + 1, 2, 1, third);
  CHECK(cudaEventRecord(event, third) == cudaSuccess);
  launch_fake_on("add", scene.x + 1, 1, 1, third);
  CHECK(cudaStreamSynchronize(scene.free) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  int now[2] = {};
  CHECK(cudaMemcpy(now, scene.x, sizeof now, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(now[0] == 7);
  CHECK(now[1] == 3);
  cudaEventDestroy(event), cudaStreamDestroy(third);
}

TEST_CASE("a copy, a fill and a host function count as help") {
  const Scene scene;
  int five = 5;
  launch_fake_on("await", scene.x, 5, 1, scene.free);
  CHECK(cudaMemcpyAsync(scene.x, &five, 4, cudaMemcpyHostToDevice, scene.blocking) == cudaSuccess);
  CHECK(cudaStreamSynchronize(scene.free) == cudaSuccess);
  launch_fake_on("await", scene.x, 0, 1, scene.free);
  CHECK(cudaMemsetAsync(scene.x, 0, 4, scene.blocking) == cudaSuccess);
  CHECK(cudaStreamSynchronize(scene.free) == cudaSuccess);
  launch_fake_on("await", scene.x, 9, 1, scene.free);
  CHECK(cudaLaunchHostFunc(
            scene.blocking,
            [](void* x) {
              *reinterpret_cast<int*>(runtime().memory.host(reinterpret_cast<std::uint64_t>(x))) =
                  9;
            },
            scene.x) == cudaSuccess);
  CHECK(cudaStreamSynchronize(scene.free) == cudaSuccess);
}

TEST_CASE("a launch that has seen a copy's value puts the copy before what follows it") {
  const Scene scene;
  int five = 5;
  runtime().reporter.take();
  launch_fake_on("await", scene.x, 5, 1, scene.free);
  CHECK(cudaMemcpyAsync(scene.x, &five, 4, cudaMemcpyHostToDevice, scene.blocking) == cudaSuccess);
  CHECK(cudaMemsetAsync(scene.x, 1, 4, scene.free) == cudaSuccess);
  CHECK(cudaStreamSynchronize(scene.free) == cudaSuccess);
  CHECK(runtime().reporter.take().find("race") == std::string::npos);
  // Without a launch in between nothing orders them.
  CHECK(cudaMemcpyAsync(scene.x, &five, 4, cudaMemcpyHostToDevice, scene.blocking) == cudaSuccess);
  CHECK(cudaMemsetAsync(scene.x, 1, 4, scene.free) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(runtime().reporter.take().find("race") != std::string::npos);
}

TEST_CASE("another thread of the host may launch what is waited for later") {
  const Scene scene;
  launch_fake_on("await", scene.x, 1, 1, scene.free);
  std::thread helper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    launch_fake_on("fill", scene.x, 1, 1, scene.blocking);
    cudaStreamSynchronize(scene.blocking);
  });
  CHECK(cudaStreamSynchronize(scene.free) == cudaSuccess);
  helper.join();
}

TEST_CASE("a query is answered while a launch waits, and the host can go on") {
  const Scene scene;
  launch_fake_on("await", scene.x, 1, 1, scene.free);
  for (int i = 0; i < 20; ++i) {
    CHECK(cudaStreamQuery(scene.free) == cudaErrorNotReady);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  launch_fake_on("fill", scene.x, 1, 1, scene.blocking);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("what the host writes just before it waits is seen, however late the launch looked") {
  const Scene scene;
  auto* const shared = reinterpret_cast<std::atomic<int>*>(
      runtime().memory.host(reinterpret_cast<std::uint64_t>(scene.x)));
  std::atomic<int> looks = 0;
  fake_look = [&] {
    if (looks++ == 0)
      while (runtime().queue.waiting_hosts() == 0) std::this_thread::yield();
  };
  launch_fake_on("await", scene.x, 1, 1, scene.free);
  // It begins, looks too early, and is blocked once the host waits.
  CHECK(cudaStreamQuery(scene.free) == cudaErrorNotReady);
  while (looks == 0) std::this_thread::yield();
  *shared = 1;
  CHECK(cudaStreamSynchronize(scene.free) == cudaSuccess);
  fake_look = nullptr;
  CHECK(looks == 1);
}

TEST_CASE("many launches wait at once") {
  const Scene scene;
  std::vector<cudaStream_t> streams(100);
  for (cudaStream_t& stream : streams) {
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    launch_fake_on("await", scene.x, 1, 1, stream);
  }
  launch_fake_on("fill", scene.x, 1, 1, scene.free);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

TEST_CASE("child: after the launch that waits for it" * doctest::skip()) {
  const Scene scene;
  launch_fake_on("await", scene.x, 1, 1, nullptr);
  launch_fake_on("fill", scene.x, 1, 1, scene.blocking);
  cudaDeviceSynchronize();
}

TEST_CASE("what the order of streams puts after a launch that waits cannot help it") {
  const Ending ending = run_case("child: after the launch that waits for it");
  CHECK(ending.says("error: deadlock: waits for 1."));
  CHECK(ending.says("put them after a launch that waits: fill"));
}

TEST_CASE("child: a thread that has nothing to do" * doctest::skip()) {
  const Scene scene;
  std::mutex mutex;
  std::condition_variable wake;
  bool has_work = false;
  std::thread idle([&] {
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return has_work; });
  });
  launch_fake_on("await", scene.x, 1, 1, scene.free);
  cudaDeviceSynchronize();
  {
    const std::lock_guard lock(mutex);
    has_work = true;
  }
  wake.notify_one();
  idle.join();
}

TEST_CASE("child: a thread that will help after a while" * doctest::skip()) {
  const Scene scene;
  std::thread helper([&] {
    std::this_thread::sleep_for(std::chrono::seconds(6));
    launch_fake_on("fill", scene.x, 1, 1, scene.blocking);
  });
  launch_fake_on("await", scene.x, 1, 1, scene.free);
  if (cudaStreamSynchronize(scene.free) == cudaSuccess) std::puts("helped");
  helper.join();
}

TEST_CASE("a thread that only others can wake does not help, one that sleeps may") {
  std::thread helped([] {
    const Ending ending = run_case("child: a thread that will help after a while");
    CHECK(ending.says("helped"));
    CHECK_FALSE(ending.says("deadlock"));
  });
  // On a busy machine not every try is quick; if the queue waited for the thread, none would be.
  bool was_quick = false;
  for (int i = 0; i < 10 && !was_quick; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    CHECK(run_case("child: a thread that has nothing to do").says("deadlock: waits for 1."));
    was_quick = std::chrono::steady_clock::now() - begin < std::chrono::seconds(5);
  }
  CHECK(was_quick);
  helped.join();
}

TEST_CASE("child: all wait" * doctest::skip()) {
  const Scene scene;
  launch_fake_on("await", scene.x, 1, 1, scene.free);
  launch_fake_on("await", scene.x, 2, 1, scene.blocking);
  cudaDeviceSynchronize();
}

TEST_CASE("all launches that wait are named") {
  const Ending ending = run_case("child: all wait");
  CHECK(ending.says("deadlock: waits for 1. Other launches also wait: await"));
  CHECK(ending.says("deadlock: waits for 2. Other launches also wait: await"));
}

TEST_CASE("child: a full GPU" * doctest::skip()) {
  const Scene scene;
  int per_sm = 0, sms = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &per_sm, reinterpret_cast<const void*>(fake_kernel("await")), 32, 0);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  launch_fake_on("await", scene.x, 1, per_sm * sms - 1, scene.free);
  launch_fake_on("fill", scene.x, 1, 1, scene.blocking);
  if (cudaDeviceSynchronize() == cudaSuccess) std::puts("one block had room");
  launch_fake_on("await", scene.x, 2, per_sm * sms, scene.free);
  launch_fake_on("fill", scene.x, 2, 1, scene.blocking);
  cudaDeviceSynchronize();
}

TEST_CASE("a launch that finds no room cannot help") {
  const Ending ending = run_case("child: a full GPU");
  CHECK(ending.says("one block had room"));
  CHECK(ending.says("the GPU has no room for the blocks of fill"));
}

TEST_CASE("child: a fault elsewhere" * doctest::skip()) {
  const Scene scene;
  launch_fake_on("await", scene.x, 1, 1, scene.free);
  launch_fake("fault", 1, 32, 0, scene.blocking);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}

TEST_CASE("a launch that waits ends where another one fails, and says nothing") {
  const Ending ending = run_case("child: a fault elsewhere");
  CHECK(ending.says("error: out-of-bounds"));
  CHECK(ending.says("cudaErrorIllegalAddress"));
  CHECK_FALSE(ending.says("deadlock"));
}

TEST_CASE("the program's threads are distinguished from the library's") {
  const Scene scene;
  const auto before = program_threads();
  REQUIRE(before.has_value());
  std::atomic<bool> end = false;
  std::thread one([&] {
    while (!end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  std::thread own([&] {
    name_own_thread("test");
    while (!end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  // Until the second thread has its name.
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  const auto one_more = [&] { return program_threads()->all == before->all + 1; };
  while (!one_more() && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
  CHECK(one_more());
  CHECK(count_program_threads() == before->all + 1);
  end = true;
  one.join(), own.join();
}

TEST_CASE(
    "threads that only another one wakes are distinguished from those that go on by themselves") {
  const auto before = program_threads();
  REQUIRE(before.has_value());
  REQUIRE(before->sleep_is_known);
  std::mutex mutex;
  std::condition_variable wake;
  bool end = false;
  const auto until_told = [&] {
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return end; });
  };
  const auto for_a_time = [&] {
    std::unique_lock lock(mutex);
    wake.wait_for(lock, std::chrono::minutes(1), [&] { return end; });
  };
  std::thread first(until_told), second(until_told), third(for_a_time);
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  const auto two_more = [&] { return program_threads()->asleep == before->asleep + 2; };
  while (!two_more() && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
  CHECK(two_more());
  CHECK(program_threads()->all == before->all + 3);
  const std::uint64_t stops = program_threads()->stops;
  {
    const std::lock_guard lock(mutex);
    end = true;
  }
  wake.notify_all();
  first.join(), second.join(), third.join();
  // The stops of these threads are not counted any more: the sum may be the same once, but does not
  // stay so.
  const auto changed = [&] { return program_threads()->stops != stops; };
  bool is_changed = false;
  while (!(is_changed = changed()) && std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(is_changed);
}

}  // namespace
}  // namespace warpwise::cudart
