#include "tutor/author/export.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/parallel.h"
#include "tutor/attempt/attempt.h"
#include "tutor/author/recorded_solution.h"
#include "tutor/course/course.h"
#include "tutor/course/course_files.h"
#include "tutor/course/state.h"
#include "tutor/reading/explain.h"
#include "tutor/reading/page.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// Files that are written anew or left out in every copy. chapters/CH/pristine/ is made again.
bool is_left_out(const std::string& path, bool solutions) {
  if (path.starts_with("exercises/") || path == course_record_file) return true;
  if (solutions) return false;
  // A cheat may hold the answer that it steals.
  constexpr std::array<std::string_view, 3> instructors{"solutions/", "docs/teaching/",
                                                        "common/verification/cheats/"};
  return std::any_of(instructors.begin(), instructors.end(),
                     [&path](std::string_view folder) { return path.starts_with(folder); });
}

void copy_one(const fs::path& from, const fs::path& to) {
  make_folder(to.parent_path());
  write_atomically(to, read_file(from));
  std::error_code error;
  fs::permissions(to, fs::status(from).permissions(), error);
}

void put(const fs::path& file, std::string_view text) {
  make_folder(file.parent_path());
  write_atomically(file, text);
}

// The explanation up to the section for the instructor.
std::string without_note(const std::string& explanation) {
  std::string text = explanation;
  for (const Section& section : sections(explanation)) {
    if (section.heading != instructors_note) continue;
    std::size_t at = 0;
    for (unsigned line = 1; line < section.line; ++line) at = text.find('\n', at) + 1;
    text.erase(at);
    break;
  }
  return text;
}

// Everything but the exercises.
void copy_course(const Context& context, const fs::path& to, const ExportOptions& options) {
  for (const std::string& path : course_files(context.root)) {
    if (!is_left_out(path, options.solutions)) copy_one(context.root / path, to / path);
  }
}

// Builds the programs that judge the solutions.
void build_checks(const Context& context, const Course& course) {
  std::vector<std::string> targets;
  for (const Chapter& chapter : course.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (exercise.exported) continue;
      for (std::string& target : targets_of(exercise)) targets.push_back(std::move(target));
    }
  }
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  if (!targets.empty()) context.make(context, targets);
}

// An exercise's stub, and what replaces its solution where that stays here.
void put_exercise(const Context& context, const Exercise& exercise, const fs::path& to,
                  const ExportOptions& options) {
  const std::string stub = stub_of(exercise);
  put(to / exercise.learner.lexically_relative(context.root), stub);
  if (options.solutions || exercise.exported) return;
  const fs::path pristine = to / "chapters" / exercise.chapter / "pristine" / exercise.name;
  put(fs::path(pristine) += ".cu", stub);
  put(fs::path(pristine) += ".json", record_solution(context, exercise));
  if (options.explanations) {
    put(fs::path(pristine) += ".md", without_note(read_file(exercise.explanation)));
  }
}

void put_record(const Context& context, const fs::path& to) {
  CourseRecord record = record_course(to);
  record.course = course_version(context.root);
  put(to / course_record_file, to_text(record));
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

fs::path require_free(const Context& context, const fs::path& folder) {
  std::error_code error;
  fs::path target = fs::weakly_canonical(fs::absolute(folder, error), error).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  if (is_below(target, fs::weakly_canonical(context.root, error))) {
    throw Failure(
        status_usage,
        fmt::format("{} is in the checkout itself: name a folder outside of it", shown(target)));
  }
  if (fs::exists(target, error) &&
      !(fs::is_directory(target, error) && fs::is_empty(target, error))) {
    throw Failure(status_usage,
                  fmt::format("{} is there already: name a new folder", shown(target)));
  }
  return target;
}

// A new folder next to the target, which is removed again unless it gets the target's name.
class PendingFolder {
 public:
  explicit PendingFolder(const fs::path& target) : target_(target) {
    make_folder(target.parent_path());
    std::string name = target.string() + ".part_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      throw Failure(status_environment,
                    fmt::format("{} cannot be created: {}", shown(target), std::strerror(errno)));
    }
    path_ = name;
    // mkdtemp makes it for its owner alone.
    std::error_code ignored;
    fs::permissions(path_, fs::perms(0755), ignored);
  }
  PendingFolder(const PendingFolder&) = delete;
  PendingFolder& operator=(const PendingFolder&) = delete;
  ~PendingFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  void commit() {
    std::error_code error;
    fs::rename(path_, target_, error);
    if (error) {
      throw Failure(status_environment,
                    fmt::format("{} cannot be created: {}", shown(target_), error.message()));
    }
  }

 private:
  fs::path target_, path_;
};

void require_solutions(const Course& course) {
  for (const Chapter& chapter : course.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (!exercise.exported) continue;
      throw Failure(status_usage,
                    fmt::format("--solutions: {} has none here, this course was exported without",
                                exercise.id()));
    }
  }
}

}  // namespace

void export_course(const Context& context, const fs::path& folder, const ExportOptions& options) {
  const Course course = read_public_course(context.root);
  const fs::path target = require_free(context, folder);
  if (options.solutions) require_solutions(course);
  PendingFolder pending(target);
  copy_course(context, pending.path(), options);
  if (!options.solutions) build_checks(context, course);
  if (!options.solutions) fmt::print(stderr, "learn: counting what the solutions cost\n");
  std::vector<const Exercise*> exercises;
  for (const Chapter& chapter : course.chapters) {
    for (const Exercise& exercise : chapter.exercises) exercises.push_back(&exercise);
  }
  base::in_parallel(exercises.size(), base::cores(), [&](std::size_t item, std::size_t) {
    put_exercise(context, *exercises[item], pending.path(), options);
  });
  put_record(context, pending.path());
  pending.commit();
}

int export_command(const Context& context, const std::string& folder,
                   const ExportOptions& options) {
  export_course(context, folder, options);
  fmt::print("{}: the course {}, every exercise open\n", folder,
             options.solutions ? "with its solutions, mistakes and notes" : "without solutions");
  if (!options.solutions) {
    fmt::print(
        "left out: solutions, stored mistakes, notes for instructors{}, the history of git\n",
        options.explanations ? "" : ", explanations");
  }
  return status_ok;
}

}  // namespace warpwise::tutor
