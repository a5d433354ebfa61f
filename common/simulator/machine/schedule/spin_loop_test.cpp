// Rounds of loops that wait are counted, and not run, where they are alike: nothing may tell.
#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using machine::test::Device;

namespace spin_loop_test {

const std::string source = R"(
#include <cuda/atomic>

// Blocks go in the order of their numbers, from the last to the first; how they wait differs.
template <class Wait>
__device__ void in_turn(int* turn, int* out, Wait wait) {
  if (threadIdx.x % 32 == 5) {
    int mine = (gridDim.x - 1 - blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    wait(mine);
    __threadfence();
    out[mine] = out[mine ? mine - 1 : 0] + 1;
    __threadfence();
    atomicExch(turn, mine + 1);
  }
  __syncwarp();
}
extern "C" __global__ void volatile_loads(int* turn, int* out) {
  in_turn(turn, out, [&](int mine) { while (*(volatile int*)turn != mine); });
}
extern "C" __global__ void acquire_loads(int* turn, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> at(*turn);
  in_turn(turn, out, [&](int mine) { while (at.load(cuda::memory_order_acquire) != mine); });
}
extern "C" __global__ void sequential_loads(int* turn, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> at(*turn);
  in_turn(turn, out, [&](int mine) { while (at.load() != mine); });
}
extern "C" __global__ void additions_of_zero(int* turn, int* out) {
  in_turn(turn, out, [&](int mine) { while (atomicAdd(turn, 0) != mine); });
}
extern "C" __global__ void swaps_that_fail(int* turn, int* out) {
  in_turn(turn, out, [&](int mine) { while (atomicCAS(turn, mine, mine) != mine); });
}
extern "C" __global__ void swaps_that_release(int* turn, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> at(*turn);
  in_turn(turn, out, [&](int mine) {
    for (int seen = mine; !at.compare_exchange_strong(seen, mine, cuda::memory_order_acq_rel);)
      seen = mine;
  });
}
extern "C" __global__ void two_loads(int* turn, int* out) {
  volatile int *at = turn, *other = turn + 40;
  in_turn(turn, out, [&](int mine) { while (*at != mine || *other != 0); });
}
extern "C" __global__ void fences(int* turn, int* out) {
  in_turn(turn, out, [&](int mine) { while (*(volatile int*)turn != mine) __threadfence(); });
}
extern "C" __global__ void fences_behind(int* turn, int* out) {
  in_turn(turn, out, [&](int mine) {
    int seen;
    do {
      seen = *(volatile int*)turn;
      __threadfence();
    } while (seen != mine);
  });
}
extern "C" __global__ void counts_rounds(int* turn, int* out) {
  in_turn(turn, out, [&](int mine) {
    int rounds = 0;
    while (*(volatile int*)turn != mine) ++rounds;
    turn[100 + mine] = rounds;
  });
}
extern "C" __global__ void counts_to_seven(int* turn, int* out) {
  in_turn(turn, out, [&](int mine) {
    int rounds = 0;
    while (*(volatile int*)turn != mine) rounds = (rounds + 1) % 7;
    turn[100 + mine] = rounds;
  });
}
extern "C" __global__ void keeps_in_local_memory(int* turn, int* out) {
  volatile int rounds[2] = {};
  in_turn(turn, out, [&](int mine) {
    while (*(volatile int*)turn != mine) rounds[mine % 2] = rounds[mine % 2] + 1;
    turn[100 + mine] = rounds[mine % 2];
  });
}
// No register tells how often.
extern "C" __global__ void counts_in_local_memory_alone(int* turn, int* out) {
  int rounds[32];
  for (int& one : rounds) one = 0;
  in_turn(turn, out, [&](int mine) {
    int* at = rounds + mine % 32;
    while (*(volatile int*)turn != mine)
      asm volatile(
          "{ .reg .u32 t; ld.u32 t, [%0]; add.u32 t, t, 1; st.u32 [%0], t; mov.u32 t, 7; }"
          :: "l"(at) : "memory");
    turn[100 + mine] = *at;
  });
}
extern "C" __global__ void lanes_part_in_between(int* turn, int* out) {
  int turns = threadIdx.x / 32, odd = 0;
  if (threadIdx.x % 32 < 8) {
    while (*(volatile int*)turn != turns)
      if (threadIdx.x % 2) asm volatile("mov.u32 %0, 5;" : "=r"(odd));
    __syncwarp(0xff);
    if (threadIdx.x % 32 == 0 && blockIdx.x == 0) atomicExch(turn, turns + 1);
    if (turns == 2) while (*(volatile int*)turn != 3);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = odd;
}
__device__ __noinline__ int look(volatile int* turn) { return *turn; }
extern "C" __global__ void calls(int* turn, int* out) {
  in_turn(turn, out, [&](int mine) { while (look(turn) != mine); });
}
extern "C" __global__ void looks_at_a_clock(int* turn, int* out) {
  in_turn(turn, out, [&](int mine) {
    long long last = 0;
    while (*(volatile int*)turn != mine) last = clock64();
    turn[100 + mine] = last & 1;
  });
}
extern "C" __global__ void sleeps(int* turn, int* out) {
  in_turn(turn, out, [&](int mine) { while (*(volatile int*)turn != mine) __nanosleep(20); });
}
extern "C" __global__ void looks_while_others_part(int* turn, int* out) {
  int mine = blockIdx.x * blockDim.x + threadIdx.x;
  while (*(volatile int*)turn != mine)
    if (turn[200] == mine % 3) turn[300] = 0;
  out[mine] = mine;
  __threadfence();
  atomicExch(turn, mine + 1);
}
extern "C" __global__ void lanes_in_turn(int* turn, int* out) {
  int mine = blockIdx.x * blockDim.x + threadIdx.x;
  while (*(volatile int*)turn != mine);
  out[mine] = mine;
  __threadfence();
  atomicExch(turn, mine + 1);
}
extern "C" __global__ void lanes_take_a_lock(int* lock, int* out) {
  while (atomicCAS(lock, 0, 1) != 0);
  __threadfence();
  *out = *out + 1;
  __threadfence();
  atomicExch(lock, 0);
}
extern "C" __global__ void flags_of_lanes(int* flags, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  if (i + 37 < n)
    while (((volatile int*)flags)[i + 37] == 0);
  out[i] = i;
  __threadfence();
  ((volatile int*)flags)[i] = 1;
}
extern "C" __global__ void in_shared_memory(int* flags, int* out) {
  __shared__ volatile int ready[32];
  if (threadIdx.x < 32) ready[threadIdx.x] = 0;
  __syncthreads();
  int warp = threadIdx.x / 32, warps = blockDim.x / 32;
  volatile int* at = threadIdx.x % 2 ? ready : flags + 32 * blockIdx.x;
  if (warp + 1 < warps)
    while (at[warp + 1] == 0);
  __threadfence();
  ((volatile int*)flags)[32 * blockIdx.x + warp] = 1;
  ready[warp] = 1;
  out[threadIdx.x] = atomicAdd(out + 1000, 1);
}
// expect: race
extern "C" __global__ void plain_stores(int* turn, int* out) {
  if (blockIdx.x + 1 < gridDim.x && threadIdx.x == 0)
    while (((volatile int*)turn)[blockIdx.x + 1] == 0);
  __syncthreads();
  out[threadIdx.x] = blockIdx.x;
  if (threadIdx.x == 0) turn[blockIdx.x] = 1;
}
extern "C" __global__ void narrow_flags(signed char* flags, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  if (i + 50 < n)
    while (((volatile signed char*)flags)[i + 50] == 0);
  __threadfence();
  ((volatile signed char*)flags)[i] = 1;
}
extern "C" __global__ void for_ever(int* turn, int* out) {
  if (threadIdx.x % 2) while (*(volatile int*)turn == 0);
  out[threadIdx.x] = 1;
}
)";

Device& device() {
  static Device on(source);
  return on;
}

struct Outcome {
  std::string report;
  std::vector<int> flags, out;
  bool operator==(const Outcome&) const = default;
};

/// @param is_written false: what the threads look at was never written.
/// @param budget in thread instructions; one kernel waits forever, and where every round is run
/// that takes its time.
Outcome outcome_of(const std::string& kernel, bool runs_every_round, bool is_written = true,
                   std::uint64_t budget = 10'000'000) {
  Device& on = device();
  on.options().runs_every_round = runs_every_round;
  on.options().budget = budget;
  const std::uint64_t flags =
      is_written ? on.upload(std::vector<int>(2048), "flags") : on.fresh(8192, "flags");
  const std::uint64_t out = on.upload(std::vector<int>(2048), "out");
  const auto report = on.run(kernel, {9, 1, 1}, {96, 1, 1}, flags, out);
  on.options().runs_every_round = false;
  return {to_json(report), on.download<int>(flags, 2048), on.download<int>(out, 2048)};
}

TEST_CASE("rounds that are counted and not run change no report") {
  for (const char* kernel : {"volatile_loads",
                             "acquire_loads",
                             "sequential_loads",
                             "additions_of_zero",
                             "swaps_that_fail",
                             "swaps_that_release",
                             "two_loads",
                             "fences_behind",
                             "counts_in_local_memory_alone",
                             "lanes_part_in_between",
                             "fences",
                             "counts_rounds",
                             "counts_to_seven",
                             "keeps_in_local_memory",
                             "calls",
                             "looks_at_a_clock",
                             "sleeps",
                             "looks_while_others_part",
                             "lanes_in_turn",
                             "lanes_take_a_lock",
                             "flags_of_lanes",
                             "in_shared_memory",
                             "plain_stores",
                             "narrow_flags",
                             "for_ever"}) {
    CAPTURE(std::string(kernel));
    const Outcome every = outcome_of(kernel, true), some = outcome_of(kernel, false);
    CHECK(every.report == some.report);
    CHECK(every.flags == some.flags);
    CHECK(every.out == some.out);
  }
}

TEST_CASE("the same where what is looked at has never been written") {
  for (const char* kernel : {"volatile_loads", "lanes_take_a_lock", "flags_of_lanes"}) {
    CAPTURE(std::string(kernel));
    CHECK(outcome_of(kernel, true, false).report == outcome_of(kernel, false, false).report);
  }
}

TEST_CASE("the same where a budget ends the wait") {
  for (const std::uint64_t budget : {20'000, 300'000, 3'000'000}) {
    for (const char* kernel :
         {"for_ever", "lanes_in_turn", "lanes_take_a_lock", "volatile_loads"}) {
      CAPTURE(std::string(kernel));
      CAPTURE(budget);
      CHECK(outcome_of(kernel, true, true, budget) == outcome_of(kernel, false, true, budget));
    }
  }
}

}  // namespace spin_loop_test
