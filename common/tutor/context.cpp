#include "tutor/context.h"

#include <fmt/format.h>

#include <sstream>

#include "tutor/build.h"
#include "tutor/files.h"

namespace warpwise::tutor {

Context this_context() {
  Context context{WARPWISE_SOURCE_DIR, WARPWISE_BUILD_DIR, WARPWISE_NVCC, {}, make_targets};
  // Written when the build folder is configured.
  std::istringstream flags(read_file(context.build / "code_flags.txt"));
  for (std::string flag; flags >> flag;) context.code_flags.push_back(flag);
  return context;
}

void Context::say(const std::string& line) const {
  if (on_progress) {
    on_progress(line);
  } else {
    fmt::print(stderr, "learn: {}\n", line);
  }
}

}  // namespace warpwise::tutor
