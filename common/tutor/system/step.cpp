#include "tutor/system/step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "tutor/system/failure.h"

namespace warpwise::tutor {

std::string run_with_progress(const Context& context, Command command) {
  constexpr std::string_view mark = "progress: ";
  std::string rest, line;
  command.cancel = context.cancel;
  command.on_output = [&](std::string_view text) {
    for (const char c : text) {
      line += c;
      if (c != '\n') continue;
      if (line.starts_with(mark)) {
        context.say(line.substr(mark.size(), line.size() - mark.size() - 1));
      } else {
        rest += line;
      }
      line.clear();
    }
  };
  const Outcome outcome = run_captured(command);
  rest += line;
  if (outcome.timed_out) {
    throw Failure(status_wrong, fmt::format("not done after {} s: {}", command.limit.count() / 1000,
                                            fmt::join(command.words, " ")));
  }
  if (outcome.status != 0) throw Failure(status_wrong, rest);
  return rest;
}

}  // namespace warpwise::tutor
