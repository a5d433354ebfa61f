#include "tutor/grade/submit.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>

#include "tutor/course/course.h"
#include "tutor/course/course_files.h"
#include "tutor/course/progress.h"
#include "tutor/course/state.h"
#include "tutor/grade/submission.h"
#include "tutor/reading/page.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/update/archive.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

namespace {

std::time_t changed_at(const fs::path& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 ? facts.st_mtim.tv_sec : 0;
}

// Gathers the files, the manifest and the summary, chapter by chapter.
class Pack {
 public:
  explicit Pack(const Context& context)
      : context_(context), progress_(read_progress(context)), width_(page_width()) {}

  void add(const Chapter& chapter);
  SubmissionPack finish();

 private:
  void add(const Exercise& exercise, const std::string& state);

  const Context& context_;
  Progress progress_;
  std::size_t width_;
  std::vector<ArchiveFile> files_;
  OrderedJson exercises_ = OrderedJson::object();
  std::time_t newest_ = 0;
  std::size_t solved_ = 0;
  bool unjudged_ = false;
  std::string chapters_;
};

void Pack::add(const Exercise& exercise, const std::string& state) {
  exercises_[exercise.id()] = {{"state", state}};
  if (state == "missing") return;
  const std::string text = read_text(exercise.learner);
  exercises_[exercise.id()]["text"] = text_hash(text);
  newest_ = std::max(newest_, changed_at(exercise.learner));
  files_.push_back(
      {exercise.learner.lexically_relative(context_.root).generic_string(), text, false});
}

void Pack::add(const Chapter& chapter) {
  std::map<std::string, std::vector<std::string>> open;  // by state.
  std::size_t solved = 0;
  for (const Exercise& exercise : chapter.exercises) {
    const std::string now = state(progress_, exercise);
    add(exercise, now);
    if (now == "solved") {
      ++solved;
    } else {
      open[now].push_back(exercise.name);
    }
  }
  solved_ += solved;
  std::string line =
      fmt::format("- {}: {} of {} solved", chapter.name, solved, chapter.exercises.size());
  for (const auto& [state, names] : open) {
    line += fmt::format("; {}: {}", state, fmt::join(names, ", "));
  }
  unjudged_ = unjudged_ || open.count("edited") > 0;
  chapters_ += line + "\n";
}

SubmissionPack Pack::finish() {
  const CourseVersion course = course_version(context_.root);
  const OrderedJson manifest{{"format", "warpwise submission 1"},
                             {"course", {{"version", course.version}, {"commit", course.commit}}},
                             {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(newest_))},
                             {"exercises", exercises_}};
  files_.push_back({"submission.json", manifest.dump(2) + "\n", false});
  return {make_zip(files_),
          fmt::format("{} of {} exercises solved\n{}", solved_, exercises_.size(),
                      wrapped(chapters_, width_, "  ")),
          unjudged_};
}

}  // namespace

SubmissionPack pack_submission(const Context& context) {
  Pack pack(context);
  for (const Chapter& chapter : read_course(context.root).chapters) {
    if (!chapter.exercises.empty()) pack.add(chapter);
  }
  return pack.finish();
}

int submit_command(const Context& context, const std::string& output) {
  const fs::path file = output.empty() ? context.root / "submission.zip" : fs::path(output);
  const SubmissionPack pack = pack_submission(context);
  write_atomically(file, pack.zip);
  fmt::print("{}: {}", shown(file), pack.summary);
  if (pack.unjudged) {
    fmt::print("\"edited\": changed since it was judged last; ./learn run NAME judges it\n");
  }
  return status_ok;
}

}  // namespace warpwise::tutor
