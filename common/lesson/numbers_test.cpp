#include "lesson/numbers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace warpwise::lesson;

TEST_CASE("numbers repeat, differ, and stay in their range") {
  const std::vector<float> numbers = uniform_numbers(1000);
  CHECK(numbers == uniform_numbers(1000));
  CHECK(numbers != uniform_numbers(1000, 2));
  CHECK(std::set<float>(numbers.begin(), numbers.end()).size() > 990);
  CHECK(*std::min_element(numbers.begin(), numbers.end()) >= -1);
  CHECK(*std::max_element(numbers.begin(), numbers.end()) < 1);
  const std::vector<int> indices = uniform_indices(1000, 7);
  CHECK(std::set<int>(indices.begin(), indices.end()) == std::set<int>{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("a quotient is rounded up") {
  CHECK(ceil_div(0, 4) == 0);
  CHECK(ceil_div(8, 4) == 2);
  CHECK(ceil_div(9, 4) == 3);
  CHECK(ceil_div(2147483647, 256) == 8388608);
}
