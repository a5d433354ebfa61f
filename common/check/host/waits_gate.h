#pragma once
#include <string>

#include "report/gate.h"

/// \file
/// The gate that most programs of several streams or devices have: how often the host waits.
/// \ingroup lesson
namespace warpwise::lesson {

/// The waits of the host that a program may have.
struct HostWaits {
  double at_most = 1;
  std::string mistake;    ///< the stored mistake that waits more often.
  std::string announced;  ///< the task's words: "the host waits once".
  /// On several devices, how many of these waits follow the fills: "half of them"; else empty.
  std::string after_fills = {};
};

/// The gate `waits` of a program.
inline report::Gate waits_gate(const HostWaits& waits) {
  const std::string what = waits.after_fills.empty()
                               ? "calls that held the host until the device was done"
                               : "calls that held the host until a device was done, " +
                                     waits.after_fills + " after the fills";
  return {.name = "waits",
          .what = what,
          .measure = report::Measure::host_waits,
          .at_most = waits.at_most,
          .mistake = waits.mistake,
          .announced = waits.announced};
}

}  // namespace warpwise::lesson
