#include "check/wrong_result.h"

#include <doctest/doctest.h>

#include <bit>
#include <vector>

namespace warpwise::lesson {
namespace wrong_result_test {

/// 192 elements, of which those from `from` on were never written.
Comparison written_up_to(std::size_t from) {
  const std::vector<double> expected(192, 1);
  std::vector<float> got(192, 1);
  for (std::size_t i = from; i < got.size(); ++i) {
    got[i] = std::bit_cast<float>(0x01010101U * poison_byte);
  }
  return compare(expected, got, {});
}

TEST_CASE("as many elements as threads: a thread has more than one") {
  CHECK(
      next_after(written_up_to(128), 128) ==
      "128 elements were written, by a launch of 128 threads. How many elements does the task give "
      "to a thread?");
}

TEST_CASE("any other tail is asked about as such") {
  for (const std::size_t threads : {64, 127, 192, 256}) {
    CHECK(next_after(written_up_to(128), threads) == written_up_to(128).next());
  }
  CHECK(next_after(written_up_to(0), 0) == written_up_to(0).next());
}

}  // namespace wrong_result_test
}  // namespace warpwise::lesson
