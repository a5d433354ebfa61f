#include "tutor/system/context.h"

#include <fmt/format.h>

namespace warpwise::tutor {

void Context::say(const std::string& line) const {
  if (on_progress) {
    on_progress(line);
  } else {
    fmt::print(stderr, "learn: {}\n", line);
  }
}

}  // namespace warpwise::tutor
