#pragma once
#include <cstddef>
#include <string>

#include "verification/conformance/random/random.h"

/// The beginning and end of every random program, and where its data are. Its output is a record
/// for each thread, then the sums of each block, then those of the grid; all of it zero before.
namespace warpwise::conformance {

struct Shape {
  unsigned blocks, threads;
};

constexpr unsigned record_bytes = 136;  ///< of a thread's output
constexpr unsigned scratch = 96;        ///< in it, 32 bytes that the program may use
constexpr unsigned sums = 8;            ///< 64-bit sums of a block in shared memory
constexpr unsigned grid_sums = 4;       ///< 32-bit sums of the grid in global memory

std::size_t output_bytes(Shape shape);

/// Declares the registers and gives all of them values: of addresses, of the warp's lanes, and of
/// the program's own registers those of its input; clears the digest and what is in memory.
std::string set_up(Shape shape, Random& random);

/// Writes the registers, the digest and the block's sums to the output, and returns.
std::string write_out(Shape shape);

/// Sets %b0 to the address of an entry of a region of the input, another one for each thread.
std::string entry_address(unsigned region, Random& random);

}  // namespace warpwise::conformance
