#include "tutor/course/course_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tutor/course/progress.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/update/git.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

namespace {

// The files that .gitignore names, for a folder without git: built ones, and those of the learner
// alone.
bool is_foreign(const std::string& path) {
  constexpr std::array<std::string_view, 7> tops{
      ".git", ".kept", ".cache", "docs/site", "docs/api", "private", "compile_commands.json"};
  const bool top = std::any_of(tops.begin(), tops.end(), [&path](std::string_view name) {
    return path == name || path.starts_with(std::string(name) + "/");
  });
  const std::string first = path.substr(0, path.find('/'));
  return top || first == "build" || first.starts_with("build-") || first.starts_with(".progress") ||
         (first.starts_with("submission") && first.ends_with(".zip"));
}

std::vector<std::string> walked(const fs::path& root) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator i(root, error), end; !error && i != end;
       i.increment(error)) {
    const std::string path = i->path().lexically_relative(root).generic_string();
    if (is_foreign(path)) {
      i.disable_recursion_pending();
    } else if (!i->is_symlink() && i->is_regular_file()) {
      files.push_back(path);
    }
  }
  if (error) {
    throw Failure(status_environment,
                  fmt::format("{} cannot be read: {}", shown(root), error.message()));
  }
  return files;
}

std::vector<std::string> listed_by_git(const Git& git, const fs::path& root) {
  const std::string list =
      git.ask({"ls-files", "-z", "--cached", "--others", "--exclude-standard"});
  std::vector<std::string> files;
  for (std::size_t at = 0; at < list.size();) {
    const auto end = std::min(list.find('\0', at), list.size());
    std::string path = list.substr(at, end - at);
    std::error_code ignored;
    // One that is deleted is still listed.
    if (fs::is_regular_file(fs::symlink_status(root / path, ignored))) {
      files.push_back(std::move(path));
    }
    at = end + 1;
  }
  return files;
}

// "project(warpwise VERSION 0.1 LANGUAGES CXX)"
std::string version_of(const fs::path& root) {
  std::ifstream file(root / "CMakeLists.txt");
  constexpr std::string_view mark = "project(warpwise VERSION ";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(mark)) continue;
    const auto end = line.find_first_of(" )", mark.size());
    return line.substr(mark.size(), end - mark.size());
  }
  return "unknown";
}

}  // namespace

std::string CourseVersion::text() const {
  return commit.empty() ? version : fmt::format("{}, commit {}", version, commit.substr(0, 10));
}

std::vector<std::string> course_files(const fs::path& root) {
  const Git git(root);
  std::vector<std::string> files = git.is_checkout() ? listed_by_git(git, root) : walked(root);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

std::optional<CourseRecord> read_course_record(const fs::path& root) {
  std::error_code ignored;
  if (!fs::is_regular_file(root / course_record_file, ignored)) return std::nullopt;
  try {
    const OrderedJson json = OrderedJson::parse(read_file(root / course_record_file));
    CourseRecord record{.course = {.version = json.at("version"), .commit = json.at("commit")},
                        .files = {}};
    for (const auto& [path, hash] : json.at("files").items()) {
      record.files[path] = hash.get<std::string>();
    }
    return record;
  } catch (const OrderedJson::exception&) {
    return std::nullopt;
  }
}

CourseRecord record_course(const fs::path& root) {
  CourseRecord record{.course = course_version(root), .files = {}};
  for (const std::string& path : course_files(root)) {
    if (path != course_record_file) record.files[path] = text_hash(read_file(root / path));
  }
  return record;
}

std::string to_text(const CourseRecord& record) {
  const OrderedJson json{{"version", record.course.version},
                         {"commit", record.course.commit},
                         {"files", record.files}};
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

CourseVersion course_version(const fs::path& root) {
  if (const auto record = read_course_record(root)) return record->course;
  CourseVersion result{.version = version_of(root), .commit = {}};
  const Git git(root);
  if (!git.is_checkout()) return result;
  const Outcome log = git.run({"log", "-1", "--format=%H", "--", ".", ":!exercises"});
  if (log.status == 0) result.commit = log.out.substr(0, log.out.find('\n'));
  return result;
}

}  // namespace warpwise::tutor
