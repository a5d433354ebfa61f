#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "lesson/compare.h"
#include "lesson/process.h"
#include "lesson/report.h"
#include "lesson/verdict.h"
#include "occupancy/gpu_table.h"

/// \file
/// Checks of exercises whose answer is a host function, the kinds program and arithmetic. The
/// learner's shared object is loaded by a program of its own, the runner (lesson/host_runner.h),
/// with limits; it calls the function and writes down what it gave. It knows the arguments alone:
/// what is expected, and the reference that computes it, stay in the check, which never runs the
/// learner's code, compares and judges.
/// \ingroup lesson
namespace warpwise::lesson {

/// Host memory whose end is followed by a page that may not be touched: who goes too far is
/// stopped.
class GuardedMemory {
 public:
  explicit GuardedMemory(std::size_t bytes);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  void* get() const { return start_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  void* start_ = nullptr;
};

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

/// What a check of a host function wants.
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
  occupancy::Gpu limits = *occupancy::find_gpu("h200");  ///< for the occupancy of what it launches.
};

/// What the runner wrote down of one call.
struct HostAnswer {
  std::optional<double> returned;
  std::vector<std::vector<float>> outputs;
  std::size_t reports = 0;           ///< entries of the simulator's log since the call before.
  std::uint64_t bytes_for_host = 0;  ///< that came from the device so far.
  std::map<std::string, double> operations = {};  ///< of this call: OperationCounts.
};

/// What the runner wrote down.
struct HostAnswers {
  std::string device;   ///< on which it ran; empty for arithmetic.
  std::string problem;  ///< why the shared object cannot be used.
  std::string thrown;   ///< by the last call, which then has no answer.
  std::vector<HostAnswer> calls;
  bool simulated = false;
  bool loaded = false;  ///< the learner's code had its first chance to run.
  bool done = false;    ///< the function returned from every call.
};

/// All gates of a check: a launch, its own, and with_implied; none where nothing is launched.
std::vector<Gate> gates_of(const HostSpec& spec);

/// The verdict: declaration, clean, right, good; the first failing stage.
/// @param answers with the functions of that name that the image has, as people write them.
/// @param log the simulator's, of all calls and of the end.
/// @throws Stop (environment) when the simulator lacks something.
CheckVerdict judge_calls(const HostSpec& spec, const std::vector<HostCall>& calls,
                         const HostAnswers& answers, const ChildResult& child,
                         const std::vector<LaunchReport>& log);

/// The main of such a check. @param make_calls makes the same calls every time.
int run_host_check(int argc, char** argv, const HostSpec& spec,
                   const std::function<std::vector<HostCall>()>& make_calls);

/// "int (int, float const*)" and a name as declaration and symbol.
void name_function(HostSpec& spec, const char* function_type, const char* parameters_type);

/// Values as people write them.
std::string written(double value);
std::string written(cudaError_t value);
template <class T>
requires std::is_integral_v<T> std::string written(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else {
    return std::to_string(value);
  }
}

/// The type T as the runner passes it.
template <class T>
constexpr HostType host_type() {
  if constexpr (std::is_void_v<T>) {
    return HostType::nothing;
  } else if constexpr (std::is_pointer_v<T>) {
    return HostType::pointer;
  } else if constexpr (std::is_enum_v<T>) {
    return host_type<std::underlying_type_t<T>>();
  } else if constexpr (std::is_same_v<T, bool>) {
    return HostType::boolean;
  } else if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    return sizeof(T) == 4 ? HostType::float32 : HostType::float64;
  } else {
    static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                  "numbers of 4 or 8 bytes, bool and pointers to numbers can be passed");
    if constexpr (std::is_signed_v<T>) return sizeof(T) == 4 ? HostType::int32 : HostType::int64;
    return sizeof(T) == 4 ? HostType::uint32 : HostType::uint64;
  }
}

/// A value as an argument.
template <class T>
HostArgument host_argument(T value) {
  HostArgument argument{host_type<T>(), 0};
  std::memcpy(&argument.bits, &value, sizeof value);
  return argument;
}

/// Says how a function of this type is called.
template <class R, class... P>
void bind_call(HostCall& call, P... arguments) {
  call.returns = host_type<R>();
  call.arguments = std::vector<HostArgument>{host_argument<P>(arguments)...};
}

/// Sets name, declaration and symbol from a function type.
template <class R, class... P>
void declare(HostSpec& spec, R (*)(P...)) {
  name_function(spec, typeid(R(P...)).name(), typeid(void(P...)).name());
}

}  // namespace warpwise::lesson
