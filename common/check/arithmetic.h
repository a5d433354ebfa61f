#pragma once
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/function.h"
#include "check/host/host_call.h"

/// \file
/// The check of an exercise of the arithmetic kind: plain C++, a function of numbers. No CUDA runs.
///
///     lesson::check_arithmetic<int(int, int)>(
///         argc, argv, {.function = "ceil_div", .lesson = "..."},
///         [](lesson::Questions<int(int, int)>& ask) { ask.expect(4, 7, 2); });
///
/// \ingroup lesson
namespace warpwise::lesson {

/// The demands of a check of arithmetic, as data.
struct ArithmeticSpec {
  std::string function;      ///< its name.
  std::string lesson;        ///< the section of the README to read: where a failure points.
  Tolerance tolerance = {};  ///< of what it returns; none: exactly.
  double limit_s = 10;       ///< wall time of all calls.
};

template <class Function>
class Questions;

/// Gathers the calls. Ask awkward ones first: zero, one, just below and just above a limit.
template <class R, class... P>
class Questions<R(P...)> {
  static_assert(std::is_arithmetic_v<R> && (std::is_arithmetic_v<P> && ...),
                "a function of numbers that returns a number");

 public:
  Questions(std::string name, Tolerance tolerance, std::vector<HostCall>& calls)
      : name_(std::move(name)), tolerance_(tolerance), calls_(calls) {}

  /// The function called with these arguments has to return `wanted`.
  void expect(R wanted, P... arguments) {
    HostCall call;
    call.text = name_ + "(";
    ((call.text += (call.text.back() == '(' ? "" : ", ") + written(arguments)), ...);
    call.text += ")";
    call.wanted = static_cast<double>(wanted);
    call.tolerance = tolerance_;
    bind_call<R, P...>(call, arguments...);
    call.write = [](double value) { return written(static_cast<R>(value)); };
    calls_.push_back(std::move(call));
  }

 private:
  std::string name_;
  Tolerance tolerance_;
  std::vector<HostCall>& calls_;
};

/// The whole main of a check program of this kind.
/// @param ask makes the same calls every time. @return 0 pass, 1 fail.
template <class Function>
int check_arithmetic(int argc, char** argv, const ArithmeticSpec& wanted,
                     const std::function<void(Questions<Function>&)>& ask) {
  HostSpec spec;
  spec.function = wanted.function;
  spec.lesson = wanted.lesson;
  spec.limit_s = wanted.limit_s;
  declare(spec, static_cast<Function*>(nullptr));
  return run_host_check(argc, argv, spec, [&] {
    std::vector<HostCall> calls;
    Questions<Function> questions(wanted.function, wanted.tolerance, calls);
    ask(questions);
    return calls;
  });
}

}  // namespace warpwise::lesson
