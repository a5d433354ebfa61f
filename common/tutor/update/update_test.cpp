#include "tutor/update/update.h"

#include <doctest/doctest.h>

#include "tutor/course/course_files.h"
#include "tutor/grade/full_disk.h"
#include "tutor/system/failure.h"
#include "tutor/system/has_part.h"
#include "tutor/update/archive.h"
#include "tutor/update/update_apply.h"
#include "tutor/update/update_fixture.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;
using test::UpdateFixture;

using test::has;

// The message of the Failure that an update ends with.
std::string refusal(const UpdateFixture& course, int status, const std::string& from = {}) {
  try {
    update_course(course.context, from);
  } catch (const Failure& failure) {
    CHECK(failure.status == status);
    return failure.message;
  }
  return "updated";
}

// The changes of a newer course: a file changed, one new, one gone, an exercise new, a stub
// changed.
void release(const UpdateFixture& course) {
  UpdateFixture::write(course.home / "CMakeLists.txt",
                       "project(warpwise VERSION 2.0 LANGUAGES CXX)\n");
  UpdateFixture::write(course.home / "common/tutor/new.cpp", "int fresh;\n");
  fs::remove(course.home / "common/tutor/tool.cpp");
  course.exercise("03_third", "int three;");
  course.exercise("01_first", "int one;", "another task");
  course.exercise("02_second", "int two;", "another task");
  course.commit_home("release");
}

TEST_CASE("a checkout without changes becomes the newer course, and git knows it") {
  const UpdateFixture course;
  CHECK(has(update_course(course.context, ""), "up to date"));
  release(course);
  const std::string text = update_course(course.context, "");
  CHECK(has(text, "the course is 2.0"));
  CHECK(has(text, "it was 1.0"));
  CHECK(has(text, " files came: "));
  CHECK(has(text, "\n1 file went: common 1\n"));
  CHECK(has(text, "ch09_try/03_third"));
  CHECK(course.head(course.root) == course.head(course.home));
  CHECK(course.status().empty());
  CHECK(fs::exists(course.root / "common/tutor/new.cpp"));
  CHECK_FALSE(fs::exists(course.root / "common/tutor/tool.cpp"));
  CHECK(read_file(course.mine("01_first")).starts_with("// another task"));
  CHECK_FALSE(fs::exists(kept_folder(course.context) / ".update"));
  CHECK(has(update_course(course.context, ""), "up to date"));
}

TEST_CASE("an edited exercise stays, and the stub that changed under it is next to it") {
  const UpdateFixture course;
  UpdateFixture::write(course.mine("01_first"), "my answer\n");
  release(course);
  const std::string text = update_course(course.context, "");
  CHECK(read_file(course.mine("01_first")) == "my answer\n");
  CHECK(read_file(course.mine("01_first").string() + ".new_stub").starts_with("// another task"));
  CHECK(has(text, "1 edited"));
  CHECK(has(text, "exercises/ch09_try/01_first.cu.new_stub"));
  CHECK(read_file(course.mine("02_second")).starts_with("// another task"));
  CHECK(course.status() == " M exercises/ch09_try/01_first.cu");
  CHECK(course.head(course.root) == course.head(course.home));
}

TEST_CASE("commits of the learner's are merged, and edited exercises stay in the merge") {
  const UpdateFixture course;
  UpdateFixture::write(course.mine("01_first"), "my answer\n");
  UpdateFixture::write(course.root / "notes.md", "mine\n");
  UpdateFixture::git(course.root, {"add", "--all"});
  UpdateFixture::git(course.root, {"commit", "--quiet", "-m", "mine"});
  UpdateFixture::write(course.mine("02_second"), "not committed\n");
  release(course);
  const std::string before = course.head(course.root);
  CHECK(has(update_course(course.context, ""), "2 edited"));
  CHECK(UpdateFixture::git(course.root, {"log", "-1", "--format=%P"}) ==
        before + " " + course.head(course.home));
  CHECK(UpdateFixture::git(course.root, {"show", "HEAD:exercises/ch09_try/01_first.cu"}) ==
        "my answer");
  CHECK(has(UpdateFixture::git(course.root, {"show", "HEAD:exercises/ch09_try/02_second.cu"}),
            "another task"));
  CHECK(course.status() == " M exercises/ch09_try/02_second.cu");
  CHECK(read_file(course.mine("02_second")) == "not committed\n");
  CHECK(read_file(course.root / "notes.md") == "mine\n");
  // The next one builds on it.
  CHECK(has(update_course(course.context, ""), "up to date"));
  UpdateFixture::write(course.home / "README.md", "new\n");
  course.commit_home("again");
  update_course(course.context, "");
  CHECK(read_file(course.root / "README.md") == "new\n");
  CHECK(read_file(course.mine("01_first")) == "my answer\n");
}

TEST_CASE("another file that both changed is merged, or the learner's text is kept") {
  const UpdateFixture course;
  UpdateFixture::write(course.root / "README.md", "ONE\n\ntwo\n\nthree\n");
  SUBCASE("in different lines") {
    UpdateFixture::write(course.home / "README.md", "one\n\ntwo\n\nTHREE\n");
    course.commit_home("change");
    CHECK(has(update_course(course.context, ""), "merged:\n  README.md"));
    CHECK(read_file(course.root / "README.md") == "ONE\n\ntwo\n\nTHREE\n");
  }
  SUBCASE("in the same line") {
    UpdateFixture::write(course.home / "README.md", "first\n\ntwo\n\nthree\n");
    course.commit_home("change");
    CHECK(has(update_course(course.context, ""), "README.1.md"));
    CHECK(read_file(course.root / "README.md") == "first\n\ntwo\n\nthree\n");
    CHECK(read_file(kept_folder(course.context) / "README.1.md") == "ONE\n\ntwo\n\nthree\n");
  }
  SUBCASE("a file that both added") {
    UpdateFixture::write(course.root / "common/added.h", "mine\n");
    UpdateFixture::write(course.home / "common/added.h", "theirs\n");
    course.commit_home("add");
    CHECK(has(update_course(course.context, ""), "common/added.1.h"));
    CHECK(read_file(course.root / "common/added.h") == "theirs\n");
    CHECK(read_file(kept_folder(course.context) / "common/added.1.h") == "mine\n");
  }
  SUBCASE("a file that the course removed") {
    UpdateFixture::write(course.root / "common/tutor/tool.cpp", "mine\n");
    release(course);
    update_course(course.context, "");
    CHECK_FALSE(fs::exists(course.root / "common/tutor/tool.cpp"));
    CHECK(read_file(kept_folder(course.context) / "common/tutor/tool.1.cpp") == "mine\n");
  }
  SUBCASE("only the learner") {
    release(course);
    update_course(course.context, "");
    CHECK(read_file(course.root / "README.md") == "ONE\n\ntwo\n\nthree\n");
  }
}

// Exercise 01_first becomes 03_first.
void renumber(const UpdateFixture& course) {
  for (const char* folder : {"solutions/ch09_try/", "exercises/ch09_try/"}) {
    fs::rename(course.home / folder / "01_first.cu", course.home / folder / "03_first.cu");
  }
  for (const char* ending : {".cu", ".md"}) {
    const fs::path checks = course.home / "chapters/ch09_try/checks";
    fs::rename(checks / (std::string("01_first") + ending),
               checks / (std::string("03_first") + ending));
  }
  course.commit_home("renumber");
}

TEST_CASE("an exercise with another number takes the learner's file with it") {
  const UpdateFixture course;
  SUBCASE("edited") {
    UpdateFixture::write(course.mine("01_first"), "my answer\n");
    renumber(course);
    const std::string text = update_course(course.context, "");
    CHECK(has(text, "ch09_try/01_first -> ch09_try/03_first"));
    CHECK(has(text, "1 edited"));
    CHECK_FALSE(has(text, "new exercises"));
    CHECK(read_file(course.mine("03_first")) == "my answer\n");
    CHECK_FALSE(fs::exists(course.mine("03_first").string() + ".new_stub"));
  }
  SUBCASE("untouched") {
    renumber(course);
    CHECK(has(update_course(course.context, ""), "ch09_try/03_first"));
    CHECK(read_file(course.mine("03_first")) ==
          read_file(course.home / "exercises/ch09_try/03_first.cu"));
    CHECK(course.status().empty());
  }
  CHECK_FALSE(fs::exists(course.mine("01_first")));
  CHECK(read_file(course.mine("02_second")) ==
        read_file(course.home / "exercises/ch09_try/02_second.cu"));
}

TEST_CASE("an edited exercise that the course no longer has is kept") {
  const UpdateFixture course;
  UpdateFixture::write(course.mine("01_first"), "my answer\n");
  fs::remove_all(course.home / "exercises/ch09_try/01_first.cu");
  fs::remove_all(course.home / "solutions/ch09_try/01_first.cu");
  fs::remove_all(course.home / "chapters/ch09_try/checks/01_first.cu");
  fs::remove_all(course.home / "chapters/ch09_try/checks/01_first.md");
  course.commit_home("gone");
  const std::string text = update_course(course.context, "");
  CHECK(has(text, "no longer has:\n  ch09_try/01_first"));
  CHECK_FALSE(fs::exists(course.mine("01_first")));
  CHECK(read_file(kept_folder(course.context) / "ch09_try/01_first.1.cu") == "my answer\n");
}

TEST_CASE("offline, in the middle of a merge, without a remote: it says so and nothing changes") {
  const UpdateFixture course;
  UpdateFixture::write(course.mine("01_first"), "my answer\n");
  release(course);
  const auto before = course.everything();
  SUBCASE("offline") {
    fs::rename(course.home, course.folder.path() / "elsewhere");
    CHECK(has(refusal(course, status_environment), "are you offline?"));
  }
  SUBCASE("merging") {
    UpdateFixture::write(course.root / ".git/MERGE_HEAD", course.head(course.root) + "\n");
    CHECK(has(refusal(course, status_environment), "a merge or rebase"));
  }
  SUBCASE("no remote") {
    UpdateFixture::git(course.root, {"remote", "remove", "origin"});
    CHECK(has(refusal(course, status_environment), "--from"));
  }
  CHECK(course.everything() == before);
}

TEST_CASE("what fails half-way is taken back: a full disk, a git that cannot write") {
  const UpdateFixture course;
  UpdateFixture::write(course.mine("01_first"), "my answer\n");
  release(course);
  const auto before = course.everything();
  SUBCASE("a full disk") {
    UpdateFixture::write(course.home / "large", std::string(3 << 20, 'x'));
    course.commit_home("large");
    UpdateFixture::git(course.root, {"fetch", "--quiet"});
    const test::FullDisk full(1 << 20);
    CHECK(refusal(course, status_environment) != "updated");
  }
  SUBCASE("git, when all files are in place") {
    UpdateFixture::write(course.root / ".git/refs/heads/main.lock", "");
    CHECK(has(refusal(course, status_environment), "main.lock"));
  }
  SUBCASE("git, because another one is at work") {
    UpdateFixture::write(course.root / ".git/index.lock", "");
    CHECK(has(refusal(course, status_environment), "another git"));
    fs::remove(course.root / ".git/index.lock");
  }
  CHECK(course.everything() == before);
  fs::remove(course.root / ".git/refs/heads/main.lock");
  CHECK(has(update_course(course.context, ""), "the course is 2.0"));
}

TEST_CASE("an update that was killed is undone by the next") {
  const UpdateFixture course;
  const auto before = course.everything();
  const fs::path staging = kept_folder(course.context) / ".update";
  UpdateFixture::write(staging / "old/README.md", read_file(course.root / "README.md"));
  UpdateFixture::write(course.root / "README.md", "half");
  CHECK(has(update_course(course.context, ""), "was undone"));
  CHECK(course.everything() == before);
  CHECK_FALSE(fs::exists(staging));
  // Past the point of no return nothing goes back, and nothing is lost.
  UpdateFixture::write(staging / "old/README.md", "mine");
  UpdateFixture::write(staging / "committed", "");
  update_course(course.context, "");
  CHECK(read_file(kept_folder(course.context) / "README.1.md") == "mine");
  CHECK(read_file(course.root / "README.md") == before.at("README.md"));
}

// A course that was handed out: no git, with or without a record of what it was.
struct HandedOut : UpdateFixture {
  explicit HandedOut(bool with_record) {
    fs::remove_all(root / ".git");
    if (!with_record) return;
    write(root / course_record_file, to_text(record_course(root)));
  }
  // The newer course as a zip, one folder deep as GitHub packs it.
  std::string zip() const {
    std::vector<ArchiveFile> files;
    for (ArchiveFile& file : files_below(home)) {
      if (!file.name.starts_with(".git/")) {
        files.push_back({"warpwise-main/" + file.name, file.text, file.executable});
      }
    }
    write_atomically(folder.path() / "new.zip", make_zip(files));
    return (folder.path() / "new.zip").string();
  }
};

TEST_CASE("without git a zip or a folder does the same") {
  const HandedOut course(true);
  UpdateFixture::write(course.mine("01_first"), "my answer\n");
  UpdateFixture::write(course.root / "README.md", "mine\n");
  release(course);
  CHECK(has(refusal(course, status_environment), "--from"));
  std::string from;
  SUBCASE("a zip") { from = course.zip(); }
  SUBCASE("a folder") { from = course.home.string(); }
  const std::string text = update_course(course.context, from);
  CHECK(has(text, "the course is 2.0"));
  CHECK(read_file(course.mine("01_first")) == "my answer\n");
  CHECK(fs::exists(course.mine("01_first").string() + ".new_stub"));
  CHECK(read_file(course.root / "README.md") == "mine\n");
  CHECK_FALSE(fs::exists(course.root / "common/tutor/tool.cpp"));
  CHECK_FALSE(fs::exists(course.root / ".git"));
  CHECK(has(update_course(course.context, course.zip()), "up to date"));
}

TEST_CASE("without git and without a record every file that is replaced is kept") {
  const HandedOut course(false);
  UpdateFixture::write(course.root / "common/tutor/mine.cpp", "int mine;\n");
  release(course);
  const std::string text = update_course(course.context, course.zip());
  CHECK(read_file(kept_folder(course.context) / "CMakeLists.1.txt") ==
        "project(warpwise VERSION 1.0 LANGUAGES CXX)\n");
  CHECK(has(text, "CMakeLists.txt"));
  // The author of these is not known: they stay.
  CHECK(fs::exists(course.root / "common/tutor/mine.cpp"));
  CHECK(fs::exists(course.root / "common/tutor/tool.cpp"));
  CHECK(read_course_record(course.root)->course.version == "2.0");
}

TEST_CASE("a folder that is not a course, or lacks this one's solutions, is refused") {
  const UpdateFixture course;
  const auto before = course.everything();
  const fs::path zip = course.folder.path() / "other.zip";
  write_atomically(zip, make_zip({{"a/b.txt", "x", false}}));
  CHECK(has(refusal(course, status_usage, zip.string()), "is not a course"));
  CHECK(has(refusal(course, status_usage, course.root.string()), "this course itself"));
  write_atomically(zip, "x");
  CHECK(has(refusal(course, status_wrong, zip.string()), "neither a zip nor a tar"));
  CHECK(has(refusal(course, status_environment, "/no/such/file"), "cannot be read"));
  fs::remove_all(course.home / "solutions");
  CHECK(has(refusal(course, status_usage, course.home.string()), "without solutions"));
  CHECK(course.everything() == before);
}

}  // namespace
}  // namespace warpwise::tutor
