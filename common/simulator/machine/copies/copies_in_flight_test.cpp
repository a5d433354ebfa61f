#include "simulator/machine/copies/copies_in_flight.h"

#include <doctest/doctest.h>

namespace warpwise::machine {
namespace {

constexpr unsigned warps = 2;
const CopiesInFlight::Landed nobody = [](const CopiesInFlight::Copy&, std::uint32_t) {};

CopiesInFlight::Copy copy_of(unsigned warp, std::uint32_t lanes) {
  CopiesInFlight::Copy copy;
  copy.warp = warp;
  copy.lanes = lanes;
  copy.bytes = 16;
  for (unsigned lane = 0; lane < 32; ++lane) copy.at[lane] = (warp * 32 + lane) * copy.bytes;
  return copy;
}

TEST_CASE("a warp's shared memory is filled until all its lanes have waited") {
  CopiesInFlight copies(0, warps * 32 * 16, warps);
  CHECK_FALSE(copies.fill_for(0));
  copies.add(copy_of(0, 0b11));
  copies.commit(0, 0b11, CopiesInFlight::Of::copies);
  CHECK(copies.fill_for(0));
  CHECK_FALSE(copies.fill_for(1));
  copies.wait(0, 0b11, 1, CopiesInFlight::Of::copies, nobody);  // One group may go on.
  CHECK(copies.fill_for(0));
  copies.wait(0, 0b01, 0, CopiesInFlight::Of::copies, nobody);
  CHECK(copies.fill_for(0));
  copies.wait(1, 0b11, 0, CopiesInFlight::Of::copies, nobody);  // Another warp's wait is none.
  CHECK(copies.fill_for(0));
  copies.wait(0, 0b10, 0, CopiesInFlight::Of::copies, nobody);
  CHECK_FALSE(copies.fill_for(0));
}

TEST_CASE("of copies of the same lanes to the same places the last is kept") {
  CopiesInFlight copies(0, warps * 32 * 16, warps);
  unsigned landed = 0;
  const CopiesInFlight::Landed count = [&](const CopiesInFlight::Copy&, std::uint32_t) {
    ++landed;
  };
  for (int i = 0; i < 3; ++i) {
    copies.add(copy_of(0, 0b11));
    copies.commit(0, 0b11, CopiesInFlight::Of::copies);
  }
  copies.add(copy_of(0, 0b100));  // other lanes
  copies.commit(0, 0b111, CopiesInFlight::Of::copies);
  // The last of the three goes on, and so does the place.
  copies.wait(0, 0b111, 2, CopiesInFlight::Of::copies, count);
  CHECK(landed == 0);
  CHECK(copies.fill_for(0));
  copies.wait(0, 0b111, 0, CopiesInFlight::Of::copies, count);
  CHECK(landed == 2);
  CHECK_FALSE(copies.fill_for(0));
  CHECK_FALSE(copies.any());
}

TEST_CASE("a copy whose lanes end at different barriers fills until the last") {
  CopiesInFlight copies(0, warps * 32 * 16, warps);
  copies.add(copy_of(1, 0b11));
  copies.bind(1, 0b01, 64, false);
  copies.phase_ended(64, false, nobody);
  CHECK(copies.fill_for(1));
  copies.wait_all(1, 0b10, nobody);
  CHECK_FALSE(copies.fill_for(1));
}

TEST_CASE(
    "a copy that only reads shared memory fills nothing, and a new block begins without any") {
  CopiesInFlight copies(0, warps * 32 * 16, warps);
  CopiesInFlight::Copy reads = copy_of(0, 1);
  reads.only_reads = true;
  copies.add(reads);
  CHECK_FALSE(copies.fill_for(0));
  copies.add(copy_of(0, 1));
  CHECK(copies.fill_for(0));
  copies.start_block();
  CHECK_FALSE(copies.fill_for(0));
  CHECK_FALSE(copies.any());
}

}  // namespace
}  // namespace warpwise::machine
