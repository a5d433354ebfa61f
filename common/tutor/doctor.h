#pragma once
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// `learn doctor [--json]`: what is here, what is missing, what to do. The script `learn` answers
/// it itself, with common/tutor/doctor.sh, since it must also answer where this program cannot be
/// built; here it is only started.
/// @throws Failure (status 3) when the script cannot be started; does not return otherwise.
[[noreturn]] void doctor_command(const Context& context, bool json);

}  // namespace warpwise::tutor
