#pragma once
#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "report/report.h"
#include "report/simulator_json.h"
#include "simulator/memory/current_device.h"

/// Policies over events: what is counted, what is wrong, how it is reported.
namespace warpwise::watch {

using report::ArrayCounts;
using report::Diagnosis;
using report::Index3;
using report::LineCounts;
using report::Severity;

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

/// Memory of the device, by ids of allocations, in which a launch has left values that it computed
/// from bytes which were never written, and from which it has read such values.
struct DerivedValues {
  std::set<std::uint32_t> stored_in, read_from;

  void add(const DerivedValues& other) {
    stored_in.insert(other.stored_in.begin(), other.stored_in.end());
    read_from.insert(other.read_from.begin(), other.read_from.end());
  }
};

/// Everything one launch reports, and what only the runtime adds up.
struct LaunchReport : report::LaunchReport {
  PeerBytes peer_bytes;
  DerivedValues derived;
};

/// Several lines for a terminal: the sentence, file:line with the source line and a caret where the
/// file can be read, block and thread, count.
std::string to_text(const Diagnosis& diagnosis);

}  // namespace warpwise::watch
