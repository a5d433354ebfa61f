#include "simulator/cudart/report/console.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>

#include "simulator/cudart/device/settings.h"

namespace warpwise::cudart {
namespace {

void write_all(const char* text, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = write(STDERR_FILENO, text, bytes);
    if (written <= 0) return;
    text += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

}  // namespace

void say(std::string_view text) {
  std::array<char, 4096> line;
  if (text.size() < line.size()) {
    std::copy(text.begin(), text.end(), line.begin());
    line[text.size()] = '\n';
    write_all(line.data(), text.size() + 1);
  } else {
    const std::string whole = std::string(text) + "\n";
    write_all(whole.data(), whole.size());
  }
}

void explain(std::string_view text) {
  if (!settings().quiet) say(text);
}

void flush_standard_output() {
  // Another thread may hold the stream and never release it, because it waits for this one.
  if (ftrylockfile(stdout) != 0) return;
  fflush_unlocked(stdout);
  funlockfile(stdout);
}

void stop(std::string_view text) {
  flush_standard_output();
  say(text);
  constexpr int environment_status = 3;
  _exit(environment_status);
}

}  // namespace warpwise::cudart
