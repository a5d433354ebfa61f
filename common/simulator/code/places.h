#pragma once
#include "simulator/code/library_files.h"
#include "simulator/code/program.h"

namespace warpwise::code {

/// The places of a function's locations, in the same order; the last one is "nowhere",
/// which is a library's where the function has no lines and a name of CUB or Thrust.
std::vector<Place> places_of(const ptx::Module& module, const ptx::Function& function,
                             LibraryFiles& library);

/// Whether a function belongs to CUB or Thrust, which are all headers: by its mangled name.
bool is_library_name(std::string_view name);

}  // namespace warpwise::code
