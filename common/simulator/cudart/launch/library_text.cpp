#include "simulator/cudart/launch/library_text.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "simulator/cudart/report/error.h"

namespace warpwise::cudart {
namespace {

/// The text after white space and comments.
std::string_view first_token(std::string_view text) {
  while (!text.empty()) {
    if (std::isspace(static_cast<unsigned char>(text.front())) != 0) {
      text.remove_prefix(1);
      continue;
    }
    const std::string_view end = text.starts_with("//") ? "\n" : text.starts_with("/*") ? "*/" : "";
    if (end.empty()) break;
    const std::size_t at = text.find(end, 2);
    text = at == text.npos ? "" : text.substr(at + end.size());
  }
  return text;
}

/// "8.3" is 83.
unsigned number_of(std::string_view text, char separator) {
  unsigned number = 0;
  for (const char c : text) {
    if (c == separator) continue;
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 || number > 100000) break;
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  return number;
}

/// The text after a directive, without the white space between.
std::string_view behind(std::string_view text, std::string_view directive) {
  const std::size_t at = text.find(directive);
  return at == text.npos ? "" : first_token(text.substr(at + directive.size()));
}

/// The first version of PTX that knows an architecture.
unsigned version_for(unsigned architecture) {
  struct Since {
    unsigned architecture, version;
  };
  constexpr std::array known = std::to_array<Since>(
      {{21, 23}, {30, 30}, {32, 40},  {35, 31},  {37, 41},  {50, 40},  {52, 41},
       {53, 42}, {62, 50}, {70, 60},  {72, 61},  {75, 63},  {80, 70},  {86, 71},
       {87, 74}, {90, 78}, {100, 86}, {101, 86}, {103, 88}, {120, 87}, {999, 88}});
  const auto entry = std::find_if(known.begin(), known.end(), [&](const Since& since) {
    return architecture <= since.architecture;
  });
  return entry == known.end() ? 0 : entry->version;
}

[[noreturn]] void refuse_text(std::string why) {
  throw Failure{cudaErrorInvalidPtx, std::move(why)};
}

}  // namespace

unsigned target_of(std::string_view text) {
  const std::string_view target = behind(text, ".target");
  return target.starts_with("sm_") ? number_of(target.substr(3), '\0') : 0;
}

void check_head(std::string_view text, unsigned capability) {
  constexpr unsigned toolkit = CUDART_VERSION / 1000 * 10 - 40 + CUDART_VERSION % 1000 / 10;
  if (!first_token(text).starts_with(".version")) {
    throw Failure{cudaErrorInvalidKernelImage,
                  "the library is neither a fat binary nor PTX that begins with .version"};
  }
  const unsigned version = number_of(behind(text, ".version"), '.');
  if (version > toolkit) {
    throw Failure{cudaErrorUnsupportedPtxVersion,
                  fmt::format("the text is of PTX {}.{}, this toolkit knows {}.{}", version / 10,
                              version % 10, toolkit / 10, toolkit % 10)};
  }
  const unsigned target = target_of(text);
  if (target == 0) refuse_text("the text has no .target that names an architecture");
  if (target > capability)
    refuse_text(fmt::format("the text is for sm_{}, the device is sm_{}", target, capability));
  if (version < version_for(target))
    refuse_text(fmt::format("PTX {}.{} has no sm_{}", version / 10, version % 10, target));
  if (number_of(behind(text, ".address_size"), '\0') == 32) refuse_text("addresses have 64 bits");
}

}  // namespace warpwise::cudart
