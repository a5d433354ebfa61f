#include "tutor/live/worker.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <utility>

#include "tutor/system/failure.h"

namespace warpwise::tutor::watch {

Worker::Worker(Context context)
    : context_(std::move(context)), event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (event_ < 0) {
    throw Failure(status_environment, std::string("no event: ") + std::strerror(errno));
  }
  // Signals about the terminal are for the thread that has it.
  sigset_t terminal, before;
  sigemptyset(&terminal);
  for (const int number : {SIGTSTP, SIGCONT, SIGWINCH}) sigaddset(&terminal, number);
  pthread_sigmask(SIG_BLOCK, &terminal, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Worker::~Worker() {
  cancel();
  {
    const std::lock_guard lock(guard_);
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
  close(event_);
}

void Worker::start(int job, Task task) {
  cancel();
  {
    const std::lock_guard lock(guard_);
    next_ = std::make_shared<Piece>(job, std::move(task));
  }
  changed_.notify_one();
}

void Worker::cancel() {
  const std::lock_guard lock(guard_);
  next_.reset();
  if (current_) current_->cancellation.request();
}

std::vector<Event> Worker::take() {
  std::uint64_t ignored = 0;
  [[maybe_unused]] const auto got = read(event_, &ignored, sizeof ignored);
  const std::lock_guard lock(guard_);
  return std::exchange(events_, {});
}

void Worker::run() {
  for (;;) {
    std::shared_ptr<Piece> piece;
    {
      std::unique_lock lock(guard_);
      current_.reset();
      changed_.wait(lock, [this] { return ends_ || next_; });
      if (ends_) return;
      piece = current_ = std::exchange(next_, nullptr);
    }
    try {
      post(*piece, result_of(*piece));
    } catch (const Interrupted&) {
      // The result is not waited for any more.
    }
  }
}

Event Worker::result_of(Piece& piece) {
  Context context = context_;
  context.cancel = &piece.cancellation;
  context.on_progress = [&](const std::string& line) { post(piece, Progressed{piece.job, line}); };
  try {
    return piece.task(context);
  } catch (const Failure& failure) {
    return Failed{piece.job, failure.message};
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    return Failed{piece.job, error.what()};
  }
}

void Worker::post(const Piece& piece, Event event) {
  if (piece.cancellation.requested()) return;
  {
    const std::lock_guard lock(guard_);
    events_.push_back(std::move(event));
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(event_, &one, sizeof one);
}

}  // namespace warpwise::tutor::watch
