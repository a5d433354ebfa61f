#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lesson/device/timing.h"
#include "lesson/results/demonstration.h"
#include "lesson/results/report_names.h"
#include "lesson/results/rung.h"
#include "lesson/results/sweep.h"
#include "lesson/start/size.h"
#include "occupancy/gpu_table.h"
#include "report/verdict.h"

/// \file
/// The results of a chapter's program: printed as text, written by --json, read back as a record.
/// \ingroup lesson
namespace warpwise::lesson {

/// "right", "wrong result", ...
std::string verdict_text(Verdict verdict);

/// One ladder.
struct LadderResult {
  std::string name, title;
  std::string parameter;             ///< of a sweep; empty in a ladder.
  std::vector<Shown> shows;          ///< of a sweep.
  std::optional<Size> timed_size;    ///< of the measured or recorded times.
  std::optional<Size> counted_size;  ///< of the counts.
  Size needs_size;             ///< of the next two: the timed one, else --size, else the full.
  double bytes = 0;            ///< that have to be moved.
  double flops = 0;            ///< that have to be computed.
  bool tensor_cores = false;   ///< whether these are for tensor cores.
  bool over_links = false;     ///< whether the bytes go between devices.
  double peak_tflops = 0;      ///< its peak for these flops.
  double floor_us = 0;         ///< over the peaks of the next.
  std::string floor_of;        ///< the GPU of the times shown, else that of the limits.
  double memory_gbps = 0;      ///< its peak.
  std::string limit;           ///< the rung that is 100 %; empty: the copy.
  std::optional<Timing> copy;  ///< cudaMemcpy of the same bytes, measured or recorded.
  std::optional<Timing> limit_recorded;  ///< of the rung `limit`, where it is recorded.
  std::string recorded_on;  ///< device of the record; empty when times are measured now.
  std::string no_times;     ///< why no time is shown, if none is.
  std::string note;         ///< why counts are missing, if they are.
  std::vector<Rung> rungs;

  const Rung* find(const std::string& rung) const;
  /// The time that is 100 %: of the rung `limit`, else of the copy.
  std::optional<Timing> limit_time() const;
  /// Whether the work is counted in flops rather than bytes: enough of them for each byte that no
  /// GPU's memory is what limits a good kernel.
  bool in_flops() const { return flops > 32 * bytes; }
};

/// One row of the exercises.
struct ExerciseRow {
  std::string exercise;        ///< "01_lane_sum".
  std::string whose;           ///< "yours" or "solution".
  std::string verdict;         ///< "pass", "not solved yet", "not built", or the failing stage.
  std::string message;         ///< one or more lines; may be empty.
  bool solved_or_open = true;  ///< false when something is wrong.
  std::optional<Timing> time;
  Counts counts;
  std::optional<CheckVerdict> judged;  ///< all that its check said; nothing where none was run.
};

/// Everything a chapter's program prints.
struct RunResult {
  std::string program, date;
  std::string device_kind;  ///< "gpu" or "simulator".
  std::string device_name, device_reason, driver, runtime;
  std::string limits_of;  ///< the GPU whose limits apply.
  std::vector<LadderResult> ladders;
  std::vector<Demonstration> tables;
  std::vector<ExerciseRow> exercises;

  const LadderResult* find(const std::string& ladder) const;
  /// Whether anything is wrong: exit status 1.
  bool anything_wrong() const;
};

/// The file that --json writes. The file of a GPU is a record for docs/results/.
std::string to_json(const RunResult& result);
/// Reads what to_json wrote.
/// @throws Stop (environment) for anything else.
RunResult parse_result(const std::string& json);

/// The conditions of a run's rows: recorded times of other ones do not belong there.
struct Wanted {
  occupancy::Gpu limits;      ///< the GPU of the occupancy.
  bool gpu_is_asked = false;  ///< --gpu named it; else a record of the same architecture will do.
  std::optional<Size> size;   ///< of --size.
};

/// Puts a record's times next to a ladder that has none, or says in no_times why they are not
/// shown.
void add_record(LadderResult& ladder, const RunResult& record, const Wanted& wanted);

}  // namespace warpwise::lesson
