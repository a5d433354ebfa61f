#include "tutor/system/image_cache.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include "tutor/attempt/compile.h"
#include "tutor/course/course_fixture.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

// A compiler that writes down its runs, and that its source includes `header`; the images are kept
// in a folder of their own.
struct KeptImages {
  KeptImages() {
    setenv("WARPWISE_IMAGE_CACHE", folder.c_str(), 1);
    // The files beside a compiler are parts of it: the header is not among them.
    course.context.nvcc = course.folder.path() / "toolkit/bin/nvcc";
    course.script(course.context.nvcc, R"(for source; do :; done
echo run >> "${0%/bin/*}/runs"
while [ $# -gt 1 ]; do
  case $1 in -MD,-MF,*) rule=${1#-MD,-MF,} ;; -o) out=$2 ;; esac
  shift
done
if grep -q SYNTAX "$source"; then exit 2; fi
if [ -n "$rule" ]; then printf 'image: %s \\\n    %s/a\\ header.h\n' "$source" "${0%/bin/*}" > "$rule"; fi
cat "$source" "${0%/bin/*}/a header.h" > "$out")");
    course.write(header, "one\n");
  }
  ~KeptImages() { unsetenv("WARPWISE_IMAGE_CACHE"); }

  // @return how often the compiler ran.
  int runs(const std::vector<std::string>& more = {}) {
    // No file is as new as the compiler's beginning.
    for (const fs::path& file : {header, course.exercise.frame})
      fs::last_write_time(file, fs::last_write_time(file) - std::chrono::seconds(1));
    fs::remove(runs_file);
    const bool ok =
        compile_image(course.context, course.exercise, course.exercise.frame, image, more).ok;
    CHECK(fs::exists(image) == ok);
    if (ok) CHECK(read_file(image) == read_file(course.exercise.frame) + read_file(header));
    std::error_code none;
    const auto bytes = fs::file_size(runs_file, none);
    return none ? 0 : static_cast<int>(bytes / 4);
  }

  test::CourseFixture course;
  fs::path folder = course.folder.path() / "kept";
  fs::path runs_file = course.folder.path() / "toolkit/runs";
  fs::path header = course.folder.path() / "toolkit/a header.h";
  fs::path image = course.folder.path() / "images/image";
};

TEST_CASE("an image is made once from what stays as it is, and again after every change") {
  KeptImages kept;
  CHECK(kept.runs() == 1);
  CHECK(kept.runs() == 0);
  const std::string text = read_file(kept.course.exercise.frame);
  kept.course.write(kept.course.exercise.frame, text + "// other\n");
  CHECK(kept.runs() == 1);
  kept.course.write(kept.course.exercise.frame, text);
  CHECK(kept.runs() == 0);
  kept.course.write(kept.header, "two\n");
  CHECK(kept.runs() == 1);
  CHECK(kept.runs() == 0);
  CHECK(kept.runs({"-G"}) == 1);
  CHECK(kept.runs({"-G"}) == 0);
  kept.course.write(kept.course.context.build / "image_flags/exercise.txt", "-fatbin\n-O0\n");
  CHECK(kept.runs() == 1);
  CHECK(kept.runs() == 0);
  fs::last_write_time(kept.course.context.nvcc,
                      fs::file_time_type::clock::now() + std::chrono::seconds(9));
  CHECK(kept.runs() == 1);
  setenv("NVCC_APPEND_FLAGS", "-G", 1);
  CHECK(kept.runs() == 1);
  unsetenv("NVCC_APPEND_FLAGS");
  CHECK(kept.runs() == 0);
}

TEST_CASE("what a header holds counts, not when it was written, and images of others stay") {
  KeptImages kept;
  CHECK(kept.runs() == 1);
  kept.course.write(kept.header, "one\n");
  CHECK(kept.runs() == 0);
  for (const char* text : {"two\n", "three\n", "four\n"}) {
    kept.course.write(kept.header, text);
    CHECK(kept.runs() == 1);
  }
  for (const char* text : {"one\n", "two\n", "three\n", "four\n"}) {
    kept.course.write(kept.header, text);
    CHECK(kept.runs() == 0);
  }
  // One too many: the one that was not used for longest goes.
  kept.course.write(kept.header, "five\n");
  CHECK(kept.runs() == 1);
  kept.course.write(kept.header, "four\n");
  CHECK(kept.runs() == 0);
  kept.course.write(kept.header, "one\n");
  CHECK(kept.runs() == 1);
}

TEST_CASE("of PATH, the programs that a compiler starts count") {
  KeptImages kept;
  const std::string before = getenv("PATH");
  const fs::path first = kept.course.folder.path() / "first";
  fs::create_directories(first);
  CHECK(kept.runs() == 1);
  setenv("PATH", (first.string() + ":" + before).c_str(), 1);
  CHECK(kept.runs() == 0);
  kept.course.script(first / "ld", "exit 0");
  CHECK(kept.runs() == 1);
  setenv("PATH", before.c_str(), 1);
  CHECK(kept.runs() == 0);
}

TEST_CASE("what does not compile is tried each time") {
  KeptImages kept;
  kept.course.write(kept.course.exercise.frame, "SYNTAX\n");
  CHECK(kept.runs() == 1);
  CHECK(kept.runs() == 1);
}

TEST_CASE("an image that is cut, and one of a file written meanwhile, is made again") {
  KeptImages kept;
  CHECK(kept.runs() == 1);
  for (const auto& entry : fs::directory_iterator(kept.folder))
    fs::resize_file(entry.path(), fs::file_size(entry.path()) - 1);
  CHECK(kept.runs() == 1);
  CHECK(kept.runs() == 0);
  fs::remove_all(kept.folder);
  fs::last_write_time(kept.header, fs::file_time_type::clock::now() + std::chrono::seconds(9));
  CHECK(kept.runs() == 1);
  CHECK(kept.runs() == 1);
}

TEST_CASE("without the variable nothing is kept") {
  KeptImages kept;
  unsetenv("WARPWISE_IMAGE_CACHE");
  CHECK(kept.runs() == 1);
  CHECK(kept.runs() == 1);
  CHECK_FALSE(fs::exists(kept.folder));
}

}  // namespace
}  // namespace warpwise::tutor
