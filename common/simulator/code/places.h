#pragma once
#include "simulator/code/library_files.h"
#include "simulator/code/program.h"

namespace warpwise::code {

/// The places of a function's locations, in the same order; the last one is "nowhere",
/// which is a library's where the function has no lines and a name of CUB or Thrust.
std::vector<Place> places_of(const ptx::Module& module, const ptx::Function& function,
                             LibraryFiles& library);

}  // namespace warpwise::code
