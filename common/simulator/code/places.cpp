#include "simulator/code/places.h"

namespace warpwise::code {
namespace {

/// Headers of the toolkit are library code, whatever folder it is installed in.
bool is_library(const std::string& file) {
  for (const char* part : {"/include/cccl/", "/targets/x86_64-linux/include/",
                           "/targets/sbsa-linux/include/", "/cuda/include/", "/usr/include/"})
    if (file.find(part) != std::string::npos) return true;
  return false;
}

std::string file_of(const ptx::Module& module, const ptx::Location& location) {
  auto found = module.files.find(location.file);
  return found == module.files.end() ? std::string() : found->second;
}

/// The innermost place outside the toolkit, else the outermost of all.
Place place_of(const ptx::Module& module, const ptx::Function& function,
               const ptx::Location& inner) {
  const ptx::Location* user = &inner;
  // Line 0 is code that the compiler made up, such as an initialiser.
  while ((user->line == 0 || is_library(file_of(module, *user))) && user->inlined_at >= 0)
    user = &function.locations[user->inlined_at];
  Place place{
      file_of(module, *user), user->line, {}, 0, user->column, is_library(file_of(module, inner))};
  if (user != &inner) {
    place.library_file = file_of(module, inner);
    place.library_line = inner.line;
  }
  return place;
}

}  // namespace

std::vector<Place> places_of(const ptx::Module& module, const ptx::Function& function) {
  std::vector<Place> places;
  for (const ptx::Location& location : function.locations)
    places.push_back(place_of(module, function, location));
  places.emplace_back();
  return places;
}

}  // namespace warpwise::code
