#include "simulator/machine/device_calls/printing.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string_view>

#include "simulator/machine/device_calls/print_format.h"

namespace warpwise::machine {
namespace {

constexpr std::size_t most_string_bytes = 1 << 20;  ///< of one argument

/// Says what to write instead of a conversion that a kernel's printf does not know.
std::string advice_for(std::string_view unknown) {
  if (unknown.find('n') != unknown.npos) return "Leave it out";
  if (unknown.find(".*") != unknown.npos) return "Write the precision's digits into the format";
  if (unknown.find("hh") != unknown.npos) return "Leave the hh out: the argument is an int";
  if (unknown.find('L') != unknown.npos && unknown.back() != 'd')
    return "Pass a double, without the L";
  const bool is_unsigned = unknown.find_last_of("uoxX") == unknown.size() - 1;
  if (unknown.find_last_of("diuoxX") == unknown.size() - 1)
    return fmt::format("Write %ll{0} and pass static_cast<{1}long long>(...)", unknown.back(),
                       is_unsigned ? "unsigned " : "");
  return "It knows c, s, p, d, i, u, o, x, a, e, f and g, with h, l or ll before an integer";
}

}  // namespace

const std::byte* Printing::readable(std::uint64_t address, unsigned lane, std::uint64_t bytes) {
  if (address >= code::parameter_window) {
    std::uint64_t offset = address - code::parameter_window;
    const std::vector<std::byte>& parameters = here_.grid_.launch.parameters;
    return offset + bytes > parameters.size() ? nullptr : parameters.data() + offset;
  }
  if (address >= code::local_window) {
    std::uint64_t offset =
        address - code::local_start(here_.block_->index, here_.warp_index_ * 32 + lane);
    return offset + bytes > here_.warp_->frame().top ? nullptr : here_.warp_->local(lane, offset);
  }
  if (address >= code::shared_window) {
    std::uint64_t offset = address - code::shared_window - code::shared_base;
    if (offset + bytes > here_.grid_.shared_bytes || offset > here_.grid_.shared_bytes)
      return nullptr;
    return here_.block_->shared.data() + offset;
  }
  here_.deferred_adds_.write();
  const memory::Allocation* allocation = here_.grid_.memory.find(address);
  if (!allocation || address + bytes > allocation->end()) return nullptr;
  if (!here_.grid_.memory.reaches(here_.grid_.device, *allocation)) return nullptr;
  return here_.grid_.memory.host(address);
}

/// Faults where there is nothing at the address.
/// @param must_end whether to report memory that ends before the string does.
std::string Printing::device_string(std::uint64_t address, unsigned lane, bool must_end) {
  if (!readable(address, lane, 1)) here_.report_unreadable(address, lane);
  std::string text;
  while (const std::byte* at = readable(address + text.size(), lane, 1)) {
    if (*at == std::byte{0} || text.size() > most_string_bytes) return text;
    text += static_cast<char>(*at);
  }
  if (must_end) report_endless(text.size(), lane);
  return text;
}

/// A GPU prints what comes after it, up to the next zero, and goes on.
void Printing::report_endless(std::size_t bytes, unsigned lane) {
  watch::Finding found = here_.finding("out-of-bounds", {}, lane);
  if (here_.diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} prints a string that has no end: none of the {} bytes from there to the end of "
      "its memory is zero. Also copy the zero after the text, or print so many characters, %.{}s.",
      here_.thread_text(here_.warp_index_ * 32 + lane), bytes, bytes);
  here_.diagnoses_.report(std::move(found));
}

/// The text of one lane.
/// @param arguments moves past those that are taken.
Printed Printing::printed(const std::string& format, std::uint64_t& arguments, unsigned lane) {
  PrintSource source;
  source.next = [&](unsigned bytes) {
    arguments = (arguments + bytes - 1) / bytes * bytes;
    std::uint64_t value = 0;
    if (const std::byte* from = readable(arguments, lane, bytes)) {
      std::memcpy(&value, from, bytes);
      uninitialized_.check_printed(arguments, lane, bytes);
    }
    arguments += bytes;
    return value;
  };
  source.text_at = [&](std::uint64_t address, bool is_cut) -> std::optional<std::string> {
    if (address == 0) return std::nullopt;
    return device_string(address, lane, !is_cut);
  };
  return print_text(format, source);
}

/// A number is printed that is not the one meant for it.
/// @param text_of what is wrong, where it is reported for the first time.
template <class TextOf>
void Printing::note(unsigned lane, TextOf text_of) {
  watch::Finding found = here_.finding("uninitialized", {}, lane);
  found.severity = watch::Severity::note;
  if (here_.diagnoses_.count_only(found)) return;
  found.message =
      fmt::format("thread {}: {}", here_.thread_text(here_.warp_index_ * 32 + lane), text_of());
  here_.diagnoses_.report(std::move(found));
}

/// A conversion that C has and a GPU does not is printed.
void Printing::note_unknown_conversion(const std::string& unknown, unsigned lane) {
  note(lane, [&] {
    return fmt::format(
        "printf in a kernel does not know {} and passes nothing for it. A GPU prints it unchanged, "
        "or prints a number that was never written, there or at the next conversion. {}.",
        unknown, advice_for(unknown));
  });
}

/// The bytes that the stores right before the call leave in the array that it passes, as far as
/// they are plain to see. Others may have left more.
std::uint64_t Printing::bytes_passed(std::uint64_t array, unsigned lane) const {
  const std::uint64_t own = code::local_start(here_.block_->index, here_.warp_index_ * 32 + lane);
  std::uint64_t bytes = 0;
  for (const code::Instruction* at = here_.current_ - 1;
       at->op != code::Op::enter && at->op != code::Op::print; --at) {
    if (at->op != code::Op::store) continue;
    const code::Access& access = here_.program_.accesses[at->access];
    const std::uint64_t start = here_.warp_->frame().base + access.local_array.offset;
    const bool is_argument = access.space == code::Space::local && access.base != code::no_slot &&
                             access.base_bytes == 8 && access.local_array.bytes > 0 &&
                             own + start == array;
    if (!is_argument) continue;
    const auto* base = reinterpret_cast<const std::uint64_t*>(here_.warp_->slot(access.base));
    const std::uint64_t end =
        base[lane] + static_cast<std::uint64_t>(access.offset) + access.bytes() - start;
    if (end <= access.local_array.bytes) bytes = std::max(bytes, end);
  }
  return bytes;
}

/// Arguments are left over: one is wider than its conversion, or there is one too many.
void Printing::note_more_passed(std::uint64_t passed, std::uint64_t taken, unsigned lane) {
  note(lane, [&] {
    return fmt::format(
        "the arguments of this printf have {} bytes, and its conversions take {}. For a long long "
        "or a size_t write %lld or %llu, and one conversion for each argument: %d takes an int and "
        "leaves the rest to those after it.",
        passed, taken);
  });
}

void Printing::print(const code::Instruction& instruction, std::uint32_t mask) {
  const auto* formats = reinterpret_cast<const std::uint64_t*>(here_.warp_->slot(instruction.s[0]));
  const auto* arguments =
      reinterpret_cast<const std::uint64_t*>(here_.warp_->slot(instruction.s[1]));
  auto* results = reinterpret_cast<std::int32_t*>(here_.warp_->slot(instruction.d));
  for (; mask; mask &= mask - 1) {
    auto lane = static_cast<unsigned>(std::countr_zero(mask));
    if (formats[lane] == 0) {
      results[lane] = -1;
      continue;
    }
    std::uint64_t next = arguments[lane];
    const Printed text = printed(device_string(formats[lane], lane), next, lane);
    results[lane] = text.arguments;
    if (!text.unknown.empty()) {
      note_unknown_conversion(text.unknown, lane);
    } else if (arguments[lane] != 0 && text.arguments < most_print_arguments) {
      const std::uint64_t taken = next - arguments[lane],
                          passed = bytes_passed(arguments[lane], lane);
      if (passed > taken) note_more_passed(passed, taken, lane);
    }
    // The output of this block runner fills the buffer alone: the launch has no use for more.
    if (output_bytes_ >= here_.grid_.options.output_bytes) continue;
    output_bytes_ += text.text.size();
    // Blocks that take turns print as they go, others as if they had run one after another.
    output_[here_.grid_.resident_clusters > 1 ? 0 : here_.block_->index] += text.text;
  }
}

void Printing::assert_fail(const code::Instruction& instruction, std::uint32_t mask) {
  auto lane = static_cast<unsigned>(std::countr_zero(mask));
  auto value = [&](int i) {
    return reinterpret_cast<const std::uint64_t*>(here_.warp_->slot(instruction.s[i]))[lane];
  };
  watch::Finding found = here_.finding(
      "assert",
      fmt::format("thread {}: the assertion `{}` failed.",
                  here_.thread_text(here_.warp_index_ * 32 + lane), device_string(value(0), lane)),
      lane);
  found.count = std::popcount(mask);
  here_.fault(std::move(found));
}

}  // namespace warpwise::machine
