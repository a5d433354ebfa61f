// Addresses of shared memory: whether they are in the array that they were made from.

#include <fmt/format.h>

#include <algorithm>

#include "simulator/isa/fast_loops.h"
#include "simulator/machine/access/addresses.h"
#include "simulator/machine/checks/bounds.h"
#include "simulator/machine/checks/wrong_lanes.h"

namespace warpwise::machine {

/// Faults where an address has gone from the array that it was made from into another one.
void Bounds::check_array(const code::Access& access, std::uint32_t mask,
                         const std::uint64_t* addresses, const watch::AddressShape& shape) {
  const code::SharedArray& array = here_.program_.shared_arrays[access.shared_array];
  const std::uint32_t start = array.address;
  const std::uint32_t length =
      array.is_dynamic ? here_.grid_.shared_bytes - (start - code::shared_base) : array.bytes;
  const unsigned bytes = access.bytes();
  if (shape.is_inside(start, length, bytes)) return;
  const Wrong wrong = wrong_lanes(mask, [&](unsigned lane) {
    return !all_inside(1u << lane, addresses, bytes, start, length);
  });
  const auto address = static_cast<std::uint32_t>(addresses[wrong.first]);
  const auto offset = static_cast<std::int32_t>(address - start);
  std::string where = offset < 0 ? fmt::format("{} bytes before its start", -offset)
                                 : fmt::format("{} bytes past its end", offset + bytes - length);
  if (address - code::shared_base < here_.grid_.shared_bytes)
    where += ", at " + here_.shared_text(address);
  const char* advice = offset < 0          ? "Check the index for values below 0."
                       : !array.is_dynamic ? "Guard the index."
                       : length == 0
                           ? "Pass the size of the dynamic shared memory to the launch: <<<grid, "
                             "block, bytes>>>."
                           : "Guard the index, or give the launch more dynamic shared memory.";
  bad_address(access, wrong.first, wrong.count, "out-of-bounds",
              fmt::format("{} bytes at offset {} of shared array {} ({} bytes): {}. {}", bytes,
                          offset, array.name, length, where, advice));
}

/// Faults where the addresses belong to no block.
WARPWISE_FAST_LOOPS Bounds::SharedOf Bounds::check_shared(const code::Access& access,
                                                          std::uint32_t mask,
                                                          const std::uint64_t* addresses,
                                                          const watch::AddressShape& shape) {
  const unsigned bytes = access.bytes();
  if (shape.is_inside(code::shared_base, here_.grid_.shared_bytes, bytes)) {
    for (const code::Program::Gap& gap : here_.program_.shared_gaps) {
      Wrong wrong = wrong_lanes(mask, [&](unsigned lane) {
        return addresses[lane] + bytes > gap.from && addresses[lane] < gap.to;
      });
      if (wrong.count)
        bad_address(
            access, wrong.first, wrong.count, "out-of-bounds",
            fmt::format("{} bytes at {}. Guard the index.", bytes,
                        here_.shared_text(std::max(
                            static_cast<std::uint32_t>(addresses[wrong.first]), gap.from))));
    }
    const bool has_others =
        here_.program_.shared_arrays.size() > 1 || here_.grid_.launch.dynamic_shared_bytes > 0;
    if (access.shared_array != code::Access::any_array && has_others)
      check_array(access, mask, addresses, shape);
    return SharedOf::block;
  }
  if (!here_.owner_ && names_block(mask, addresses)) return SharedOf::cluster;
  if (here_.uses_reserved_ &&
      shape.is_inside(code::reserved_tiles, code::reserved_tiles_bytes, bytes))
    return SharedOf::runtime;
  if (access.shared_array != code::Access::any_array && here_.grid_.shared_bytes > 0)
    check_array(access, mask, addresses, shape);
  Wrong wrong = wrong_lanes(mask, [&](unsigned lane) {
    return !all_inside(1u << lane, addresses, bytes, code::shared_base, here_.grid_.shared_bytes);
  });
  // Shared addresses have 32 bits: an address before the start has wrapped around.
  auto address = static_cast<std::uint32_t>(addresses[wrong.first]);
  auto offset = static_cast<std::int32_t>(address - code::shared_base);
  if (here_.grid_.shared_bytes == 0 || offset < 0)
    bad_address(access, wrong.first, wrong.count, "out-of-bounds",
                fmt::format("{} bytes at offset {} of the block's shared memory, which has {} "
                            "bytes. {}",
                            bytes, offset, here_.grid_.shared_bytes,
                            offset < 0 ? "Check the index for values below 0."
                                       : "Pass the size of the dynamic shared memory to the "
                                         "launch: <<<grid, block, bytes>>>."));
  bool is_dynamic = here_.program_.dynamic_shared_offset < here_.grid_.shared_bytes;
  bad_address(access, wrong.first, wrong.count, "out-of-bounds",
              fmt::format("{} bytes at {}. Guard the index{}.", bytes, here_.shared_text(address),
                          is_dynamic ? ", or give the launch more dynamic shared memory" : ""));
}

/// True where some address is of the memory of a block of the cluster, by its rank. A block's own
/// memory is not named so.
bool Bounds::names_block(std::uint32_t lanes, const std::uint64_t* addresses) const {
  if (here_.grid_.cluster_blocks == 1) return false;
  bool any = false;
  for_lanes(lanes, [&](unsigned lane) {
    any |= (addresses[lane] >> code::shared_rank_shift) - 1 < here_.grid_.cluster_blocks;
  });
  return any;
}

}  // namespace warpwise::machine
