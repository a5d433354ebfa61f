#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

/// Notes down the blocks that the program has from malloc and its relatives, or from new, which
/// calls malloc: a copy that leaves its array on the host can then be reported. This takes no lock
/// and a few nanoseconds, for any number of threads.
namespace warpwise::cudart {

/// A block is there from now on. To be called before any other thread can have its address.
void note_block(const void* base, std::size_t bytes);

/// A block will not be there any more. To be called before it is given back.
/// @return its bytes; 0 where there is no known block, which is ignored.
std::size_t forget_block(const void* base);

/// True for the beginning of a block.
bool is_block(const void* base);

struct HeapBlock {
  std::uint64_t base;
  std::uint64_t end;  ///< not looked for further than was asked
};
/// The block that holds an address; none where there is none, or none was noted down.
/// @param bytes after the address that matter.
std::optional<HeapBlock> block_at(std::uint64_t address, std::uint64_t bytes);

/// True where a small block began that was given back, if the memory has had no other use since.
bool was_block(std::uint64_t address);

}  // namespace warpwise::cudart
