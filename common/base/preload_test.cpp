#include "base/preload.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace preload_test {

namespace fs = std::filesystem;
using warpwise::base::preload_list;
using warpwise::base::preloadable;

/// A folder for one test, and XDG_RUNTIME_DIR pointing into it.
class Place {
 public:
  Place() {
    std::string name = (fs::temp_directory_path() / "preload-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    fs::create_directory(runtime());
    ::setenv("XDG_RUNTIME_DIR", runtime().c_str(), 1);
  }
  ~Place() {
    ::unsetenv("XDG_RUNTIME_DIR");
    fs::remove_all(folder_);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  fs::path runtime() const { return folder_ / "runtime"; }

  /// A library's file in a folder of this name.
  fs::path library_in(const std::string& name) const {
    const fs::path file = folder_ / name / "lib.so";
    fs::create_directories(file.parent_path());
    std::ofstream(file) << name;
    return file;
  }

 private:
  fs::path folder_;
};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_CASE("a plain path is its own") { CHECK(preloadable("/usr/lib/lib.so") == "/usr/lib/lib.so"); }

TEST_CASE("a path that a list cannot hold is reached through a link") {
  const Place place;
  for (const char* name : {"with blank ü", "a:colon", "a$ORIGIN", "tab\there", "new\nline"}) {
    CAPTURE(name);
    const fs::path library = place.library_in(name);
    const fs::path found = preloadable(library);
    CHECK(found.native().find_first_of(" :$\t\n") == std::string::npos);
    CHECK(text_of(found) == name);
    // Once more, and the link is the same one.
    CHECK(preloadable(library) == found);
  }
}

TEST_CASE("a link that points elsewhere is made again") {
  const Place place;
  const fs::path library = place.library_in("with blank");
  const fs::path found = preloadable(library);
  fs::remove(found.parent_path());
  fs::create_symlink("/usr", found.parent_path());
  CHECK(text_of(preloadable(library)) == "with blank");
}

TEST_CASE("a folder that others can write is not used") {
  const Place place;
  const fs::path folder = place.runtime() / ("warpwise-" + std::to_string(::geteuid()));
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms::all);
  const fs::path found = preloadable(place.library_in("with blank"));
  CHECK(found.native().rfind(place.runtime().native(), 0) == std::string::npos);
}

TEST_CASE("what LD_PRELOAD named before stays after ours") {
  const char* before = std::getenv("LD_PRELOAD");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("LD_PRELOAD", "/usr/lib/other.so", 1);
  CHECK(preload_list("/usr/lib/lib.so") == "/usr/lib/lib.so:/usr/lib/other.so");
  ::unsetenv("LD_PRELOAD");
  CHECK(preload_list("/usr/lib/lib.so") == "/usr/lib/lib.so");
  if (before != nullptr) ::setenv("LD_PRELOAD", kept.c_str(), 1);
}

}  // namespace preload_test
