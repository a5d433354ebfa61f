// Where an access is, in words: lines, allocations, shared arrays, blocks.

#include <fmt/format.h>

#include "simulator/code/flow/places.h"
#include "simulator/machine/checks/races/race_advice.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

const code::Place& RunnerState::place_of(std::uint32_t site) const {
  return program_.places[program_.sites[site].place];
}

unsigned RunnerState::line_of(std::uint32_t site) const { return place_of(site).line; }

std::string RunnerState::site_text(std::uint32_t here, std::uint32_t site) const {
  const std::string line = code::line_seen_from(place_of(here), place_of(site));
  return line.empty() ? line : fmt::format(" ({})", line);
}

std::string RunnerState::global_text(std::uint64_t address) const {
  const memory::Allocation* allocation = grid_.memory.find(address);
  if (!allocation) return fmt::format("address 0x{:x}", address);
  return fmt::format("offset {} of {}", address - allocation->base, allocation->describe());
}

bool RunnerState::is_of_library(std::uint32_t site) const {
  return program_.places[program_.sites[site].place].is_library;
}

bool RunnerState::is_of_group(std::uint32_t site) const { return place_of(site).is_groups; }

std::string RunnerState::block_text(std::uint64_t block) const {
  const watch::Index3& grid = grid_.launch.grid;
  return fmt::format("({}, {}, {})", block % grid[0], block / grid[0] % grid[1],
                     block / grid[0] / grid[1]);
}

std::uint32_t RunnerState::instruction_of(std::uint32_t site) const {
  return instruction_of_site(program_, site);
}

std::string RunnerState::shared_text(std::uint32_t address) const {
  const code::SharedArray* before = nullptr;
  for (const code::SharedArray& array : program_.shared_arrays)
    if (array.address <= address && (!before || array.address >= before->address)) before = &array;
  std::string in_block = fmt::format("offset {} of the block's shared memory",
                                     static_cast<std::int32_t>(address - code::shared_base));
  if (!before) return in_block;
  std::uint32_t bytes = before->is_dynamic
                            ? grid_.shared_bytes - (before->address - code::shared_base)
                            : before->bytes;
  std::uint32_t offset = address - before->address;
  if (offset >= bytes && !before->is_dynamic &&
      address - code::shared_base >= program_.dynamic_shared_offset &&
      address - code::shared_base < grid_.shared_bytes)
    return fmt::format("{}, in the {} bytes of dynamic shared memory of the launch", in_block,
                       grid_.shared_bytes - program_.dynamic_shared_offset);
  if (offset < bytes)
    return fmt::format("offset {} of shared array {} ({} bytes)", offset, before->name, bytes);
  if (address - code::shared_base < grid_.shared_bytes)
    return fmt::format("{}, in the padding gap after {} ({} bytes)", in_block, before->name, bytes);
  return fmt::format("{}, which has {} bytes; {} ({} bytes) ends {}", in_block, grid_.shared_bytes,
                     before->name, bytes,
                     offset == bytes ? "there" : fmt::format("{} bytes before", offset - bytes));
}

std::string RunnerState::line_text(const code::Instruction& instruction) const {
  const std::string line =
      code::line_seen_from(program_.places[current_->place], program_.places[instruction.place]);
  return line.empty() ? line : " in " + line;
}

}  // namespace warpwise::machine
