#include "tutor/update/update.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "tutor/course/course.h"
#include "tutor/course/course_files.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/lock.h"
#include "tutor/update/archive.h"
#include "tutor/update/git.h"
#include "tutor/update/update_apply.h"
#include "tutor/update/update_git.h"
#include "tutor/update/update_plan.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

bool is_course(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "learn", ignored) &&
         fs::is_directory(folder / "chapters", ignored) &&
         fs::is_directory(folder / "common/tutor", ignored);
}

// The course in a folder, or in the one folder that an archive has at its top.
fs::path course_in(const fs::path& folder, const std::string& name) {
  if (is_course(folder)) return folder;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && is_course(entry.path())) return entry.path();
  }
  throw Failure(status_usage,
                fmt::format("{} is not a course: it has no learn, chapters/ and common/", name));
}

// Without git, what an export wrote down; with it, the last commit.
UpdateBase base_of(const fs::path& root, const fs::path& place) {
  UpdateBase base;
  if (const auto record = read_course_record(root)) {
    base.files = record->files;
    return base;
  }
  const Git git(root);
  if (!git.is_checkout()) return base;
  unpack_commit(git, "HEAD", place / "head");
  base.files = record_course(place / "head").files;
  return base;
}

// Adds the record that the next update without git compares with.
void add_record(const fs::path& root, const fs::path& next, UpdatePlan& plan) {
  if (Git(root).is_checkout() || plan.nothing()) return;
  plan.steps.push_back({course_record_file, to_text(record_course(next)), false, false});
}

std::string list(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  return fmt::format("{}:\n  {}\n", title, fmt::join(lines, "\n  "));
}

// "38 files came: chapters 2, solutions 36" and "1 file went: docs 1".
std::string changed_files(const UpdatePlan& plan) {
  std::map<std::string, std::size_t> came, went;
  for (const UpdateStep& step : plan.steps) {
    if (step.path == course_record_file) continue;
    const std::size_t slash = step.path.find('/');
    const std::string place = slash == std::string::npos ? "the top" : step.path.substr(0, slash);
    ++(step.text ? came : went)[place];
  }
  const auto line = [](const std::map<std::string, std::size_t>& counts, const char* what) {
    std::size_t all = 0;
    std::vector<std::string> places;
    for (const auto& [place, count] : counts) {
      all += count;
      places.push_back(fmt::format("{} {}", place, count));
    }
    if (all == 0) return std::string();
    return fmt::format("{} {} {}: {}\n", all, all == 1 ? "file" : "files", what,
                       fmt::join(places, ", "));
  };
  return line(came, "came") + line(went, "went");
}

std::string told(const Context& context, const std::string& before, const UpdatePlan& plan,
                 const std::vector<KeptText>& kept) {
  std::string text =
      fmt::format("the course is {} now; it was {}\n", course_version(context.root).text(), before);
  text += changed_files(plan);
  text += list("new exercises", plan.new_exercises);
  text += list("exercises that the course no longer has", plan.gone_exercises);
  text += list("exercises with another number, your files with them", plan.renumbered);
  if (!plan.edited.empty()) {
    text += fmt::format("your exercises stay as they are: {} edited\n", plan.edited.size());
  }
  text += list("the stub changed under these exercises of yours; the new one is next to your file",
               plan.new_stubs);
  text += list("changed by you and by the course, merged", plan.merged);
  std::vector<std::string> places;
  for (const KeptText& one : kept) {
    places.push_back(fmt::format("{} -> {}", one.path, shown(one.kept)));
  }
  constexpr std::size_t most = 10;
  if (places.size() > most) {
    const std::size_t more = places.size() - most;
    places.resize(most);
    places.push_back(fmt::format("... and {} more in {}", more, shown(context.root / ".kept")));
  }
  return text + list("changed by you and by the course: the course's came, yours are kept", places);
}

std::string update_from_git(const Context& context) {
  if (!Git(context.root).is_checkout()) {
    throw Failure(
        status_environment,
        "this course is not a checkout of git: ./learn update --from FILE takes a zip or a "
        "folder of the newer course");
  }
  const std::string before = course_version(context.root).text();
  const UpstreamCourse upstream(context);
  if (upstream.is_here()) return fmt::format("the course is up to date: {}\n", before);
  const UpdatePlan plan = plan_update(context.root, upstream.folder(), upstream.base());
  const auto kept = apply_update(context, plan, [&upstream] { upstream.commit(); });
  return told(context, before, plan, kept);
}

std::string update_from(const Context& context, const fs::path& from) {
  const TemporaryFolder place;
  fs::path folder = from;
  std::error_code ignored;
  if (!fs::is_directory(from, ignored)) {
    folder = place.path() / "next";
    make_folder(folder);
    unpack(from, folder, limits_of_a_course);
  }
  const fs::path next = course_in(folder, shown(from));
  if (fs::equivalent(next, context.root, ignored)) {
    throw Failure(status_usage, fmt::format("{} is this course itself", shown(from)));
  }
  const std::string before = course_version(context.root).text();
  UpdatePlan plan = plan_update(context.root, next, base_of(context.root, place.path()));
  add_record(context.root, next, plan);
  if (plan.nothing()) return fmt::format("the course is up to date: {}\n", before);
  return told(context, before, plan, apply_update(context, plan));
}

}  // namespace

std::string update_course(const Context& context, const std::string& from) {
  // No build starts from files that change places.
  const BuildLock lock(context);
  const std::string undone =
      undo_killed_update(context) ? "an earlier update was killed half-way: it was undone\n" : "";
  return undone + (from.empty() ? update_from_git(context) : update_from(context, from));
}

int update_command(const Context& context, const std::string& from) {
  fmt::print("{}", update_course(context, from));
  return status_ok;
}

}  // namespace warpwise::tutor
