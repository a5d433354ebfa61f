#include "tutor/live/saved_files.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "tutor/system/files.h"

namespace warpwise::tutor::watch {
namespace {

namespace fs = std::filesystem;
using Changes = std::vector<FileChange>;
using What = FileChange::What;

struct Files {
  Files() {
    write_atomically(one, "old\n");
    write_atomically(two, "old\n");
  }
  TemporaryFolder folder;
  fs::path one = folder.path() / "one.cu", two = folder.path() / "two.cu";
};

void write_in_place(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

bool tells(const SavedFiles& files) {
  pollfd event{files.event(), POLLIN, 0};
  return poll(&event, 1, 1000) == 1;
}

TEST_CASE("saves in place and by renaming are reported at once") {
  const Files files;
  SavedFiles saved({files.one, files.two});
  CHECK(saved.look() == Changes{});
  write_in_place(files.one, "new\n");
  REQUIRE(tells(saved));
  CHECK(saved.look() == Changes{{0, What::changed}});
  write_atomically(files.two, "new\n");
  REQUIRE(tells(saved));
  CHECK(saved.look() == Changes{{1, What::changed}});
  CHECK(saved.look() == Changes{});
}

TEST_CASE("a save without a change is reported as such") {
  const Files files;
  SavedFiles saved({files.one, files.two});
  write_in_place(files.two, "old\n");
  REQUIRE(tells(saved));
  CHECK(saved.look() == Changes{{1, What::unchanged}});
}

TEST_CASE("what editors leave next to a file is not a save of it") {
  const Files files;
  SavedFiles saved({files.one});
  write_in_place(files.folder.path() / ".one.cu.swp", "swap");
  write_in_place(files.folder.path() / "one.cu~", "backup");
  write_in_place(files.folder.path() / "4913", "");
  CHECK(saved.look() == Changes{});
}

TEST_CASE("an editor that moves the old file away first never shows a missing one") {
  const Files files;
  SavedFiles saved({files.one});
  fs::rename(files.one, files.folder.path() / "one.cu~");
  CHECK(saved.look() == Changes{});
  write_in_place(files.one, "new\n");
  CHECK(saved.look() == Changes{{0, What::changed}});
}

TEST_CASE("a file that was saved and is away for a moment is not reported as removed") {
  const Files files;
  SavedFiles saved({files.one});
  write_in_place(files.one, "new\n");
  fs::rename(files.one, files.folder.path() / "elsewhere");
  CHECK(saved.look() == Changes{});
  fs::rename(files.folder.path() / "elsewhere", files.one);
  CHECK(saved.look() == Changes{{0, What::changed}});
}

TEST_CASE("a removed file is reported when it stays away, and its return is a change") {
  const Files files;
  SavedFiles saved({files.one});
  fs::remove(files.one);
  CHECK(saved.look() == Changes{});
  CHECK(saved.look() == Changes{{0, What::removed}});
  CHECK(saved.look() == Changes{});
  write_in_place(files.one, "old\n");
  CHECK(saved.look() == Changes{{0, What::changed}});
}

TEST_CASE("where no events come, two looks find a change, and none that is not finished") {
  const Files files;
  SavedFiles saved({files.one, files.two}, false);
  CHECK(saved.event() == -1);
  std::ofstream writer(files.one);
  writer << "half" << std::flush;
  CHECK(saved.look() == Changes{});
  writer << " and half" << std::flush;
  CHECK(saved.look() == Changes{});
  writer.close();
  CHECK(saved.look() == Changes{{0, What::changed}});
  write_atomically(files.two, "new\n");
  CHECK(saved.look() == Changes{});
  CHECK(saved.look() == Changes{{1, What::changed}});
  CHECK(saved.look() == Changes{});
}

TEST_CASE("a link to a file elsewhere is found by looking") {
  const Files files;
  const TemporaryFolder elsewhere;
  write_in_place(elsewhere.path() / "real.cu", "old\n");
  fs::remove(files.one);
  fs::create_symlink(elsewhere.path() / "real.cu", files.one);
  SavedFiles saved({files.one});
  write_in_place(elsewhere.path() / "real.cu", "newer\n");
  CHECK(saved.look() == Changes{});
  CHECK(saved.look() == Changes{{0, What::changed}});
}

TEST_CASE("a folder that is not there does no harm") {
  SavedFiles saved({"/no/such/folder/x.cu"});
  CHECK(saved.look() == Changes{});
}

}  // namespace
}  // namespace warpwise::tutor::watch
