// Where an undefined value decides something, and what is then said.

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/code/flow/places.h"
#include "simulator/machine/worker.h"

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
void Worker::note_absent(unsigned lane, unsigned source) {
  watch::Finding found = finding("invalid-shuffle", {}, lane);
  watch::Finding& noted = undefined_findings_[found.instruction];
  if (noted.block == found.block && noted.thread <= found.thread && !noted.kind.empty()) return;
  const auto [why, next] =
      !(warp_->existing >> source & 1)
          ? std::pair("the block has no such thread",
                      "Launch whole warps, or ask only lanes that exist.")
      : !(warp_->live >> source & 1)
          ? std::pair("it has returned",
                      "Let all lanes reach the shuffle: a lane without work brings a value that "
                      "changes nothing.")
          : std::pair("the mask does not name it",
                      "Name in the mask every lane whose value is read.");
  found.message = fmt::format(
      "thread {} reads the value of lane {}, which does not take part: {}. Its value is undefined. "
      "{}",
      thread_text(warp_index_ * 32 + lane), source, why, next);
  noted = std::move(found);
  const bool has_left = (warp_->existing & ~warp_->live) >> source & 1;
  if (!has_left) return;
  watch::Finding left = noted;
  left.severity = watch::Severity::note;
  left.message = fmt::format(
      "thread {} reads the value of lane {}, which has returned. Nothing uses that value, so it "
      "does no harm; the mask names the lane all the same. Let all lanes reach the shuffle: give "
      "a loop around it as many iterations for the last lane as for the first.",
      thread_text(warp_index_ * 32 + lane), source);
  left_lanes_.insert_or_assign(left.instruction, std::move(left));
}

/// The shuffles from lanes that have returned whose values nothing has used.
void Worker::note_left_lanes() {
  for (auto& [instruction, found] : left_lanes_)
    if (!used_shuffles_.contains(instruction)) diagnoses_.report(std::move(found));
  left_lanes_.clear();
}

/// An undefined value decides something: the instruction that made it is the one to fix.
void Worker::use_value(code::Slot slot, std::uint32_t mask, const char* use) {
  if (warp_->undefined().in_flight(slot)) report_in_flight(slot, mask);
  std::uint32_t lanes = warp_->undefined().lanes(slot) & mask;
  if (lanes == 0) return;
  std::uint32_t origin = warp_->undefined().origin(slot);
  if (auto found = undefined_findings_.find(origin); found != undefined_findings_.end()) {
    used_shuffles_.insert(origin);
    diagnoses_.report(found->second);
  } else if (auto load = undefined_loads_.find(origin); load != undefined_loads_.end())
    report_uninitialized(load->second, lanes, use);
  else
    report_unset(origin, lanes, use);
}

/// A variable in a register that was never given a value.
/// @param reads index of the instruction that reads it.
/// @param use what is done with the value at the current instruction.
void Worker::report_unset(std::uint32_t reads, std::uint32_t lanes, const char* use) {
  // A last tile's threads without data also call what the program handed to the library.
  if (code::is_library_name(program_.name) && may_be_librarys(program_, reads)) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  watch::Finding found = finding("uninitialized", {}, lane);
  found.instruction = reads;
  found.called_at = user_call(reads, lane);
  found.count = static_cast<std::uint64_t>(std::popcount(lanes));
  found.misleads = use != goes_into_result;
  if (diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} reads a variable that has no value yet, and what it finds there {}. Give it a "
      "value where it is declared.",
      thread_text(found.thread), use);
  diagnoses_.report(std::move(found));
}

void Worker::check_uses(const code::Instruction& instruction, const code::Access& access,
                        std::uint32_t mask) {
  use_value(access.base, mask, part_of_address);
  for (code::Slot data : access.data) {
    if (!access.is_store) warp_->undefined().define(data, mask);
    // A value that a shuffle made of nothing goes no further than local memory. Memory carries
    // other undefined values along, like the register they came from.
    else if (!access.is_atomic && access.space != code::Space::local &&
             !undefined_loads_.count(warp_->undefined().origin(data)))
      use_value(data, mask & warp_->undefined().computed(data), goes_into_result);
  }
  if (!access.is_atomic) return;
  use_value(instruction.s[0], mask, "goes into an atomic");
  use_value(instruction.s[1], mask, "goes into an atomic");
  warp_->undefined().define(access.data[0], mask);
}

/// Undefined values may be passed to functions and returned by them.
void Worker::follow_passed(const code::Access& access, std::uint32_t mask) {
  UndefinedValues& values = warp_->undefined();
  const auto address = warp_->frame().base + static_cast<std::uint32_t>(access.offset);
  for (unsigned e = 0; e < access.elements; ++e) {
    const code::Slot slot = access.data[e];
    const PassedAt at{block_->index, warp_index_, address + e * access.element_bytes};
    auto found = undefined_passed_.find(at);
    if (!access.is_store) {
      values.define(slot, mask);
      if (found == undefined_passed_.end()) continue;
      const UndefinedPassed& passed = found->second;
      values.set(slot, passed.lanes & mask, passed.origin, passed.computed);
      continue;
    }
    const std::uint32_t lanes = values.lanes(slot) & mask;
    if (lanes == 0 && found == undefined_passed_.end()) continue;
    UndefinedPassed& passed = undefined_passed_[at];
    passed.lanes = (passed.lanes & ~mask) | lanes;
    passed.computed = (passed.computed & ~mask) | (values.computed(slot) & lanes);
    if (lanes) passed.origin = values.origin(slot);
    if (passed.lanes == 0) undefined_passed_.erase(at);
  }
}

/// Values have been copied from the one place of the warp's stack to the other.
void Worker::move_passed(std::uint32_t from, std::uint32_t to, std::uint32_t bytes,
                         std::uint32_t lanes) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const PassedAt source{block_->index, warp_index_, from + i},
        target{block_->index, warp_index_, to + i};
    if (auto stale = undefined_passed_.find(target); stale != undefined_passed_.end()) {
      stale->second.lanes &= ~lanes;
      if (stale->second.lanes == 0) undefined_passed_.erase(stale);
    }
    const auto found = undefined_passed_.find(source);
    if (found == undefined_passed_.end() || !(found->second.lanes & lanes)) continue;
    const UndefinedPassed passed = found->second;
    UndefinedPassed& copy = undefined_passed_[target];
    copy.lanes |= passed.lanes & lanes;
    copy.computed = (copy.computed & ~lanes) | (passed.computed & lanes);
    copy.origin = passed.origin;
  }
}

}  // namespace warpwise::machine
