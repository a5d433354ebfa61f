#include "simulator/code/places.h"

#include <map>

#include "simulator/code/library_files.h"

namespace warpwise::code {
namespace {

/// The files that a function's code comes from.
class Files {
 public:
  explicit Files(const ptx::Module& module) : names_(module.files) {}

  std::string name(const ptx::Location& location) const {
    auto found = names_.find(location.file);
    return found == names_.end() ? std::string() : found->second;
  }

  /// Asks once for each file: the answer takes a look at the disk.
  bool is_library(const ptx::Location& location) {
    auto known = library_.find(location.file);
    if (known == library_.end())
      known = library_.emplace(location.file, is_library_file(name(location))).first;
    return known->second;
  }

 private:
  const std::map<unsigned, std::string>& names_;
  std::map<unsigned, bool> library_;
};

/// The innermost place outside the toolkit, else the outermost of all.
Place place_of(Files& files, const ptx::Function& function, const ptx::Location& inner) {
  const ptx::Location* user = &inner;
  // Line 0 is code that the compiler made up, such as an initialiser.
  while ((user->line == 0 || files.is_library(*user)) && user->inlined_at >= 0)
    user = &function.locations[user->inlined_at];
  Place place{files.name(*user), user->line, {}, 0, user->column, files.is_library(inner)};
  if (user != &inner) {
    place.library_file = files.name(inner);
    place.library_line = inner.line;
  }
  return place;
}

}  // namespace

std::vector<Place> places_of(const ptx::Module& module, const ptx::Function& function) {
  Files files(module);
  std::vector<Place> places;
  for (const ptx::Location& location : function.locations)
    places.push_back(place_of(files, function, location));
  places.emplace_back();
  return places;
}

}  // namespace warpwise::code
