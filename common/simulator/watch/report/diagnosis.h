#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

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
  std::string library_file;  ///< of the instruction itself, if that is another file.
  unsigned library_line = 0;
  /// Where the code was inlined, from the inside out: "FILE:LINE".
  std::vector<std::string> called_from;
  /// Where the host allocated the first array that the message calls by a number.
  std::string made_file;
  unsigned made_line = 0;  ///< 0: not known
  Index3 block{};
  Index3 thread{};
  std::uint64_t count = 1;   ///< lanes or accesses that did the same.
  bool leaves_open = false;  ///< of a note: the first thread may have decided what the launch did.
};

}  // namespace warpwise::watch
