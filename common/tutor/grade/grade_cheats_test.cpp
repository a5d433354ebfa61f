#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "base/frame.h"
#include "tutor/attempt/compile.h"
#include "tutor/grade/grade.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/this_context.h"

// Attempts to cheat instead of an answer: the files of cheats/. Each is handed in, compiled and run
// as any other submission, and must earn nothing.

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

/// A course that was exported without solutions has no cheats either.
bool is_handed_out() { return !fs::exists(WARPWISE_SOURCE_DIR "/common/verification/cheats"); }

/// A file of cheats/: three lines that say what it is, then the blank or the whole file.
struct Cheat {
  std::string name, exercise, tries, expected, text;
};

std::string value_of(std::istringstream& lines, const std::string& key) {
  std::string line;
  std::getline(lines, line);
  REQUIRE(line.starts_with("// " + key + ": "));
  return line.substr(key.size() + 5);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

Cheat read_cheat(const fs::path& file) {
  const std::string whole = read_file(file);
  std::istringstream lines(whole);
  Cheat cheat{file.stem().string(),
              value_of(lines, "exercise"),
              value_of(lines, "tries"),
              value_of(lines, "expect"),
              {}};
  cheat.text = replaced(whole.substr(static_cast<std::size_t>(lines.tellg())), "@ROOT@",
                        WARPWISE_SOURCE_DIR);
  const auto begin = cheat.text.find("// BEGIN YOUR CODE");
  const bool whole_file = begin != std::string::npos && begin < cheat.text.find("// END YOUR CODE");
  if (whole_file) return cheat;
  const Exercise exercise =
      exercise_files(WARPWISE_SOURCE_DIR, fs::path(cheat.exercise).parent_path().string(),
                     fs::path(cheat.exercise).filename().string());
  cheat.text =
      replaced(lesson::make_stub(read_file(exercise.frame)), "  // Your code here.\n", cheat.text);
  return cheat;
}

std::map<std::string, Cheat> read_cheats() {
  std::map<std::string, Cheat> cheats;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(WARPWISE_SOURCE_DIR) /
                                                            "common/verification/cheats")) {
    if (!entry.is_regular_file()) continue;
    Cheat cheat = read_cheat(entry.path());
    cheats.emplace(cheat.name, std::move(cheat));
  }
  return cheats;
}

Context built_context() {
  Context context = this_context();
  context.make = [](const Context&, const std::vector<std::string>&) {};
  return context;
}

/// Graded with what isolation there is, or without any: dangerous code is not accepted.
Grading graded(GradeOptions options) {
  try {
    return grade(built_context(), options);
  } catch (const Failure& failure) {
    if (failure.status != status_environment) throw;
    MESSAGE("not isolated: ", failure.message);
    options.isolation = "none";
    return grade(built_context(), options);
  }
}

const Mark& mark_of(const Grading& grading, const Graded& row, const std::string& exercise) {
  for (std::size_t i = 0; i < row.marks.size(); ++i) {
    if (grading.assignment.tasks[i].exercise.id() == exercise) return row.marks[i];
  }
  throw std::runtime_error(exercise + " is not graded");
}

}  // namespace

TEST_CASE("no cheat earns anything, and each dies as it should" * doctest::skip(is_handed_out())) {
  const auto cheats = read_cheats();
  CHECK(cheats.size() >= 14);
  const TemporaryFolder folder;
  std::string assignment;
  std::map<std::string, int> exercises;
  for (const auto& [name, cheat] : cheats) {
    const fs::path file = folder.path() / "class" / name / "exercises" / (cheat.exercise + ".cu");
    make_folder(file.parent_path());
    write_atomically(file, cheat.text);
    if (exercises[cheat.exercise]++ == 0) assignment += cheat.exercise + "\n";
  }
  // One honest answer to each exercise: what rejects everything proves nothing.
  for (const auto& [exercise, count] : exercises) {
    const fs::path file = folder.path() / "class/honest/exercises" / (exercise + ".cu");
    make_folder(file.parent_path());
    fs::copy_file(fs::path(WARPWISE_SOURCE_DIR) / "solutions" / (exercise + ".cu"), file);
  }
  write_atomically(folder.path() / "assignment.txt", assignment);
  const Grading grading =
      graded({.places = {folder.path() / "class"}, .assignment = folder.path() / "assignment.txt"});
  CHECK(grading.broken.empty());
  REQUIRE(grading.rows.size() == cheats.size() + 1);
  for (const Graded& row : grading.rows) {
    const std::string& name = row.submission.name;
    CAPTURE(name);
    if (name == "honest") {
      CHECK(row.points == grading.assignment.points());
      continue;
    }
    const Cheat& cheat = cheats.at(name);
    const Mark& mark = mark_of(grading, row, cheat.exercise);
    CAPTURE(cheat.tries);
    CAPTURE(mark.message);
    CHECK(mark.verdict == cheat.expected);
    // Right results by wasteful accesses earn what they do without the trick.
    const bool honest_part = mark.verdict == "gate" && mark.kind != "launches";
    CHECK(mark.stage < (honest_part ? Stage::good : Stage::right));
    CHECK((honest_part || row.points == 0));
  }
}

TEST_CASE("what was written down for the visible inputs passes with them alone" *
          doctest::skip(is_handed_out())) {
  // The cheat visible_seed is right where the seed is known: grading takes another one.
  const Cheat cheat = read_cheats().at("visible_seed");
  const Context context = built_context();
  const Exercise exercise = exercise_files(context.root, "ch01_programming_model", "02_index");
  const TemporaryFolder folder;
  const fs::path source = folder.path() / "02_index.cu", image = folder.path() / "02_index.image";
  write_atomically(source, cheat.text);
  REQUIRE(compile_image(context, exercise, source, image).ok);
  CHECK(judge(context, exercise, image, {"--device", "sim"}).verdict == "pass");
}

}  // namespace warpwise::tutor
