#pragma once
#include <functional>
#include <string>

#include "tutor/system/context.h"

namespace warpwise::tutor {

/// Runs a command and says on stderr, in one line, why it failed.
/// @return the command's exit status, or that of its failure.
int guarded(const std::function<int()>& command);

/// @param program the name of the running program in the build's folder tutor/.
/// @throws Failure when it is a copy: the path of its checkout is compiled in, so a copy would work
///   on the files of the original.
void require_own_checkout(const Context& context, const std::string& program);

}  // namespace warpwise::tutor
