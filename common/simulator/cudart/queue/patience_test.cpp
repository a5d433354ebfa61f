#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "simulator/cudart/queue/own_threads.h"
#include "simulator/cudart/tests/fake_module.h"

namespace warpwise::cudart {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto patience = 100ms;

int* new_number() {
  int* device = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), sizeof(int)) == cudaSuccess);
  cudaMemset(device, 0, sizeof(int));
  cudaDeviceSynchronize();
  runtime().queue.set_patience(patience);
  return device;
}

// Its value there, seen past the queue.
int now(const int* device) {
  return *reinterpret_cast<volatile int*>(
      runtime().memory.host(reinterpret_cast<std::uint64_t>(device)));
}

void use_only(unsigned processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
}

// Another process, which leaves little of this thread's processor to others.
pid_t occupy(unsigned processor) {
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  use_only(processor);
  while (true) asm volatile("");
}

// The processor time of this thread.
std::chrono::nanoseconds had() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1s + time.tv_nsec * 1ns;
}

TEST_CASE("work that no call waits for does not start while the program is kept from running") {
  int* const device = new_number();
  int before_its_turn = 0;
  std::chrono::nanoseconds used{};
  std::thread host([&] {
    const auto processor = static_cast<unsigned>(sched_getcpu());
    use_only(processor);
    const pid_t other = occupy(processor);
    const sched_param none{};
    sched_setscheduler(0, SCHED_IDLE, &none);
    launch_fake_on("fill", device, 3, 1);
    const auto begin = Clock::now();
    const auto had_before = had();
    while (Clock::now() - begin < 3 * patience)
      ;
    before_its_turn = now(device);
    used = had() - had_before;
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
  });
  host.join();
  CHECK(used < patience / 10);  // or else the other process did not keep it from running
  CHECK(before_its_turn == 0);
  cudaDeviceSynchronize();
  CHECK(now(device) == 3);
  cudaFree(device);
}

TEST_CASE("work that no call waits for starts while the program sleeps, and while it computes") {
  int* const device = new_number();
  const auto give_up = [until = Clock::now() + 120s] { return Clock::now() > until; };
  launch_fake_on("fill", device, 3, 1);
  while (now(device) == 0 && !give_up()) std::this_thread::sleep_for(patience);
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
