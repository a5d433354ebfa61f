#pragma once
#include <map>
#include <tuple>

#include "simulator/code/program.h"
#include "simulator/watch/report/report.h"

namespace warpwise::watch {

/// Something found wrong while a block ran.
struct Finding {
  std::string kind;
  Severity severity = Severity::error;
  std::string message;
  std::uint32_t instruction = 0;  ///< index into Program::code
  /// Where the program called the library function that the instruction is in.
  std::uint32_t called_at = not_called;
  static constexpr std::uint32_t not_called = ~0u;
  /// Where people look for the mistake.
  std::uint32_t shown() const { return called_at == not_called ? instruction : called_at; }
  std::uint64_t block = 0;   ///< linear index
  std::uint32_t thread = 0;  ///< linear index within the block
  std::uint64_t count = 1;
  /// It may have caused what went wrong elsewhere in the launch: it is reported first.
  bool misleads = false;
  /// Its value has gone nowhere but into memory of the device, which may never be read.
  bool is_only_stored = false;
  bool leaves_open = false;  ///< of a note: the first thread may have decided what the launch did
  unsigned other_line = 0;   ///< of a race: the line of the access that it is with; 0: not known
  enum class Memory { any, shared, global };
  Memory memory = Memory::any;  ///< of a race, or where nothing was written; any: not known
};

/// Keeps one finding per kind, severity and instruction: that of the lowest block and thread.
class Diagnoses {
 public:
  void report(Finding finding);
  /// Counts the finding where one of the same kind and instruction by an earlier thread is kept.
  /// @return false where it has to be reported: then nothing was counted.
  bool count_only(const Finding& finding);
  void add(const Diagnoses& other);
  /// Drops what blocks after `block` found: they would not have run.
  void stop_at(std::uint64_t block);
  bool empty() const { return findings_.empty(); }
  /// How often anything was reported or counted.
  std::uint64_t reported() const { return reported_; }
  /// Races of the same two lines are one: a loop that was unrolled has many instructions. So
  /// are values without content that one line reads: members of a structure. Without a
  /// line, the first few of a kind represent all. A finding that may have led to others comes
  /// first.
  void write(LaunchReport& report, const code::Program& program) const;

 private:
  struct Entry {
    Finding first;
    bool are_only_stored = true;  ///< all of them
    /// Per block, so that blocks which a fault has undone can be left out.
    std::map<std::uint64_t, std::uint64_t> counts;
  };
  std::map<std::tuple<std::string, std::uint32_t, Severity>, Entry> findings_;
  std::uint64_t reported_ = 0;
};

}  // namespace warpwise::watch
