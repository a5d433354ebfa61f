#include "tutor/system/files.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <iterator>

#include "tutor/system/failure.h"

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

TEST_CASE("what is not a regular file, or too long, is refused at once and with its reason") {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe", link = folder.path() / "link";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  fs::create_symlink("/dev/zero", link);
  for (const fs::path& path : {pipe, link, fs::path("/dev/zero")}) {
    CAPTURE(path.string());
    CHECK(complaint([&] { read_text(path); }).ends_with("it is a device or a pipe, not a file"));
    CHECK_FALSE(has_text(path, "x"));
  }
  const fs::path large = folder.path() / "large";
  write_atomically(large, std::string(longest_text, 'x'));
  CHECK(read_text(large).size() == longest_text);
  // As long as a disk, and nothing in it.
  fs::resize_file(large, std::uintmax_t{400} << 20);
  CHECK(complaint([&] {
          read_text(large);
        }).ends_with("it has 419430400 bytes; at most 1048576 are read"));
  CHECK_FALSE(has_text(large, "x"));
  CHECK(complaint([&] { read_text(folder.path()); }).ends_with("Is a directory"));
}

TEST_CASE("a file is replaced whole and nothing is left next to it") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "report";
  write_atomically(file, "old");
  std::ifstream reader(file);
  write_atomically(file, "new");
  CHECK(read_file(file) == "new");
  // A process that reads the old file meanwhile reads all of it.
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
