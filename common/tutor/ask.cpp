#include "tutor/ask.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "tutor/interrupt.h"

namespace warpwise::tutor {

bool can_ask() { return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0; }

bool ask(const std::string& question) {
  fmt::print("{} [y/N] ", question);
  std::fflush(stdout);
  std::array<pollfd, 2> sources{{{STDIN_FILENO, POLLIN, 0}, {stop_event(), POLLIN, 0}}};
  while (poll(sources.data(), sources.size(), -1) < 0 || (sources[0].revents == 0)) {
    throw_if_interrupted();
  }
  char first = '\0';
  char c = '\0';
  // The terminal hands over a whole line.
  while (read(STDIN_FILENO, &c, 1) == 1 && c != '\n') {
    if (first == '\0' && c != ' ') first = c;
  }
  return first == 'y' || first == 'Y';
}

}  // namespace warpwise::tutor
