// Where an undefined value decides something, and what is then said.

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/code/flow/places.h"
#include "simulator/machine/checks/uninitialized.h"

namespace warpwise::machine {
namespace {

/// True where a variable without a value, first read there, may be one of the library's.
bool may_be_librarys(const code::Program& program, std::uint32_t reads) {
  bool is_known = false;
  const auto names = [&](const code::FrameLayout& layout) {
    return std::any_of(layout.undefined_at_start.begin(), layout.undefined_at_start.end(),
                       [&](const auto& unset) {
                         is_known |= unset.first_read == reads;
                         return unset.first_read == reads && unset.is_of_library;
                       });
  };
  return names(program) || std::any_of(program.functions.begin(), program.functions.end(), names) ||
         !is_known;
}

}  // namespace

/// Tells what will be said if the value that the lane got from an absent one decides something.
void Uninitialized::note_absent(unsigned lane, unsigned source) {
  watch::Finding found = here_.finding("invalid-shuffle", {}, lane);
  watch::Finding& noted = findings_[found.instruction];
  if (noted.block == found.block && noted.thread <= found.thread && !noted.kind.empty()) return;
  const auto [why, next] =
      !(here_.warp_->existing >> source & 1)
          ? std::pair("the block has no such thread",
                      "Launch whole warps, or ask only lanes that exist.")
      : !(here_.warp_->live >> source & 1)
          ? std::pair("it has returned",
                      "Let all lanes reach the shuffle: a lane without work brings a value that "
                      "changes nothing.")
          : std::pair("the mask does not name it",
                      "Name in the mask every lane whose value is read.");
  found.message = fmt::format(
      "thread {} reads the value of lane {}, which does not take part: {}. Its value is undefined. "
      "{}",
      here_.thread_text(here_.warp_index_ * 32 + lane), source, why, next);
  noted = std::move(found);
  const bool has_left = (here_.warp_->existing & ~here_.warp_->live) >> source & 1;
  if (!has_left) return;
  watch::Finding left = noted;
  left.severity = watch::Severity::note;
  left.message = fmt::format(
      "thread {} reads the value of lane {}, which has returned. Nothing uses that value, so it "
      "does no harm; the mask names the lane all the same. Let all lanes reach the shuffle: give "
      "a loop around it as many iterations for the last lane as for the first.",
      here_.thread_text(here_.warp_index_ * 32 + lane), source);
  left_lanes_.insert_or_assign(left.instruction, std::move(left));
}

/// The shuffles from lanes that have returned whose values nothing has used.
void Uninitialized::note_left_lanes() {
  for (auto& [instruction, found] : left_lanes_)
    if (!used_shuffles_.contains(instruction)) here_.diagnoses_.report(std::move(found));
  left_lanes_.clear();
}

/// An undefined value decides something: the instruction that made it is the one to fix.
void Uninitialized::use_value(code::Slot slot, std::uint32_t mask, const Use& use) {
  if (here_.warp_->undefined().in_flight(slot)) report_in_flight(slot, mask);
  std::uint32_t lanes = here_.warp_->undefined().lanes(slot) & mask;
  if (lanes == 0) return;
  std::uint32_t origin = here_.warp_->undefined().origin(slot);
  if (auto found = findings_.find(origin); found != findings_.end()) {
    used_shuffles_.insert(origin);
    here_.diagnoses_.report(found->second);
  } else if (auto load = loads_.find(origin); load != loads_.end())
    report_uninitialized(load->second, lanes, use);
  else
    report_unset(origin, lanes, use);
}

/// A variable in a register that was never given a value.
/// @param reads index of the instruction that reads it.
/// @param use what is done with the value at the current instruction.
void Uninitialized::report_unset(std::uint32_t reads, std::uint32_t lanes, const Use& use) {
  // A last tile's threads without data also call what the program handed to the library.
  if (code::is_library_name(here_.program_.name) && may_be_librarys(here_.program_, reads)) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  watch::Finding found = here_.finding("uninitialized", {}, lane);
  found.instruction = reads;
  found.called_at = here_.user_call(reads, lane);
  found.count = static_cast<std::uint64_t>(std::popcount(lanes));
  found.misleads = use.misleads;
  if (here_.diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} reads a variable that has no value yet, and what it finds there {}. Give it a "
      "value where it is declared.",
      here_.thread_text(found.thread), use.text);
  here_.diagnoses_.report(std::move(found));
}

void Uninitialized::check_uses(const code::Instruction& instruction, const code::Access& access,
                               std::uint32_t mask) {
  use_value(access.base, mask, part_of_address);
  for (code::Slot data : access.data) {
    if (!access.is_store) here_.warp_->undefined().define(data, mask);
    // A value that a shuffle made of nothing goes no further than local memory. Memory carries
    // other undefined values along, like the register they came from.
    else if (!access.is_atomic && access.space != code::Space::local &&
             !loads_.count(here_.warp_->undefined().origin(data)))
      use_value(data, mask & here_.warp_->undefined().computed(data), goes_into_result);
  }
  if (!access.is_atomic) return;
  use_value(instruction.s[0], mask, "goes into an atomic");
  use_value(instruction.s[1], mask, "goes into an atomic");
  here_.warp_->undefined().define(access.data[0], mask);
}

/// Undefined values may be passed to functions and returned by them.
void Uninitialized::follow_passed(const code::Access& access, std::uint32_t mask) {
  UndefinedValues& values = here_.warp_->undefined();
  const auto address = here_.warp_->frame().base + static_cast<std::uint32_t>(access.offset);
  for (unsigned e = 0; e < access.elements; ++e) {
    const code::Slot slot = access.data[e];
    const PassedAt at{here_.block_->index, here_.warp_index_, address + e * access.element_bytes};
    auto found = passed_.find(at);
    if (!access.is_store) {
      values.define(slot, mask);
      if (found == passed_.end()) continue;
      const Passed& passed = found->second;
      values.set(slot, passed.lanes & mask, passed.origin, passed.computed);
      continue;
    }
    const std::uint32_t lanes = values.lanes(slot) & mask;
    if (lanes == 0 && found == passed_.end()) continue;
    Passed& passed = passed_[at];
    passed.lanes = (passed.lanes & ~mask) | lanes;
    passed.computed = (passed.computed & ~mask) | (values.computed(slot) & lanes);
    if (lanes) passed.origin = values.origin(slot);
    if (passed.lanes == 0) passed_.erase(at);
  }
}

/// Values have been copied from the one place of the warp's stack to the other.
void Uninitialized::move_passed(std::uint32_t from, std::uint32_t to, std::uint32_t bytes,
                                std::uint32_t lanes) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const PassedAt source{here_.block_->index, here_.warp_index_, from + i},
        target{here_.block_->index, here_.warp_index_, to + i};
    if (auto stale = passed_.find(target); stale != passed_.end()) {
      stale->second.lanes &= ~lanes;
      if (stale->second.lanes == 0) passed_.erase(stale);
    }
    const auto found = passed_.find(source);
    if (found == passed_.end() || !(found->second.lanes & lanes)) continue;
    const Passed passed = found->second;
    Passed& copy = passed_[target];
    copy.lanes |= passed.lanes & lanes;
    copy.computed = (copy.computed & ~lanes) | (passed.computed & lanes);
    copy.origin = passed.origin;
  }
}

/// An instruction other than a copy reads its registers.
void Uninitialized::use_registers(const code::Instruction& instruction, std::uint32_t mask) {
  if (instruction.definedness == code::Definedness::copy) return;
  for (const code::Slot slot : instruction.s) {
    if (!here_.warp_->undefined().in_flight(slot)) continue;
    here_.current_ = &instruction;
    report_in_flight(slot, mask);
  }
}

/// A register is read that a product may still be writing.
void Uninitialized::report_in_flight(code::Slot slot, std::uint32_t mask) {
  if (mask == 0 || here_.warp_->undefined().in_flight(slot) <= here_.warp_->products.landed) return;
  watch::Finding found = here_.finding("race", {}, static_cast<unsigned>(std::countr_zero(mask)));
  found.count = static_cast<std::uint64_t>(std::popcount(mask));
  if (here_.diagnoses_.count_only(found)) return;
  const code::Instruction& from =
      here_.program_.code[here_.warp_->undefined().in_flight_from(slot)];
  found.message = fmt::format(
      "thread {} uses a register that the wgmma{} may still write: products go on by themselves. "
      "Wait for them first: wgmma.commit_group, then wgmma.wait_group 0.",
      here_.thread_text(found.thread), here_.line_text(from));
  here_.diagnoses_.report(std::move(found));
}

void Uninitialized::report_shared_pointer(const UndefinedSource& source, std::uint32_t lanes) {
  watch::Finding found = here_.finding("out-of-bounds", {}, source.thread % 32);
  found.count = static_cast<std::uint64_t>(std::popcount(lanes));
  if (here_.diagnoses_.count_only(found)) return;
  const code::Place& read_at = here_.program_.places[here_.program_.code[source.instruction].place];
  found.message = fmt::format(
      "thread {} follows a pointer to shared memory, which block {} has left in {}{}. Each "
      "block has its own shared memory: at that address this block finds its own. Pass the values "
      "on through global memory, or, inside a cluster, pass the pointer that map_shared_rank() "
      "makes.",
      here_.thread_text(source.thread), here_.block_text(source.pointer_of),
      here_.global_text(source.address),
      read_at.line != 0 ? fmt::format(" (read in line {})", read_at.line) : "");
  here_.diagnoses_.report(std::move(found));
}

void Uninitialized::finish_block(std::uint64_t block) {
  std::erase_if(passed_, [&](const auto& entry) { return std::get<0>(entry.first) == block; });
}

}  // namespace warpwise::machine
