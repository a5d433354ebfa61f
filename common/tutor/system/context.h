#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tutor/grade/confinement.h"

namespace warpwise::tutor {

class Cancellation;

/// Which build goes first: one of more urgency stops the others, which go on when it has ended.
enum class Urgency {
  ahead,      ///< not asked for yet.
  at_length,  ///< a chapter's program, all tests: minutes.
  verdict,    ///< a user waits for the verdict on a save.
};

/// Where things are on this machine; made once, by `main`, from what the build wrote down.
struct Context {
  std::filesystem::path root;   ///< the checkout.
  std::filesystem::path build;  ///< its build folder.
  std::filesystem::path nvcc;
  std::vector<std::string> code_flags;  ///< which GPUs nvcc compiles for: -gencode ...
  /// Brings targets up to date, named by their path below the build folder or by their CMake name;
  /// no targets: everything. Replaced in tests.
  std::function<void(const Context&, const std::vector<std::string>&)> make;

  /// Ends what commands started with this context, when requested; or null.
  const Cancellation* cancel = nullptr;
  /// Takes the messages of long work while it runs, a line without its end, as "building the
  /// simulator [3/20]". Empty: stderr.
  std::function<void(const std::string&)> on_progress = {};

  /// Says a line for people: to on_progress, else to stderr.
  void say(const std::string& line) const;

  Urgency urgency = Urgency::verdict;  ///< of what is built.

  Confinement confinement = {};  ///< of strangers' texts; none for a learner's own.

  /// The simulator: a CUDA runtime to be loaded instead of NVIDIA's.
  std::filesystem::path simulator() const { return build / "simulator" / "libcudart.so.13"; }
  std::filesystem::path check_program(const std::string& id) const { return build / "checks" / id; }
  /// The program that calls a learner's host functions for a check.
  std::filesystem::path runner() const { return build / "lesson" / "host_runner"; }
};

}  // namespace warpwise::tutor
