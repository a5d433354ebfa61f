#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lesson/report.h"
#include "lesson/timing.h"

/// \file
/// What a check says about an exercise: the first failing stage, in the learner's words.
/// \ingroup lesson
namespace warpwise::lesson {

/// What a gate counts. All but the last are of accesses; the last is of the whole launch.
enum class Measure { requests, sectors, wavefronts, bank_conflicts, resident_warps };

/// A count that an exercise must meet at its last size.
struct Gate {
  std::string name;  ///< "sectors": what a mistake's `// expect: gate sectors` names.
  std::string what;  ///< what is counted, for people: "sectors loaded for each row".
  /// Whose: "global load", "shared store", ..., or "shared" for both; empty for resident warps.
  std::string access = {};
  Measure measure = Measure::requests;
  double per = 1;       ///< the count is divided by this.
  double at_least = 0;  ///< so that avoiding the topic does not pass.
  double at_most = std::numeric_limits<double>::infinity();
  std::string mistake = {};  ///< the stored mistake whose count is shown beside it.
};

/// A gate after a launch.
struct GateResult {
  Gate gate;
  double saw = 0;
  bool met = false;
  bool confirmed = true;  ///< all of it by the compiled code.
  std::string file;       ///< the line with the largest share.
  unsigned line = 0;

  /// "16 to 32", "at most 32", "none".
  std::string wanted() const;
};

/// Counts one gate. Only what the compiled code confirms can be too much; what it does not confirm
/// still counts as being there.
GateResult judge(const Gate& gate, const std::vector<LineCounts>& lines);

/// The gate over a number of the whole launch: it has no line.
GateResult judge(const Gate& gate, double saw);

/// A declaration against the one found: both as "lane_sum(const float*, float*, int)".
struct Signature {
  std::string wanted;
  std::vector<std::string> found;           ///< all kernels of the image, or its functions of
                                            ///< that name.
  std::string before = "__global__ void ";  ///< what stands before the wanted one.
  std::string what = "kernel";

  bool matches() const;
  /// What is wrong, several lines; empty when it matches.
  std::string text() const;
};

/// "f(float const*, int)" as a programmer writes it: "f(const float*, int)".
std::string written_signature(const std::string& demangled);
/// The parameters of a demangled function type, "void (float const*)", as "(const float*)".
std::string written_parameters(const std::string& function_type);

/// The whole verdict.
struct CheckVerdict {
  std::string exercise;  ///< "ch05_warp_reduce/01_lane_sum".
  std::string verdict;   ///< "pass", "signature", "diagnosed", "wrong result" or "gate".
  std::string kind;      ///< of the diagnosis, or the gate's name.
  std::string message;   ///< one or more lines.
  std::string file;
  unsigned line = 0;
  std::string size;    ///< of the problem at which it failed; of the last one when it passed.
  std::string lesson;  ///< the section to read.
  std::vector<Diagnosis> diagnoses;
  std::vector<GateResult> gates;
  std::vector<std::string> output;  ///< the first lines of the kernel's printf.
  Counts counts;                    ///< at the last size.
  std::string device;               ///< the GPU that agreed; empty without one.
  std::optional<Timing> time;       ///< on it, at the last size.

  bool passed() const { return verdict == "pass"; }
};

/// For the file of `--json`.
std::string to_json(const CheckVerdict& verdict);
/// Reads what to_json wrote.
/// @throws Stop (environment) for anything else.
CheckVerdict parse_verdict(const std::string& json);
/// For people, each line with its newline.
std::string to_text(const CheckVerdict& verdict);

/// The first lines of a text, at most as many as a verdict shows, and a word about the rest.
std::vector<std::string> first_lines(const std::string& text);

}  // namespace warpwise::lesson
