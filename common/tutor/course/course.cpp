#include "tutor/course/course.h"

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "base/frame.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// The entries of a folder; none when it does not exist.
std::vector<fs::path> entries(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return {};
  std::vector<fs::path> result;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    if (!i->path().filename().string().starts_with('.')) result.push_back(i->path());
  }
  if (error) {
    throw Failure(status_environment,
                  fmt::format("{} cannot be read: {}", shown(folder), error.message()));
  }
  return result;
}

void add_stems(std::set<std::string>& names, const fs::path& folder) {
  for (const fs::path& path : entries(folder)) {
    const auto extension = path.extension();
    if (extension == ".cu" || extension == ".md") names.insert(path.stem().string());
  }
}

std::set<std::string> exercise_names(const fs::path& root, const std::string& chapter) {
  std::set<std::string> names;
  add_stems(names, root / "chapters" / chapter / "checks");
  add_stems(names, root / "exercises" / chapter);
  add_stems(names, root / "solutions" / chapter);
  add_stems(names, root / "solutions" / chapter / "mistakes");
  return names;
}

std::set<std::string> chapter_names(const fs::path& root) {
  std::set<std::string> names;
  for (const char* top : {"chapters", "exercises", "solutions"}) {
    for (const fs::path& path : entries(root / top)) {
      std::error_code ignored;
      if (fs::is_directory(path, ignored)) names.insert(path.filename().string());
    }
  }
  return names;
}

std::vector<Chapter> read_chapters(const fs::path& root) {
  std::vector<Chapter> chapters;
  for (const std::string& name : chapter_names(root)) {
    std::error_code ignored;
    Chapter chapter{
        .name = name, .readme = root / "chapters" / name / "README.md", .exercises = {}};
    chapter.has_program = fs::exists(root / "chapters" / name / "main.cu", ignored);
    for (const std::string& exercise : exercise_names(root, name)) {
      chapter.exercises.push_back(exercise_files(root, name, exercise));
    }
    chapters.push_back(std::move(chapter));
  }
  return chapters;
}

}  // namespace

std::string without_number(std::string_view id) {
  const std::size_t name = id.rfind('/') == std::string_view::npos ? 0 : id.rfind('/') + 1;
  const std::size_t end = id.find_first_not_of("0123456789", name);
  const bool has_number = end != std::string_view::npos && end > name && id[end] == '_';
  return std::string(id.substr(0, name)) + std::string(id.substr(has_number ? end + 1 : name));
}

Exercise exercise_files(const fs::path& root, const std::string& chapter, const std::string& name) {
  const fs::path checks = root / "chapters" / chapter / "checks";
  const lesson::AnswerFiles answer = lesson::answer_files(root, chapter, name);
  return {.chapter = chapter,
          .name = name,
          .check = checks / (name + ".cu"),
          .task = checks / (name + ".md"),
          .learner = root / "exercises" / chapter / (name + ".cu"),
          .frame = answer.frame,
          .explanation = fs::path(answer.frame).replace_extension(".md"),
          .mistakes = answer.mistakes,
          .recorded = answer.recorded,
          .exported = answer.exported};
}

Course read_public_course(const fs::path& root) {
  std::error_code ignored;
  if (!fs::is_directory(root / "chapters", ignored)) {
    throw Failure(status_environment,
                  fmt::format("{} has no chapters/: run ./learn of a whole checkout", shown(root)));
  }
  return {root, read_chapters(root)};
}

Course read_course(const fs::path& root) {
  Course course = read_public_course(root);
  const fs::path own = root / "private";
  std::set<std::string> names;
  for (const Chapter& chapter : course.chapters) names.insert(chapter.name);
  for (Chapter& chapter : read_chapters(own)) {
    if (names.contains(chapter.name)) {
      throw Failure(status_wrong,
                    fmt::format("{} has the name of a chapter of the course: give it another",
                                shown(own / "chapters" / chapter.name)));
    }
    chapter.is_private = true;
    course.chapters.push_back(std::move(chapter));
  }
  return course;
}

std::string title(const Chapter& chapter) {
  std::error_code ignored;
  if (!fs::exists(chapter.readme, ignored)) return chapter.name;
  std::istringstream readme(read_text(chapter.readme));
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("# ")) return line.substr(2);
  }
  return chapter.name;
}

}  // namespace warpwise::tutor
