#include "simulator/machine/schedule/block.h"

#include <algorithm>
#include <cstring>

#include "simulator/machine/schedule/grid.h"

namespace warpwise::machine {

unsigned cell_shift(const code::Program& program, code::Space space) {
  unsigned narrowest = 4;
  auto look_at = [&](code::Space at, unsigned bytes) {
    if (at == space || at == code::Space::generic) narrowest = std::min(narrowest, bytes);
  };
  for (const code::Site& site : program.sites) look_at(site.space, site.bytes);
  // An access that ptxas merges is counted as wide as ptxas makes it, and made as PTX has it.
  for (const code::Access& access : program.accesses) look_at(access.space, access.bytes());
  return narrowest == 4 ? 2 : narrowest == 2 ? 1 : 0;
}

Block::Block(const Grid& grid)
    : shared(grid.shared_bytes + 16),
      shared_validity(grid.shared_bytes),
      copies(code::shared_base, grid.shared_bytes, (grid.threads_per_block + 31) / 32) {
  const code::Program& program = grid.program;
  unsigned count = (grid.threads_per_block + 31) / 32;
  if (grid.options.check_races) order.emplace(count);
  if (order && grid.shared_bytes)
    races.emplace(*order, code::shared_base, grid.shared_bytes,
                  cell_shift(program, code::Space::shared));
  if (order && program.has_update_loops)
    updates.emplace(*order, code::shared_base, grid.shared_bytes);
  warps.reserve(count);
  for (unsigned i = 0; i < count; ++i) {
    Warp& warp = warps.emplace_back(program);
    for (const code::Program::ParameterSlot& parameter : program.parameter_slots) {
      std::int64_t value = 0;
      std::memcpy(&value, grid.launch.parameters.data() + parameter.offset, parameter.memory_bytes);
      unsigned unused = 64 - 8 * parameter.memory_bytes;
      if (parameter.is_signed && unused) value = value << unused >> unused;
      for (int lane = 0; lane < 32; ++lane)
        std::memcpy(warp.slot(parameter.slot) + lane * parameter.bytes, &value, parameter.bytes);
    }
  }
}

}  // namespace warpwise::machine
