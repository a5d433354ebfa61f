#pragma once
#include <exception>
#include <string>
#include <utility>

namespace warpwise::tutor {

/// The exit status of `learn` and of the programs it starts.
enum Status : int {
  status_ok = 0,           ///< everything is right.
  status_wrong = 1,        ///< something is wrong: a wrong result, a diagnosis, a missed gate.
  status_usage = 2,        ///< the command line makes no sense.
  status_environment = 3,  ///< something is missing here: a tool, a permission, a package.
};

/// Ends a command: one line for people on stderr, and the exit status. Thrown by any part of the
/// tutor, printed by `main` only.
struct Failure : std::exception {
  Failure(int exit_status, std::string text) : status(exit_status), message(std::move(text)) {}
  const char* what() const noexcept override { return message.c_str(); }
  int status;
  std::string message;  ///< what is wrong, where, what to do next; without a trailing newline.
};

/// Thrown where a command waits when the user or the system asks it to stop.
struct Interrupted : std::exception {
  explicit Interrupted(int number) : signal(number) {}
  const char* what() const noexcept override { return "interrupted"; }
  int signal;  ///< SIGINT, SIGTERM or SIGHUP.
};

}  // namespace warpwise::tutor
