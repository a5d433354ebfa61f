#include "tutor/system/interrupt.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>

#include "tutor/system/failure.h"

namespace warpwise::tutor {
namespace {

std::atomic<int> requested_signal{0};
std::atomic<bool> requested_by_process{false};
std::atomic<int> event{-1};

void remember(int number, siginfo_t* info, void*) {
  const int saved = errno;
  // The kernel itself sends what is typed at a terminal, to the whole foreground group.
  requested_by_process = info == nullptr || info->si_code <= 0;
  requested_signal = number;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(event, &one, sizeof one);
  errno = saved;
}

}  // namespace

void catch_stop_requests() {
  if (event < 0) event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct sigaction action {};
  action.sa_sigaction = remember;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    // nohup and background jobs of a shell ignore signals on purpose.
    if (before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

StopRequest stop_request() { return {requested_signal, requested_by_process}; }

int stop_event() { return event; }

void clear_stop_request() {
  requested_signal = 0;
  std::uint64_t ignored = 0;
  if (event >= 0) {
    [[maybe_unused]] const auto got = read(event, &ignored, sizeof ignored);
  }
}

void throw_if_interrupted() {
  if (const int number = requested_signal; number != 0) throw Interrupted(number);
}

Cancellation::Cancellation() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (event_ < 0) {
    throw Failure(status_environment, std::string("no event: ") + std::strerror(errno));
  }
}

Cancellation::~Cancellation() { close(event_); }

void Cancellation::request() {
  requested_ = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(event_, &one, sizeof one);
}

void throw_if_stopped(const Cancellation* cancellation) {
  throw_if_interrupted();
  if (cancellation != nullptr && cancellation->requested()) throw Interrupted(SIGTERM);
}

}  // namespace warpwise::tutor
