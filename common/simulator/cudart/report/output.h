#pragma once
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

namespace warpwise::cudart {

/// What kernels printed, kept until the host synchronises.
class Output {
 public:
  /// Takes text from device printf. Any thread.
  void keep(std::string_view text);
  /// Writes the kept output to the program's stdout, in order with the host's own printf.
  void show();
  /// Lines that were kept and not shown.
  std::size_t lines_kept() const;

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace warpwise::cudart
