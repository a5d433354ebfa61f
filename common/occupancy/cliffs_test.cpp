#include "occupancy/cliffs.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "occupancy/toolkit_oracle.h"

namespace warpwise::occupancy {
namespace {

/// The toolkit's resident blocks with one amount replaced.
struct Asked {
  const Gpu& gpu;
  Kernel kernel;

  int blocks(int registers, std::int64_t shared, int threads) const {
    return ask_toolkit(gpu, {registers, 0, shared, threads}).resident_blocks;
  }
  int with_registers(int registers) const {
    return blocks(registers, kernel.shared_bytes(), kernel.threads_per_block);
  }
  int with_shared(std::int64_t shared) const {
    return blocks(kernel.registers_per_thread, shared, kernel.threads_per_block);
  }
  int warps_with_threads(int threads) const {
    return blocks(kernel.registers_per_thread, kernel.shared_bytes(), threads) *
           ((threads + warp_size - 1) / warp_size);
  }
};

using Found = std::optional<std::pair<std::int64_t, int>>;  // change, blocks or warps after it

/// The first amount from `first` to `last` (either direction, by `step`) that passes, by trying
/// all.
template <typename Ask, typename Passes>
Found first_change(std::int64_t now, std::int64_t first, std::int64_t last, std::int64_t step,
                   Ask ask, Passes passes) {
  for (std::int64_t amount = first; step > 0 ? amount <= last : amount >= last; amount += step) {
    const int after = ask(amount);
    if (passes(after)) return std::pair(amount - now, after);
  }
  return std::nullopt;
}

Found blocks_of(const std::optional<Cliff>& cliff) {
  return cliff ? Found(std::pair(cliff->change, cliff->blocks)) : std::nullopt;
}

Found warps_of(const std::optional<Cliff>& cliff) {
  return cliff ? Found(std::pair(cliff->change, cliff->warps)) : std::nullopt;
}

bool registers_hold(const Asked& asked, const Cliffs& cliffs) {
  const int now = asked.with_registers(asked.kernel.registers_per_thread);
  const int registers = asked.kernel.registers_per_thread;
  const auto ask = [&](std::int64_t amount) {
    return asked.with_registers(static_cast<int>(amount));
  };
  return blocks_of(cliffs.fewer_registers) ==
             first_change(registers, std::min(registers - 1, 255), 0, -1, ask,
                          [&](int blocks) { return blocks > now; }) &&
         blocks_of(cliffs.more_registers) == first_change(registers, registers + 1, 255, 1, ask,
                                                          [&](int blocks) { return blocks < now; });
}

bool shared_holds(const Asked& asked, const Cliffs& cliffs) {
  const std::int64_t bytes = asked.kernel.shared_bytes();
  const int now = asked.with_shared(bytes);
  const auto ask = [&](std::int64_t amount) { return asked.with_shared(amount); };
  return blocks_of(cliffs.less_shared) ==
             first_change(bytes, bytes - 1, 0, -1, ask, [&](int blocks) { return blocks > now; }) &&
         blocks_of(cliffs.more_shared) ==
             first_change(bytes, bytes + 1, asked.gpu.shared_bytes_per_block_max + 1, 1, ask,
                          [&](int blocks) { return blocks < now; });
}

bool threads_hold(const Asked& asked, const Cliffs& cliffs) {
  const int threads = asked.kernel.threads_per_block;
  const int now = asked.warps_with_threads(threads);
  const int own = (threads + warp_size - 1) / warp_size * warp_size;
  const auto ask = [&](std::int64_t amount) {
    return asked.warps_with_threads(static_cast<int>(amount));
  };
  const auto more = [&](int warps) { return warps > now; };
  return warps_of(cliffs.fewer_threads) == first_change(threads, std::min(own - warp_size, 1024),
                                                        warp_size, -warp_size, ask, more) &&
         warps_of(cliffs.more_threads) ==
             first_change(threads, own + warp_size, 1024, warp_size, ask, more);
}

/// Both changes help, neither suffices alone, and neither can be a step smaller.
bool joint_holds(const Asked& asked, const Cliffs& cliffs) {
  const int registers = asked.kernel.registers_per_thread;
  const std::int64_t shared = asked.kernel.shared_bytes();
  const int threads = asked.kernel.threads_per_block;
  const int now = asked.blocks(registers, shared, threads);
  const bool alone = cliffs.fewer_registers || cliffs.less_shared;
  const bool possible = !alone && asked.blocks(0, 0, threads) > now;
  if (!cliffs.registers_and_shared) return !possible;
  const JointCliff& cliff = *cliffs.registers_and_shared;
  const int fewer = registers + static_cast<int>(cliff.registers_change);
  const std::int64_t less = shared + cliff.shared_change;
  return possible && asked.blocks(fewer, less, threads) == cliff.blocks && cliff.blocks > now &&
         asked.blocks(fewer + 1, less, threads) <= now &&
         asked.blocks(fewer, less + 1, threads) <= now;
}

Kernel random_kernel(const Gpu& gpu, std::mt19937& random) {
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  // Now and then more than fits; every third time the two memories are made to tie, or nearly.
  Kernel kernel{pick(0, 255), 0, pick(0, gpu.shared_bytes_per_block_max / pick(1, 32) + 200),
                pick(0, 1) ? 32 * pick(1, 33) : pick(1, 1100)};
  if (kernel.registers_per_thread > 250 && pick(0, 1)) kernel.registers_per_thread += 50;
  const int by_registers = limits(gpu, kernel).of(Resource::registers);
  if (pick(0, 2) == 0 && by_registers > 0 && by_registers <= gpu.blocks_per_sm) {
    const int share = gpu.shared_bytes_per_sm / by_registers - gpu.shared_reserved_per_block;
    kernel.dynamic_shared_bytes = std::max(0, share - pick(0, 600));
  }
  return kernel;
}

std::string describe(const Asked& asked) {
  return std::string(asked.gpu.id) + ": " + std::to_string(asked.kernel.registers_per_thread) +
         " registers, " + std::to_string(asked.kernel.shared_bytes()) + " bytes, " +
         std::to_string(asked.kernel.threads_per_block) + " threads";
}

TEST_CASE("cliffs of registers, threads and ties are where trying everything finds them") {
  std::mt19937 random(7);
  int ties = 0;
  for (const Gpu& gpu : gpu_table()) {
    for (int i = 0; i < 2000; ++i) {
      const Asked asked{gpu, random_kernel(gpu, random)};
      const Cliffs found = cliffs(gpu, asked.kernel);
      if (!registers_hold(asked, found)) FAIL_CHECK("registers, " << describe(asked));
      if (!threads_hold(asked, found)) FAIL_CHECK("threads, " << describe(asked));
      if (!joint_holds(asked, found)) FAIL_CHECK("together, " << describe(asked));
      ties += found.registers_and_shared.has_value();
    }
  }
  CHECK(ties > 500);
}

TEST_CASE("cliffs of shared memory are where trying every byte finds them") {
  std::mt19937 random(11);
  for (const Gpu& gpu : gpu_table()) {
    for (int i = 0; i < 60; ++i) {
      const Asked asked{gpu, random_kernel(gpu, random)};
      if (!shared_holds(asked, cliffs(gpu, asked.kernel))) FAIL_CHECK(describe(asked));
    }
  }
}

TEST_CASE("the worked example's cliffs") {
  const Cliffs found = cliffs(*find_gpu("h200"), {48, 4096, 0, 128});
  REQUIRE(found.fewer_registers);
  CHECK(found.fewer_registers->change == -8);
  CHECK(found.fewer_registers->amount == 40);
  CHECK(found.fewer_registers->blocks == 12);
  CHECK(found.fewer_registers->warps == 48);
  REQUIRE(found.more_registers);
  CHECK(found.more_registers->change == 1);
  CHECK(found.more_registers->blocks == 9);
  REQUIRE(found.more_shared);
  CHECK(found.more_shared->amount == 22273);
  CHECK_FALSE(found.less_shared);
  CHECK_FALSE(found.registers_and_shared);
  CHECK_FALSE(found.fewer_threads);
}

TEST_CASE("a row that is not a kernel has no cliffs") {
  for (const Kernel& kernel : {Kernel{32, 0, 0, 0}, Kernel{-1, 0, 0, 32}, Kernel{32, -1, 0, 32}}) {
    const Cliffs found = cliffs(*find_gpu("h200"), kernel);
    CHECK_FALSE(found.fewer_registers);
    CHECK_FALSE(found.more_registers);
    CHECK_FALSE(found.less_shared);
    CHECK_FALSE(found.more_shared);
    CHECK_FALSE(found.fewer_threads);
    CHECK_FALSE(found.more_threads);
    CHECK_FALSE(found.registers_and_shared);
  }
}

}  // namespace
}  // namespace warpwise::occupancy
