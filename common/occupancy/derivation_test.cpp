#include "occupancy/derivation.h"

#include <doctest/doctest.h>

#include <random>

#include "occupancy/text.h"
#include "occupancy/toolkit_oracle.h"

namespace warpwise::occupancy {
namespace {

std::string text_of(const char* id, const Kernel& kernel,
                    std::optional<std::int64_t> grid_blocks = std::nullopt) {
  return "\n" + derive(*find_gpu(id), kernel, grid_blocks).text();
}

std::string step_text(const Derivation& derivation, std::string_view topic) {
  for (const Step& step : derivation.steps) {
    if (step.topic == topic) return step.text;
  }
  return "no such step";
}

TEST_CASE("registers limit: the worked example on an H200, with its grid") {
  CHECK(text_of("h200", {48, 4096, 0, 128}, 442368) == R"(
NVIDIA H200 (sm_90), one SM: 48 registers, 4096 bytes shared, 128 threads
  block          128 threads / 32 = 4 warps
  registers      48 x 32 = 1536 a warp; 65536 / 1536 = 42, down to a multiple of 4: 40 warps;
                 40 / 4 = 10 blocks
  shared memory  4096 bytes + 1024 reserved = 5120 a block; 233472 / 5120 = 45 blocks
  warps          64 / 4 = 16 blocks
  block slots    32 blocks
  limiter        registers: 10 blocks x 4 warps = 40 of 64 warps, occupancy 62.5 %
  next cliff     8 registers fewer (40 a thread) would admit 2 more blocks: 48 of 64 warps
                 1 register more (49 a thread) would cost one block: 36 of 64 warps
                 18177 bytes of shared memory more (22273 a block) would cost one block:
                 36 of 64 warps
  waves          132 SMs x 10 = 1320 blocks at a time;
                 a grid of 442368 is 336 waves, the last one 12.7 % full
)");
}

TEST_CASE("warps limit: the worked example on a T4, with a grid that is too small") {
  CHECK(text_of("t4", {48, 4096, 0, 128}, 10) == R"(
NVIDIA T4 (sm_75), one SM: 48 registers, 4096 bytes shared, 128 threads
  block          128 threads / 32 = 4 warps
  registers      48 x 32 = 1536 a warp; 65536 / 1536 = 42, down to a multiple of 4: 40 warps;
                 40 / 4 = 10 blocks
  shared memory  4096 bytes a block; 65536 / 4096 = 16 blocks
  warps          32 / 4 = 8 blocks
  block slots    16 blocks
  limiter        warps: 8 blocks x 4 warps = 32 of 32 warps, occupancy 100 %
  next cliff     nothing to gain: every warp is resident
                 17 registers more (65 a thread) would cost one block: 28 of 32 warps
                 4097 bytes of shared memory more (8193 a block) would cost one block:
                 28 of 32 warps
  waves          40 SMs x 8 = 320 blocks at a time; a grid of 10 is 1 wave, 3.1 % full;
                 30 SMs without a block
)");
}

TEST_CASE("shared memory limits, and must be asked for; amounts are rounded up") {
  CHECK(text_of("l4", {70, 10000, 50000, 100}) == R"(
NVIDIA L4 (sm_89), one SM: 70 registers, 60000 bytes shared, 100 threads
  block          100 threads / 32, rounded up: 4 warps; 28 lanes of the last one without a thread
  registers      70 x 32 = 2240 a warp, rounded up to 2304; 65536 / 2304 = 28 warps;
                 28 / 4 = 7 blocks
  shared memory  60000 bytes + 1024 reserved = 61024 a block, rounded up to 61056;
                 102400 / 61056 = 1 block
                 more than 49152 bytes a block:
                 the host must first ask for it with cudaFuncSetAttribute
  warps          48 / 4 = 12 blocks
  block slots    24 blocks
  limiter        shared memory: 1 block x 4 warps = 4 of 48 warps, occupancy 8.3 %
  next cliff     9824 bytes of shared memory less (50176 a block) would admit one more block:
                 8 of 48 warps
                 41377 bytes of shared memory more (101377 a block) would make the launch fail
)");
}

TEST_CASE("a tie: neither change helps alone") {
  CHECK(text_of("h200", {72, 0, 32256, 128}) == R"(
NVIDIA H200 (sm_90), one SM: 72 registers, 32256 bytes shared, 128 threads
  block          128 threads / 32 = 4 warps
  registers      72 x 32 = 2304 a warp; 65536 / 2304 = 28 warps; 28 / 4 = 7 blocks
  shared memory  32256 bytes + 1024 reserved = 33280 a block; 233472 / 33280 = 7 blocks
  warps          64 / 4 = 16 blocks
  block slots    32 blocks
  limiter        registers and shared memory: 7 blocks x 4 warps = 28 of 64 warps, occupancy 43.8 %
  next cliff     8 registers fewer and 4096 bytes of shared memory less, together, would admit one
                 more block: 32 of 64 warps
                 1 register more (73 a thread) would cost one block: 24 of 64 warps
                 1 byte of shared memory more (32257 a block) would cost one block: 24 of 64 warps
)");
}

TEST_CASE("block slots limit: larger blocks fill the warps") {
  CHECK(text_of("t4", {32, 0, 0, 32}) == R"(
NVIDIA T4 (sm_75), one SM: 32 registers, 0 bytes shared, 32 threads
  block          32 threads / 32 = 1 warp
  registers      32 x 32 = 1024 a warp; 65536 / 1024 = 64 warps; 64 / 1 = 64 blocks
  shared memory  none used: no limit
  warps          32 / 1 = 32 blocks
  block slots    16 blocks
  limiter        block slots: 16 blocks x 1 warp = 16 of 32 warps, occupancy 50 %
  next cliff     blocks of 64 threads would fill 32 of 32 warps (16 blocks)
                 97 registers more (129 a thread) would cost 4 blocks: 12 of 32 warps
                 4097 bytes of shared memory more (4097 a block) would cost one block:
                 15 of 32 warps
)");
}

TEST_CASE("a launch that fails: too many registers for the block") {
  CHECK(text_of("a100", {65, 0, 0, 928}, 5) == R"(
NVIDIA A100 80GB SXM (sm_80), one SM: 65 registers, 0 bytes shared, 928 threads
  block          928 threads / 32 = 29 warps
  registers      65 x 32 = 2080 a warp, rounded up to 2304;
                 x 32 warps (29, rounded up) = 73728, more than the 65536 a block may have:
                 0 blocks
  shared memory  0 bytes + 1024 reserved = 1024 a block; 167936 / 1024 = 164 blocks
  warps          64 / 29 = 2 blocks
  block slots    32 blocks
  limiter        registers: not one block fits, so the launch fails
  next cliff     1 register fewer (64 a thread) would admit one block: 29 of 64 warps
                 blocks of 896 threads would fill 28 of 64 warps (1 block)
  waves          none: not one block fits
)");
}

TEST_CASE("a launch that fails in every way") {
  CHECK(text_of("rtx3090", {300, 0, 200000, 1056}) == R"(
NVIDIA GeForce RTX 3090 (sm_86), one SM: 300 registers, 200000 bytes shared, 1056 threads
  block          1056 threads / 32 = 33 warps
  registers      300 a thread, more than the 255 it may have: 0 blocks
  shared memory  200000 bytes a block, more than the 101376 it may have: 0 blocks
  warps          1056 threads, more than the 1024 a block may have: 0 blocks
  block slots    16 blocks
  limiter        registers, shared memory and warps: not one block fits, so the launch fails
  next cliff     no single change is enough to make it fit
)");
}

TEST_CASE("a request that is not a kernel") {
  CHECK(text_of("h200", {32, 0, 0, 0}, 5) == R"(
NVIDIA H200 (sm_90), one SM: 32 registers, 0 bytes shared, 0 threads
  block          no threads: a block has 1 to 1024
  waves          none: not one block fits
)");
  CHECK(text_of("h200", {-1, 0, 0, 32}) == R"(
NVIDIA H200 (sm_90), one SM: -1 registers, 0 bytes shared, 32 threads
  block          a negative amount: registers, bytes and threads are 0 or more
)");
}

TEST_CASE("static arrays end at the default limit; an empty grid runs nothing") {
  const Derivation derivation = derive(*find_gpu("h200"), {32, 49153, 0, 128}, 0);
  REQUIRE(derivation.steps.size() > 3);
  CHECK(derivation.steps[3].topic == "shared memory");
  CHECK(derivation.steps[3].text.starts_with("static arrays end at 49152 bytes a block"));
  CHECK(step_text(derivation, "waves") == "a grid of no blocks: nothing runs");
  REQUIRE(derivation.waves);
  CHECK(derivation.waves->count == 0);
  CHECK_FALSE(derive(*find_gpu("h200"), {32, 0, 0, 128}).waves);
}

TEST_CASE(
    "each resource's step ends in the toolkit's number, and every line is under 100 columns") {
  std::mt19937 random(3);
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  for (const Gpu& gpu : gpu_table()) {
    for (int i = 0; i < 500; ++i) {
      const Kernel kernel{pick(0, 260), 0,
                          pick(0, gpu.shared_bytes_per_block_max / pick(1, 30) + 9), pick(1, 1100)};
      if (kernel.registers_per_thread == 256) continue;  // the header's one difference
      const ToolkitAnswer theirs = ask_toolkit(gpu, kernel);
      const Derivation derivation = derive(gpu, kernel, pick(0, 5000));
      for (int r = 0; r < resource_count; ++r) {
        const int blocks = theirs.blocks[r];
        const std::string text = step_text(derivation, name_of(static_cast<Resource>(r)));
        CAPTURE(text);
        CHECK(text.ends_with(blocks == no_limit ? "no limit" : count_of(blocks, "block")));
      }
      for (const std::string& line : derivation.lines()) {
        CAPTURE(line);
        CHECK(line.size() < 100);
        CHECK(line.find('\n') == std::string::npos);
        CHECK_FALSE(line.ends_with(' '));
      }
    }
  }
}

}  // namespace
}  // namespace warpwise::occupancy
