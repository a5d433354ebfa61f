/// \file
/// Checks exercise 05_full_waves: blocks of a grid over the room of its waves.
#include <cstdint>
#include <limits>
#include <vector>

#include "base/numbers.h"
#include "check/arithmetic.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre all at least 1. @return blocks over waves times places of a wave.
using UsedRoom = double(int blocks, int sms, int resident);

double used(std::int64_t blocks, std::int64_t places) {
  std::int64_t room = blocks / places * places;
  if (room < blocks) room += places;
  return static_cast<double>(blocks) / static_cast<double>(room);
}

void ask(lesson::Questions<UsedRoom>& ask) {
  constexpr int largest = std::numeric_limits<int>::max();
  const auto expect = [&](int blocks, int sms, int resident) {
    ask.expect(used(blocks, std::int64_t{sms} * resident), blocks, sms, resident);
  };
  // The article's grid with more and with one resident block an SM, and around it.
  expect(25, 10, 8);
  expect(25, 10, 1);
  expect(30, 10, 1);
  expect(31, 10, 1);
  expect(1, 132, 8);
  expect(132 * 8, 132, 8);
  expect(132 * 8 + 1, 132, 8);
  expect(132 * 8 * 100 + 1, 132, 8);
  expect(7, 1, 1);
  expect(largest, 132, 7);
  expect(1, largest, 32);
  expect(largest, largest - 1, 1);
  const std::vector<int> blocks = lesson::uniform_indices(20, 100'000, 1);
  const std::vector<int> sms = lesson::uniform_indices(20, 160, 2);
  const std::vector<int> resident = lesson::uniform_indices(20, 32, 3);
  for (int i = 0; i < 20; ++i) expect(blocks[i] + 1, sms[i] + 1, resident[i] + 1);
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::check_arithmetic<UsedRoom>(
      argc, argv,
      {.function = "used_room",
       .lesson = "chapters/ch04_occupancy/README.md, \"Waves\"",
       .tolerance = {.relative = 1e-12}},
      ask);
}
