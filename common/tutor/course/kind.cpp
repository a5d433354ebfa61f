#include "tutor/course/kind.h"

#include <sstream>

#include "base/exercise_kind.h"
#include "base/frame.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {

std::string kind_of(const Exercise& exercise) {
  std::error_code ignored;
  if (!std::filesystem::exists(exercise.check, ignored)) return "exercise";
  return base::exercise_kind(read_text(exercise.check));
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

bool has_inline_function(std::string_view source) {
  int depth = 0;
  bool declares = false;  // the declaration that the tokens are in begins with one of the words.
  for (const std::string_view token : lesson::tokens_of(source)) {
    if (depth == 0 && declares && token == "(") return true;
    if (token == "{") ++depth;
    if (token == "}") --depth;
    if (token == "{" || token == ";" || token == "=") declares = false;
    if (depth == 0) declares |= token == "inline" || token == "constexpr";
  }
  return false;
}

}  // namespace warpwise::tutor
