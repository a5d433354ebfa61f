#pragma once
// For tests only: texts that are to have a part.

#include <string>

namespace warpwise::tutor::test {

/// Whether a text has this part somewhere.
inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace warpwise::tutor::test
