#pragma once
#include <string>

#include "simulator/code/program.h"
#include "simulator/code/values/library_files.h"

namespace warpwise::code {

/// The places of a function's locations, in the same order; the last one is "nowhere",
/// which is a library's where the function has no lines and a name of CUB or Thrust.
std::vector<Place> places_of(const ptx::Module& module, const ptx::Function& function,
                             LibraryFiles& library);

/// How a message at one place names another: "line 7", or "line 7 of tile.h" where the other place
/// is in another file; empty where its line is not known.
std::string line_seen_from(const Place& here, const Place& other);

/// Whether a function belongs to CUB or Thrust, which are all headers: by its mangled name.
bool is_library_name(std::string_view name);

}  // namespace warpwise::code
