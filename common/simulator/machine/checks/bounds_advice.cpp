#include "simulator/machine/checks/bounds_advice.h"

#include <fmt/format.h>

#include <cstring>

namespace warpwise::machine {
namespace {

/// Whether a kernel was given a number, as one of its parameters.
bool is_parameter(std::uint64_t number, std::span<const std::byte> parameters) {
  std::uint32_t word = 0;
  for (std::size_t at = 0; at + sizeof word <= parameters.size(); at += sizeof word) {
    std::memcpy(&word, parameters.data() + at, sizeof word);
    if (word == number) return true;
  }
  return false;
}

bool is_of_host_call(const memory::Allocation& array) {
  using memory::Kind;
  return !array.is_variable && (array.kind == Kind::device || array.kind == Kind::managed ||
                                array.kind == Kind::pinned || array.kind == Kind::mapped);
}

/// Elements were counted where bytes are: the array has room for a part of the elements that the
/// kernel was given, as many bytes as those are.
bool is_counted_in_elements(const memory::Allocation& array, std::uint64_t offset, unsigned bytes,
                            std::span<const std::byte> parameters) {
  if (!is_of_host_call(array) || bytes < 2) return false;
  if (array.bytes < bytes) return true;
  return offset + bytes <= array.bytes * bytes && is_parameter(array.bytes, parameters);
}

}  // namespace

std::string advice_past_end(const memory::Allocation& array, std::uint64_t offset, unsigned bytes,
                            const WhoPastEnd& who) {
  if (is_counted_in_elements(array, offset, bytes, who.parameters))
    return "Was it allocated with the number of its elements? cudaMalloc and cudaMemcpy count "
           "bytes: n * sizeof(float).";
  if (array.pitch != 0 && offset >= array.bytes + array.pitch)
    return fmt::format(
        "Its pitch is {} bytes: a pitch counts bytes, not elements. Add it to "
        "a char*, row by row.",
        array.pitch);
  bool is_last = false;
  for (std::size_t i = 0; i < who.grid.size(); ++i)
    is_last |= who.block[i] + 1 == who.grid[i] && who.grid[i] > 1;
  if (is_last || who.grid == watch::Index3{1, 1, 1})
    return "Guard the index, or launch fewer threads.";
  return "It is not the last block that does this: look at how the index is computed, and whether "
         "the grid has too many blocks.";
}

}  // namespace warpwise::machine
