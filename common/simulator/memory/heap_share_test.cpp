#include "simulator/memory/heap_share.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>

namespace heap_share_test {

using warpwise::memory::heap_share;
using warpwise::memory::HeapShare;

constexpr std::uint64_t MB = 1 << 20;

/// How many blocks of a size fit into a heap.
std::uint64_t count(std::uint64_t bytes, std::uint64_t heap) {
  std::uint64_t blocks = 0;
  constexpr std::uint64_t parts = HeapShare::parts_of_a_byte;
  for (std::uint64_t used = 0; used + heap_share(bytes).room * parts <= heap * parts; ++blocks)
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
  for (const Seen& seen :
       {Seen{1000, 3778}, Seen{1024, 3778}, Seen{1025, 3778}, Seen{2000, 3777}, Seen{2048, 3777},
        Seen{2049, 3777}, Seen{4000, 1888}, Seen{4096, 1888}, Seen{5000, 1259}, Seen{8192, 944},
        Seen{10000, 629}, Seen{20000, 314}, Seen{65536, 78}, Seen{100000, 78}, Seen{500000, 13},
        Seen{MB, 6}, Seen{2000000, 3}}) {
    CAPTURE(seen.bytes);
    CHECK(count(seen.bytes, 8 * MB) == seen.blocks);
  }
}

// As the addresses that an H100 gave out one after the other say.
TEST_CASE("as many small blocks as there are of 80 bytes each share a block of 2,208") {
  const std::uint64_t whole = heap_share(2000).taken;
  struct Seen {
    std::uint64_t bytes, together;
  };
  for (const Seen& seen :
       {Seen{1, 24}, Seen{16, 24}, Seen{64, 24}, Seen{112, 12}, Seen{128, 12}, Seen{200, 8},
        Seen{240, 6}, Seen{300, 6}, Seen{500, 3}, Seen{700, 2}, Seen{1000, 1}, Seen{1024, 1}}) {
    CAPTURE(seen.bytes);
    CHECK(heap_share(seen.bytes).taken == whole / seen.together);
  }
}

}  // namespace heap_share_test
