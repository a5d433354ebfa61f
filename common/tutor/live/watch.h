#pragma once
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// `learn` without words. On a terminal: carries the learner from the first unsolved exercise to
/// the last; every save is compiled and judged. Elsewhere it prints the state and the next step.
/// @return the exit status.
/// @throws Failure (status 3) without an exercise; Interrupted when asked to stop by a signal.
int watch_command(const Context& context);

}  // namespace warpwise::tutor
