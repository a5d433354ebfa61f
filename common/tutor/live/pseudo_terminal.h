#pragma once
// For tests only: a program at a terminal, with a small shell that stops it and lets it go on.

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>

namespace warpwise::tutor::watch::test {

/// Runs a function as the foreground program of a terminal. Its drawing is read as the watcher
/// writes it: each picture begins at the upper left corner.
class PseudoTerminal {
 public:
  /// @param program runs in a process of its own; gives the exit status.
  PseudoTerminal(int columns, int rows, const std::function<int()>& program);
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;
  /// Ends the program.
  ~PseudoTerminal();

  void type(const std::string& keys) const;
  void resize(int columns, int rows) const;
  /// Sends the program a signal.
  void signal(int number) const;
  /// Takes the terminal away.
  void hang_up();
  /// Reads until the picture contains the text, at most 20 seconds.
  /// @return whether it does.
  bool shows(const std::string& text);
  /// The same of everything written since the last call, where the shell says "[stopped, cooked]"
  /// or
  /// "[exit 3, cooked]": cooked is a terminal as it was before.
  bool says(const std::string& text);
  /// @return the last picture, a line each row.
  std::string picture() const;
  pid_t program() const { return program_; }

 private:
  bool read_some();
  bool read_until(const std::function<bool()>& found);

  int master_ = -1;
  pid_t shell_ = -1, program_ = -1;
  std::string all_;
  std::size_t said_ = 0;
};

}  // namespace warpwise::tutor::watch::test
