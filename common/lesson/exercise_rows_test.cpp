#include "lesson/exercise_rows.h"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>

#include "lesson/device/error.h"
#include "lesson/start/paths.h"
#include "lesson/start/process.h"

using namespace warpwise::lesson;
namespace fs = std::filesystem;

namespace {

constexpr const char* solution =
    "__global__ void k() {\n  // BEGIN YOUR CODE\n  x();\n  // END YOUR CODE\n}\n";
constexpr const char* stub =
    "__global__ void k() {\n  // BEGIN YOUR CODE\n    // Your code here.\n  // END YOUR CODE\n}\n";

/// A small tree with one exercise, removed with the object.
struct Tree {
  Tree() {
    for (const char* folder : {"chapters/ch00_x/checks", "exercises/ch00_x", "solutions/ch00_x",
                               "build/exercises/ch00_x", "build/checks/ch00_x"}) {
      fs::create_directories(root / folder);
    }
    write("chapters/ch00_x/checks/01_y.cu", "");
    write("chapters/ch00_x/checks/01_y.md", "");
    write("solutions/ch00_x/01_y.cu", solution);
    write("exercises/ch00_x/01_y.cu", stub);
  }
  ~Tree() { fs::remove_all(root); }
  void write(const char* file, const std::string& text) const {
    std::ofstream(root / file) << text;
  }
  ExerciseFiles files() const { return find_exercises(root, root / "build", "ch00_x").at(0); }

  TemporaryFile name;
  fs::path root = name.path() + ".tree";
};

}  // namespace

TEST_CASE("the folder is the list of exercises") {
  const Tree tree;
  const auto files = find_exercises(tree.root, tree.root / "build", "ch00_x");
  REQUIRE(files.size() == 1);
  CHECK(files[0].name == "01_y");
  CHECK(short_id(files[0]) == "ch00/01");
  CHECK(find_exercises(tree.root, tree.root / "build", "ch99_none").empty());
}

TEST_CASE("a learner's file is open, not built, outdated or built") {
  const Tree tree;
  CHECK(progress_of(tree.files()) == Progress::open);
  tree.write("exercises/ch00_x/01_y.cu", std::string("// my notes\n") + stub);
  CHECK(progress_of(tree.files()) == Progress::open);
  tree.write("exercises/ch00_x/01_y.cu", solution);
  CHECK(progress_of(tree.files()) == Progress::not_built);
  tree.write("build/exercises/ch00_x/01_y.image", "image");
  CHECK(progress_of(tree.files()) == Progress::built);
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(tree.files().image, now - std::chrono::hours(1));
  CHECK(progress_of(tree.files()) == Progress::outdated);
  fs::remove(tree.files().image);
  tree.write("build/exercises/ch00_x/01_y.errors", "exercises/ch00_x/01_y.cu:3: expected\n");
  CHECK(progress_of(tree.files()) == Progress::broken);
  const ExerciseRow broken = exercise_rows({tree.files()}, DeviceChoice::simulator, "").at(0);
  CHECK(broken.verdict == "does not compile");
  CHECK(broken.message.starts_with("exercises/ch00_x/01_y.cu:3: expected"));
  CHECK_FALSE(broken.solved_or_open);
  fs::last_write_time(tree.files().errors, now - std::chrono::hours(1));
  CHECK(progress_of(tree.files()) == Progress::not_built);
  fs::remove(tree.files().source);
  CHECK(progress_of(tree.files()) == Progress::missing);
}

TEST_CASE("without solutions the stub next to the check and the record are used") {
  const Tree tree;
  fs::remove_all(tree.root / "solutions");
  fs::create_directories(tree.root / "chapters/ch00_x/pristine");
  tree.write("chapters/ch00_x/pristine/01_y.cu", stub);
  tree.write("chapters/ch00_x/pristine/01_y.json",
             R"({"exercise": "ch00_x/01_y", "verdict": "pass",
          "counts": {"counters": {"ptx__thread_instructions": 7}}})");
  CHECK(progress_of(tree.files()) == Progress::open);
  tree.write("exercises/ch00_x/01_y.cu", solution);
  CHECK(progress_of(tree.files()) == Progress::not_built);
  const auto rows = exercise_rows({tree.files()}, DeviceChoice::simulator, "");
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].verdict == "pass");
  CHECK(rows[1].counts.value("ptx__thread_instructions") == 7);
}

TEST_CASE("an open exercise is not an error; a check that cannot run is") {
  const Tree tree;
  auto rows = exercise_rows({tree.files()}, DeviceChoice::simulator, "");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].verdict == "not solved yet");
  CHECK(rows[0].solved_or_open);
  CHECK(rows[1].whose == "solution");
  CHECK_FALSE(rows[1].solved_or_open);
  CHECK_FALSE(rows[1].message.empty());
}

TEST_CASE("a check's verdict becomes a row, whatever the check does") {
  const Tree tree;
  const auto check_that = [&](const std::string& script) {
    tree.write("build/checks/ch00_x/01_y", "#!/bin/sh\n" + script);
    fs::permissions(tree.files().check, fs::perms::owner_all);
    return exercise_rows({tree.files()}, DeviceChoice::simulator, "").at(1);
  };
  // $4 is the file after --json.
  CHECK(check_that(R"(echo '{"exercise": "x", "verdict": "pass"}' > "$4")").verdict == "pass");
  const ExerciseRow wrong = check_that(R"(echo '{"exercise": "x", "verdict": "gate", "message": "m",
      "file": "k.cu", "line": 7, "gates": [
      {"name": "a", "what": "sectors", "saw": 8, "at_most": 4, "met": false},
      {"name": "b", "what": "requests", "saw": 1, "at_most": 2, "met": true}]}' > "$4"; exit 1)");
  CHECK(wrong.verdict == "gate");
  CHECK(wrong.message == "sectors: yours 8, wanted at most 4\nk.cu:7");
  const ExerciseRow diagnosed = check_that(R"(echo '{"exercise": "x", "verdict": "diagnosed",
      "kind": "race", "message": "two threads", "file": "k.cu", "line": 7}' > "$4"; exit 1)");
  CHECK(diagnosed.message == "race: two threads\nk.cu:7");
  CHECK_FALSE(wrong.solved_or_open);
  CHECK(check_that("echo 'no simulator' >&2; exit 3").message == "no simulator");
  CHECK(check_that("kill -SEGV $$").message.find("139") != std::string::npos);
  CHECK_FALSE(check_that("exit 0").solved_or_open);
}
