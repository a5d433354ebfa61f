/// \file
/// Checks exercise 02_next_cliff: the registers at which one more block fits.
#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "check/arithmetic.h"
#include "occupancy/occupancy.h"

namespace lesson = warpwise::lesson;
namespace occupancy = warpwise::occupancy;

namespace {

/// @return the largest number of registers below `registers` that admits one more block; 0: none.
using RegistersForOneMore = int(int threads, int registers);

/// Blocks that registers and warps admit on an H200.
int blocks(int threads, int registers) {
  const occupancy::Limits limits =
      occupancy::limits(*occupancy::find_gpu("h200"),
                        {.registers_per_thread = registers, .threads_per_block = threads});
  const int by_registers = static_cast<int>(limits.warps_by_registers) / limits.warps_per_block;
  return std::min(by_registers, limits.of(occupancy::Resource::warps));
}

void ask(lesson::Questions<RegistersForOneMore>& ask) {
  const auto expect = [&](int threads, int registers) {
    int fewer = registers - 1;
    while (fewer > 0 && blocks(threads, fewer) <= blocks(threads, registers)) --fewer;
    ask.expect(fewer, threads, registers);
  };
  expect(256, 64);
  expect(256, 57);
  expect(256, 32);
  expect(256, 1);
  expect(33, 40);
  expect(31, 50);
  expect(1024, 64);
  expect(1024, 65);
  for (int threads : {33, 64, 65, 96, 97, 160, 161, 288, 289, 512, 800}) {
    for (int registers : {24, 33, 41, 58, 72, 96, 129, 168, 255}) expect(threads, registers);
  }
  const std::vector<int> threads = lesson::uniform_indices(40, 1024, 1);
  const std::vector<int> registers = lesson::uniform_indices(40, 240, 2);
  for (int i = 0; i < 40; ++i) expect(threads[i] + 1, registers[i] + 16);
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::check_arithmetic<RegistersForOneMore>(
      argc, argv,
      {.function = "registers_for_one_more",
       .lesson = "chapters/ch04_occupancy/README.md, \"The next cliff\""},
      ask);
}
