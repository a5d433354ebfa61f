#include "base/lean_headers.h"

#include <algorithm>

#include "base/frame.h"

namespace warpwise::base {

void leave_headers_out(std::vector<std::string>& command, std::string_view source) {
  if (std::find(command.begin(), command.end(), "-fatbin") == command.end()) return;
  const std::vector<std::string_view> tokens = lesson::tokens_of(source);
  const bool may_use_them = std::any_of(tokens.begin(), tokens.end(), [](std::string_view token) {
    return token == "std" || token == "include";
  });
  if (!may_use_them) command.emplace_back("-D_GLIBCXX_BITS_SPECFUN_H=1");
}

}  // namespace warpwise::base
