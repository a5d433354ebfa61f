#pragma once
#include <map>
#include <string>

namespace warpwise::code {

/// Whether a file is the toolkit's or the system's, not the user's: its mistakes are reported at
/// the place in the user's code that it was inlined into.
///
/// A folder that exists here is searched: the toolkit's own has cuda_runtime_api.h. For a program
/// that was built elsewhere, the path alone decides: the toolkit's usual folders (cuda, cuda-13.0,
/// targets, those of Python and conda packages) and the compilers'.
/// @param path of a source, as the compiler names it.
bool is_library_file(const std::string& path);

/// The same for many places in few files: asks once per file, because the answer needs the disk.
class LibraryFiles {
 public:
  bool holds(const std::string& path) {
    auto known = known_.find(path);
    if (known == known_.end()) known = known_.emplace(path, is_library_file(path)).first;
    return known->second;
  }

 private:
  std::map<std::string, bool> known_;
};

}  // namespace warpwise::code
