#include "simulator/cudart/queue/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "simulator/cudart/device/settings.h"
#include "simulator/cudart/queue/own_threads.h"

namespace warpwise::cudart {

Progress::Manner Progress::usual() {
  Manner manner;
  if (settings().quiet || isatty(STDERR_FILENO) == 0) return manner;
  manner.write = [](std::string_view text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  };
  return manner;
}

Progress::Progress(std::string kernel, std::uint64_t blocks, Manner manner)
    : kernel_(std::move(kernel)), blocks_(blocks), manner_(std::move(manner)) {
  if (manner_.write) watcher_ = std::thread([this] { watch(); });
}

Progress::~Progress() {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_one();
  watcher_.join();
}

void Progress::watch() {
  using std::chrono::duration_cast, std::chrono::seconds, std::chrono::steady_clock;
  name_own_thread("shows");
  constexpr const char* wipe = "\r\033[K";
  std::unique_lock lock(mutex_);
  bool shown = false;
  auto next = start_ + manner_.patience;
  while (!wake_.wait_until(lock, next, [&] { return ended_; })) {
    const auto elapsed = duration_cast<seconds>(steady_clock::now() - start_).count();
    manner_.write(fmt::format("{}{}: {} % of the blocks, {} s", wipe, kernel_,
                              100 * finished_blocks / blocks_, elapsed));
    shown = true;
    next += manner_.period;
  }
  if (shown) manner_.write(wipe);
}

}  // namespace warpwise::cudart
