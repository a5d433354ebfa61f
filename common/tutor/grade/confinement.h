#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace warpwise::tutor {

/// How compilers and checks run when the text is a stranger's; sandbox.h makes one. The default
/// confines nothing: a learner's own text on the learner's own machine.
struct Confinement {
  /// The first words of the compiler's command.
  std::vector<std::string> compiling = {};
  /// The first words of a check that runs no host code of the stranger's: it may write below
  /// `folder`.
  std::vector<std::string> checking = {};
  /// The first words of a program that does: it may not.
  std::vector<std::string> running = {};
  /// The first words of a check that starts such a program and stays outside: limits alone.
  std::vector<std::string> outside = {};
  std::filesystem::path folder = {};            ///< sources, images, answers.
  std::string seed = {};                        ///< of hidden inputs; empty: the visible ones.
  std::chrono::milliseconds limit{2 * 60'000};  ///< wall time of one command.

  bool confined() const { return !folder.empty(); }
};

}  // namespace warpwise::tutor
