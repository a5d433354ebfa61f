#include "tutor/update/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <functional>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/has_part.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

// An archive as only a hostile program writes it: each call adds one entry.
class Hostile {
 public:
  explicit Hostile(const fs::path& path, bool tar = true) : handle_(archive_write_new()) {
    if (tar) {
      archive_write_add_filter_gzip(handle_);
      archive_write_set_format_pax_restricted(handle_);
    } else {
      archive_write_set_format_zip(handle_);
    }
    archive_write_open_filename(handle_, path.c_str());
  }
  ~Hostile() { archive_write_free(handle_); }
  void add(const std::string& name, const std::string& text = "x", unsigned type = AE_IFREG,
           const std::function<void(archive_entry*)>& more = {}) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
    if (more) more(entry);
    archive_write_header(handle_, entry);
    if (type == AE_IFREG) archive_write_data(handle_, text.data(), text.size());
    archive_entry_free(entry);
  }

 private:
  archive* handle_;
};

struct Place {
  TemporaryFolder folder;
  fs::path file = folder.path() / "sent.archive";
  fs::path into = folder.path() / "into";
  Place() { make_folder(into); }

  // The error of unpack for the archive; empty: it took it.
  std::string refusal(int status = status_wrong, const ArchiveLimits& limits = {}) const {
    try {
      unpack(file, into, limits);
    } catch (const Failure& failure) {
      CHECK(failure.status == status);
      return failure.message;
    }
    return {};
  }
};

using test::has;

TEST_CASE("what was packed comes out again, with its executable bit") {
  const Place place;
  const std::vector<ArchiveFile> files{
      {"a/b.cu", "text\n", false}, {"run", "#!/bin/sh\n", true}, {"empty", "", false}};
  write_atomically(place.file, make_zip(files));
  CHECK(place.refusal().empty());
  const auto found = files_below(place.into);
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "a/b.cu");
  CHECK(found[0].text == "text\n");
  CHECK(found[1].name == "empty");
  CHECK(found[2].executable);
  CHECK_FALSE(found[0].executable);
}

TEST_CASE("equal files give equal bytes, whatever the time zone") {
  const std::vector<ArchiveFile> files{{"a.cu", std::string(5000, 'a'), false}};
  setenv("TZ", "Asia/Tokyo", 1);
  const std::string one = make_zip(files);
  setenv("TZ", "America/New_York", 1);
  const std::string other = make_zip(files);
  unsetenv("TZ");
  CHECK(one == other);
  CHECK(one.size() < 1000);
}

TEST_CASE("a tar of another program is read") {
  const Place place;
  {
    Hostile tar(place.file);
    tar.add("exercises/", "", AE_IFDIR);
    tar.add("./exercises/a.cu", "text");
  }
  CHECK(place.refusal().empty());
  CHECK(read_file(place.into / "exercises/a.cu") == "text");
}

TEST_CASE("names that lead out of the folder are refused and nothing is written there") {
  for (const bool tar : {true, false}) {
    for (const char* name : {"../out", "a/../../out", "/tmp/warpwise_out", "a/.."}) {
      const Place place;
      { Hostile(place.file, tar).add(name); }
      CAPTURE(name);
      CHECK(has(place.refusal(), "it was not unpacked"));
      CHECK_FALSE(fs::exists(place.folder.path() / "out"));
      CHECK_FALSE(fs::exists("/tmp/warpwise_out"));
    }
  }
}

TEST_CASE("links of both kinds are refused, also inside the folder") {
  for (const bool hard : {true, false}) {
    const Place place;
    {
      Hostile tar(place.file);
      tar.add("real", "x");
      tar.add("link", "", hard ? AE_IFREG : AE_IFLNK, [hard](archive_entry* entry) {
        hard ? archive_entry_set_hardlink(entry, "real")
             : archive_entry_set_symlink(entry, "/etc/passwd");
      });
    }
    CHECK(has(place.refusal(), "link"));
    CHECK_FALSE(fs::exists(fs::symlink_status(place.into / "link")));
  }
}

TEST_CASE("a file through a link that the archive itself makes never arrives") {
  const Place place;
  {
    Hostile tar(place.file);
    tar.add("door", "", AE_IFLNK,
            [&](archive_entry* e) { archive_entry_set_symlink(e, place.folder.path().c_str()); });
    tar.add("door/out");
  }
  CHECK(has(place.refusal(), "link"));
  CHECK_FALSE(fs::exists(place.folder.path() / "out"));
}

TEST_CASE("devices and pipes are refused") {
  for (const unsigned type : {AE_IFIFO, AE_IFCHR, AE_IFBLK}) {
    const Place place;
    { Hostile(place.file).add("thing", "", type); }
    CHECK(has(place.refusal(), "is not a file"));
  }
}

TEST_CASE("what grows without end stops at the limit") {
  const Place place;
  const ArchiveLimits limits{.bytes = 1 << 20, .entries = 10, .name_bytes = 100};
  SUBCASE("one file") {
    { Hostile(place.file).add("bomb", std::string(3 << 20, '\0')); }
    CHECK(fs::file_size(place.file) < (1 << 16));
    CHECK(has(place.refusal(status_wrong, limits), "more than 1 MiB"));
    CHECK(fs::file_size(place.into / "bomb") <= (1 << 20));
  }
  SUBCASE("several files") {
    {
      Hostile zip(place.file, false);
      for (int i = 0; i < 5; ++i) zip.add(std::to_string(i), std::string(300'000, '\0'));
    }
    CHECK(has(place.refusal(status_wrong, limits), "more than 1 MiB"));
  }
  SUBCASE("many files") {
    {
      Hostile tar(place.file);
      for (int i = 0; i < 11; ++i) tar.add(std::to_string(i), "", AE_IFDIR);
    }
    CHECK(has(place.refusal(status_wrong, limits), "more than 10 files"));
  }
  SUBCASE("a name") {
    { Hostile(place.file).add(std::string(101, 'n')); }
    CHECK(has(place.refusal(status_wrong, limits), "long name"));
  }
}

TEST_CASE("an archive that contradicts itself is refused") {
  const Place place;
  SUBCASE("a name twice") {
    {
      Hostile tar(place.file);
      tar.add("a", "1");
      tar.add("./a", "2");
    }
    CHECK(has(place.refusal(), "twice"));
  }
  SUBCASE("a file that is a folder too") {
    {
      Hostile tar(place.file);
      tar.add("a", "1");
      tar.add("a/b", "2");
    }
    CHECK(has(place.refusal(), "as a folder"));
  }
  SUBCASE("a name that would move the cursor") {
    { Hostile(place.file).add("a\x1b[2J"); }
    const std::string text = place.refusal();
    CHECK(has(text, "control characters"));
    CHECK_FALSE(has(text, "\x1b"));
  }
}

TEST_CASE("special permission bits do not survive") {
  const Place place;
  {
    Hostile(place.file).add("a", "x", AE_IFREG, [](archive_entry* entry) {
      archive_entry_set_perm(entry, 06777);
    });
  }
  CHECK(place.refusal().empty());
  struct stat status {};
  REQUIRE(stat((place.into / "a").c_str(), &status) == 0);
  CHECK((status.st_mode & 07000) == 0);
}

TEST_CASE("a file that is not an archive, is cut or is not there says so") {
  const Place place;
  CHECK(has(place.refusal(status_environment), "cannot be read"));
  write_atomically(place.file, "__global__ void f() {}\n");
  CHECK(has(place.refusal(), "neither a zip nor a tar"));
  write_atomically(place.file, "");
  CHECK(has(place.refusal(), "neither a zip nor a tar"));
  write_atomically(place.file, make_zip({}));
  CHECK(has(place.refusal(), "holds nothing"));
  std::string text;
  for (unsigned i = 0, value = 1; i < 20'000; ++i) {
    value = value * 1664525 + 1013904223;
    text += static_cast<char>(value >> 24);
  }
  const std::string zip = make_zip({{"a", text, false}});
  write_atomically(place.file, zip.substr(0, zip.size() / 2));
  CHECK_FALSE(place.refusal().empty());
}

}  // namespace
}  // namespace warpwise::tutor
