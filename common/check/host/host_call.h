#pragma once
#include <cuda_runtime_api.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "base/function.h"
#include "check/host/host_call_data.h"
#include "lesson/results/report_names.h"
#include "lesson/start/process.h"
#include "report/verdict.h"

/// \file
/// Checks of exercises whose answer is a host function, the kinds program and arithmetic. The
/// learner's shared object is loaded by a program of its own, the runner (lesson/host_runner.h),
/// with limits; it calls the function and writes down what it gave. It knows the arguments alone:
/// what is expected, and the reference that computes it, stay in the check, which never runs the
/// learner's code, compares and judges.
/// \ingroup lesson
namespace warpwise::lesson {

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
