/// \file
/// Checks exercise 01_blocks_per_sm: resident blocks of an SM from its four limits.
#include <vector>

#include "base/numbers.h"
#include "check/arithmetic.h"
#include "occupancy/occupancy.h"

namespace lesson = warpwise::lesson;
namespace occupancy = warpwise::occupancy;

namespace {

/// @pre a kernel that fits. @return blocks resident on one SM of an H200.
using BlocksPerSm = int(int threads, int registers, int shared_bytes);

void ask(lesson::Questions<BlocksPerSm>& ask) {
  const occupancy::Gpu& gpu = *occupancy::find_gpu("h200");
  const auto expect = [&](int threads, int registers, int shared_bytes) {
    const occupancy::Occupancy found =
        occupancy::occupancy(gpu, {.registers_per_thread = registers,
                                   .static_shared_bytes = shared_bytes,
                                   .threads_per_block = threads});
    if (found.fits()) ask.expect(found.resident_blocks, threads, registers, shared_bytes);
  };
  // One limit at a time: slots, warps, registers, shared memory.
  expect(32, 16, 0);
  expect(1, 16, 0);
  expect(33, 16, 0);
  expect(1000, 16, 0);
  expect(256, 32, 0);
  expect(160, 40, 9000);
  expect(64, 40, 0);
  expect(256, 33, 0);
  expect(128, 64, 0);
  expect(128, 16, 6272);
  expect(128, 16, 6273);
  // 13 blocks of 17944 bytes would fit; of 18048, what they are rounded to, only 12.
  expect(128, 16, 16920);
  // Two blocks just fit; a byte more, and one is left.
  expect(128, 16, 115712);
  expect(128, 16, 115713);
  expect(1024, 64, 232448);
  // 64 warps, by 5 and by 13 a block.
  expect(160, 24, 0);
  expect(416, 24, 0);
  // Shared memory would admit one block more.
  expect(160, 24, 16896);
  expect(416, 24, 45568);
  // Every limit in turn, with others close by.
  for (int threads : {31, 65, 96, 127, 192, 480, 1024}) {
    for (int registers : {9, 24, 37, 56, 65, 100, 128, 255}) {
      for (int shared_bytes : {0, 1, 128, 4000, 15000, 48000}) {
        expect(threads, registers, shared_bytes);
      }
    }
  }
  const std::vector<int> threads = lesson::uniform_indices(40, 1024, 1);
  const std::vector<int> registers = lesson::uniform_indices(40, 240, 2);
  const std::vector<int> shared_bytes = lesson::uniform_indices(40, 48000, 3);
  for (int i = 0; i < 40; ++i) expect(threads[i] + 1, registers[i] + 16, shared_bytes[i]);
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::check_arithmetic<BlocksPerSm>(
      argc, argv,
      {.function = "blocks_per_sm", .lesson = "chapters/ch04_occupancy/README.md, \"Four limits\""},
      ask);
}
