#include "simulator/machine/definedness.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/code/places.h"
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

std::uint32_t mask_at(const std::byte* registers, code::Slot slot) {
  return *reinterpret_cast<const std::uint32_t*>(registers + slot);
}

}  // namespace

void UndefinedValues::clear() {
  if (any()) std::fill(values_.begin(), values_.end(), Value{});
  undefined_ = 0;
}

void UndefinedValues::set(code::Slot slot, std::uint32_t lanes, std::uint32_t origin,
                          std::uint32_t computed) {
  if (lanes == 0 || slot == code::no_slot) return;
  std::size_t index = slot / code::slot_unit;
  if (index >= values_.size()) values_.resize(index + 1);
  Value& value = values_[index];
  undefined_ += !value.matters();
  value.lanes |= lanes;
  value.computed = (value.computed & ~lanes) | (computed & lanes);
  value.origin = origin;
}

void UndefinedValues::define(code::Slot slot, std::uint32_t lanes) {
  std::size_t index = slot / code::slot_unit;
  if (slot == code::no_slot || index >= values_.size() || !values_[index].matters()) return;
  Value& value = values_[index];
  value.lanes &= ~lanes;
  value.computed &= ~lanes;
  value.group = 0;
  undefined_ -= value.lanes == 0;
}

void UndefinedValues::set_in_flight(code::Slot slot, std::uint32_t group, std::uint32_t origin) {
  const std::size_t index = slot / code::slot_unit;
  if (group == 0 || slot == code::no_slot) return;
  if (index >= values_.size()) values_.resize(index + 1);
  undefined_ += !values_[index].matters();
  values_[index].group = group;
  values_[index].group_origin = origin;
}

std::uint32_t UndefinedValues::in_flight(code::Slot slot) const {
  const std::size_t index = slot / code::slot_unit;
  return slot != code::no_slot && index < values_.size() ? values_[index].group : 0;
}

std::uint32_t UndefinedValues::in_flight_from(code::Slot slot) const {
  return in_flight(slot) ? values_[slot / code::slot_unit].group_origin : no_origin;
}

void UndefinedValues::land(std::uint32_t group) {
  if (!any()) return;
  for (Value& value : values_) {
    if (value.group == 0 || value.group > group) continue;
    value.group = 0;
    undefined_ -= value.lanes == 0;
  }
}

std::uint32_t UndefinedValues::lanes(code::Slot slot) const {
  std::size_t index = slot / code::slot_unit;
  return slot != code::no_slot && index < values_.size() ? values_[index].lanes : 0;
}

std::uint32_t UndefinedValues::computed(code::Slot slot) const {
  return lanes(slot) ? values_[slot / code::slot_unit].computed : 0;
}

std::uint32_t UndefinedValues::origin(code::Slot slot) const {
  return lanes(slot) ? values_[slot / code::slot_unit].origin : no_origin;
}

void UndefinedValues::propagate(const code::Instruction& instruction, std::uint32_t mask,
                                const std::byte* registers) {
  using code::Definedness;
  const code::Slot* s = instruction.s;
  std::uint32_t a = lanes(s[0]), b = lanes(s[1]), c = lanes(s[2]), result = a | b | c | lanes(s[3]);
  std::uint32_t origin = no_origin;
  for (int i = 0; i < 4; ++i)
    if (origin == no_origin) origin = this->origin(s[i]);
  std::uint32_t computed = result;
  bool is_decision = instruction.definedness == Definedness::conjunction ||
                     instruction.definedness == Definedness::disjunction;
  if (instruction.definedness == Definedness::select) {
    std::uint32_t first = mask_at(registers, s[2]);
    result = c | (a & first) | (b & ~first);
    computed = c | (this->computed(s[0]) & first) | (this->computed(s[1]) & ~first);
  } else if (instruction.definedness == Definedness::copy) {
    computed = this->computed(s[0]) | this->computed(s[1]);
  } else if (instruction.definedness == Definedness::pack) {
    result = a & b;
    computed = this->computed(s[0]) | this->computed(s[1]);
  } else if (is_decision) {
    // A defined false decides a conjunction, a defined true a disjunction.
    bool wanted = instruction.definedness == Definedness::disjunction;
    auto decides = [&](code::Slot slot) {
      std::uint32_t value = mask_at(registers, slot);
      return (wanted ? value : ~value) & ~lanes(slot);
    };
    bool on_masks = s[2] == code::no_slot;  // and.pred; else setp with a third operand
    result &= ~(on_masks ? decides(s[0]) | decides(s[1]) : decides(s[2]));
  }
  const bool is_copy = instruction.definedness == Definedness::copy;
  const std::uint32_t group = is_copy ? in_flight(s[0]) : 0, from = in_flight_from(s[0]);
  for (code::Slot d : {instruction.d, instruction.d2}) {
    define(d, mask);
    set(d, result & mask, origin, computed);
    set_in_flight(d, group, from);
  }
}

/// Tells what will be said if the value that the lane got from an absent one decides something.
void Worker::note_absent(unsigned lane, unsigned source) {
  watch::Finding found = finding("invalid-shuffle", {}, lane);
  watch::Finding& noted = undefined_findings_[found.instruction];
  if (noted.block == found.block && noted.thread <= found.thread && !noted.kind.empty()) return;
  const auto [why, next] =
      !(warp_->existing >> source & 1)
          ? std::pair("the block has no such thread",
                      "Launch whole warps, or ask only lanes that there are.")
      : !(warp_->live >> source & 1)
          ? std::pair("it has returned",
                      "Let all lanes come to the shuffle: one without work brings a value that "
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
      "does no harm; the mask names the lane all the same. Let all lanes come to the shuffle: give "
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

/// An undefined value decides something: the instruction that made it is what has to be mended.
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
  // A last tile's threads without data, too, call what the program handed to the library.
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
    // What a shuffle made of nothing goes no further than local memory. Memory carries other
    // undefined values along, like the register they came from.
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
