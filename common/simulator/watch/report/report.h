#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/memory/current_device.h"
#include "simulator/watch/report/diagnosis.h"

/// Policies over events: what is counted, what is wrong, how it is reported.
namespace warpwise::watch {

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
  /// Of loads from global memory: most of them that a warp waits for at a time, one of this line
  /// among them, by the machine code; 0 without one.
  unsigned loads_in_flight = 0;
  /// The cubin issues accesses of the same widths, or of the merged ones counted, and lanes that
  /// make them here may not skip them there: the hardware counts no less.
  bool compiled = false;
  bool confirmed = false;  ///< the hardware counts the same.
};

/// The threads that touched one named array, and how: kept only where a lesson asks for it.
struct ArrayCounts {
  std::string array;   ///< its name; empty: all memory without one.
  std::string access;  ///< "global load", "global store" or "global atomic".
  std::uint64_t requests = 0, sectors = 0;
  std::uint64_t threads = 0, warps = 0;  ///< that made at least one.
  std::uint64_t most_of_thread = 0;      ///< accesses of the thread that made most.
};

/// A launch's reads and writes of the memory of other devices, each access of each thread counted:
/// bytes by the device that the memory belongs to.
struct PeerBytes {
  std::array<std::uint64_t, memory::most_devices> read = {}, written = {};

  void add(const PeerBytes& other) {
    for (std::size_t device = 0; device < read.size(); ++device) {
      read[device] += other.read[device];
      written[device] += other.written[device];
    }
  }
};

/// Everything one launch reports.
struct LaunchReport {
  std::string kernel;  ///< demangled.
  std::string mangled;
  Index3 grid{}, block{};
  std::uint32_t dynamic_shared_bytes = 0;
  unsigned registers = 0;  ///< 0 when no cubin was found.
  unsigned static_shared_bytes = 0;
  std::map<std::string, double> counters;
  std::vector<LineCounts> lines;
  std::vector<ArrayCounts> arrays;  ///< empty: not asked for.
  std::vector<Diagnosis> diagnoses;
  /// Where the host asked for it, known only where it has an error; or the kernel that did.
  std::string launch_file;
  unsigned launch_line = 0;  ///< 0: not known.
  std::string launched_by;   ///< that kernel, demangled; empty: the host did.
  PeerBytes peer_bytes;
  bool faulted = false;     ///< the launch was stopped: the error is sticky.
  std::string unsupported;  ///< "PTX line 12: ...: the simulator does not know ..."; status 3.
};

/// One JSON object, the schema of `sim --json`.
std::string to_json(const LaunchReport& report);

/// Several lines for a terminal: the sentence, file:line with the source line and a caret where the
/// file can be read, block and thread, count.
std::string to_text(const Diagnosis& diagnosis);

}  // namespace warpwise::watch
