#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace warpwise::cudart {

/// While it lives, shows on a terminal how far a long launch is:
/// "scale(int*, int): 40 % of the blocks, 12 s", one line that is overwritten each time and wiped
/// at the end.
class Progress {
 public:
  using Write = std::function<void(std::string_view)>;

  struct Manner {
    std::chrono::milliseconds patience{5000};  ///< before the first line.
    std::chrono::milliseconds period{1000};
    Write write;  ///< where the line goes; empty: nowhere, and nothing is measured.
  };
  /// To stderr if it is a terminal and diagnoses are shown; else nowhere.
  static Manner usual();

  Progress(std::string kernel, std::uint64_t blocks, Manner manner);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  std::atomic<std::uint64_t> finished_blocks{0};  ///< for the machine to count up.

 private:
  void watch();

  const std::string kernel_;
  const std::uint64_t blocks_;
  const Manner manner_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  std::thread watcher_;
};

}  // namespace warpwise::cudart
