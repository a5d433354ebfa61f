#include "base/lean_headers.h"

#include <algorithm>

#include "base/frame.h"

namespace warpwise::base {

std::vector<std::string> lean_header_flags(std::string_view source) {
  const std::vector<std::string_view> tokens = lesson::tokens_of(source);
  const bool may_use_them = std::any_of(tokens.begin(), tokens.end(), [](std::string_view token) {
    return token == "std" || token == "include";
  });
  return may_use_them ? std::vector<std::string>{}
                      : std::vector<std::string>{"-D_GLIBCXX_BITS_SPECFUN_H=1"};
}

}  // namespace warpwise::base
