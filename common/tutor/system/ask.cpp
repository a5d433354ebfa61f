#include "tutor/system/ask.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "tutor/system/interrupt.h"

namespace warpwise::tutor {

bool can_ask() { return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0; }

std::optional<std::string> read_line() {
  std::array<pollfd, 2> sources{{{STDIN_FILENO, POLLIN, 0}, {stop_event(), POLLIN, 0}}};
  std::string line;
  while (true) {
    while (poll(sources.data(), sources.size(), -1) < 0 || (sources[0].revents == 0)) {
      throw_if_interrupted();
    }
    char c = '\0';
    // One character at a time: what follows the line belongs to the next reader.
    if (read(STDIN_FILENO, &c, 1) != 1) break;
    if (c == '\n') return line;
    line += c;
  }
  return line.empty() ? std::nullopt : std::optional(line);
}

bool ask(const std::string& question) {
  fmt::print("{} [y/N] ", question);
  std::fflush(stdout);
  const std::string line = read_line().value_or("");
  const auto first = std::min(line.find_first_not_of(' '), line.size());
  return first < line.size() && (line[first] == 'y' || line[first] == 'Y');
}

}  // namespace warpwise::tutor
