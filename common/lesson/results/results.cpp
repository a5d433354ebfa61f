#include "lesson/results/results.h"

#include <fmt/format.h>

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
  return rung != nullptr && rung->time ? rung->time : limit_recorded;
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

namespace {

/// Why the times of a record are not shown; empty: they are.
std::string reason_against(const Size& timed, const RunResult& record, const Wanted& wanted) {
  const occupancy::Gpu* gpu = occupancy::find_gpu(record.limits_of);
  const bool same_gpu = record.limits_of == wanted.limits.id;
  const bool alike = gpu != nullptr && gpu->compute_capability == wanted.limits.compute_capability;
  std::string missing;
  if (!same_gpu && (wanted.gpu_is_asked || !alike)) {
    missing = fmt::format("on the {}", wanted.limits.name);
  } else if (wanted.size && *wanted.size != timed) {
    missing = fmt::format("at {}", wanted.size->text());
  } else {
    return "";
  }
  return fmt::format("none recorded {} (only on the {} at {})", missing, record.device_name,
                     timed.text());
}

}  // namespace

void add_record(LadderResult& ladder, const RunResult& record, const Wanted& wanted) {
  const LadderResult* recorded = record.find(ladder.name);
  ladder.no_times = "none recorded";
  if (recorded == nullptr || !recorded->timed_size) return;
  ladder.no_times = reason_against(*recorded->timed_size, record, wanted);
  if (!ladder.no_times.empty()) return;
  ladder.timed_size = recorded->timed_size;
  ladder.copy = recorded->copy;
  ladder.needs_size = recorded->needs_size;
  ladder.bytes = recorded->bytes;
  ladder.flops = recorded->flops;
  ladder.recorded_on = record.device_name;
  for (Rung& rung : ladder.rungs) {
    const Rung* before = recorded->find(rung.name);
    // A rung that was skipped, or is wrong, has no time of its own.
    if (before == nullptr || rung.verdict != Verdict::right) continue;
    rung.recorded = before->time;
    rung.recorded_grid = before->grid;
    rung.recorded_block = before->block;
    rung.recorded_shared_bytes = before->shared_bytes;
  }
  if (ladder.limit.empty()) return;
  const Rung* yardstick = recorded->find(ladder.limit);
  if (yardstick != nullptr) ladder.limit_recorded = yardstick->time;
}

}  // namespace warpwise::lesson
