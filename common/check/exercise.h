#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "base/function.h"
#include "lesson/compare/workspace.h"
#include "lesson/device/error.h"
#include "lesson/device/launch.h"
#include "lesson/results/needs.h"
#include "lesson/results/report_names.h"
#include "lesson/start/size.h"
#include "report/verdict.h"

/// \file
/// The check of an exercise of the kernel kind: the one header its check program includes.
/// \ingroup lesson
namespace warpwise::lesson {

/// The demands of a check, as data.
struct ExerciseSpec {
  std::string kernel;       ///< its name.
  std::vector<Size> sizes;  ///< awkward ones first; the gates count at the last.
  /// Thread instructions that a launch may use on the simulator, at a size of few elements a tenth.
  std::uint64_t budget = 0;
  std::uint64_t far_budget = 0;  ///< the same at each size of `beyond`; 0: as at the others.
  std::string lesson;            ///< the section of the README to read: where a failure points.
  std::vector<Gate> gates = {};
  /// For an exercise "find the bug": the sizes at which the author of the given program tested it.
  /// They are tried first, and the verdict says so where all of them are right.
  std::vector<Size> author_test = {};
  /// Sizes far beyond what a learner would hard-code, each in one dimension and thin in the others:
  /// tried once all else is right and good, so that a slow answer fails of its gate and not here.
  std::vector<Size> beyond = {};
  /// Timed on a GPU once all is right there: large enough for its SMs, and its arrays for more than
  /// its cache. No extents: the last of `sizes` is timed, because the task's launch fills no GPU.
  Size full = {};
  /// What the exercise needs at a size. Bytes that are 0, or no function: those of all its arrays.
  std::function<Needs(const Size&)> needs = {};
};

/// One size, without the kernel's type.
class AttemptCore {
 public:
  AttemptCore(const Size& size, const void* kernel) : size(size), kernel(kernel) {}

  Size size;
  const void* kernel = nullptr;  ///< a cudaKernel_t.
  Workspace workspace;
  std::function<void()> launch;  ///< set by Attempt::launch, as is the shape.
  Shape shape;
};

template <class Kernel>
class Attempt;

/// One size of the problem. A check's function makes the problem and launches, once.
template <class... Parameters>
class Attempt<void(Parameters...)> {
 public:
  explicit Attempt(AttemptCore& core) : core_(core) {}

  const Size& size() const { return core_.size; }

  /// \copydoc warpwise::lesson::Workspace::input
  template <class T>
  T* input(std::string_view name, const std::vector<T>& host) {
    return core_.workspace.input(name, host);
  }
  /// \copydoc warpwise::lesson::Workspace::output
  float* output(std::string_view name, std::vector<double> expected, Tolerance tolerance,
                std::size_t row_length = 0) {
    return core_.workspace.output(name, std::move(expected), tolerance, row_length);
  }
  /// \copydoc warpwise::lesson::Workspace::slips
  void slips(std::vector<Slip> slips) { core_.workspace.slips(std::move(slips)); }

  /// The launch of this size. It happens after the check's function has returned.
  template <class... Arguments>
  void launch(const Shape& shape, Arguments... arguments) {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                  "as many arguments as the kernel has parameters");
    core_.shape = shape;
    core_.launch = bind_launch(core_.kernel, shape,
                               std::tuple<std::remove_const_t<Parameters>...>(arguments...));
  }

 private:
  AttemptCore& core_;
};

/// Runs the check; see check_exercise.
/// @param function_type typeid name of the kernel's type.
int run_check(int argc, char** argv, const ExerciseSpec& spec, const char* function_type,
              const std::function<void(AttemptCore&)>& body);

/// The whole main of a check program: reads the flags, decides the device, loads the image, and
/// gives the verdict: signature, clean, right, good; the first failing stage is shown.
/// @tparam Kernel the declared type: `void(const float* x, float* y, int rows, int columns)`.
/// @return 0 pass, 1 fail; what the environment lacks ends the program with 3.
template <class Kernel>
int check_exercise(int argc, char** argv, const ExerciseSpec& spec,
                   const std::function<void(Attempt<Kernel>&)>& body) {
  return run_check(argc, argv, spec, typeid(Kernel).name(), [&](AttemptCore& core) {
    Attempt<Kernel> attempt(core);
    body(attempt);
  });
}

}  // namespace warpwise::lesson
