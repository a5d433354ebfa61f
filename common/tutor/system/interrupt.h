#pragma once
#include <atomic>

namespace warpwise::tutor {

/// A request to stop, as a signal handler left it.
struct StopRequest {
  int signal = 0;             ///< 0: none so far.
  bool from_process = false;  ///< sent by another process, not typed at the terminal.
};

/// From now on SIGINT, SIGTERM and SIGHUP are remembered and wake every thread that polls
/// stop_event().
void catch_stop_requests();

/// @return the last request; it stays until clear_stop_request().
StopRequest stop_request();

/// @return a file descriptor that is readable while a request is pending; -1 before
///   catch_stop_requests().
int stop_event();

/// Forgets the request, for a command that has passed it on.
void clear_stop_request();

/// @throws Interrupted when a request is pending.
void throw_if_interrupted();

/// A request to stop one piece of work, where stop_request() is for the whole program. Another
/// thread may make it.
class Cancellation {
 public:
  /// @throws Failure (status 3) when this machine has no descriptor left.
  Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;
  ~Cancellation();
  void request();
  bool requested() const { return requested_; }
  /// @return a file descriptor that is readable from the request on.
  int event() const { return event_; }

 private:
  std::atomic<bool> requested_{false};
  int event_;
};

/// @throws Interrupted when work that `cancellation` (or null) may stop has to stop.
void throw_if_stopped(const Cancellation* cancellation);

}  // namespace warpwise::tutor
