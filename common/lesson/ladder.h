#pragma once
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/function.h"
#include "lesson/compare/workspace.h"
#include "lesson/cublas.h"
#include "lesson/device/launch.h"
#include "lesson/results/needs.h"
#include "lesson/results/sweep.h"
#include "lesson/start/size.h"

/// \file
/// A ladder: kernels for one operation, each one idea from the last.
/// \ingroup lesson
namespace warpwise::lesson {

class LadderRun;

/// The description of a ladder, without its kernels.
struct Ladder {
  std::string name;           ///< "reduce_scale".
  std::string title;          ///< one line: what is computed.
  Size full;                  ///< timed on a GPU.
  Size small;                 ///< counted on the simulator, about a second.
  std::vector<Size> awkward;  ///< tried first, for right results only.
  std::function<Needs(const Size&)> needs;
  /// The rung that counts as 100 %, a library's call for instance; empty: a copy of `needs.bytes`.
  std::string limit = {};
  /// Its rungs are more than one operation: their order is also counted, under the keys of
  /// OperationCounts.
  bool counts_operations = false;
};

/// One size of a ladder's problem. A ladder's function is called once for each size: it makes the
/// problem, then names its rungs, one line each.
class Trial {
 public:
  /// @param value of the sweep's parameter.
  Trial(LadderRun& ladder, const Size& size, int value = 0)
      : ladder_(ladder), size_(size), value_(value) {}

  const Size& size() const { return size_; }
  /// Values of the sweep's parameter; 0 in a ladder without a sweep.
  int value() const { return value_; }

  /// \copydoc Workspace::input
  template <class T>
  T* input(std::string_view name, const std::vector<T>& host) {
    return workspace_.input(name, host);
  }
  /// \copydoc Workspace::output
  template <class T = float>
  T* output(std::string_view name, std::vector<double> expected, Tolerance tolerance,
            std::size_t row_length = 0) {
    return workspace_.output<T>(name, std::move(expected), tolerance, row_length);
  }

  /// One rung: poisons the output, launches, waits, compares the whole output; at the friendly
  /// size also its residency, and on a GPU its time. A rung that failed is never timed.
  template <class... Parameters, class... Arguments>
  void variant(std::string_view name, void (*kernel)(Parameters...), const Shape& shape,
               Arguments... arguments) {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                  "as many arguments as the kernel has parameters");
    const auto* function = reinterpret_cast<const void*>(kernel);
    run(name, function, shape,
        bind_launch(function, shape, std::tuple<std::remove_const_t<Parameters>...>(arguments...)));
  }

  /// A rung that is more than one kernel, or none: launches, copies, calls of the runtime, all
  /// started on the default stream. Compared and timed like a variant; it has no occupancy.
  /// @param prepare what has to happen before each run and is not timed; may be empty.
  /// @param collect brings the result into the output before that is compared; may be empty.
  void work(std::string_view name, const std::function<void()>& start,
            const std::function<void()>& prepare = {}, const std::function<void()>& collect = {});

  /// A library's answer to the same problem, compared and timed like a rung. Where the library is
  /// absent its row says why.
  void yardstick(std::string_view name, const LibraryCall& call);

  /// Says that a rung does not take this size, and why; counted separately from failures.
  void skip(std::string_view name, std::string_view reason);

  const Workspace& workspace() const { return workspace_; }

 private:
  friend class LadderRun;
  void run(std::string_view name, const void* kernel, const Shape& shape,
           std::function<void()> launch);

  LadderRun& ladder_;
  Size size_;
  int value_ = 0;
  Workspace workspace_;
};

}  // namespace warpwise::lesson
