#pragma once
#include <functional>
#include <memory>
#include <string>

#include "lesson/error.h"
#include "lesson/ladder.h"

/// \file
/// A chapter's program: the one header that a chapter includes.
/// \ingroup lesson
namespace warpwise::lesson {

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
  /// Reads the flags and decides the device; restarts the program on the simulator if need be.
  /// @param about one line for --help.
  Run(int argc, char** argv, const std::string& about);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Runs a ladder at its awkward sizes, then at its friendly one, and prints it.
  /// @param body makes the problem and names the rungs; called once for each size.
  void ladder(const Ladder& ladder, const std::function<void(Trial&)>& body);

  /// The exercises, the benchmark, the JSON file. @return the exit status.
  int finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwise::lesson
