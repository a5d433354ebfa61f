#include "tutor/command.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {

int isa_command(const Context& context) {
  const std::string program = "simulator/conformance";
  context.make(context, {program});
  return run_attached(
             {.words = {(context.build / program).string(), "isa",
                        (context.root / "common/verification/recorded/conformance").string()},
              .limit = {}})
      .status;
}

}  // namespace warpwise::tutor
