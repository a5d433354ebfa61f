#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::tutor::watch {

/// The terminal while the watcher has it: each key is read at once and not shown, and a screen of
/// its own is drawn on, so that the shell's lines are there again afterwards. It is given back in
/// every way this object or the program can end, except SIGKILL.
class Terminal {
 public:
  /// @return whether stdin and stdout are a terminal that can place text anywhere.
  static bool present();

  /// Takes the terminal.
  /// @pre present(); this is the only object.
  Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  /// Takes it again, also after another program changed its modes.
  void take();
  /// Gives it back as it was found.
  void give_back();

  struct Size {
    int columns, rows;
  };
  /// @return 80 x 24 where the terminal does not know.
  static Size size();

  static void write(std::string_view text);

  /// Reads the keys that were pressed, as watch::Key or characters.
  /// @return false when the terminal is gone.
  static bool read_keys(std::vector<int>& keys);
};

/// Splits what a terminal sends into keys; unknown sequences are dropped.
std::vector<int> keys_of(std::string_view bytes);

}  // namespace warpwise::tutor::watch
