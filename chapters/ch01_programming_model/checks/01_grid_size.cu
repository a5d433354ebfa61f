/// \file
/// Checks exercise 01_grid_size: the number of blocks that cover n elements.
#include <limits>
#include <vector>

#include "base/numbers.h"
#include "check/arithmetic.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre elements >= 0, threads > 0. @return the fewest blocks of so many threads for all elements.
using GridSize = int(int elements, int threads);

/// The last block's threads are not all needed, unless they are; and no block is for nothing.
void ask(lesson::Questions<GridSize>& ask) {
  constexpr int largest = std::numeric_limits<int>::max();
  ask.expect(1, 1, 256);
  ask.expect(1, 255, 256);
  ask.expect(1, 256, 256);
  ask.expect(2, 257, 256);
  ask.expect(4, 1000, 256);
  ask.expect(0, 0, 256);
  ask.expect(31, 31, 1);
  ask.expect(3, 97, 33);
  ask.expect(1, 1, 1024);
  // More than a float can count: 2^24 + 1 blocks.
  ask.expect(16777217, 16777217 * 32 - 31, 32);
  ask.expect(8388608, largest, 256);
  ask.expect(largest, largest, 1);
  ask.expect(1, largest, largest);
  const std::vector<int> elements = lesson::uniform_indices(20, 1 << 30, 1);
  const std::vector<int> threads = lesson::uniform_indices(20, 1024, 2);
  for (int i = 0; i < 20; ++i) {
    ask.expect(lesson::ceil_div(elements[i], threads[i] + 1), elements[i], threads[i] + 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::check_arithmetic<GridSize>(
      argc, argv,
      {.function = "grid_size",
       .lesson = "chapters/ch01_programming_model/README.md, \"More threads than elements\""},
      ask);
}
