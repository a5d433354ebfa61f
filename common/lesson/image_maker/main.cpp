/// \file
/// Makes the images of a learner's files of one chapter: `image_maker CHAPTER NVCC`. The chapter's
/// target runs it. A file that does not compile costs its own row of the chapter's output and
/// nothing else: the status is 0.
#include <fmt/format.h>
#include <sys/resource.h>

#include <exception>

#include "lesson/device/error.h"
#include "lesson/learner_images.h"
#include "lesson/start/paths.h"

namespace lesson = warpwise::lesson;

namespace {

/// nvcc gets no more memory than this, whatever a template asks for.
void limit_memory() {
  constexpr rlim_t most = rlim_t{4} << 30;
  rlimit now{};
  if (::getrlimit(RLIMIT_DATA, &now) != 0 || now.rlim_max < most) return;
  now.rlim_cur = most;
  (void)::setrlimit(RLIMIT_DATA, &now);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: image_maker CHAPTER NVCC\n");
    return lesson::bad_usage;
  }
  limit_memory();
  const auto build = lesson::program_file().parent_path().parent_path();
  for (const auto& files : lesson::find_exercises(lesson::repository(), build, argv[1])) {
    std::string words;
    try {
      words = lesson::refresh_learner_image(files, {argv[2], build});
    } catch (const std::exception& problem) {
      words = fmt::format("{}: not built: {}", lesson::short_id(files), problem.what());
    }
    if (!words.empty()) fmt::print("{}\n", words);
  }
  return lesson::all_right;
}
