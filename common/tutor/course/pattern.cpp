#include "tutor/course/pattern.h"

#include <stdexcept>

namespace warpwise::tutor {

Pattern::Pattern(const char* expression) {
  if (regcomp(&compiled_, expression, REG_EXTENDED) != 0)
    throw std::logic_error(std::string("no regular expression: ") + expression);
}

Pattern::~Pattern() { regfree(&compiled_); }

std::optional<Pattern::Found> Pattern::in(const std::string& text) const {
  std::vector<regmatch_t> places(compiled_.re_nsub + 1);
  if (regexec(&compiled_, text.c_str(), places.size(), places.data(), 0) != 0) return std::nullopt;
  Found found;
  for (const regmatch_t& place : places) {
    const auto begin = static_cast<std::size_t>(place.rm_so);
    found.groups.push_back(
        place.rm_so < 0 ? "" : text.substr(begin, static_cast<std::size_t>(place.rm_eo) - begin));
  }
  found.before = text.substr(0, static_cast<std::size_t>(places[0].rm_so));
  found.after = text.substr(static_cast<std::size_t>(places[0].rm_eo));
  return found;
}

}  // namespace warpwise::tutor
