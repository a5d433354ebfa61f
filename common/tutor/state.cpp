#include "tutor/state.h"

#include <fmt/format.h>

#include <cstdint>

#include "lesson/frame.h"
#include "tutor/failure.h"
#include "tutor/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

fs::path memory(const Context& context, const Exercise& exercise) {
  return context.build / "exercises" / exercise.chapter / (exercise.name + ".verdict");
}

// FNV-1a: equal texts, equal numbers, on every machine.
std::string hash(const std::string& text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const unsigned char c : text) value = (value ^ c) * 0x100000001b3;
  return fmt::format("{:016x}", value);
}

}  // namespace

fs::path learner_image(const Context& context, const Exercise& exercise) {
  return context.build / "exercises" / exercise.chapter / (exercise.name + ".image");
}

bool not_solved_yet(const Exercise& exercise) {
  try {
    const std::string stub = lesson::make_stub(read_file(exercise.frame));
    return lesson::same_code(read_file(exercise.learner), stub);
  } catch (const lesson::FrameError& error) {
    throw Failure(status_wrong, fmt::format("{}: {}", shown(exercise.frame), error.what()));
  }
}

void remember(const Context& context, const Exercise& exercise, const std::string& verdict) {
  const fs::path file = memory(context, exercise);
  make_folder(file.parent_path());
  write_atomically(file, hash(read_file(exercise.learner)) + " " + verdict + "\n");
}

std::string state(const Context& context, const Exercise& exercise) {
  std::error_code ignored;
  if (!fs::exists(exercise.learner, ignored)) return "missing";
  if (not_solved_yet(exercise)) return "not solved yet";
  const fs::path file = memory(context, exercise);
  if (!fs::exists(file, ignored)) return "edited";
  const std::string text = read_file(file);
  const auto space = text.find(' ');
  if (space == std::string::npos || text.substr(0, space) != hash(read_file(exercise.learner))) {
    return "edited";
  }
  const std::string verdict = text.substr(space + 1, text.find('\n') - space - 1);
  return verdict == "pass" ? "solved" : verdict;
}

}  // namespace warpwise::tutor
