#pragma once
#include <regex.h>

#include <optional>
#include <string>
#include <vector>

namespace warpwise::tutor {

/// A POSIX extended regular expression. The one of the standard library is templates, which take
/// seconds to compile wherever they are used.
class Pattern {
 public:
  explicit Pattern(const char* expression);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  struct Found {
    std::vector<std::string> groups;  ///< [0]: all of it; empty where a group took no part.
    std::string before, after;
  };
  /// The first place in `text` that the expression fits.
  std::optional<Found> in(const std::string& text) const;

 private:
  regex_t compiled_;
};

}  // namespace warpwise::tutor
