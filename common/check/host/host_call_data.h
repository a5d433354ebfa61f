#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/function.h"
#include "check/host/guarded_memory.h"
#include "lesson/compare/compare.h"
#include "lesson/results/report_names.h"
#include "occupancy/gpu_table.h"
#include "report/gate.h"

/// \file
/// Calls of a learner's host function as a check states them, and what the runner answers.
/// \ingroup lesson
namespace warpwise::lesson {

/// The types that a host function may take and return.
enum class HostType { nothing, boolean, int32, uint32, int64, uint64, float32, float64, pointer };

/// An argument of a call.
struct HostArgument {
  HostType type = HostType::int32;
  std::uint64_t bits = 0;  ///< its value; of a pointer the address in this process.
};

/// An array that the function has to fill.
struct HostOutput {
  std::vector<double> expected;
  Tolerance tolerance;
  std::size_t row_length = 0;
  float* data = nullptr;  ///< host memory, poisoned before the call.
};

/// One call of the learner's function and what it must give.
struct HostCall {
  std::string size;              ///< of the problem: "7x33"; empty where the call says it all.
  std::string text;              ///< the call, for people: "blocks_per_sm(32, 256)".
  std::optional<double> wanted;  ///< what it returns; nothing: not looked at.
  Tolerance tolerance;           ///< of what it returns.
  bool may_be_refused = false;   ///< a launch: the function has to notice.
  std::vector<HostOutput> outputs;
  std::vector<std::unique_ptr<GuardedMemory>> memory;
  HostType returns = HostType::nothing;
  std::optional<std::vector<HostArgument>> arguments;  ///< nothing: the check made no call.
  std::function<std::string(double)> write;            ///< what is returned, for people.
};

/// The demands of a check of a host function.
struct HostSpec {
  std::string function;     ///< its name.
  std::string declaration;  ///< "int blocks_per_sm(int, int)".
  std::string symbol;       ///< what the compiler makes of it.
  std::string lesson;       ///< where a failure points.
  std::string exercise;     ///< its id, "CH/NAME": places in other files are not believed.
  double limit_s = 20;      ///< wall time of all calls.
  bool on_device = false;   ///< the function launches kernels: it runs on the simulator.
  std::uint64_t budget = 0;
  int gpus = 1;  ///< devices that the function finds.
  std::vector<Gate> gates = {};
  std::size_t author_calls = 0;  ///< the first calls: the author's test of a bug to be found.
  occupancy::Gpu limits = *occupancy::find_gpu("h200");  ///< for the occupancy of what it launches.
};

/// The runner's record of one call.
struct HostAnswer {
  std::optional<double> returned;
  std::vector<std::vector<float>> outputs;
  std::size_t reports = 0;           ///< entries of the simulator's log since the call before.
  std::uint64_t bytes_for_host = 0;  ///< that came from the device so far.
  std::map<std::string, double> operations = {};  ///< of this call: OperationCounts.
};

/// The runner's record.
struct HostAnswers {
  std::string device;   ///< on which it ran; empty for arithmetic.
  std::string problem;  ///< why the shared object cannot be used.
  std::string thrown;   ///< by the last call, which then has no answer.
  std::vector<HostAnswer> calls;
  bool simulated = false;
  bool loaded = false;  ///< the learner's code had its first chance to run.
  bool done = false;    ///< the function returned from every call.
};

}  // namespace warpwise::lesson
