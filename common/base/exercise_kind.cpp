#include "base/exercise_kind.h"

#include <sstream>

namespace warpwise::base {

std::string exercise_kind(std::string_view check) {
  constexpr std::string_view begin = "#include \"check/";
  constexpr std::string_view end = ".h\"";
  std::istringstream lines{std::string(check)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(begin)) continue;
    const std::size_t stop = line.find(end, begin.size());
    const std::string header = line.substr(begin.size(), stop - begin.size());
    // WARPWISE_KINDS: the names that the build has flags for, each with a blank on both sides.
    if (std::string_view(WARPWISE_KINDS).find(" " + header + " ") != std::string_view::npos) {
      return header;
    }
  }
  return "exercise";
}

}  // namespace warpwise::base
