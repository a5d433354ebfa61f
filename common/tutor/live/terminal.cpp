#include "tutor/live/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "tutor/live/state.h"

namespace warpwise::tutor::watch {
namespace {

// Another screen, no cursor; and back.
constexpr std::string_view begin_sequence = "\x1b[?1049h\x1b[?25l\x1b[2J";
constexpr std::string_view end_sequence = "\x1b[?25h\x1b[?1049l";

termios found;  // the modes before.
std::atomic<bool> taken{false};

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return;
    pollfd ready{STDOUT_FILENO, POLLOUT, 0};
    if (poll(&ready, 1, 1000) <= 0) return;
  }
}

// Only what is allowed in a signal handler.
void restore() {
  if (!taken.exchange(false)) return;
  write_all(end_sequence);
  tcsetattr(STDIN_FILENO, TCSADRAIN, &found);
}

void restore_and_die(int number) {
  restore();
  // The handler is gone by then (SA_RESETHAND): the program ends as it would have.
  raise(number);
}

void restore_when_crashing() {
  struct sigaction action {};
  action.sa_handler = restore_and_die;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT}) {
    sigaction(number, &action, nullptr);
  }
}

// A sequence that begins with ESC [ or ESC O. @return its length; 0 when it is not all there.
std::size_t parse_sequence(std::string_view bytes, std::vector<int>& keys) {
  std::size_t end = 2;
  while (end < bytes.size() && (bytes[end] < 0x40 || bytes[end] > 0x7e)) ++end;
  if (end >= bytes.size()) return bytes.size();
  const std::string_view body = bytes.substr(2, end - 2);
  switch (bytes[end]) {
    case 'A':
      keys.push_back(key_up);
      break;
    case 'B':
      keys.push_back(key_down);
      break;
    case 'H':
      keys.push_back(key_home);
      break;
    case 'F':
      keys.push_back(key_end);
      break;
    case '~':
      if (body == "5") keys.push_back(key_page_up);
      if (body == "6") keys.push_back(key_page_down);
      if (body == "1" || body == "7") keys.push_back(key_home);
      if (body == "4" || body == "8") keys.push_back(key_end);
      break;
    default:
      break;
  }
  return end + 1;
}

}  // namespace

bool Terminal::present() {
  const char* name = std::getenv("TERM");
  return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && name != nullptr &&
         std::string_view(name) != "dumb" && *name != '\0';
}

Terminal::Terminal() {
  tcgetattr(STDIN_FILENO, &found);
  std::atexit(restore);
  restore_when_crashing();
  take();
}

Terminal::~Terminal() { restore(); }

void Terminal::take() {
  termios raw = found;
  // Output stays as it is, so that a newline is one everywhere.
  raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | ISIG | IEXTEN);
  raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  taken = true;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  write_all(begin_sequence);
}

void Terminal::give_back() { restore(); }

Terminal::Size Terminal::size() {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0) {
    return {80, 24};
  }
  return {window.ws_col, window.ws_row};
}

void Terminal::write(std::string_view text) { write_all(text); }

bool Terminal::read_keys(std::vector<int>& keys) {
  std::array<char, 1024> buffer;
  const ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  keys = keys_of({buffer.data(), static_cast<std::size_t>(got)});
  return got > 0;
}

std::vector<int> keys_of(std::string_view bytes) {
  std::vector<int> keys;
  while (!bytes.empty()) {
    std::size_t size = 1;
    const bool sequence = bytes.size() > 1 && (bytes[1] == '[' || bytes[1] == 'O');
    if (bytes[0] == '\x1b' && sequence) {
      size = parse_sequence(bytes, keys);
    } else {
      keys.push_back(static_cast<unsigned char>(bytes[0]));
    }
    bytes.remove_prefix(size);
  }
  return keys;
}

}  // namespace warpwise::tutor::watch
