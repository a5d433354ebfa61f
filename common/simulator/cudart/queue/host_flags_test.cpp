#include "simulator/cudart/queue/host_flags.h"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

namespace warpwise::cudart {
namespace {

constexpr unsigned portable = cudaHostAllocPortable, mapped = cudaHostAllocMapped,
                   combined = cudaHostAllocWriteCombined;

TEST_CASE("small allocations tell the flags of the page that they share") {
  forget_all_flags();
  remember_flags_of_allocation(1, 64, portable);
  remember_flags_of_allocation(2, 64, 0);
  remember_flags_of_allocation(3, 64, combined);
  remember_flags_of_allocation(4, 64, combined | portable);
  CHECK(flags_of(2) == (portable | mapped));
  CHECK(flags_of(4) == (combined | mapped));
  // Half a page and a little more is a page of its own.
  remember_flags_of_allocation(5, (1 << 20) + 1, 0);
  CHECK(flags_of(5) == mapped);
  // The page is freed with its last allocation.
  forget_flags(1);
  remember_flags_of_allocation(6, 64, 0);
  CHECK(flags_of(6) == (portable | mapped));
  forget_flags(2), forget_flags(6);
  remember_flags_of_allocation(7, 64, 0);
  CHECK(flags_of(7) == mapped);
  forget_all_flags();
}

TEST_CASE("a page that is full is followed by another, until there is room again") {
  forget_all_flags();
  remember_flags_of_allocation(1, 1 << 20, 0);
  remember_flags_of_allocation(2, 1 << 20, portable);
  remember_flags_of_allocation(3, 64, portable);
  CHECK(flags_of(2) == mapped);
  CHECK(flags_of(3) == (portable | mapped));
  forget_flags(1);
  remember_flags_of_allocation(4, 64, portable);
  CHECK(flags_of(4) == mapped);
  forget_all_flags();
  CHECK(flags_of(4) == 0);
}

}  // namespace
}  // namespace warpwise::cudart
