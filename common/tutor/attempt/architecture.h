#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tutor/system/context.h"

namespace warpwise::tutor {

/// @return the value of `--gpu NAME` or `--gpu=NAME` among a chapter's flags, the last one.
std::optional<std::string> gpu_flag(const std::vector<std::string>& flags);

/// The list of architectures with the one that a GPU needs, in CMake's notation.
/// @param list "90" or "90;75"; an architecture before 90 brings its PTX too, because that GPU runs
///   no PTX of a newer one.
/// @return the list as it was when it has the architecture already, or nvcc 13 does not know it.
std::string with_architecture(std::string_view list, int compute_capability);

/// Configures the build for this GPU as well, so that registers and occupancy are those of its own
/// code. Nothing happens for a name that is not in the table: the program says so itself.
/// @throws Failure (status 3) when cmake fails.
void build_for_gpu(const Context& context, const std::string& name);

}  // namespace warpwise::tutor
