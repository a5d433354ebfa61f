#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "report/footprint.h"
#include "report/gate.h"
#include "report/report.h"
#include "report/timing.h"

/// \file
/// The verdict of a check on an exercise, and its JSON in both directions.
/// \ingroup report
namespace warpwise::report {

/// A further line that has to do with what went wrong.
struct RelatedPlace {
  std::string role;  ///< "called from", "launched at", "allocated at".
  std::string file;
  unsigned line = 0;
};

/// The whole verdict.
struct CheckVerdict {
  std::string exercise;  ///< "ch05_warp_reduce/01_lane_sum".
  std::string verdict;   ///< "pass", "signature", "diagnosed", "wrong result" or "gate".
  std::string kind;      ///< of the diagnosis, or the gate's name.
  /// One or more lines: a sentence each, or, where a line begins with a blank, a row of a table.
  std::string message;
  std::string next;  ///< one step that leads on; may be empty.
  std::string file;
  unsigned line = 0;
  unsigned column = 0;  ///< from 1; 0: not known.
  std::vector<RelatedPlace> related;
  std::string size;    ///< of the problem at which it failed; of the last one when it passed.
  std::string lesson;  ///< the section to read.
  /// For an exercise "find the bug": the sizes of the author's test, "64, 256", all of them right.
  std::string author_test;
  std::vector<Diagnosis> diagnoses;
  std::vector<GateResult> gates;
  std::vector<std::string> output;     ///< the first lines of the kernel's printf.
  Counts counts;                       ///< of the last launch.
  std::string counted_size;            ///< of that launch.
  std::optional<Footprint> footprint;  ///< of that launch.
  std::string device;                  ///< the GPU that agreed; empty without one.
  std::optional<Timing> time;          ///< on it; `of_baseline`: of a copy of as many bytes.
  TimedWork timed;                     ///< what took that time.

  bool passed() const { return verdict == "pass"; }
};

/// For the file of `--json`.
std::string to_json(const CheckVerdict& verdict);

/// A text is no verdict.
struct NoVerdict : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads what to_json wrote. A field that is absent keeps its default.
/// @throws NoVerdict for anything else.
CheckVerdict parse_verdict(const std::string& json);

}  // namespace warpwise::report
