#include "simulator/machine/checks/definedness.h"

#include <algorithm>

namespace warpwise::machine {
namespace {

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

}  // namespace warpwise::machine
