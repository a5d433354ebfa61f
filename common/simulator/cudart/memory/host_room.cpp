#include "simulator/cudart/memory/host_room.h"

#include <fmt/format.h>

#include "simulator/cudart/copies/host_variables.h"
#include "simulator/cudart/launch/stack_frames.h"
#include "simulator/cudart/memory/heap_blocks.h"

namespace warpwise::cudart {
namespace {

constexpr const char* in_bytes = "the size is in bytes, not in elements";

std::string wrong_with_variable(std::uint64_t address, std::uint64_t bytes) {
  const auto variable = host_variable_at(address);
  if (!variable || bytes <= variable->end - address) return {};
  return fmt::format("has room for {} bytes from there to the end of {}, not for {}; {}",
                     variable->end - address, variable->name, bytes, in_bytes);
}

std::string wrong_on_stack(std::uint64_t address, std::uint64_t bytes) {
  const auto place = stack_place(address);
  if (!place) return {};
  if (place->is_left)
    return "is a local variable of a function that has returned; let it live until the copy is "
           "done, or allocate it";
  if (bytes <= place->end - address) return {};
  return fmt::format(
      "has room for at most {} bytes to the end of its function's local variables, "
      "not for {}; {}",
      place->end - address, bytes, in_bytes);
}

}  // namespace

std::string wrong_with_host(std::uint64_t address, std::uint64_t bytes) {
  if (const auto block = block_at(address, bytes)) {
    if (bytes <= block->end - address) return {};
    return fmt::format(
        "has room for {} bytes from there to the end of {} bytes from malloc or "
        "new, not for {}; {}",
        block->end - address, block->end - block->base, bytes, in_bytes);
  }
  if (was_block(address))
    return "is memory from malloc or new that was freed before; a vector that grows frees what it "
           "had";
  if (std::string wrong = wrong_on_stack(address, bytes); !wrong.empty()) return wrong;
  return wrong_with_variable(address, bytes);
}

}  // namespace warpwise::cudart
