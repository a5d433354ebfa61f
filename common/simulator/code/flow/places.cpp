#include "simulator/code/flow/places.h"

namespace warpwise::code {
namespace {

std::string file_of(const ptx::Module& module, const ptx::Location& location) {
  auto found = module.files.find(location.file);
  return found == module.files.end() ? std::string() : found->second;
}

/// The toolkit's headers of half, bfloat16 and the smaller numbers.
bool is_number_header(const std::string& file) {
  const std::string name = file.substr(file.rfind('/') + 1);
  return name.starts_with("cuda_fp") || name.starts_with("cuda_bf16");
}

/// The innermost place outside the toolkit, else the outermost of all.
/// @param before an earlier place in the user's code, for code whose text does not say where it was
/// inlined: debug builds (-G) never say it. Null where there is none.
Place place_of(const ptx::Module& module, const ptx::Function& function, const ptx::Location& inner,
               const ptx::Location* before, LibraryFiles& library) {
  const auto is_library = [&](const ptx::Location& location) {
    return library.holds(file_of(module, location));
  };
  const auto is_cubs = [&](const ptx::Location& location) {
    const std::string file = file_of(module, location);
    return file.find("/cub/") != std::string::npos || file.find("/thrust/") != std::string::npos;
  };
  const auto is_groups = [&](const ptx::Location& location) {
    const std::string file = file_of(module, location);
    return file.find("/cooperative_groups") != std::string::npos &&
           file.find("async") == std::string::npos;
  };
  const ptx::Location* user = &inner;
  bool any_cubs = false;
  // Line 0 is code that the compiler generated, such as an initialiser.
  while ((user->line == 0 || is_library(*user)) && user->inlined_at >= 0) {
    any_cubs |= is_library(*user) && is_cubs(*user);
    user = &function.locations[user->inlined_at];
  }
  if (before && user->line != 0 && is_library(*user)) user = before;
  // Where a number type loads and stores itself, the access belongs to the code that holds the
  // number.
  const ptx::Location* acts = &inner;
  while (is_number_header(file_of(module, *acts)) && acts->inlined_at >= 0)
    acts = &function.locations[acts->inlined_at];
  Place place{file_of(module, *user), user->line, {}, 0, user->column, is_library(*acts), any_cubs};
  place.is_users = user->line != 0 && !is_library(*user);
  place.is_groups = is_library(inner) && is_groups(inner);
  if (user != &inner) {
    place.library_file = file_of(module, inner);
    place.library_line = inner.line;
  }
  while (user->inlined_at >= 0) {
    user = &function.locations[user->inlined_at];
    if (user->line != 0 && !is_library(*user))
      place.callers.push_back({file_of(module, *user), user->line});
  }
  return place;
}

}  // namespace

std::string line_seen_from(const Place& here, const Place& other) {
  if (other.line == 0) return {};
  const std::string line = "line " + std::to_string(other.line);
  return other.file == here.file ? line
                                 : line + " of " + other.file.substr(other.file.rfind('/') + 1);
}

bool is_library_name(std::string_view name) {
  return name.starts_with("_ZN3cub") || name.starts_with("_ZN6thrust");
}

std::vector<Place> places_of(const ptx::Module& module, const ptx::Function& function,
                             LibraryFiles& library) {
  std::vector<Place> places;
  const auto is_users = [&](const ptx::Location& location) {
    return location.line != 0 && !library.holds(file_of(module, location));
  };
  // The first line of a function is its own: a function of a library has no user around it.
  const bool is_of_user = !function.locations.empty() && is_users(function.locations[0]);
  const ptx::Location* before = nullptr;
  for (const ptx::Location& location : function.locations) {
    if (is_of_user && is_users(location)) before = &location;
    places.push_back(place_of(module, function, location, before, library));
  }
  places.emplace_back();
  places.back().is_library = function.locations.empty() && is_library_name(function.name);
  return places;
}

}  // namespace warpwise::code
