#include "tutor/system/this_context.h"

#include <sstream>

#include "tutor/system/build.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

Context this_context() {
  Context context{WARPWISE_SOURCE_DIR, WARPWISE_BUILD_DIR, WARPWISE_NVCC, {}, make_targets};
  // Written when the build folder is configured.
  std::istringstream flags(read_file(context.build / "code_flags.txt"));
  for (std::string flag; flags >> flag;) context.code_flags.push_back(flag);
  return context;
}

}  // namespace warpwise::tutor
