#include "tutor/command.h"
#include "tutor/process.h"

namespace warpwise::tutor {

int isa_command(const Context& context) {
  const std::string program = "simulator/conformance";
  context.make(context, {program});
  return run_attached({.words = {(context.build / program).string(), "isa",
                                 (context.root / "docs/results/conformance").string()},
                       .limit = {}})
      .status;
}

}  // namespace warpwise::tutor
