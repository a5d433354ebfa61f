#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/function.h"
#include "check/host/host_call.h"
#include "check/host/waits_gate.h"
#include "lesson/start/size.h"

/// \file
/// The check of an exercise of the program kind: plain CUDA C++ whose answer is a host function
/// that allocates, copies, launches. The check calls it at awkward sizes with arrays in host
/// memory; what it leaves in them is compared, and the simulator's log has to agree: no diagnosis,
/// a launch, everything freed. \ingroup lesson
namespace warpwise::lesson {

/// The demands of a check of a program, as data.
struct ProgramSpec {
  std::string function;      ///< the host function's name.
  std::vector<Size> sizes;   ///< awkward ones first; the gates count at the last.
  std::uint64_t budget = 0;  ///< thread instructions a launch may use on the simulator.
  std::string lesson;        ///< the section of the README to read: where a failure points.
  std::vector<Gate> gates = {};
  double limit_s = 20;  ///< wall time of all calls.
  /// For an exercise "find the bug": the sizes at which the author of the given program tested it.
  /// They are called first, and the verdict says so where all of them are right.
  std::vector<Size> author_test = {};
  int gpus = 1;  ///< devices that the function finds.
};

template <class Function>
class Session;

/// One size of the problem. A check's function makes the problem and calls, once.
template <class R, class... P>
class Session<R(P...)> {
 public:
  Session(std::string name, const Size& size, HostCall& call)
      : name_(std::move(name)), size_(size), call_(call) {
    call_.size = size.text();
    call_.text = name_;
  }

  const Size& size() const { return size_; }

  /// A copy of values in host memory. Reading past its end faults.
  template <class T>
  T* input(const std::vector<T>& values) {
    T* data = memory<T>(values.size());
    std::memcpy(data, values.data(), values.size() * sizeof(T));
    return data;
  }

  /// Host memory for a result, as many floats as the reference has numbers; poisoned.
  /// @param row_length columns of a matrix, so that messages speak of rows and columns; 0: none.
  float* output(std::vector<double> expected, Tolerance tolerance, std::size_t row_length = 0) {
    float* data = memory<float>(expected.size());
    call_.outputs.push_back({std::move(expected), tolerance, row_length, data});
    return data;
  }

  /// The call of this size; what the function returns is not looked at.
  void call(P... arguments) { bind_call<R, P...>(call_, arguments...); }

  /// The call of this size, which has to return `wanted`. Where that is an error of the runtime, a
  /// launch that is refused is what the call is about, and no mistake.
  template <class Wanted>
  void expect(Wanted wanted, P... arguments) {
    static_assert(std::is_same_v<Wanted, R>, "what the function is declared to return");
    if constexpr (std::is_same_v<R, cudaError_t>) call_.may_be_refused = wanted != cudaSuccess;
    std::string all;
    ((all += (all.empty() ? "" : ", ") + shown(arguments)), ...);
    call_.text = name_ + "(" + all + ")";
    call_.wanted = static_cast<double>(wanted);
    call_.write = [](double value) { return written(static_cast<R>(static_cast<int>(value))); };
    call(arguments...);
  }

 private:
  /// An argument, for people.
  template <class T>
  static std::string shown(T value) {
    if constexpr (std::is_pointer_v<T>) {
      return "...";
    } else {
      return written(value);
    }
  }

  template <class T>
  T* memory(std::size_t count) {
    call_.memory.push_back(std::make_unique<GuardedMemory>(count * sizeof(T)));
    return static_cast<T*>(call_.memory.back()->get());
  }

  std::string name_;
  Size size_;
  HostCall& call_;
};

/// The whole main of a check program of this kind.
/// @param body makes the same problem every time it is given a size. @return 0 pass, 1 fail.
template <class Function>
int check_program(int argc, char** argv, const ProgramSpec& wanted,
                  const std::function<void(Session<Function>&)>& body) {
  HostSpec spec;
  spec.function = wanted.function;
  spec.lesson = wanted.lesson;
  spec.limit_s = wanted.limit_s;
  spec.on_device = true;
  spec.budget = wanted.budget;
  spec.gates = wanted.gates;
  spec.author_calls = wanted.author_test.size();
  spec.gpus = wanted.gpus;
  declare(spec, static_cast<Function*>(nullptr));
  return run_host_check(argc, argv, spec, [&] {
    std::vector<HostCall> calls;
    for (const auto* sizes : {&wanted.author_test, &wanted.sizes}) {
      for (const Size& size : *sizes) {
        HostCall call;
        Session<Function> session(wanted.function, size, call);
        body(session);
        calls.push_back(std::move(call));
      }
    }
    return calls;
  });
}

}  // namespace warpwise::lesson
