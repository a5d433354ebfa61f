#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lesson/device/timing.h"
#include "lesson/results/report_names.h"
#include "lesson/start/size.h"

/// \file
/// The results of a chapter's program for one rung.
/// \ingroup lesson
namespace warpwise::lesson {

/// How a rung or an exercise came out.
enum class Verdict { not_run, right, wrong_result, diagnosed, skipped };

/// A size that a rung does not take, and why.
struct Skip {
  Size size;
  std::string reason;
};

/// The part of a rung's kernel that one SM holds, as occupancy/ derived it.
struct Residency {
  int registers = 0;
  int registers_of = 0;  ///< architecture of the code they were read from; 90 is sm_90.
  std::size_t static_shared_bytes = 0;
  std::size_t local_bytes = 0;  ///< of a thread, in device memory: registers spilled, arrays.
  int blocks = 0, warps = 0;
  double fraction = 0;
  std::vector<std::string> limiters;
  std::vector<std::string> derivation;  ///< lines for people.
  std::string waves;                    ///< of the grid whose time is shown.
  std::string size;                     ///< of that launch: of the time, else of what just ran.
};

/// One rung at the ladder's friendly size.
struct Rung {
  std::string name;
  std::string series;  ///< of a sweep: the kernel's name there; empty in a ladder.
  int value = 0;       ///< of a sweep: its parameter.
  std::string kernel;  ///< demangled.
  Index3 grid{}, block{};
  std::size_t shared_bytes = 0;  ///< dynamic.
  Residency residency;
  Verdict verdict = Verdict::not_run;
  std::string message;  ///< what is wrong, several lines.
  std::vector<Skip> skips;
  std::optional<Timing> time;                ///< measured now.
  std::optional<Timing> recorded;            ///< from the record in docs/results/.
  Index3 recorded_grid{}, recorded_block{};  ///< of that time.
  std::size_t recorded_shared_bytes = 0;     ///< dynamic, of that time.
  Counts counts;                             ///< at the small size; empty when not counted.
  std::vector<Diagnosis> diagnoses;
};

}  // namespace warpwise::lesson
