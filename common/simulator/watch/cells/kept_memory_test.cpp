#include "simulator/watch/cells/kept_memory.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace kept_memory_test {

using namespace warpwise::watch;

TEST_CASE("memory that was given back is taken again, by arrays of about the same size") {
  constexpr std::size_t bytes = (3 << 20) + 1;
  void* const first = take_memory(bytes);
  void* const second = take_memory(bytes);
  CHECK(first != second);
  std::memset(first, 1, bytes);
  std::memset(second, 2, bytes);
  CHECK(static_cast<unsigned char*>(first)[bytes - 1] == 1);
  give_back_memory(first, bytes);
  void* const third = take_memory(bytes + 1000);
  CHECK(third == first);
  std::memset(third, 3, bytes + 1000);
  CHECK(static_cast<unsigned char*>(second)[bytes - 1] == 2);
  give_back_memory(second, bytes);
  give_back_memory(third, bytes + 1000);
}

TEST_CASE("more than may be kept is given back to the system") {
  constexpr std::size_t bytes = 300u << 20;
  give_back_memory(take_memory(bytes), bytes);
  void* const fresh = take_memory(bytes);
  CHECK(static_cast<unsigned char*>(fresh)[bytes / 2] == 0);
  give_back_memory(fresh, bytes);
}

TEST_CASE("a vector of kept memory begins with the values that it is given") {
  for (const std::size_t count : {std::size_t{10}, std::size_t{100'000}}) {
    for (int round = 0; round < 2; ++round) {
      std::vector<std::uint32_t, KeptAllocator<std::uint32_t>> values(count);
      CHECK(values.front() == 0);
      CHECK(values.back() == 0);
      values.assign(count, 7);
    }
  }
}

TEST_CASE("what no system has is refused") {
  CHECK_THROWS_AS(take_memory(SIZE_MAX), std::bad_alloc);
  CHECK_THROWS_AS(take_memory(std::size_t{1} << 60), std::bad_alloc);
  CHECK_THROWS_AS(
      (std::vector<std::uint32_t, KeptAllocator<std::uint32_t>>().get_allocator().allocate(
          SIZE_MAX / 2)),
      std::bad_alloc);
}

}  // namespace kept_memory_test
