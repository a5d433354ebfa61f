#include "tutor/update/update_apply.h"

#include <fmt/format.h>

#include <fstream>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/update/keep.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// Below .kept: the same file system as the course, and ignored by git.
fs::path staging(const Context& context) { return kept_folder(context) / ".update"; }
fs::path new_files(const Context& context) { return staging(context) / "new"; }
// There once the update is what counts: from then on it is finished, not taken back.
fs::path committed(const Context& context) { return staging(context) / "committed"; }
fs::path old_files(const Context& context) { return staging(context) / "old"; }

void move(const fs::path& from, const fs::path& to) {
  make_folder(to.parent_path());
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    throw Failure(status_environment,
                  fmt::format("{} cannot be moved: {}", shown(from), error.message()));
  }
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// Everything that may fail for want of space.
void stage(const Context& context, const UpdatePlan& plan) {
  for (const UpdateStep& step : plan.steps) {
    if (!step.text) continue;
    const fs::path file = new_files(context) / step.path;
    make_folder(file.parent_path());
    write_atomically(file, *step.text);
    std::error_code ignored;
    if (step.executable) {
      fs::permissions(file, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add, ignored);
    }
  }
}

void place(const Context& context, const UpdateStep& step) {
  const fs::path file = context.root / step.path;
  if (is_there(file)) move(file, old_files(context) / step.path);
  if (step.text) move(new_files(context) / step.path, file);
}

// Steps that were not begun have neither an old file aside nor a new one in place.
void take_back(const Context& context, const UpdatePlan& plan) {
  for (const UpdateStep& step : plan.steps) {
    const fs::path file = context.root / step.path, old = old_files(context) / step.path;
    const bool placed = step.text && !is_there(new_files(context) / step.path);
    std::error_code ignored;
    if (placed) fs::remove(file, ignored);
    if (is_there(old)) move(old, file);
  }
}

// The learner's texts to names that are free; what only the course had goes.
std::vector<KeptText> finish(const Context& context, const UpdatePlan& plan) {
  std::vector<KeptText> kept;
  for (const UpdateStep& step : plan.steps) {
    const fs::path old = old_files(context) / step.path;
    if (step.keep && is_there(old)) kept.push_back({step.path, keep_as(context, old, step.path)});
  }
  std::error_code ignored;
  fs::remove_all(staging(context), ignored);
  return kept;
}

}  // namespace

std::vector<KeptText> apply_update(const Context& context, const UpdatePlan& plan,
                                   const std::function<void()>& commit) {
  std::error_code ignored;
  try {
    stage(context, plan);
  } catch (...) {
    fs::remove_all(staging(context), ignored);
    throw;
  }
  try {
    for (const UpdateStep& step : plan.steps) place(context, step);
    if (commit) commit();
    write_atomically(committed(context), "");
  } catch (...) {
    take_back(context, plan);
    fs::remove_all(staging(context), ignored);
    throw;
  }
  return finish(context, plan);
}

bool undo_killed_update(const Context& context) {
  std::error_code error;
  if (!fs::exists(staging(context), error)) return false;
  const fs::path old = old_files(context);
  std::vector<fs::path> files;
  if (fs::exists(old, error)) {
    for (const auto& entry : fs::recursive_directory_iterator(old)) {
      if (!entry.is_directory()) files.push_back(entry.path());
    }
  }
  for (const fs::path& file : files) {
    const fs::path path = file.lexically_relative(old);
    if (is_there(committed(context))) {
      keep_as(context, file, path);
    } else {
      move(file, context.root / path);
    }
  }
  fs::remove_all(staging(context), error);
  return !files.empty();
}

}  // namespace warpwise::tutor
