#pragma once
#include <exception>
#include <string>
#include <utility>

namespace warpwise::image {

/// One sentence for the user: what is wrong with the bytes, where, and what to do next.
struct ImageError : std::exception {
  explicit ImageError(std::string text) : message(std::move(text)) {}
  const char* what() const noexcept override { return message.c_str(); }
  std::string message;
};

}  // namespace warpwise::image
