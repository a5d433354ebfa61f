#pragma once
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// @return the context of the build this program belongs to.
Context this_context();

}  // namespace warpwise::tutor
