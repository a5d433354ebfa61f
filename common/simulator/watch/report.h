#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Policies over events: what is counted, what is wrong, how it is reported.
namespace warpwise::watch {

using Index3 = std::array<unsigned, 3>;

enum class Severity { error, note };

/// One mistake, located. One per kind, instruction and launch; the lowest block and thread.
struct Diagnosis {
  std::string kind;  ///< "out-of-bounds", "misaligned", "race", "deadlock", "invalid-shuffle", ...
  Severity severity = Severity::error;
  std::string message;  ///< one sentence: what, which array, its size, what to do.
  std::string file;     ///< the user's file, even where library code was inlined into it.
  unsigned line = 0;
  unsigned column = 0;  ///< from 1; 0: unknown
  /// Where no line is known: "kernel sum(int*), at ld.global.u32 %r1, [%rd4]".
  std::string instruction;
  std::string library_file;  ///< where the instruction itself stands, if that is another file.
  unsigned library_line = 0;
  /// Where the code was inlined, from the inside out: "FILE:LINE".
  std::vector<std::string> called_from;
  /// Where the host allocated the first array that the message calls by a number.
  std::string made_file;
  unsigned made_line = 0;  ///< 0: not known
  Index3 block{};
  Index3 thread{};
  std::uint64_t count = 1;   ///< lanes or accesses that did the same.
  bool leaves_open = false;  ///< of a note: who came first may have decided what the launch did.
};

/// Counts of one source line and one kind of access.
struct LineCounts {
  std::string file;
  unsigned line = 0;
  std::string access;  ///< "global load", "shared store", "system fence", ...
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;     ///< global, local.
  std::uint64_t wavefronts = 0;  ///< shared.
  std::uint64_t ideal_wavefronts = 0;
  /// Requests made while a copy into shared memory went on that the same warp had begun, or a warp
  /// that loads nothing from there: what hides its time.
  std::uint64_t beside_copies = 0;
  /// The cubin issues accesses of the same widths, or of the merged ones counted, and lanes that
  /// make them here may not skip them there: the hardware counts no less.
  bool compiled = false;
  bool confirmed = false;  ///< the hardware counts the same.
};

/// Who touched one named array, and how: kept only where a lesson asks for it.
struct ArrayCounts {
  std::string array;   ///< its name; empty: all memory without one.
  std::string access;  ///< "global load", "global store" or "global atomic".
  std::uint64_t requests = 0, sectors = 0;
  std::uint64_t threads = 0, warps = 0;  ///< that made at least one.
  std::uint64_t most_of_thread = 0;      ///< accesses of the thread that made most.
};

/// Everything one launch leaves behind.
struct LaunchReport {
  std::string kernel;  ///< demangled.
  std::string mangled;
  Index3 grid{}, block{};
  std::uint32_t dynamic_shared_bytes = 0;
  unsigned registers = 0;  ///< 0 when no cubin was found.
  unsigned static_shared_bytes = 0;
  std::map<std::string, double> counters;
  std::vector<LineCounts> lines;
  std::vector<ArrayCounts> arrays;  ///< empty: nobody asked.
  std::vector<Diagnosis> diagnoses;
  /// Where the host asked for it, known only where it has an error; or the kernel that did.
  std::string launch_file;
  unsigned launch_line = 0;  ///< 0: not known.
  std::string launched_by;   ///< that kernel, demangled; empty: the host did.
  bool faulted = false;      ///< the launch was stopped: the error is sticky.
  std::string unsupported;   ///< "PTX line 12: ...: the simulator does not know ..."; status 3.
};

/// One JSON object, the schema of `sim --json`.
std::string to_json(const LaunchReport& report);

/// Several lines for a terminal: the sentence, file:line with the source line and a caret where the
/// file can be read, block and thread, count.
std::string to_text(const Diagnosis& diagnosis);

}  // namespace warpwise::watch
