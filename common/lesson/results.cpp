#include "lesson/results.h"

#include <algorithm>

namespace warpwise::lesson {

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::not_run:
      return "not run";
    case Verdict::right:
      return "right";
    case Verdict::wrong_result:
      return "wrong result";
    case Verdict::diagnosed:
      return "diagnosed";
    case Verdict::skipped:
      return "skipped";
  }
  return "";
}

const Rung* LadderResult::find(const std::string& rung) const {
  const auto at = std::find_if(rungs.begin(), rungs.end(),
                               [&](const Rung& candidate) { return candidate.name == rung; });
  return at == rungs.end() ? nullptr : &*at;
}

std::optional<Timing> LadderResult::limit_time() const {
  if (limit.empty()) return copy;
  const Rung* rung = find(limit);
  if (rung == nullptr) return std::nullopt;
  return rung->time ? rung->time : rung->recorded;
}

const LadderResult* RunResult::find(const std::string& ladder) const {
  const auto at = std::find_if(ladders.begin(), ladders.end(), [&](const LadderResult& candidate) {
    return candidate.name == ladder;
  });
  return at == ladders.end() ? nullptr : &*at;
}

bool RunResult::anything_wrong() const {
  for (const LadderResult& ladder : ladders) {
    for (const Rung& rung : ladder.rungs) {
      if (rung.verdict != Verdict::right && rung.verdict != Verdict::skipped) return true;
    }
  }
  return std::any_of(exercises.begin(), exercises.end(),
                     [](const ExerciseRow& row) { return !row.solved_or_open; });
}

void add_record(LadderResult& ladder, const RunResult& record) {
  const LadderResult* recorded = record.find(ladder.name);
  if (recorded == nullptr || !recorded->timed_size) return;
  ladder.timed_size = recorded->timed_size;
  ladder.copy = recorded->copy;
  ladder.needs_size = recorded->needs_size;
  ladder.bytes = recorded->bytes;
  ladder.flops = recorded->flops;
  ladder.recorded_on = record.device_name;
  for (Rung& rung : ladder.rungs) {
    const Rung* before = recorded->find(rung.name);
    if (before != nullptr) rung.recorded = before->time;
  }
}

}  // namespace warpwise::lesson
