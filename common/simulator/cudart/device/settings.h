#pragma once
#include <cstdint>
#include <string>

#include "simulator/watch/report/trace.h"

namespace warpwise::cudart {

/// The settings that the environment asks for; read once.
struct Settings {
  std::string gpu = "h200";    ///< WARPWISE_GPU: whose limits and properties are shown.
  unsigned threads = 0;        ///< WARPWISE_THREADS: host threads of a launch; 0: all.
  std::uint64_t budget = 0;    ///< WARPWISE_BUDGET: thread instructions of a launch; 0: no limit.
  double limit_seconds = 0;    ///< WARPWISE_LIMIT: wall time of the process; 0: no limit.
  std::string report_file;     ///< WARPWISE_REPORT: one JSON line per launch is appended here.
  unsigned attributes_of = 0;  ///< WARPWISE_ATTRIBUTES_OF: 75 for the registers of sm_75 code.
  std::string trace_file;      ///< WARPWISE_TRACE: a trace of the last launch that fits goes here.
  /// WARPWISE_TRACE_KERNEL (part of its name), _BLOCK, _WARP, _STEPS: what the trace follows.
  watch::TraceRequest trace;
  /// WARPWISE_PATIENCE: milliseconds until work that no thread waits for starts by itself. For
  /// tests: answers before that moment do not depend on how busy the machine is.
  unsigned grace_period = 100;
  unsigned gpus = 1;          ///< WARPWISE_GPUS: devices of the machine, 1 to 8.
  bool has_gpus = false;      ///< that was said.
  std::string peers = "all";  ///< WARPWISE_PEERS: all, none, or pairs that can be, "0-1,2-3".
  std::string visible;        ///< CUDA_VISIBLE_DEVICES, where has_visible.
  bool has_visible = false;
  bool quiet = false;            ///< WARPWISE_QUIET=1: diagnoses go to the report only.
  bool launch_blocking = false;  ///< CUDA_LAUNCH_BLOCKING=1: every launch is waited for.
};

/// The settings of this process. An invalid value ends the program with status 3 and a line that
/// names the allowed values.
const Settings& settings();

/// Reads the environment as it is now.
/// @throws std::runtime_error, one sentence for the user.
Settings read_settings();

}  // namespace warpwise::cudart
