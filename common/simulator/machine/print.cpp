#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "simulator/machine/worker.h"

namespace warpwise::machine {
namespace {

/// One conversion of a format string: "%-8.3f".
struct Conversion {
  std::string text;  ///< with the length modifiers of what the value is passed as here
  char letter = 0;
  bool is_wide = false;  ///< an integer of 8 bytes

  bool is_one_of(std::string_view letters) const { return letters.find(letter) != letters.npos; }
};

/// Reads the conversion that starts at `at` (just behind the percent sign) and moves past it.
Conversion read_conversion(const std::string& format, std::size_t& at) {
  auto take = [&](std::string_view letters) {
    std::size_t end = std::min(format.find_first_not_of(letters, at), format.size());
    std::string taken = format.substr(at, end - at);
    at = end;
    return taken;
  };
  Conversion result;
  result.text = "%" + take("-+ #0123456789.*");
  std::string length = take("hlLzjt");
  if (at < format.size()) result.letter = format[at++];
  if (result.is_one_of("diuoxX")) {
    result.is_wide = length.find_first_of("lLzjt") != length.npos;
    result.text += result.is_wide ? "ll" : length;
  }
  if (result.letter) result.text += result.letter;
  return result;
}

template <class T>
std::string formatted(const std::string& format, T value) {
  int length = std::snprintf(nullptr, 0, format.c_str(), value);
  std::string text(
      std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0, length)), 0, most_output_bytes),
      ' ');
  std::snprintf(text.data(), text.size() + 1, format.c_str(), value);
  return text;
}

}  // namespace

const std::byte* Worker::readable(std::uint64_t address, unsigned lane, std::uint64_t bytes) {
  if (address >= code::parameter_window) {
    std::uint64_t offset = address - code::parameter_window;
    const std::vector<std::byte>& parameters = grid_.launch.parameters;
    return offset + bytes > parameters.size() ? nullptr : parameters.data() + offset;
  }
  if (address >= code::local_window) {
    std::uint64_t offset = address - code::local_window;
    return offset + bytes > warp_->frame().top ? nullptr : warp_->local(lane, offset);
  }
  if (address >= code::shared_window) {
    std::uint64_t offset = address - code::shared_window - code::shared_base;
    if (offset + bytes > grid_.shared_bytes || offset > grid_.shared_bytes) return nullptr;
    return block_->shared.data() + offset;
  }
  deferred_adds_.write();
  const memory::Allocation* allocation = grid_.memory.find(address);
  if (!allocation || address + bytes > allocation->end()) return nullptr;
  return grid_.memory.host(address);
}

std::string Worker::device_string(std::uint64_t address, unsigned lane) {
  if (address == 0) return "(null)";
  std::string text;
  while (const std::byte* at = readable(address + text.size(), lane, 1)) {
    if (*at == std::byte{0} || text.size() > most_output_bytes) break;
    text += static_cast<char>(*at);
  }
  return text;
}

/// What one lane prints. @param[out] count of the arguments that were used.
std::string Worker::printed(const std::string& format, std::uint64_t arguments, unsigned lane,
                            std::int32_t& count) {
  auto next = [&](auto value) {
    arguments = (arguments + sizeof value - 1) / sizeof value * sizeof value;
    if (const std::byte* from = readable(arguments, lane, sizeof value))
      std::memcpy(&value, from, sizeof value);
    arguments += sizeof value;
    ++count;
    return value;
  };
  std::string text;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      text += format[at++];
      continue;
    }
    Conversion c = read_conversion(format, ++at);
    while (c.text.find('*') != c.text.npos)
      c.text.replace(c.text.find('*'), 1, std::to_string(next(std::int32_t{})));
    if (c.letter == '%')
      text += '%';
    else if (c.letter == 's')
      text += formatted(c.text, device_string(next(std::uint64_t{}), lane).c_str());
    else if (c.letter == 'p')
      text += formatted(c.text, reinterpret_cast<void*>(next(std::uint64_t{})));
    else if (c.is_one_of("aAeEfFgG"))
      text += formatted(c.text, next(double{}));
    else if (c.is_wide)
      text += formatted(c.text, next(0ll));
    else if (c.is_one_of("diuoxXc"))
      text += formatted(c.text, next(std::int32_t{}));
    else
      text += c.text;
  }
  return text;
}

void Worker::print(const code::Instruction& instruction, std::uint32_t mask) {
  const auto* formats = reinterpret_cast<const std::uint64_t*>(warp_->slot(instruction.s[0]));
  const auto* arguments = reinterpret_cast<const std::uint64_t*>(warp_->slot(instruction.s[1]));
  auto* results = reinterpret_cast<std::int32_t*>(warp_->slot(instruction.d));
  for (; mask; mask &= mask - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(mask));
    results[lane] = 0;
    std::string text =
        printed(device_string(formats[lane], lane), arguments[lane], lane, results[lane]);
    // What this worker printed fills the buffer alone: the launch has no use for more.
    if (output_bytes_ >= most_output_bytes) continue;
    output_bytes_ += text.size();
    // Blocks that take turns print as they go, others as if they had run one after another.
    output_[grid_.resident_clusters > 1 ? 0 : block_->index] += text;
  }
}

void Worker::assert_fail(const code::Instruction& instruction, std::uint32_t mask) {
  auto lane = static_cast<unsigned>(std::countr_zero(mask));
  auto value = [&](int i) {
    return reinterpret_cast<const std::uint64_t*>(warp_->slot(instruction.s[i]))[lane];
  };
  watch::Finding found =
      finding("assert",
              fmt::format("thread {}: the assertion `{}` failed.",
                          thread_text(warp_index_ * 32 + lane), device_string(value(0), lane)),
              lane);
  found.count = std::popcount(mask);
  fault(std::move(found));
}

}  // namespace warpwise::machine
