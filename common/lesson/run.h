#pragma once
#include <string>

#include "base/function.h"
#include "lesson/device/error.h"
#include "lesson/ladder.h"
#include "lesson/results/demonstration.h"
#include "lesson/start/options.h"
#include "occupancy/gpu_table.h"

/// \file
/// A chapter's program: the one header that a chapter includes.
/// \ingroup lesson
namespace warpwise::lesson {

struct LadderResult;  // Who looks into one includes lesson/results/results.h.

/// Make it the first thing in main; what goes wrong below it ends the program with one line and the
/// right status.
///
///     int main(int argc, char** argv) {
///       warpwise::lesson::Run run(argc, argv, "Chapter 5: ...");
///       reduce_scale_ladder(run);
///       return run.finish();
///     }
class Run {
 public:
  /// The wishes of a chapter in addition to what all chapters have.
  struct Setup {
    OwnOptions own = {};     ///< its own flags, also for the process that counts on the simulator.
    int simulated_gpus = 1;  ///< devices that the simulator has where --gpus does not say how many.
  };
  /// Reads the flags and decides the device; restarts the program on the simulator if need be.
  /// @param about one line for --help.
  Run(int argc, char** argv, const std::string& about, const Setup& setup);
  Run(int argc, char** argv, const std::string& about) : Run(argc, argv, about, Setup{}) {}
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Runs a ladder at its awkward sizes, then at its friendly one, and prints it.
  /// @param body makes the problem, names the rungs; called for each size, by --bench once more.
  void ladder(const Ladder& ladder, const std::function<void(Trial&)>& body);

  /// The same kernels at many values of one parameter; in `body` Trial::value() is the value at
  /// hand. One row for each value, no derivations; --bench leaves sweeps out.
  void sweep(const Sweep& sweep, const Ladder& ladder, const std::function<void(Trial&)>& body);

  /// Prints a table that is not a ladder, and puts it into the JSON file. `make` is called only
  /// where the table is wanted.
  void table(const std::string& name, const std::function<Demonstration()>& make);

  /// The results of a ladder so far, for tables made of its counts; null where --only or --compare
  /// left it out.
  const LadderResult* result(const std::string& ladder) const;

  /// The GPU of the limits and floors: of --gpu, else the device's own.
  const occupancy::Gpu& limits() const;

  /// How many devices the program uses: what --gpus says, else all.
  int gpus() const;

  /// The exercises, the benchmark, the JSON file. @return the exit status.
  int finish();

 private:
  struct State;
  State* state_;  ///< owned. <memory> would cost nvcc half a second in each file of a chapter.
};

}  // namespace warpwise::lesson
