#include "tutor/doctor.h"

#include "tutor/system/process.h"

namespace warpwise::tutor {

void doctor_command(const Context& context, bool json) {
  std::vector<std::string> words{(context.root / "learn").string(), "doctor"};
  if (json) words.emplace_back("--json");
  become(words);
}

}  // namespace warpwise::tutor
