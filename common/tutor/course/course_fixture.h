#pragma once
// For tests only: a course of one exercise whose compiler and check are small shell scripts.

#include <filesystem>
#include <string>

#include "base/frame.h"
#include "tutor/course/course.h"
#include "tutor/system/context.h"
#include "tutor/system/files.h"

namespace warpwise::tutor::test {

/// The "compiler" copies its source to the image and fails on the word SYNTAX. On SLOW it makes the
/// file NVCC.begun and waits for NVCC.go.
/// The "check" writes the text after "//verdict " in the image as its answer.
/// Adversaries of the solution get a wrong result, but those with the word WEAK.
class CourseFixture {
 public:
  CourseFixture() {
    script(context.nvcc, R"(for word; do last=$word; done
while [ "$1" != -o ]; do shift; done
if grep -n SYNTAX "$last"; then echo "$last(7): error: SYNTAX"; exit 2; fi
cp "$last" "$2"
if grep -q SLOW "$2"; then
  touch "$0.begun"
  for i in $(seq 1000); do [ -e "$0.go" ] && break; sleep 0.05; done
  touch "$2"
fi)");
    script(context.check_program(exercise.id()), R"(case $1 in --gates) exit 0 ;; esac
image=$2; answer=$4
case $* in
  *"--device gpu"*) echo 'no GPU here' >&2; exit 3 ;;
  *"--gpu none"*) echo 'no GPU is called none' >&2; exit 2 ;;
esac
sed -n 's,^//verdict ,,p' "$image" > "$answer"
if grep -q -e 'struct Adversary' -e 'short right' "$image" && ! grep -q WEAK "$image"; then
  echo '{"verdict":"wrong result"}' > "$answer"
fi
cat "$answer"
if grep -q HANG "$image"; then exec sleep 20; fi
if grep -q CRASH "$image"; then kill -SEGV $$; fi
grep -q '"verdict": *"pass"' "$answer")");
    write(context.build / "image_flags/exercise.txt", "-fatbin\n");
    write(root / "chapters/ch09_try/README.md", "# Chapter 9\n\nDo 01_try.\n");
    write(root / "chapters/ch09_try/ladder.cu", rung(R"({"verdict":"wrong result"})"));
    write(exercise.check, "int main() {}\n");
    write(exercise.task, "# Task\n\n## Hint 1\n\na\n\n## Hint 2: race\n\nb\n\n## Hint 3\n\nc\n");
    write(exercise.frame, solution());
    write(exercise.learner, lesson::make_stub(solution()));
    std::string words;
    for (int i = 0; i < 40; ++i) words += "word ";
    write(exercise.explanation, words);
    write(exercise.mistakes, mistakes());
  }

  static std::string solution() {
    return "__global__ void f() {\n// BEGIN YOUR CODE\nint right;\n//verdict "
           "{\"verdict\":\"pass\"}\n"
           "// END YOUR CODE\n}\n";
  }
  /// A kernel of the chapter for which the check has this answer.
  static std::string rung(const std::string& answer) {
    return "__global__ void rung() {\n//verdict " + answer + "\n}\n";
  }
  /// One mistake that dies as declared, at line 3.
  std::string mistakes() const {
    return "//= bad: is bad\n//verdict " +
           verdict(R"("verdict":"diagnosed","kind":"race","line":3)") +
           "\nint wrong;  // expect: race\n";
  }
  /// An answer of the check that names the mistakes file.
  std::string verdict(const std::string& members) const {
    return "{" + members + R"(,"message":"so","file":")" + exercise.mistakes.string() + "\"}";
  }
  static void write(const std::filesystem::path& path, const std::string& text) {
    make_folder(path.parent_path());
    write_atomically(path, text);
  }
  static void script(const std::filesystem::path& path, const std::string& text) {
    write(path, "#!/bin/sh\n" + text + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  TemporaryFolder folder;
  std::filesystem::path root = folder.path() / "course";
  Exercise exercise = exercise_files(root, "ch09_try", "01_try");
  Context context{root,
                  folder.path() / "build",
                  folder.path() / "nvcc",
                  {},
                  [](const Context&, const std::vector<std::string>&) {}};
};

}  // namespace warpwise::tutor::test
