#include "tutor/live/pseudo_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <regex>

namespace warpwise::tutor::watch::test {
namespace {

void say(const std::string& text) {
  [[maybe_unused]] const auto written = write(STDOUT_FILENO, text.data(), text.size());
}

std::string modes() {
  termios now{};
  tcgetattr(STDIN_FILENO, &now);
  const tcflag_t all = ECHO | ICANON | ISIG;
  return (now.c_lflag & all) == all ? "cooked" : "raw";
}

// Does what a shell does for one job: the foreground, Ctrl-Z, and any line as "fg".
[[noreturn]] void be_shell(const std::function<int()>& program, int tell) {
  std::signal(SIGTTOU, SIG_IGN);
  std::signal(SIGTSTP, SIG_IGN);
  const pid_t job = fork();
  if (job == 0) {
    setpgid(0, 0);
    tcsetpgrp(STDIN_FILENO, getpid());
    std::signal(SIGTTOU, SIG_DFL);
    std::signal(SIGTSTP, SIG_DFL);
    _exit(program());
  }
  setpgid(job, job);
  [[maybe_unused]] const auto told = write(tell, &job, sizeof job);
  close(tell);
  for (;;) {
    int status = 0;
    waitpid(job, &status, WUNTRACED);
    tcsetpgrp(STDIN_FILENO, getpgrp());
    if (!WIFSTOPPED(status)) {
      const int number = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      say("[exit " + std::to_string(number) + ", " + modes() + "]");
      _exit(0);
    }
    say("[stopped, " + modes() + "]");
    char byte = 0;
    while (read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n') {
    }
    tcsetpgrp(STDIN_FILENO, job);
    kill(-job, SIGCONT);
  }
}

}  // namespace

PseudoTerminal::PseudoTerminal(int columns, int rows, const std::function<int()>& program) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = static_cast<unsigned short>(rows);
  std::array<int, 2> number{-1, -1};
  [[maybe_unused]] const int piped = pipe2(number.data(), O_CLOEXEC);
  shell_ = forkpty(&master_, nullptr, nullptr, &size);
  if (shell_ == 0) be_shell(program, number[1]);
  [[maybe_unused]] const auto got = read(number[0], &program_, sizeof program_);
  for (const int end : number) close(end);
  fcntl(master_, F_SETFD, FD_CLOEXEC);
}

PseudoTerminal::~PseudoTerminal() {
  // As long as the shell is there, no other process can have the number of its job.
  if (shell_ > 0 && waitpid(shell_, nullptr, WNOHANG) == 0) {
    if (program_ > 0) kill(program_, SIGKILL);
    hang_up();
    kill(shell_, SIGKILL);
    waitpid(shell_, nullptr, 0);
  }
  hang_up();
}

void PseudoTerminal::type(const std::string& keys) const {
  [[maybe_unused]] const auto written = write(master_, keys.data(), keys.size());
}

void PseudoTerminal::resize(int columns, int rows) const {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = static_cast<unsigned short>(rows);
  ioctl(master_, TIOCSWINSZ, &size);
}

void PseudoTerminal::signal(int number) const {
  if (program_ > 0) kill(program_, number);
}

void PseudoTerminal::hang_up() {
  if (master_ >= 0) close(master_);
  master_ = -1;
}

bool PseudoTerminal::read_some() {
  std::array<char, 65536> buffer;
  pollfd ready{master_, POLLIN, 0};
  if (poll(&ready, 1, 100) <= 0) return true;
  const ssize_t got = read(master_, buffer.data(), buffer.size());
  if (got <= 0) return false;
  all_.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

bool PseudoTerminal::read_until(const std::function<bool()>& found) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!found()) {
    if (std::chrono::steady_clock::now() > end || !read_some()) return found();
  }
  return true;
}

std::string PseudoTerminal::picture() const {
  // Only whole pictures: they end with clearing what is below.
  const auto end = all_.rfind("\x1b[J");
  if (end == std::string::npos) return {};
  const auto begin = all_.rfind("\x1b[H", end);
  const std::string text = all_.substr(begin, end - begin);
  static const std::regex codes("\x1b\\[[0-9;]*[A-Za-z]|\r");
  return std::regex_replace(text, codes, "");
}

bool PseudoTerminal::shows(const std::string& text) {
  return read_until([&] { return picture().find(text) != std::string::npos; });
}

bool PseudoTerminal::says(const std::string& text) {
  return read_until([&] {
    const auto at = all_.find(text, said_);
    if (at != std::string::npos) said_ = at + text.size();
    return at != std::string::npos;
  });
}

}  // namespace warpwise::tutor::watch::test
