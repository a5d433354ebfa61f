#include "tutor/grade/submission.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/update/archive.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;
using Time = std::chrono::system_clock::time_point;

namespace {

// The entries of a folder in order of their names; hidden ones are an editor's or a system's.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> result;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.') && name != "__MACOSX") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

bool is_real_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(fs::symlink_status(path, ignored));
}

// exercises/, or the folders of chapters without it, right here.
std::vector<fs::path> trees_here(const fs::path& folder, const Course& course) {
  if (is_real_folder(folder / "exercises")) return {folder / "exercises"};
  for (const Chapter& chapter : course.chapters) {
    if (is_real_folder(folder / chapter.name)) return {folder};
  }
  return {};
}

// The exercises of a submission: here, or in a folder one or two deeper, as archives often have it.
fs::path exercises_in(const fs::path& folder, const Course& course) {
  std::vector<fs::path> level{folder};
  for (int depth = 0; depth < 3; ++depth) {
    std::vector<fs::path> found, next;
    for (const fs::path& place : level) {
      for (const fs::path& tree : trees_here(place, course)) found.push_back(tree);
      for (const fs::path& entry : entries(place)) {
        if (is_real_folder(entry)) next.push_back(entry);
      }
    }
    if (found.size() == 1) return found[0];
    if (found.size() > 1) {
      throw Failure(status_wrong, fmt::format("has several folders of exercises: {} and {}",
                                              found[0].lexically_relative(folder).string(),
                                              found[1].lexically_relative(folder).string()));
    }
    level = std::move(next);
  }
  if (entries(folder).empty()) throw Failure(status_wrong, "is empty");
  std::error_code ignored;
  if (fs::is_symlink(folder / "exercises", ignored)) {
    throw Failure(status_wrong, "exercises is a symbolic link, which is not followed");
  }
  throw Failure(status_wrong, "has no folder exercises/");
}

// Whether a text is one: UTF-8 is not asked for, zero bytes are not found in sources.
std::string text_problem(const std::string& text) {
  if (text.find('\0') != std::string::npos) {
    const bool utf16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
    return utf16 ? "is UTF-16: save it as UTF-8" : "is not text: it holds zero bytes";
  }
  return text.empty() ? "is empty" : "";
}

/// The file of an exercise: by its name, else by its name with the number that it may have had.
fs::path submitted_file(const fs::path& folder, const Exercise& exercise) {
  const fs::path named = folder / (exercise.name + ".cu");
  std::error_code error;
  if (fs::exists(fs::symlink_status(named, error))) return named;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    const fs::path& path = i->path();
    if (path.extension() == ".cu" &&
        without_number(path.stem().string()) == without_number(exercise.name)) {
      return path;
    }
  }
  return named;
}

SubmittedText submitted_text(const fs::path& tree, const Exercise& exercise) {
  const fs::path folder = tree / exercise.chapter;
  const fs::path path = submitted_file(folder, exercise);
  std::error_code ignored;
  for (const fs::path& part : {folder, path}) {
    if (fs::is_symlink(part, ignored)) return {"", "is a symbolic link, which is not followed"};
  }
  // Neither a pipe nor a device makes this wait; a link that comes in between is not followed.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return {"", errno == ENOENT ? "missing" : std::strerror(errno)};
  struct stat facts {};
  ::fstat(file, &facts);
  SubmittedText result;
  if (!S_ISREG(facts.st_mode)) {
    result.problem = "is not a regular file";
  } else if (static_cast<std::size_t>(facts.st_size) > longest_text) {
    result.problem =
        fmt::format("is {} bytes long; an exercise has at most {}", facts.st_size, longest_text);
  } else {
    result.text.resize(static_cast<std::size_t>(facts.st_size));
    const ssize_t got = ::read(file, result.text.data(), result.text.size());
    result.text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    result.problem = text_problem(result.text);
    // Some editors begin UTF-8 with a mark; it does not belong to the text.
    if (result.text.starts_with("\xef\xbb\xbf")) result.text.erase(0, 3);
  }
  ::close(file);
  return result;
}

std::optional<Time> time_of(const fs::path& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0) return std::nullopt;
  return std::chrono::system_clock::from_time_t(facts.st_mtim.tv_sec);
}

void read_tree(Submission& submission, const fs::path& folder, const Course& course,
               const std::vector<Exercise>& wanted, bool with_times) {
  const fs::path tree = exercises_in(folder, course);
  for (const Exercise& exercise : wanted) {
    SubmittedText text = submitted_text(tree, exercise);
    const auto time = time_of(submitted_file(tree / exercise.chapter, exercise));
    if (with_times && time && (!submission.handed_in || *time > *submission.handed_in)) {
      submission.handed_in = time;
    }
    submission.texts.emplace(exercise.id(), std::move(text));
  }
}

std::string name_of(const fs::path& path, bool folder) {
  std::string name = path.filename().string();
  if (name.empty()) name = path.parent_path().filename().string();
  if (folder) return name;
  for (const char* ending :
       {".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".zip", ".tar", ".tgz"}) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - std::strlen(ending));
  }
  return name;
}

// A Failure's text about an archive, without the archive's own name and the next step, which are
// for a user who unpacks it by hand.
std::string archive_problem(std::string text, const fs::path& archive) {
  for (const std::string& prefix : {shown(archive) + ": ", shown(archive) + " "}) {
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  }
  return text;
}

}  // namespace

std::vector<fs::path> find_submissions(const std::vector<fs::path>& places, const Course& course) {
  std::vector<fs::path> found;
  for (const fs::path& place : places) {
    std::error_code error;
    if (!fs::exists(place, error)) {
      throw Failure(status_usage, fmt::format("{} does not exist", shown(place)));
    }
    try {
      if (!fs::is_directory(place) || !trees_here(place, course).empty()) {
        found.push_back(place);
        continue;
      }
      const auto inside = entries(place);
      if (inside.empty()) throw Failure(status_usage, shown(place) + " holds no submissions");
      found.insert(found.end(), inside.begin(), inside.end());
    } catch (const fs::filesystem_error& refused) {
      throw Failure(status_environment,
                    fmt::format("{} cannot be read: {}", shown(place), refused.code().message()));
    }
  }
  return found;
}

Submission read_submission(const fs::path& path, const Course& course,
                           const std::vector<Exercise>& wanted) {
  std::error_code ignored;
  const auto status = fs::symlink_status(path, ignored);
  Submission submission{name_of(path, fs::is_directory(status)), name_of(path, true), {}, {}, {}};
  try {
    if (fs::is_symlink(status)) {
      submission.problem = "is a symbolic link, which is not followed";
    } else if (fs::is_directory(status)) {
      read_tree(submission, path, course, wanted, true);
    } else if (fs::is_regular_file(status)) {
      submission.handed_in = time_of(path);
      const TemporaryFolder folder;
      unpack(path, folder.path());
      read_tree(submission, folder.path(), course, wanted, false);
    } else {
      submission.problem = "is neither a folder nor an archive";
    }
  } catch (const Failure& failure) {
    submission.problem = archive_problem(failure.message, path);
  } catch (const fs::filesystem_error& refused) {
    submission.problem = "cannot be read: " + refused.code().message();
  }
  return submission;
}

}  // namespace warpwise::tutor
