#include "base/octal_name.h"

#include <algorithm>

namespace warpwise::base {

std::string from_octal_name(std::string_view written) {
  const auto is_octal = [](char digit) { return digit >= '0' && digit <= '7'; };
  std::string name;
  for (std::size_t at = 0; at < written.size(); ++at) {
    const std::string_view code = written.substr(at, 4);
    if (code.size() == 4 && code[0] == '\\' &&
        std::all_of(code.begin() + 1, code.end(), is_octal)) {
      name += static_cast<char>((code[1] - '0') * 64 + (code[2] - '0') * 8 + (code[3] - '0'));
      at += 3;
    } else {
      name += written[at];
    }
  }
  return name;
}

}  // namespace warpwise::base
