#include "tutor/files.h"

#include <doctest/doctest.h>

#include <fstream>
#include <functional>
#include <iterator>

#include "tutor/failure.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Failure& failure) {
    CHECK(failure.status == status_environment);
    return failure.message;
  }
  return "nothing to complain about";
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST_CASE("a file is replaced whole and nothing is left beside it") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "report";
  write_atomically(file, "old");
  std::ifstream reader(file);
  write_atomically(file, "new");
  CHECK(read_file(file) == "new");
  // Whoever reads the old file meanwhile reads all of it.
  CHECK(std::string(std::istreambuf_iterator<char>(reader), {}) == "old");
  require_writable(file);
  CHECK(read_file(file) == "new");
  CHECK(entries(folder.path()) == 1);
}

TEST_CASE("what cannot be read or written is named as the user wrote it") {
  const TemporaryFolder folder;
  const fs::path nowhere = folder.path() / "no" / "report";
  const std::string why = shown(nowhere) + " cannot be written: No such file or directory";
  CHECK(complaint([&] { write_atomically(nowhere, "x"); }) == why);
  CHECK(complaint([&] { require_writable(nowhere); }) == why);
  CHECK(complaint([&] { read_file(nowhere); }) ==
        shown(nowhere) + " cannot be read: No such file or directory");
  CHECK(complaint([&] { read_file(folder.path()); }) ==
        shown(folder.path()) + " cannot be read: Is a directory");
  CHECK(complaint([&] { write_atomically(folder.path(), "x"); }).find("cannot be written") !=
        std::string::npos);
  CHECK(entries(folder.path()) == 0);
}

TEST_CASE("devices are written to, not replaced") {
  write_atomically("/dev/null", "x");
  require_writable("/dev/null");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a pending file that is not committed disappears") {
  const TemporaryFolder folder;
  {
    const PendingFile pending(folder.path() / "image");
    write_atomically(pending.path(), "half");
    CHECK(entries(folder.path()) == 1);
  }
  CHECK(entries(folder.path()) == 0);
}

}  // namespace
}  // namespace warpwise::tutor
