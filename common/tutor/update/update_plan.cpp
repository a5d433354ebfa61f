#include "tutor/update/update_plan.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/frame.h"
#include "tutor/course/course.h"
#include "tutor/course/course_files.h"
#include "tutor/course/progress.h"
#include "tutor/course/state.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

using Text = std::optional<std::string>;

Text text_of(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  return read_file(file);
}

bool is_executable(const fs::path& file) {
  std::error_code ignored;
  return (fs::status(file, ignored).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

bool has_solutions(const fs::path& root) {
  std::error_code ignored;
  return fs::exists(root / "solutions", ignored) && !fs::is_empty(root / "solutions", ignored);
}

std::set<std::string> exercise_ids(const Course& course) {
  std::set<std::string> ids;
  for (const Chapter& chapter : course.chapters) {
    for (const Exercise& exercise : chapter.exercises) ids.insert(exercise.id());
  }
  return ids;
}

class Planning {
 public:
  Planning(const fs::path& root, const fs::path& next, const UpdateBase& base)
      : root_(root), next_(next), base_(base) {}

  UpdatePlan run() {
    take_exercises();
    std::set<std::string> paths;
    for (const std::string& path : course_files(next_)) paths.insert(path);
    if (base_.files) {
      for (const auto& [path, hash] : *base_.files) paths.insert(path);
    }
    for (const std::string& path : paths) {
      if (!path.starts_with("exercises/") && path != course_record_file) take_file(path);
    }
    return std::move(plan_);
  }

 private:
  void take_exercises();
  void take_exercise(const std::string& chapter, const std::string& name);
  /// The same for one that has another number in the newer course.
  void take_renumbered(const std::string& chapter, const std::string& before,
                       const std::string& name);
  void take_file(const std::string& path);
  // The hash in the course that the learner got; null when it had no such file or is not known.
  const std::string* old_hash(const std::string& path) const;
  void write(const std::string& path, Text text, bool keep) {
    plan_.steps.push_back({path, std::move(text), keep, is_executable(next_ / path)});
  }

  const fs::path& root_;
  const fs::path& next_;
  const UpdateBase& base_;
  UpdatePlan plan_;
};

void Planning::take_exercises() {
  const std::set<std::string> mine = exercise_ids(read_public_course(root_));
  const std::set<std::string> theirs = exercise_ids(read_public_course(next_));
  std::set<std::string> all = mine;
  all.insert(theirs.begin(), theirs.end());
  // By what stays of an id: what each course calls it, where the other has another name.
  std::map<std::string, std::string, ByExercise> before, after;
  for (const std::string& id : mine) {
    if (theirs.count(id) == 0) before.emplace(id, id);
  }
  for (const std::string& id : theirs) {
    if (mine.count(id) == 0 && before.count(id) > 0) after.emplace(id, id);
  }
  for (const std::string& id : all) {
    if (after.count(id) > 0 && theirs.count(id) == 0) continue;  // Comes with its new number.
    const auto slash = id.find('/');
    const std::string chapter = id.substr(0, slash), name = id.substr(slash + 1);
    const bool is_new = mine.count(id) == 0;
    if (is_new && after.count(id) > 0) {
      const std::string& old = before.find(id)->second;
      plan_.renumbered.push_back(fmt::format("{} -> {}", old, id));
      take_renumbered(chapter, old.substr(old.find('/') + 1), name);
      continue;
    }
    // One that is only here may be the learner's own.
    const std::string check = "chapters/" + chapter + "/checks/" + name + ".cu";
    const bool is_gone = theirs.count(id) == 0 && base_.files && base_.files->count(check) > 0;
    if (is_new) plan_.new_exercises.push_back(id);
    if (is_gone) plan_.gone_exercises.push_back(id);
    if (theirs.count(id) > 0 || is_gone) take_exercise(chapter, name);
  }
}

void Planning::take_exercise(const std::string& chapter, const std::string& name) {
  const Exercise old = exercise_files(root_, chapter, name);
  const Exercise fresh = exercise_files(next_, chapter, name);
  const std::string path = old.learner.lexically_relative(root_).generic_string();
  std::error_code ignored;
  const Text stub = fs::exists(fresh.frame, ignored) ? Text(stub_of(fresh)) : std::nullopt;
  const Text old_stub = fs::exists(old.frame, ignored) ? Text(stub_of(old)) : std::nullopt;
  const Text mine = text_of(old.learner);
  if (mine == stub) return;
  if (!mine || mine == old_stub) {
    write(path, stub, false);
    return;
  }
  if (!stub) {
    write(path, std::nullopt, true);
    return;
  }
  plan_.edited.push_back(old.id());
  if (stub == old_stub) return;
  const std::string beside = path + new_stub_suffix;
  plan_.new_stubs.push_back(beside);
  if (text_of(root_ / beside) != stub) write(beside, stub, fs::exists(root_ / beside, ignored));
}

void Planning::take_renumbered(const std::string& chapter, const std::string& before,
                               const std::string& name) {
  const Exercise old = exercise_files(root_, chapter, before);
  const Exercise fresh = exercise_files(next_, chapter, name);
  const auto below = [](const fs::path& path, const fs::path& root) {
    return path.lexically_relative(root).generic_string();
  };
  const std::string from = below(old.learner, root_), to = below(fresh.learner, next_);
  const std::string stub = stub_of(fresh), old_stub = stub_of(old);
  const Text mine = text_of(old.learner), there = text_of(root_ / to);
  const bool is_edited = mine && !lesson::same_code(*mine, old_stub);
  if (mine) write(from, std::nullopt, false);
  const std::string text = is_edited ? *mine : stub;
  if (there != text) write(to, text, there.has_value());
  if (!is_edited) return;
  plan_.edited.push_back(fresh.id());
  if (lesson::same_code(stub, old_stub)) return;
  plan_.new_stubs.push_back(to + new_stub_suffix);
  write(to + new_stub_suffix, stub, fs::exists(root_ / (to + new_stub_suffix)));
}

const std::string* Planning::old_hash(const std::string& path) const {
  if (!base_.files) return nullptr;
  const auto found = base_.files->find(path);
  return found == base_.files->end() ? nullptr : &found->second;
}

void Planning::take_file(const std::string& path) {
  const Text mine = text_of(root_ / path), next = text_of(next_ / path);
  if (mine == next) return;
  const std::string* old = old_hash(path);
  if (!mine || (old != nullptr && *old == text_hash(*mine))) {
    write(path, next, false);
    return;
  }
  // From here on the text is the learner's, or its author is not known.
  if (old != nullptr && next && *old == text_hash(*next)) return;
  if (old != nullptr && next && base_.merge) {
    if (Text merged = base_.merge(path, *mine, *next)) {
      plan_.merged.push_back(path);
      write(path, std::move(merged), false);
      return;
    }
  }
  write(path, next, true);
}

}  // namespace

UpdatePlan plan_update(const fs::path& root, const fs::path& next, const UpdateBase& base) {
  if (has_solutions(root) && !has_solutions(next)) {
    throw Failure(status_usage,
                  fmt::format("{} is a course without solutions, and this one has them: take it in "
                              "a folder of its own",
                              shown(next)));
  }
  return Planning(root, next, base).run();
}

}  // namespace warpwise::tutor
