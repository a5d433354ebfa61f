#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "check/verdict/signature.h"
#include "lesson/device/timing.h"
#include "report/footprint.h"
#include "report/gate.h"
#include "report/report.h"

/// \file
/// The verdict of a check on an exercise: the first failing stage, in the learner's words.
/// \ingroup lesson
namespace warpwise::lesson {

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
  std::optional<Timing> time;          ///< on it, at the last size.

  bool passed() const { return verdict == "pass"; }
};

/// For the file of `--json`.
std::string to_json(const CheckVerdict& verdict);
/// Reads what to_json wrote.
/// @throws Stop (environment) for anything else.
CheckVerdict parse_verdict(const std::string& json);
/// For people, each line with its newline.
/// @param width that lines should not exceed, in columns.
std::string to_text(const CheckVerdict& verdict, std::size_t width);
/// The width for standard output: COLUMNS, else the terminal's, else 80; from 60 to 100.
std::size_t verdict_width();

/// The first lines of a text, at most as many as a verdict shows, and a word about the rest.
std::vector<std::string> first_lines(const std::string& text);

}  // namespace warpwise::lesson
