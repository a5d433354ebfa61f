#include "base/lean_headers.h"

#include <algorithm>
#include <array>

#include "base/frame.h"

namespace warpwise::base {

namespace {

using Tokens = std::vector<std::string_view>;

// Headers that include no more of the C++ library than nvcc does by itself.
constexpr std::array<std::string_view, 24> plain_headers{
    "assert.h",    "cassert",     "cfloat",          "climits",        "cmath",
    "cstddef",     "cstdint",     "cstdio",          "cstdlib",        "cstring",
    "cuda_bf16.h", "cuda_fp16.h", "cuda_pipeline.h", "cuda_runtime.h", "cuda_runtime_api.h",
    "limits.h",    "math.h",      "mma.h",           "stddef.h",       "stdint.h",
    "stdio.h",     "string.h",    "type_traits",     "utility"};

// What of the namespace std those headers declare themselves.
constexpr std::array<std::string_view, 17> plain_names{
    "abort",   "calloc", "exit",   "fflush",  "fprintf", "free",   "malloc", "memcmp", "memcpy",
    "memmove", "memset", "printf", "putchar", "puts",    "size_t", "strcmp", "strlen"};

template <std::size_t size>
bool holds(const std::array<std::string_view, size>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Whether an `#include` is of a plain header; `at` is the token behind that word.
bool includes_plain(const Tokens& tokens, std::size_t at) {
  if (at >= tokens.size() || tokens[at] != "<") return false;
  std::string name;
  for (++at; at < tokens.size() && tokens[at] != ">"; ++at) name += tokens[at];
  return holds(plain_headers, name);
}

// Whether a `std` is that of a plain name, `std::printf`; `at` is the token behind it.
bool names_plain(const Tokens& tokens, std::size_t at) {
  return at + 2 < tokens.size() && tokens[at] == ":" && tokens[at + 1] == ":" &&
         holds(plain_names, tokens[at + 2]);
}

bool is_plain(std::string_view source) {
  const Tokens tokens = lesson::tokens_of(source);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    // Other words for it, of GCC alone.
    if (tokens[i] == "import" || tokens[i] == "include_next") return false;
    if (tokens[i] == "std" && !names_plain(tokens, i + 1)) return false;
    if (tokens[i] == "include" && !includes_plain(tokens, i + 1)) return false;
  }
  return true;
}

}  // namespace

void leave_headers_out(std::vector<std::string>& command, std::string_view source) {
  if (is_plain(source)) command.emplace_back("-D_GLIBCXX_BITS_SPECFUN_H=1");
}

}  // namespace warpwise::base
