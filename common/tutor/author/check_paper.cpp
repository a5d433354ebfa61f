#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "base/frame.h"
#include "tutor/author/check.h"
#include "tutor/course/state.h"
#include "tutor/reading/hint.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

using Result = Finding::Result;

Finding all_files(const Exercise& exercise) {
  std::vector<std::string> missing;
  std::vector<fs::path> paths{exercise.check, exercise.task, exercise.learner, exercise.frame};
  if (exercise.exported) {
    paths.push_back(exercise.recorded);
  } else {
    paths.insert(paths.end(), {exercise.explanation, exercise.mistakes});
  }
  for (const fs::path& path : paths) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) missing.push_back(shown(path));
  }
  if (missing.empty()) return {};
  return failed(fmt::format("missing: {}", fmt::join(missing, ", ")));
}

// Number of the first line in which two texts differ, from 1.
std::size_t first_difference(const std::string& one, const std::string& other) {
  const auto differ = std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first;
  return static_cast<std::size_t>(std::count(one.begin(), differ, '\n')) + 1;
}

// A line as it is written, quoted so that its blanks are seen.
std::string quoted_line(const std::string& text, std::size_t number) {
  std::istringstream lines(text);
  std::string line;
  for (std::size_t at = 0; at < number; ++at) {
    if (!std::getline(lines, line)) return "nothing";
  }
  return fmt::format("\"{}\"", line);
}

Finding stub_text(const Exercise& exercise) {
  const std::string stub = stub_of(exercise);
  const std::string file = read_text(exercise.learner);
  if (file == stub) return {};
  const std::size_t line = first_difference(file, stub);
  return failed(fmt::format("{}:{}: is not the stub of its solution: it has {} there, not {}",
                            shown(exercise.learner), line, quoted_line(file, line),
                            quoted_line(stub, line)));
}

Finding three_hints(const Exercise& exercise) {
  const std::size_t count = hints_of(exercise).size();
  if (count == 3) return {};
  return failed(fmt::format("{} has {} hints (sections '## Hint ...' with a text), not 3",
                            shown(exercise.task), count));
}

Finding explanation(const Exercise& exercise) {
  if (exercise.exported) return {Result::skipped, std::string(without_solutions)};
  const std::string text = read_text(exercise.explanation);
  constexpr int least_words = 30;
  std::istringstream words(text);
  int count = 0;
  for (std::string word; words >> word;) ++count;
  if (count >= least_words && lesson::is_find_the_bug(stub_of(exercise)) &&
      text.find("https://") == std::string::npos) {
    return failed(
        fmt::format("{} has no link to a report of the bug", shown(exercise.explanation)));
  }
  if (count >= least_words) return {};
  return failed(fmt::format("{} explains nothing: {} words, at least {} are wanted",
                            shown(exercise.explanation), count, least_words));
}

Finding mentioned(const Chapter& chapter, const Exercise& exercise) {
  if (read_text(chapter.readme).find(exercise.name) != std::string::npos) return {};
  return failed(fmt::format("{} does not mention {}", shown(chapter.readme), exercise.name));
}

// Names every entry of a folder that is neither of an allowed kind nor an allowed folder.
void find_strays(const fs::path& folder, const std::vector<std::string>& extensions,
                 const std::vector<std::string>& folders, std::vector<std::string>& strays) {
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    const auto& allowed = i->is_directory() ? folders : extensions;
    const std::string key =
        (i->is_directory() ? i->path().filename() : i->path().extension()).string();
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) {
      strays.push_back(shown(i->path()));
    }
  }
}

Finding no_strays(const Course& course) {
  std::vector<std::string> strays;
  std::vector<std::string> names;
  for (const Chapter& chapter : course.chapters) {
    std::error_code ignored;
    if (fs::is_directory(course.root / "chapters" / chapter.name, ignored)) {
      names.push_back(chapter.name);
    }
  }
  find_strays(course.root / "exercises", {}, names, strays);
  find_strays(course.root / "solutions", {}, names, strays);
  for (const std::string& name : names) {
    // Headers: what several checks share.
    find_strays(course.root / "chapters" / name / "checks", {".cu", ".md", ".h"}, {}, strays);
    find_strays(course.root / "exercises" / name, {".cu"}, {}, strays);
    find_strays(course.root / "solutions" / name, {".cu", ".md"}, {"mistakes"}, strays);
    find_strays(course.root / "solutions" / name / "mistakes", {".cu"}, {}, strays);
  }
  if (strays.empty()) return {};
  std::sort(strays.begin(), strays.end());
  return failed(fmt::format("belong to nothing: {}", fmt::join(strays, ", ")));
}

}  // namespace

std::vector<CheckItem> paper_items(const Chapter& chapter, const Exercise& exercise) {
  const std::string id = exercise.id();
  return {{id, "six files", [exercise] { return all_files(exercise); }},
          {id, "stub is the frame", [exercise] { return stub_text(exercise); }},
          {id, "three hints", [exercise] { return three_hints(exercise); }},
          {id, "explanation", [exercise] { return explanation(exercise); }},
          {id, "README", [chapter, exercise] { return mentioned(chapter, exercise); }}};
}

CheckItem stray_item(const Course& course) {
  return {"lessons", "no stray files", [course] { return no_strays(course); }};
}

}  // namespace warpwise::tutor
