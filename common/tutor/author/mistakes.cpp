#include "tutor/author/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view gate_word = "gate ";

std::string where(const std::string& file, unsigned line) {
  return line == 0 ? "at no line" : fmt::format("at {}:{}", shown(file), line);
}

/// True for a diagnosis that is known only by how a process ended. All other diagnoses have a line.
bool ended_the_process(const std::string& kind) {
  constexpr std::array<std::string_view, 5> ends = {"time-limit", "output-limit", "crash",
                                                    "exception", "exit"};
  return std::find(ends.begin(), ends.end(), kind) != ends.end();
}

std::string line_difference(const Exercise& exercise, const lesson::Mistake& mistake,
                            const std::string& file, unsigned line) {
  if (mistake.in_frame && fs::path(file) == exercise.frame) return {};
  if (line == mistake.expected_line && fs::path(file) == exercise.mistakes) return {};
  return fmt::format("dies {}, not {}", where(file, line),
                     where(exercise.mistakes.string(), mistake.expected_line));
}

std::string gate_difference(const Exercise& exercise, const lesson::Mistake& mistake,
                            const CheckVerdict& verdict) {
  const std::string name = mistake.expectation.substr(gate_word.size());
  const auto gate =
      std::find_if(verdict.gates.begin(), verdict.gates.end(),
                   [&](const GateResult& candidate) { return candidate.gate.name == name; });
  if (gate == verdict.gates.end()) return fmt::format("the check has no gate '{}'", name);
  if (gate->met) return fmt::format("meets the gate '{}' with {}", name, gate->saw_text());
  // A gate over the whole kernel has no line.
  if (gate->line == 0) return {};
  return line_difference(exercise, mistake, gate->file, gate->line);
}

std::string as_expectation(const CheckVerdict& verdict) {
  if (verdict.verdict == "diagnosed") return verdict.kind;
  if (verdict.verdict != "gate") return verdict.verdict;
  for (const GateResult& result : verdict.gates) {
    if (!result.met) return std::string(gate_word) + result.gate.name;
  }
  return "gate";
}

}  // namespace

std::vector<lesson::Mistake> read_mistakes(const Exercise& exercise) {
  if (exercise.exported) return {};
  try {
    return lesson::parse_mistakes(read_text(exercise.mistakes), exercise.mistakes.string());
  } catch (const lesson::FrameError& error) {
    throw Failure(status_wrong, error.what());
  }
}

MistakeImage compile_mistake(const Context& context, const Exercise& exercise,
                             const lesson::Mistake& mistake) {
  const fs::path folder = context.build / "mistakes" / exercise.id();
  make_folder(folder);
  const fs::path source = folder / (mistake.name + ".cu");
  try {
    const lesson::Frame frame = lesson::parse_frame(read_text(exercise.frame));
    write_if_changed(source, lesson::fill_frame(frame, exercise.frame.string(), mistake.filling));
  } catch (const lesson::FrameError& error) {
    throw Failure(status_wrong, fmt::format("{}: {}", shown(exercise.frame), error.what()));
  }
  const fs::path image = folder / (mistake.name + ".image");
  return {image, refresh_image(context, exercise, source, image)};
}

Verdict judge_mistake(const Context& context, const Exercise& exercise,
                      const lesson::Mistake& mistake) {
  const MistakeImage image = compile_mistake(context, exercise, mistake);
  if (!image.compiled.ok) throw Failure(status_wrong, "does not compile:\n" + image.compiled.error);
  return judge(context, exercise, image.path, {"--device", "sim"});
}

std::string difference(const Exercise& exercise, const lesson::Mistake& mistake,
                       const CheckVerdict& verdict) {
  const bool is_right = mistake.expectation == "pass";
  if (verdict.verdict == "pass") {
    return is_right ? std::string() : fmt::format("passes, should die of {}", mistake.expectation);
  }
  const bool gate = mistake.expectation.starts_with(gate_word);
  const std::string found = as_expectation(verdict);
  if (is_right) {
    return fmt::format("is right, and dies of {} {} ({})", found, where(verdict.file, verdict.line),
                       verdict.message);
  }
  if (gate && verdict.verdict == "gate") return gate_difference(exercise, mistake, verdict);
  if (found != mistake.expectation) {
    return fmt::format("dies of {} {} ({}), not of {}", found, where(verdict.file, verdict.line),
                       verdict.message, mistake.expectation);
  }
  if (verdict.verdict != "diagnosed") return {};
  if (verdict.line == 0 && ended_the_process(verdict.kind)) return {};
  return line_difference(exercise, mistake, verdict.file, verdict.line);
}

}  // namespace warpwise::tutor
