#include "tutor/update/keep.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include "tutor/commands/reset.h"
#include "tutor/course/course_fixture.h"
#include "tutor/grade/full_disk.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace keep_test {

namespace fs = std::filesystem;

struct Learner : test::CourseFixture {
  Learner() { write(exercise.learner, mine); }
  std::string mine = "my text\n";
  std::string stub = lesson::make_stub(solution());
  // Files in exercises/ next to the learner's file: nothing may be left there.
  int others() const {
    int count = -1;
    for ([[maybe_unused]] const auto& entry :
         fs::directory_iterator(exercise.learner.parent_path()))
      ++count;
    return count;
  }
};

TEST_CASE("the old text is kept, under a new number each time") {
  Learner learner;
  const fs::path first = reset_to_stub(learner.context, learner.exercise);
  CHECK(first == learner.root / ".kept/ch09_try/01_try.1.cu");
  CHECK(read_file(first) == learner.mine);
  CHECK(read_file(learner.exercise.learner) == learner.stub);
  CHECK(learner.others() == 0);
  Learner::write(learner.exercise.learner, "second");
  const fs::path second = reset_to_stub(learner.context, learner.exercise);
  CHECK(second.filename() == "01_try.2.cu");
  CHECK(read_file(second) == "second");
  CHECK(read_file(first) == learner.mine);
}

TEST_CASE("nothing to keep: a missing file comes back, the stub itself stays") {
  Learner learner;
  fs::remove(learner.exercise.learner);
  CHECK(reset_to_stub(learner.context, learner.exercise).empty());
  CHECK(read_file(learner.exercise.learner) == learner.stub);
  CHECK(reset_to_stub(learner.context, learner.exercise).empty());
  CHECK_FALSE(fs::exists(kept_folder(learner.context)));
  // The learner's notes are a text too.
  Learner::write(learner.exercise.learner, "// note\n" + learner.stub);
  CHECK_FALSE(reset_to_stub(learner.context, learner.exercise).empty());
}

TEST_CASE("on a full disk the learner's text stays where it is") {
  Learner learner;
  {
    const test::FullDisk full(learner.stub.size() - 1);
    CHECK_THROWS_AS(reset_to_stub(learner.context, learner.exercise), Failure);
  }
  CHECK(read_file(learner.exercise.learner) == learner.mine);
  CHECK(learner.others() == 0);
}

TEST_CASE("a text that cannot be moved aside stays where it is") {
  Learner learner;
  // A file where the folder belongs.
  Learner::write(kept_folder(learner.context), "");
  CHECK_THROWS_AS(reset_to_stub(learner.context, learner.exercise), Failure);
  CHECK(read_file(learner.exercise.learner) == learner.mine);
  CHECK(learner.others() == 0);
}

TEST_CASE("a file is never moved onto another, nor onto a link that leads nowhere") {
  const TemporaryFolder folder;
  const fs::path from = folder.path() / "from", to = folder.path() / "to";
  write_atomically(from, "1");
  write_atomically(to, "2");
  CHECK_FALSE(move_to_free(from, to));
  CHECK(read_file(to) == "2");
  fs::remove(to);
  fs::create_symlink(folder.path() / "nowhere", to);
  CHECK_FALSE(move_to_free(from, to));
  fs::remove(to);
  CHECK(move_to_free(from, to));
  CHECK(read_file(to) == "1");
  CHECK_FALSE(fs::exists(from));
}

TEST_CASE("a move into another file system keeps the text or the file") {
  const fs::path memory = "/dev/shm";
  const TemporaryFolder folder;
  std::error_code ignored;
  if (!fs::is_directory(memory, ignored) || access(memory.c_str(), W_OK) != 0) return;
  const fs::path from = folder.path() / "from";
  const fs::path to = memory / folder.path().filename();
  write_atomically(from, std::string(10'000, 'x'));
  {
    const test::FullDisk full(5000);
    CHECK_THROWS_AS(move_to_free(from, to), Failure);
  }
  CHECK(fs::exists(from));
  CHECK_FALSE(fs::exists(to));
  CHECK(move_to_free(from, to));
  CHECK(fs::file_size(to) == 10'000);
  CHECK_FALSE(fs::exists(from));
  fs::remove(to);
}

TEST_CASE("without a terminal a reset wants --yes, and does nothing without it") {
  Learner learner;
  if (isatty(STDIN_FILENO) == 0) {
    CHECK_THROWS_AS(reset_command(learner.context, "01_try", false), Failure);
    CHECK(read_file(learner.exercise.learner) == learner.mine);
  }
  CHECK(reset_command(learner.context, "01_try", true) == status_ok);
  CHECK(read_file(learner.exercise.learner) == learner.stub);
  CHECK_THROWS_AS(reset_command(learner.context, "ch09", true), Failure);
  fs::remove(learner.exercise.learner);
  CHECK(reset_command(learner.context, "01_try", false) == status_ok);  // nothing to lose
  CHECK(read_file(learner.exercise.learner) == learner.stub);
}

}  // namespace keep_test
}  // namespace warpwise::tutor
