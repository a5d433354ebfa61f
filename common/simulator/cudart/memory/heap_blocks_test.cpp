#include "simulator/cudart/memory/heap_blocks.h"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace heap_blocks_test {

using namespace warpwise::cudart;

/// Addresses that nothing else uses: the tests read and write nothing there.
struct Range {
  static constexpr std::size_t bytes = 256u << 20;
  void* memory =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  std::uint64_t base = reinterpret_cast<std::uint64_t>(memory);
  Range() { REQUIRE(memory != MAP_FAILED); }
  ~Range() { munmap(memory, bytes); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  const void* at(std::uint64_t offset) const { return reinterpret_cast<void*>(base + offset); }
};

TEST_CASE("a block holds its bytes, from any of them, and no more") {
  const Range range;
  note_block(range.at(32), 100);
  note_block(range.at(144), 1);
  CHECK(is_block(range.at(32)));
  CHECK_FALSE(is_block(range.at(48)));
  for (std::uint64_t offset : {32, 33, 100, 131}) {
    const auto found = block_at(range.base + offset, 1000);
    REQUIRE(found);
    CHECK(found->base == range.base + 32);
    CHECK(found->end == range.base + 132);
  }
  CHECK_FALSE(block_at(range.base + 132, 8));
  CHECK_FALSE(block_at(range.base + 31, 8));
  CHECK(block_at(range.base + 144, 8)->end == range.base + 145);
  CHECK_FALSE(block_at(range.base + 145, 8));
  CHECK(forget_block(range.at(32)) == 100);
  CHECK(forget_block(range.at(144)) == 1);
}

TEST_CASE("a block of any size is found whole, wherever it begins") {
  const Range range;
  // Other tests look at what was never used.
  constexpr std::uint64_t unused = 200u << 20;
  for (std::uint64_t offset = unused; offset < unused + 256; offset += 16) {
    for (std::size_t bytes = 1; bytes < 600; bytes += 7) {
      note_block(range.at(offset), bytes);
      const std::uint64_t next = (offset + bytes + 15) / 16 * 16;
      note_block(range.at(next), 16);
      CHECK(block_at(range.base + offset, 1000)->end == range.base + offset + bytes);
      CHECK(forget_block(range.at(offset)) == bytes);
      CHECK(forget_block(range.at(next)) == 16);
    }
  }
}

TEST_CASE("a block that is given back is not a block until its memory has another use") {
  const Range range;
  note_block(range.at(64), 64);
  CHECK_FALSE(was_block(range.base + 64));
  CHECK(forget_block(range.at(64)) == 64);
  CHECK(forget_block(range.at(64)) == 0);
  CHECK_FALSE(block_at(range.base + 64, 8));
  CHECK(was_block(range.base + 64));
  CHECK_FALSE(was_block(range.base + 80));
  note_block(range.at(32), 200);
  CHECK_FALSE(was_block(range.base + 64));
  CHECK(block_at(range.base + 64, 8)->base == range.base + 32);
  CHECK(forget_block(range.at(32)) == 200);
}

TEST_CASE("large blocks are also known from their middle, and never as given back") {
  const Range range;
  constexpr std::uint64_t bytes = 200u << 20;
  note_block(range.at(16), bytes);
  const auto found = block_at(range.base + (150u << 20), bytes);
  REQUIRE(found);
  CHECK(found->base == range.base + 16);
  CHECK(found->end == range.base + 16 + bytes);
  CHECK(forget_block(range.at(16)) == bytes);
  CHECK_FALSE(was_block(range.base + 16));
}

TEST_CASE("bytes after a block are not in it, even for the smallest block") {
  const Range range;
  note_block(range.at(64), 16);
  CHECK(block_at(range.base + 72, 8)->end == range.base + 80);
  CHECK_FALSE(block_at(range.base + 80, 8));
  CHECK_FALSE(block_at(range.base + (100u << 20), 8));
  CHECK(forget_block(range.at(64)) == 16);
}

TEST_CASE("bytes after a block are not in it while other threads note it down and give it back") {
  const Range range;
  std::atomic<bool> stop = false;
  std::thread other([&] {
    while (!stop) {
      note_block(range.at(64), 1000);
      forget_block(range.at(64));
    }
  });
  int found = 0;
  for (int i = 0; i < 20000; ++i) found += block_at(range.base + 4096, 8).has_value();
  stop = true;
  other.join();
  CHECK(found == 0);
}

}  // namespace heap_blocks_test
