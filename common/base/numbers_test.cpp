#include "base/numbers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
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

TEST_CASE("whole numbers reach both ends of their range, and repeat") {
  const std::vector<float> numbers = whole_numbers(1000, 8, 3);
  CHECK(numbers == whole_numbers(1000, 8, 3));
  CHECK(numbers != whole_numbers(1000, 8, 4));
  CHECK(std::set<float>(numbers.begin(), numbers.end()).size() == 17);
  CHECK(*std::min_element(numbers.begin(), numbers.end()) == -8);
  CHECK(*std::max_element(numbers.begin(), numbers.end()) == 8);
  CHECK(numbers[999] == static_cast<float>(uniform_indices(1000, 17, 3)[999] - 8));
}

TEST_CASE("numbers in turn begin where the seed says and go round") {
  const std::vector<float> numbers = numbers_in_turn(2000);
  CHECK(numbers[0] == 0);
  CHECK(numbers[1008] == 1008);
  CHECK(numbers[1009] == 0);
  ::setenv("WARPWISE_SEED", "41", 1);
  const std::vector<float> hidden = numbers_in_turn(2000);
  CHECK(hidden[0] == static_cast<float>(seeded(0) % 1009));
  CHECK(hidden != numbers);
  CHECK(*std::max_element(hidden.begin(), hidden.end()) == 1008);
  ::unsetenv("WARPWISE_SEED");
}

TEST_CASE("random bits are those of the recorded counts: no input may change") {
  RandomBits bits(1);
  CHECK(bits() == 1015568748U);
  CHECK(bits() == 1586005467U);
  RandomBits again(1);
  CHECK(again.fraction() == static_cast<float>(1015568748U >> 8) * 0x1p-24F);
  CHECK(again.signed_fraction() ==
        static_cast<float>(static_cast<std::int32_t>(1586005467U)) * 0x1p-31F);
}

TEST_CASE("a hidden seed gives other numbers, the same again each time") {
  const std::vector<float> visible = uniform_numbers(100);
  CHECK(seeded(5) == 5);
  ::setenv("WARPWISE_SEED", "41", 1);
  const std::vector<float> hidden = uniform_numbers(100);
  const std::vector<int> indices = uniform_indices(100, 1000);
  CHECK(hidden == uniform_numbers(100));
  CHECK(hidden != visible);
  CHECK(seeded(5) != 5);
  CHECK(seeded(5) != seeded(6));
  ::setenv("WARPWISE_SEED", "42", 1);
  CHECK(hidden != uniform_numbers(100));
  CHECK(indices != uniform_indices(100, 1000));
  ::unsetenv("WARPWISE_SEED");
  CHECK(visible == uniform_numbers(100));
}

TEST_CASE("a quotient is rounded up") {
  CHECK(ceil_div(0, 4) == 0);
  CHECK(ceil_div(8, 4) == 2);
  CHECK(ceil_div(9, 4) == 3);
  CHECK(ceil_div(2147483647, 256) == 8388608);
}
