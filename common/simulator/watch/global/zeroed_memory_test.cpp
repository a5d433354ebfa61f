#include "simulator/watch/global/zeroed_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

using warpwise::watch::ZeroedMemory;

bool is_zero(const std::uint64_t* words, std::size_t count) {
  return std::all_of(words, words + count, [](std::uint64_t word) { return word == 0; });
}

}  // namespace

TEST_CASE("arrays are zero and do not overlap, however large they are") {
  ZeroedMemory memory;
  struct Array {
    std::uint64_t* words;
    std::size_t count;
  };
  std::vector<Array> arrays;
  for (std::size_t count : {1u, 7u, 1000u, 9000u, 300'000u, 3u, 5'000'000u, 100u}) {
    std::uint64_t* const words = memory.make<std::uint64_t>(count);
    CHECK(reinterpret_cast<std::uintptr_t>(words) % 64 == 0);
    CHECK(is_zero(words, count));
    std::fill_n(words, count, arrays.size() + 1);
    arrays.push_back({words, count});
  }
  for (std::size_t i = 0; i < arrays.size(); ++i)
    CHECK(std::all_of(arrays[i].words, arrays[i].words + arrays[i].count,
                      [&](std::uint64_t word) { return word == i + 1; }));
}

TEST_CASE("a large array of anything takes what an earlier launch left, and zeros are zero") {
  constexpr std::size_t count = 150'000;
  std::uint64_t* left = nullptr;
  {
    ZeroedMemory memory;
    left = memory.make_unset<std::uint64_t>(count);
    std::fill_n(left, count, 7);
  }
  ZeroedMemory memory;
  std::uint64_t* const words = memory.make_unset<std::uint64_t>(count);
  CHECK(words == left);
  CHECK(std::count(words, words + count, 7) == count);
  CHECK(is_zero(memory.make<std::uint64_t>(count), count));
  // Small ones take the rest of the used piece.
  CHECK(is_zero(memory.make<std::uint64_t>(100), 100));
}

TEST_CASE("several host threads get arrays of their own") {
  ZeroedMemory memory;
  constexpr std::size_t count = 8, arrays = 200'000;
  std::atomic<unsigned> waiting{2};
  auto are_own = [&](std::uint64_t mark) {
    for (--waiting; waiting != 0;) std::this_thread::yield();
    std::vector<std::uint64_t*> made;
    bool are = true;
    for (std::size_t i = 0; i < arrays; ++i) {
      made.push_back(memory.make<std::uint64_t>(count));
      are &= is_zero(made.back(), count);
      std::fill_n(made.back(), count, mark);
    }
    for (const std::uint64_t* words : made) are &= std::count(words, words + count, mark) == count;
    return are;
  };
  bool first = false, second = false;
  std::thread other([&] { first = are_own(1); });
  second = are_own(2);
  other.join();
  CHECK(first);
  CHECK(second);
}
