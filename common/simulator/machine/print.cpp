#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <cstring>

#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

/// The real runtime keeps 1 MiB of printf output between two synchronisations.
constexpr std::uint64_t most_output_bytes = 1 << 20;

/// One conversion of a format string: "%-8.3f".
struct Conversion {
  std::string text;    ///< with length modifiers replaced by what the value is passed as here
  char letter = 0;
  bool is_wide = false;  ///< 8 bytes
};

/// Reads the conversion that starts at `at` (just behind the percent sign) and moves past it.
Conversion read_conversion(const std::string& format, std::size_t& at) {
  Conversion result;
  result.text = "%";
  while (at < format.size() && std::strchr("-+ #0123456789.*", format[at])) result.text += format[at++];
  int longs = 0;
  while (at < format.size() && std::strchr("hlLzjt", format[at])) longs += std::strchr("lLzjt", format[at++]) != nullptr;
  result.letter = at < format.size() ? format[at++] : '\0';
  bool is_integer = std::strchr("diuoxX", result.letter) != nullptr;
  result.is_wide = !is_integer ? result.letter != 'c' : longs > 0;
  if (is_integer && result.is_wide) result.text += "ll";
  if (result.letter) result.text += result.letter;
  return result;
}

template <class T>
std::string formatted(const std::string& format, T value) {
  char buffer[512];
  int length = std::snprintf(buffer, sizeof buffer, format.c_str(), value);
  return std::string(buffer, std::min<std::size_t>(static_cast<std::size_t>(std::max(0, length)), sizeof buffer - 1));
}

}  // namespace

const std::byte* Worker::readable(std::uint64_t address, unsigned lane, std::uint64_t bytes) {
  if (address >= code::local_window) {
    std::uint64_t offset = address - code::local_window;
    if (offset + bytes > program_.local_bytes) return nullptr;
    return warp_->local.get() + std::size_t{lane} * program_.local_bytes + offset;
  }
  const memory::Allocation* allocation = grid_.memory.find(address);
  if (!allocation || address + bytes > allocation->end()) return nullptr;
  return grid_.memory.host(address);
}

std::string Worker::device_string(std::uint64_t address) {
  std::string text;
  while (const std::byte* at = readable(address + text.size(), 0, 1)) {
    if (*at == std::byte{0} || text.size() > 4096) break;
    text += static_cast<char>(*at);
  }
  return text;
}

void Worker::print(const code::Instruction& instruction, std::uint32_t mask) {
  const auto* formats = reinterpret_cast<const std::uint64_t*>(warp_->slot(instruction.s[0]));
  const auto* arguments = reinterpret_cast<const std::uint64_t*>(warp_->slot(instruction.s[1]));
  auto* results = reinterpret_cast<std::int32_t*>(warp_->slot(instruction.d));
  for (; mask; mask &= mask - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(mask));
    std::string format = device_string(formats[lane]), text;
    std::uint64_t at_argument = arguments[lane];
    std::int32_t count = 0;
    auto next = [&](auto value) {
      at_argument = (at_argument + sizeof value - 1) / sizeof value * sizeof value;
      if (const std::byte* from = readable(at_argument, lane, sizeof value)) std::memcpy(&value, from, sizeof value);
      at_argument += sizeof value;
      ++count;
      return value;
    };
    for (std::size_t at = 0; at < format.size();) {
      if (format[at] != '%') {
        text += format[at++];
        continue;
      }
      Conversion conversion = read_conversion(format, ++at);
      while (conversion.text.find('*') != std::string::npos)
        conversion.text.replace(conversion.text.find('*'), 1, std::to_string(next(std::int32_t{})));
      if (conversion.letter == '%') text += '%';
      else if (conversion.letter == 's') text += formatted(conversion.text, device_string(next(std::uint64_t{})).c_str());
      else if (conversion.letter == 'p') text += fmt::format("0x{:x}", next(std::uint64_t{}));
      else if (conversion.letter && std::strchr("aAeEfFgG", conversion.letter)) text += formatted(conversion.text, next(double{}));
      else if (conversion.letter && std::strchr("diuoxXc", conversion.letter))
        text += conversion.is_wide ? formatted(conversion.text, next(std::int64_t{}) + 0ll) : formatted(conversion.text, next(std::int32_t{}));
      else text += conversion.text;
    }
    results[lane] = count;
    if (output_bytes_ + text.size() > most_output_bytes) continue;
    output_bytes_ += text.size();
    output_[block_] += text;
  }
}

void Worker::assert_fail(const code::Instruction& instruction, std::uint32_t mask) {
  auto lane = static_cast<unsigned>(std::countr_zero(mask));
  auto value = [&](int i) { return reinterpret_cast<const std::uint64_t*>(warp_->slot(instruction.s[i]))[lane]; };
  watch::Finding found = finding("assert",
                                 fmt::format("thread {}: the assertion `{}` failed.",
                                             thread_text(warp_index_ * 32 + lane), device_string(value(0))),
                                 lane);
  found.count = std::popcount(mask);
  fault(std::move(found));
}

}  // namespace warpwise::machine
