#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

/// \defgroup models Models
/// Readers of llm.c's files: checkpoints, tokenizers, debug states; and of a vision transformer.

/// \file
/// What the formats share: 256 ints in front, of which the first two say what follows.
/// \ingroup models
namespace warpwise::models {

inline constexpr std::size_t header_ints = 256;
inline constexpr std::size_t header_bytes = header_ints * sizeof(std::int32_t);

/// The first number of a file.
enum class Magic : std::int32_t {
  checkpoint = 20240326,
  debug_state = 20240327,
  tokenizer = 20240328,
  image_model = 20261128,  ///< the course's own: a vision transformer.
  image_test = 20261129    ///< images for it, with the right scores.
};

/// A file in memory.
class ModelFile {
 public:
  /// Reads the whole file.
  /// @throws std::runtime_error with one line: the file, what was found, what was expected.
  ModelFile(const std::string& file, Magic magic);

  std::int32_t header(std::size_t i) const { return header_[i]; }
  /// The bytes after the header.
  std::string_view body() const { return std::string_view(bytes_).substr(header_bytes); }
  /// @throws std::runtime_error "FILE: `what`".
  [[noreturn]] void refuse(const std::string& what) const;
  /// Refuses a body of another length: "truncated" or "trailing bytes".
  void expect_body(std::uint64_t bytes) const;

 private:
  std::string name_, bytes_;
  std::array<std::int32_t, header_ints> header_{};
};

}  // namespace warpwise::models
