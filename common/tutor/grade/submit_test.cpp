#include "tutor/grade/submit.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tutor/course/course_fixture.h"
#include "tutor/course/progress.h"
#include "tutor/system/failure.h"
#include "tutor/update/archive.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

struct Learner : test::CourseFixture {
  Learner() { write(exercise.learner, "int mine;\n"); }
  // The files that arrive at the instructor.
  std::vector<ArchiveFile> sent() {
    const TemporaryFolder place;
    write_atomically(place.path() / "zip", pack_submission(context).zip);
    make_folder(place.path() / "into");
    unpack(place.path() / "zip", place.path() / "into");
    return files_below(place.path() / "into");
  }
};

TEST_CASE("a submission holds the exercises and what is known of them, nothing else") {
  Learner learner;
  Learner::write(learner.exercise.learner.parent_path() / "notes.txt", "private");
  fs::last_write_time(learner.exercise.learner,
                      fs::file_time_type(std::chrono::file_clock::from_sys(
                          std::chrono::sys_seconds(std::chrono::seconds(1'000'000'000)))));
  const auto files = learner.sent();
  REQUIRE(files.size() == 2);
  CHECK(files[0].name == "exercises/ch09_try/01_try.cu");
  CHECK(files[0].text == "int mine;\n");
  const auto manifest = nlohmann::json::parse(files[1].text);
  CHECK(manifest["format"] == "warpwise submission 1");
  CHECK(manifest["date"] == "2001-09-09T01:46:40Z");
  CHECK(manifest["exercises"]["ch09_try/01_try"]["state"] == "edited");
  CHECK(manifest["exercises"]["ch09_try/01_try"]["text"] == text_hash("int mine;\n"));
  CHECK(manifest["course"]["version"] == "unknown");
}

TEST_CASE("equal files give equal submissions") {
  Learner learner;
  const std::string first = pack_submission(learner.context).zip;
  CHECK(pack_submission(learner.context).zip == first);
}

TEST_CASE("the summary says what is unsolved, and why") {
  Learner learner;
  CHECK(pack_submission(learner.context).summary.find("0 of 1 solved; edited: 01_try") !=
        std::string::npos);
  update_progress(learner.context, [&](Progress& progress) {
    progress.exercises[learner.exercise.id()].text = text_hash("int mine;\n");
    progress.exercises[learner.exercise.id()].verdict = "pass";
  });
  CHECK(pack_submission(learner.context).summary.find("1 of 1 solved") != std::string::npos);
  fs::remove(learner.exercise.learner);
  CHECK(pack_submission(learner.context).summary.find("missing: 01_try") != std::string::npos);
  CHECK(learner.sent().size() == 1);
}

TEST_CASE("a file that cannot be a solution is refused, and nothing is written") {
  Learner learner;
  Learner::write(learner.exercise.learner, std::string((1 << 20) + 1, 'x'));
  const fs::path zip = learner.folder.path() / "out.zip";
  CHECK_THROWS_AS(submit_command(learner.context, zip.string()), Failure);
  CHECK_FALSE(fs::exists(zip));
  Learner::write(learner.exercise.learner, "x");
  CHECK(submit_command(learner.context, zip.string()) == status_ok);
  CHECK(fs::exists(zip));
  CHECK_THROWS_AS(submit_command(learner.context, "/no/such/folder/out.zip"), Failure);
}

}  // namespace
}  // namespace warpwise::tutor
