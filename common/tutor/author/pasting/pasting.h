#pragma once
#include <string>
#include <vector>

#include "tutor/author/pasting/declarations.h"
#include "tutor/author/pasting/rungs.h"

namespace warpwise::tutor {

/// The ways to hand the parameters of one kernel to another: each a list of expressions, one for
/// each of `wanted`, the likeliest first. Pointers replace pointers with the same access, those
/// to the same type before others; numbers for numbers. Where more are wanted than given, one is
/// used twice, or a number is 1; what is given and not wanted is left over. Several places
/// are tried only where the names do not tell them, and for numbers only where there are as many.
/// @param most the largest number of ways.
/// @return none where nothing can replace something that is wanted.
std::vector<std::vector<std::string>> ways_to_call(const std::vector<Parameter>& wanted,
                                                   const std::vector<Parameter>& given,
                                                   std::size_t most);

/// The kernel that an exercise asks for.
struct AskedKernel {
  std::string head;  ///< "__global__ void lane_sum(const float* x, float* y, int rows)"
  std::vector<Parameter> parameters;
  std::string includes;  ///< those of the exercise's file, a line each.
};

/// Reads a frame. @return no head where it asks for no kernel: the kernel with the blank, else the
/// last one.
AskedKernel asked_kernel(const std::string& frame);

/// The answer of a learner who pasted a rung instead of a kernel; for several exercises at once,
/// since a check finds its kernel by its name and parameters.
struct PastedFile {
  std::string text;
  std::vector<std::size_t> exercises;  ///< for which it has a kernel: indices into `asked`.
};

/// One file for each way to call the rung.
/// @param asked kernels of the same chapter's exercises; none without a head is served.
/// @return none where the rung fits nowhere.
std::vector<PastedFile> pasted_files(const Rung& rung, const std::vector<AskedKernel>& asked);

}  // namespace warpwise::tutor
