#include "tutor/live/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include "tutor/system/failure.h"

namespace warpwise::tutor::watch {
namespace {

std::array<int, 2> ends{-1, -1};
std::atomic<bool> resized{false}, stop_asked{false}, continued{false};
struct sigaction stop_before {};

void remember(int number) {
  const int saved = errno;
  if (number == SIGWINCH) resized = true;
  if (number == SIGTSTP) stop_asked = true;
  if (number == SIGCONT) continued = true;
  [[maybe_unused]] const auto written = write(ends[1], "", 1);
  errno = saved;
}

void handle(int number, void (*handler)(int), struct sigaction* before = nullptr) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, before);
}

}  // namespace

TerminalSignals::TerminalSignals() {
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    throw Failure(status_environment, std::string("no pipe: ") + std::strerror(errno));
  }
  handle(SIGWINCH, remember);
  handle(SIGCONT, remember);
  handle(SIGTSTP, remember, &stop_before);
  if (stop_before.sa_handler == SIG_IGN) sigaction(SIGTSTP, &stop_before, nullptr);
}

TerminalSignals::~TerminalSignals() {
  handle(SIGWINCH, SIG_DFL);
  handle(SIGCONT, SIG_DFL);
  sigaction(SIGTSTP, &stop_before, nullptr);
  for (int& end : ends) close(std::exchange(end, -1));
}

int TerminalSignals::event() const { return ends[0]; }

TerminalSignals::Happened TerminalSignals::take() {
  std::array<char, 64> ignored;
  while (read(ends[0], ignored.data(), ignored.size()) > 0) {
  }
  return {resized.exchange(false), stop_asked.exchange(false), continued.exchange(false)};
}

void TerminalSignals::stop_here() {
  if (stop_before.sa_handler == SIG_IGN) return;
  handle(SIGTSTP, SIG_DFL);
  // The whole group, as the terminal would: the program that started us waits for it.
  kill(0, SIGTSTP);
  handle(SIGTSTP, remember);
}

}  // namespace warpwise::tutor::watch
