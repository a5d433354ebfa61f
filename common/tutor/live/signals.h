#pragma once

namespace warpwise::tutor::watch {

/// The system's messages to a program about its terminal, as flags instead of interruptions:
/// SIGWINCH, SIGTSTP and SIGCONT. One object at a time.
class TerminalSignals {
 public:
  /// @throws Failure (status 3) when this machine has no descriptor left.
  TerminalSignals();
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;
  ~TerminalSignals();

  /// @return a descriptor that is readable when take() has something to tell.
  int event() const;

  struct Happened {
    bool resized = false, stop_asked = false, continued = false;
  };
  /// @return what happened since the last call.
  Happened take();

  /// Stops this program and its group, as Ctrl-Z does without a handler; returns when it goes on.
  /// Where there is no shell that could let it go on, returns at once.
  void stop_here();
};

}  // namespace warpwise::tutor::watch
