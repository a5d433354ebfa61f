#include "tutor/author/recorded_solution.h"

#include <fmt/format.h>

#include <algorithm>

#include "tutor/attempt/compile.h"
#include "tutor/author/mistakes.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// What may be shown to users who may not see the solution: nothing tells where a line of it is.
CheckVerdict data_of(CheckVerdict verdict) {
  verdict.next.clear();
  verdict.file.clear();
  verdict.line = verdict.column = 0;
  verdict.related.clear();
  verdict.lesson.clear();
  verdict.diagnoses.clear();
  verdict.output.clear();
  verdict.counts.lines.clear();
  verdict.counts.arrays.clear();
  verdict.device.clear();
  verdict.time.reset();
  for (GateResult& gate : verdict.gates) {
    gate.file.clear();
    gate.line = 0;
  }
  return verdict;
}

}  // namespace

Verdict judge_solution(const Context& context, const Exercise& exercise,
                       const std::vector<std::string>& flags) {
  const fs::path image = context.build / "compare" / exercise.chapter / (exercise.name + ".image");
  const Compiled compiled = refresh_image(context, exercise, exercise.frame, image);
  if (!compiled.ok) {
    throw Failure(status_wrong, fmt::format("the solution of {} does not compile:\n{}",
                                            exercise.id(), compiled.error));
  }
  return judge(context, exercise, image, flags);
}

std::string record_solution(const Context& context, const Exercise& exercise) {
  const Verdict solution = judge_solution(context, exercise, {"--device", "sim"});
  if (solution.verdict != "pass") {
    throw Failure(status_wrong, fmt::format("the solution of {} does not pass:\n{}", exercise.id(),
                                            solution.text));
  }
  RecordedSolution record{data_of(solution), {}};
  for (const lesson::Mistake& mistake : read_mistakes(exercise)) {
    const bool named =
        std::any_of(solution.gates.begin(), solution.gates.end(),
                    [&](const GateResult& result) { return result.gate.mistake == mistake.name; });
    if (!named) continue;
    record.mistakes[mistake.name] = {mistake.description,
                                     data_of(judge_mistake(context, exercise, mistake))};
  }
  return report::to_json(record);
}

RecordedSolution recorded_solution(const Exercise& exercise) {
  try {
    return report::parse_recorded_solution(read_file(exercise.recorded));
  } catch (const report::NoVerdict& error) {
    throw Failure(status_environment,
                  fmt::format("the record of a solution cannot be read: {}", error.what()));
  }
}

}  // namespace warpwise::tutor
