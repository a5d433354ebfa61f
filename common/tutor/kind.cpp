#include "tutor/kind.h"

#include <fmt/format.h>

#include <sstream>

#include "tutor/files.h"

namespace warpwise::tutor {

std::string kind_of(const Exercise& exercise) {
  std::error_code ignored;
  if (!std::filesystem::exists(exercise.check, ignored)) return "exercise";
  std::istringstream check(read_text(exercise.check));
  for (std::string line; std::getline(check, line);) {
    for (const char* kind : {"exercise", "program", "arithmetic"}) {
      if (line == fmt::format("#include \"lesson/{}.h\"", kind)) return kind;
    }
  }
  return "exercise";
}

std::filesystem::path image_flags_file(const Context& context, const std::string& kind) {
  return context.build / "image_flags" / (kind + ".txt");
}

std::vector<std::string> image_flags(const Context& context, const std::string& kind) {
  std::istringstream lines(read_file(image_flags_file(context, kind)));
  std::vector<std::string> flags;
  for (std::string flag; std::getline(lines, flag);) flags.push_back(flag);
  return flags;
}

}  // namespace warpwise::tutor
