#include "tutor/grade/submission.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "tutor/course/course_fixture.h"
#include "tutor/system/failure.h"
#include "tutor/update/archive.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;
using test::CourseFixture;

/// A class folder next to a course of one exercise.
struct Class {
  Submission read(const std::string& name) const {
    return read_submission(place / name, course, {fixture.exercise});
  }
  SubmittedText text(const std::string& name) const {
    const Submission submission = read(name);
    CHECK(submission.problem == "");
    return submission.texts.at("ch09_try/01_try");
  }
  void write(const std::string& name, const std::string& text) const {
    CourseFixture::write(place / name, text);
  }

  CourseFixture fixture;
  Course course = read_course(fixture.root);
  fs::path place = fixture.folder.path() / "class";
};

TEST_CASE("an exercise is found in folders and archives, at the top or deeper") {
  const Class at;
  at.write("ann/exercises/ch09_try/01_try.cu", "ann");
  at.write("bo b/bo b/exercises/ch09_try/01_try.cu", "bob");
  at.write("carl/handed in/week 1/exercises/ch09_try/01_try.cu", "carl");
  at.write("d\xc3\xb6ra/ch09_try/01_try.cu", "dora");
  at.write("eve.zip", make_zip({{"eve/exercises/ch09_try/01_try.cu", "eve"},
                                {"__MACOSX/exercises/ch09_try/01_try.cu", "junk"}}));
  CHECK(at.text("ann").text == "ann");
  CHECK(at.text("bo b").text == "bob");
  CHECK(at.text("carl").text == "carl");
  CHECK(at.text("d\xc3\xb6ra").text == "dora");
  CHECK(at.text("eve.zip").text == "eve");
  CHECK(at.read("eve.zip").name == "eve");
  CHECK(at.read("ann").handed_in.has_value());
}

TEST_CASE("an exercise that had another number when it was handed in is found") {
  const Class at;
  at.write("ann/exercises/ch09_try/04_try.cu", "ann");
  at.write("ann/exercises/ch09_try/02_tryout.cu", "other");
  CHECK(at.text("ann").text == "ann");
  CHECK(at.read("ann").handed_in.has_value());
  at.write("ann/exercises/ch09_try/01_try.cu", "newer");
  CHECK(at.text("ann").text == "newer");
}

TEST_CASE("whatever is broken is said, and nothing throws") {
  const Class at;
  at.write("garbage.zip", "garbage");
  at.write("bomb.zip", make_zip({{"exercises/ch09_try/01_try.cu", std::string(65 << 20, ' ')}}));
  at.write("cut.zip", make_zip({{"exercises/ch09_try/01_try.cu", "int a;"}}).substr(0, 40));
  at.write("nothing/readme.txt", "no exercises");
  at.write("two/a/exercises/x", "");
  at.write("two/b/exercises/x", "");
  make_folder(at.place / "empty");
  fs::create_symlink("/etc", at.place / "link");
  make_folder(at.place / "inner");
  fs::create_symlink("/etc", at.place / "inner/exercises");
  ::mkfifo((at.place / "pipe").c_str(), 0600);
  const auto problem = [&](const char* name) { return at.read(name).problem; };
  CHECK(problem("garbage.zip").starts_with("is neither a zip nor a tar"));
  CHECK(problem("bomb.zip") != "");
  CHECK(problem("cut.zip") != "");
  CHECK(problem("nothing") == "has no folder exercises/");
  CHECK(problem("two") == "has several folders of exercises: a/exercises and b/exercises");
  CHECK(problem("empty") == "is empty");
  CHECK(problem("link") == "is a symbolic link, which is not followed");
  CHECK(problem("inner") == "exercises is a symbolic link, which is not followed");
  CHECK(problem("pipe") == "is neither a folder nor an archive");
}

TEST_CASE("an unusable file costs only its own exercise") {
  const Class at;
  const std::string inside = "/exercises/ch09_try/01_try.cu";
  at.write("zeros" + inside, std::string("a\0b", 3));
  at.write("utf16" + inside, std::string("\xff\xfe/\0/\0", 6));
  at.write("empty" + inside, "");
  at.write("large" + inside, std::string(2 << 20, ' '));
  at.write("other/exercises/ch09_try/02_other.cu", "x");
  make_folder(at.place / ("folder" + inside));
  make_folder(at.place / "link/exercises/ch09_try");
  fs::create_symlink("/etc/passwd", at.place / ("link" + inside));
  make_folder(at.place / "chapter/exercises");
  fs::create_symlink(at.fixture.exercise.frame.parent_path(),
                     at.place / "chapter/exercises/ch09_try");
  make_folder(at.place / "pipe/exercises/ch09_try");
  ::mkfifo((at.place / ("pipe" + inside)).c_str(), 0600);
  const auto problem = [&](const char* name) { return at.text(name).problem; };
  CHECK(problem("zeros") == "is not text: it holds zero bytes");
  CHECK(problem("utf16") == "is UTF-16: save it as UTF-8");
  CHECK(problem("empty") == "is empty");
  CHECK(problem("large").starts_with("is 2097152 bytes long"));
  CHECK(problem("other") == "missing");
  CHECK(problem("folder") == "is not a regular file");
  CHECK(problem("link") == "is a symbolic link, which is not followed");
  CHECK(problem("chapter") == "is a symbolic link, which is not followed");
  CHECK(problem("pipe") == "is not a regular file");
}

TEST_CASE("places are classes or submissions; hidden entries are neither") {
  const Class at;
  at.write("class1/ann/exercises/ch09_try/01_try.cu", "a");
  at.write("class1/bob.zip", "b");
  at.write("class1/.DS_Store", "x");
  at.write("carl/exercises/ch09_try/01_try.cu", "c");
  const auto found = find_submissions(
      {at.place / "class1", at.place / "carl", at.place / "class1/bob.zip"}, at.course);
  CHECK(found == std::vector<fs::path>{at.place / "class1/ann", at.place / "class1/bob.zip",
                                       at.place / "carl", at.place / "class1/bob.zip"});
  CHECK_THROWS_AS(find_submissions({at.place / "nowhere"}, at.course), Failure);
  make_folder(at.place / "hollow");
  CHECK_THROWS_AS(find_submissions({at.place / "hollow"}, at.course), Failure);
}

}  // namespace
}  // namespace warpwise::tutor
