#include "simulator/memory/heap_share.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>

namespace heap_share_test {

using warpwise::memory::heap_share;

constexpr std::uint64_t MB = 1 << 20;

/// How many blocks of a size fit into a heap.
std::uint64_t count(std::uint64_t bytes, std::uint64_t heap) {
  std::uint64_t blocks = 0;
  for (std::uint64_t used = 0; used + heap_share(bytes).room <= heap; ++blocks)
    used += heap_share(bytes).taken;
  return blocks;
}

TEST_CASE("the largest block is as large as on an H100") {
  struct Seen {
    std::uint64_t heap, largest;
  };
  for (const Seen& seen :
       {Seen{4 * MB, 3837008}, Seen{5 * MB, 5116016}, Seen{8 * MB, 7674032},
        Seen{12 * MB, 11511056}, Seen{28 * MB, 28138160}, Seen{32 * MB, 30696464},
        Seen{48 * MB, 30696464}, Seen{64 * MB, 61392944}, Seen{100 * MB, 92089424},
        Seen{512 * MB, 521840144}, Seen{1024 * MB, 736715792}, Seen{3000 * MB, 2946863216}}) {
    CAPTURE(seen.heap);
    CHECK(heap_share(seen.largest).room <= seen.heap);
    CHECK(heap_share(seen.largest + 1).room > seen.heap);
  }
}

TEST_CASE("as many blocks fit as on an H100") {
  struct Seen {
    std::uint64_t bytes, blocks;
  };
  for (const Seen& seen : {Seen{1000, 3778}, Seen{4096, 1888}, Seen{5000, 1259}, Seen{8192, 944},
                           Seen{10000, 629}, Seen{20000, 314}, Seen{65536, 78}, Seen{100000, 78},
                           Seen{500000, 13}, Seen{MB, 6}, Seen{2000000, 3}}) {
    CAPTURE(seen.bytes);
    CHECK(count(seen.bytes, 8 * MB) == seen.blocks);
  }
}

TEST_CASE("small blocks lie 80 bytes apart, or a multiple of that") {
  CHECK(heap_share(1).taken == 80);
  CHECK(heap_share(64).taken == 80);
  CHECK(heap_share(65).taken == 160);
  CHECK(heap_share(200).taken == 240);
  CHECK(heap_share(512).taken == 560);
}

}  // namespace heap_share_test
