#pragma once
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tutor/system/interrupt.h"

namespace warpwise::tutor {

/// A program to start, and what it may use.
struct Command {
  /// The program and its arguments; a program without a slash is looked up in PATH.
  std::vector<std::string> words;
  /// Set for the program on top of what this process has.
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::filesystem::path folder = {};        ///< where it runs; empty: here.
  std::chrono::milliseconds limit{60'000};  ///< wall time, then it is killed; 0: none.
  /// Address space of each process in it, then allocations fail; 0: no limit.
  std::size_t memory_bytes = 0;
  std::size_t output_bytes = 1 << 20;  ///< kept of each stream; the rest is read and dropped.
  /// Receives everything as it comes (stdout and stderr), instead of being kept.
  std::function<void(std::string_view)> on_output = {};
  const Cancellation* cancel = nullptr;  ///< when requested, run_captured ends the program.
};

/// How a program ended.
struct Outcome {
  int status = 0;          ///< its exit status, or 128 + the signal that killed it.
  int signal = 0;          ///< 0 unless a signal killed it.
  bool timed_out = false;  ///< killed at its limit; status is 128 + SIGKILL.
  bool truncated = false;  ///< printed more than was kept.
  std::string out;         ///< stdout.
  std::string err;         ///< stderr.
};

/// Runs a program to its end: no terminal, stdin empty, in a session and process group of its own
/// that is killed with it, so that everything it started ends.
/// @throws Failure (status 3) when it cannot be started; Interrupted when this process or the work
///   is asked to stop: the program got that signal (or SIGTERM), two seconds, and SIGKILL.
Outcome run_captured(const Command& command);

/// Runs a program on this process's terminal and streams, and passes on SIGINT, SIGTERM and SIGHUP.
/// @return as run_captured, without output; a program stopped by a passed-on signal is an outcome.
/// @throws Failure (status 3) when it cannot be started.
Outcome run_attached(const Command& command);

/// Becomes the program.
/// @throws Failure (status 3) when it cannot be started; does not return otherwise.
[[noreturn]] void become(const std::vector<std::string>& words);

}  // namespace warpwise::tutor
