#include "tutor/course/progress.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <thread>
#include <vector>

#include "tutor/course/course_fixture.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;
using test::CourseFixture;

Progress example() {
  return {.current = "ch02_b/02_y",
          .exercises = {{"ch01_a/01 x", {text_hash("a"), "does not compile", "", {}}},
                        {"ch02_b/02_y", {text_hash("b"), "diagnosed", "race", {3, 1}}},
                        {"ch02_b/03_z", {"", "", "", {1}}}},
          .guesses = {{"ch01_a/warps", "three, I \"guess\": 50 %"}, {"ch02_b/x", "-"}},
          .damaged = ".progress.damaged_1"};
}

TEST_CASE("what is written is read again") {
  CHECK(parse_progress(to_text(example())) == example());
  CHECK(parse_progress(to_text(Progress{})) == Progress{});
  CHECK(text_hash("") == "cbf29ce484222325");
}

TEST_CASE("an exercise with another number keeps what is remembered of it") {
  CourseFixture fixture;
  update_progress(fixture.context, [&](Progress& progress) {
    progress.current = fixture.exercise.id();
    progress.exercises[fixture.exercise.id()] = {text_hash("a"), "pass", "", {}};
  });
  const Exercise later = exercise_files(fixture.root, "ch09_try", "07_try");
  CHECK(was_solved(read_progress(fixture.context), later));
  CHECK(is_current(read_progress(fixture.context), later));
  CHECK(verdict_on(read_progress(fixture.context), later, "a") != nullptr);
  update_progress(fixture.context,
                  [&](Progress& progress) { progress.exercises[later.id()].hints = {2}; });
  CHECK(read_progress(fixture.context).exercises.size() == 1);
  CHECK_FALSE(was_solved(read_progress(fixture.context),
                         exercise_files(fixture.root, "ch09_try", "07_other")));
  CHECK(without_number("ch01_a/01_b_2") == "ch01_a/b_2");
  CHECK(without_number("01_b") == "b");
  CHECK(without_number("ch01_a/b") == "ch01_a/b");
  CHECK(without_number("ch01_a/7up") == "ch01_a/7up");
}

TEST_CASE("a text that was cut short is damaged, wherever it was cut") {
  const std::string text = to_text(example());
  for (std::size_t size = 0; size < text.size(); ++size) {
    CHECK_FALSE(parse_progress(text.substr(0, size)));
  }
}

TEST_CASE("merged, doubled and foreign texts are damaged") {
  const std::string hash = text_hash("a");
  const std::string head = "warpwise progress 1\n";
  CHECK(parse_progress(head + "c/e\t" + hash + "\trace\t2\tdiagnosed\nend\n"));
  for (const std::string& text :
       {std::string("warpwise progress 2\nend\n"), head + "end\nend\n",
        head + "<<<<<<< HEAD\nend\n", head + "c/e\t" + hash + "\trace\t2\nend\n",
        head + "c/e\t" + hash + "\trace\t0\tdiagnosed\nend\n",
        head + "c/e\t" + hash + "\trace\t1,,2\tdiagnosed\nend\n",
        head + "c/e\t" + hash + "\trace\t1\tdiagnosed\tmore\nend\n",
        head + "c/e\t" + hash.substr(1) + "\trace\t1\tdiagnosed\nend\n",
        head + "c/e\t-\t-\t-\tpass\nend\n", head + "e\t-\t-\t1\t-\nend\n",
        head + "guess\tc/q\nend\n", head + "guess\tc/q\t1\t2\nend\n", head + "guess\tcq\t1\nend\n",
        head + "guess\tc/q\t1\nguess\tc/q\t2\nend\n",
        head + "c/e\t-\t-\t1\t-\nc/e\t-\t-\t1\t-\nend\n", std::string(1000, '\0')}) {
    CAPTURE(text);
    CHECK_FALSE(parse_progress(text));
  }
}

TEST_CASE("a text that could steer a terminal is damaged") {
  for (const char* name : {"\x1b[2J", "\xc2\x9b[2J", "\x7f", "\xe2\x80\xae", "\xff"}) {
    Progress progress;
    progress.damaged = name;
    CHECK_FALSE(parse_progress(to_text(progress)).has_value());
  }
}

TEST_CASE("a progress file that is a pipe or a device is refused without a wait") {
  const CourseFixture fixture;
  const fs::path file = progress_file(fixture.context);
  fs::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK_THROWS_AS(read_progress(fixture.context), Failure);
  fs::remove(file);
  fs::create_symlink("/dev/zero", file);
  CHECK_THROWS_AS(read_progress(fixture.context), Failure);
}

TEST_CASE("a damaged file is set aside under a free name, and the new one remembers which") {
  const CourseFixture fixture;
  CHECK(read_progress(fixture.context) == Progress{});
  CHECK_FALSE(std::filesystem::exists(progress_file(fixture.context)));
  fixture.write(progress_file(fixture.context), "nonsense 1");
  CHECK(read_progress(fixture.context).damaged == ".progress.damaged_1");
  CHECK(read_progress(fixture.context).damaged == ".progress.damaged_1");
  fixture.write(progress_file(fixture.context), "nonsense 2");
  CHECK(read_progress(fixture.context).damaged == ".progress.damaged_2");
  CHECK(read_file(fixture.root / ".progress.damaged_1") == "nonsense 1");
  CHECK(read_file(fixture.root / ".progress.damaged_2") == "nonsense 2");
}

TEST_CASE("updates at the same time do not lose each other") {
  const CourseFixture fixture;
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < 4; ++writer) {
      writers.emplace_back([&fixture, writer] {
        for (int i = 0; i < 25; ++i) {
          update_progress(fixture.context, [writer, i](Progress& progress) {
            progress.exercises["c/e"].hints.push_back(1 + writer * 25 + i);
          });
        }
      });
    }
  }
  CHECK(read_progress(fixture.context).exercises.at("c/e").hints.size() == 100);
}

TEST_CASE("what passed once is solved whatever the last verdict says") {
  const CourseFixture fixture;
  const std::string id = fixture.exercise.id();
  const auto judged = [&](const char* verdict) {
    update_progress(fixture.context, [&](Progress& progress) {
      progress.exercises[id].text = text_hash(verdict);
      progress.exercises[id].verdict = verdict;
    });
    return was_solved(read_progress(fixture.context), fixture.exercise);
  };
  CHECK_FALSE(was_solved({}, fixture.exercise));
  CHECK_FALSE(judged("gate"));
  CHECK(judged("pass"));
  CHECK(judged("diagnosed"));
  CHECK(judged("does not compile"));
  // A line of its own, of an exercise that the file knows.
  const std::string text = read_file(progress_file(fixture.context));
  CHECK(text.find("\nsolved\t" + id + "\n") != std::string::npos);
  CHECK_FALSE(parse_progress("warpwise progress 1\nsolved\tch01_a/01_x\nend\n"));
}

TEST_CASE("a verdict is about one text only") {
  const CourseFixture fixture;
  Progress progress;
  progress.exercises[fixture.exercise.id()] = {text_hash("a"), "pass", "", {}};
  CHECK(verdict_on(progress, fixture.exercise, "a")->verdict == "pass");
  CHECK(verdict_on(progress, fixture.exercise, "b") == nullptr);
  CHECK(verdict_on({}, fixture.exercise, "a") == nullptr);
}

TEST_CASE("a progress file that cannot be written or read is one line that says so") {
  const CourseFixture fixture;
  make_folder(progress_file(fixture.context));
  CHECK_THROWS_AS(read_progress(fixture.context), Failure);
  CHECK_THROWS_AS(update_progress(fixture.context, [](Progress&) {}), Failure);
}

}  // namespace
}  // namespace warpwise::tutor
