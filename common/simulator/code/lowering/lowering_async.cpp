#include "simulator/code/lowering/lowering.h"

/// Asynchronous copies, and the mbarriers that signal their end. Of all their accesses, only the
/// reads of cp.async count as loads of the kernel.
namespace warpwise::code {
namespace {

using isa::Kind;
using isa::Type;

AtomicOp update_of(Kind kind, const isa::Match& match) {
  const isa::Variant& variant = match.variant;
  const bool expects = variant.has("expect_tx");
  if (kind == Kind::mbarrier_test)
    return variant.has("parity") ? AtomicOp::mbarrier_test_parity : AtomicOp::mbarrier_test;
  if (match.syntax->mnemonic() == "cp")
    return variant.has("noinc") ? AtomicOp::mbarrier_arrive_with_copies
                                : AtomicOp::mbarrier_hold_for_copies;
  std::string_view how = variant["how"];
  if (how == "init") return AtomicOp::mbarrier_init;
  if (how == "inval") return AtomicOp::mbarrier_invalidate;
  if (how == "expect_tx") return AtomicOp::mbarrier_expect;
  if (how == "complete_tx") return AtomicOp::mbarrier_complete;
  if (how == "arrive")
    return expects ? AtomicOp::mbarrier_arrive_expecting : AtomicOp::mbarrier_arrive;
  return expects ? AtomicOp::mbarrier_drop_expecting : AtomicOp::mbarrier_drop;
}

/// Unless the opcode says `.relaxed`.
Order order_of_update(AtomicOp op) {
  switch (op) {
    case AtomicOp::mbarrier_init:
      return Order::none;
    // Pipelines of libcu++ end without a barrier after the last wait of other lanes.
    case AtomicOp::mbarrier_invalidate:
    case AtomicOp::mbarrier_expect:
    case AtomicOp::mbarrier_complete:
      return Order::relaxed;
    case AtomicOp::mbarrier_test:
    case AtomicOp::mbarrier_test_parity:
      return Order::acquire;
    default:
      return Order::release;
  }
}

/// An access to an mbarrier of the block, or of another one of its cluster.
Access mbarrier_access(AtomicOp update) {
  Access access;
  access.space = Space::shared;
  access.type = Type::b64;
  access.element_bytes = 8;
  access.is_atomic = true;
  access.is_store = update != AtomicOp::mbarrier_test && update != AtomicOp::mbarrier_test_parity;
  access.atomic = update;
  access.order = order_of_update(update);
  access.scope = Scope::cluster;
  return access;
}

}  // namespace

void Lowering::mbarrier(Kind kind) {
  const isa::Variant& variant = source_->match.variant;
  const auto& operands = source_->operands;
  const std::size_t at = operands.at(0).kind == Operand::Kind::address ? 0 : 1;
  Access access = mbarrier_access(update_of(kind, source_->match));
  access.space = space_named(variant["space"]);
  if (variant["order"] == "relaxed") access.order = Order::relaxed;
  if (variant["scope"] != "cluster") access.scope = Scope::cta;
  if (at && operands[0].id >= 0) {
    access.data[0] = registers_[operands[0].id];
    access.register_bytes[0] = static_cast<std::uint8_t>(register_bytes(operands[0].id));
  }
  bool needs_count = access.atomic == AtomicOp::mbarrier_init;
  if (needs_count && operands.size() < 2) fail("expected how many arrivals a phase takes");
  Type type = access.atomic == AtomicOp::mbarrier_test ? Type::b64 : Type::u32;
  Slot argument = operands.size() > at + 1 ? source(operands[at + 1], type) : slots_.constant(4, 1);
  emit(Op::atomic).s[0] = argument;
  std::uint32_t index = add_access(operands.at(at), access, false);
  program_.code.back().access = index;
}

/// Signals an mbarrier that bytes have arrived: an update by the machine itself.
/// @param bytes the slot with their number; the operation emitted last keeps it as its first
/// source.
std::uint32_t Lowering::completion(const Operand& address, Slot bytes) {
  Access access = mbarrier_access(AtomicOp::mbarrier_complete);
  // A thread that sees the phase end sees the copied bytes.
  access.order = Order::release;
  program_.code.back().s[0] = bytes;
  return add_access(address, access, false);
}

/// A load into registers of its own and a store of these, with the state that the machine has to
/// keep.
void Lowering::copy_async() {
  const isa::Variant& variant = source_->match.variant;
  const auto& operands = source_->operands;
  const Operand& size = operands.at(2);
  bool is_size = size.kind == Operand::Kind::integer &&
                 (size.value == 4 || size.value == 8 || size.value == 16);
  if (!is_size) fail("the size must be 4, 8 or 16");
  if (variant["cache"] == "cg" && size.value != 16) fail("only 16 bytes can be copied by .cg");
  Operation operation;
  operation.kind = Kind::copy_async;
  std::size_t written = operands.size() - (variant.has("L2::cache_hint") ? 1 : 0);
  if (written > 3) {
    const Operand& limit = operands[3];
    bool is_predicate =
        limit.kind == Operand::Kind::reg && function_.registers[limit.id].type == Type::pred;
    operation.s[0].slot = source(limit, is_predicate ? Type::pred : Type::u32);
    operation.s[0].bytes = is_predicate ? 0 : 4;
  }
  Access from;
  from.element_bytes = size.value == 4 ? 4 : 8;
  from.type = size.value == 4 ? Type::b32 : Type::b64;
  from.elements = size.value == 16 ? 2 : 1;
  for (unsigned i = 0; i < from.elements; ++i) {
    from.data[i] = slots_.fresh(from.element_bytes);
    from.register_bytes[i] = static_cast<std::uint8_t>(from.element_bytes);
  }
  Access to = from;
  to.space = Space::shared;
  to.is_store = true;
  emit(Op::operation).access = static_cast<std::uint32_t>(program_.operations.size());
  operation.to = add_access(operands[0], to, false);
  operation.from = add_access(operands[1], from, true);
  program_.sites.back().is_bypassing = variant["cache"] == "cg";
  program_.operations.push_back(operation);
}

/// Makes the writing side of a bulk copy an update, done for each element.
/// @return where the machine puts an element of the source.
Operation::Value Lowering::reduction(Access& to) {
  const isa::Variant& variant = source_->match.variant;
  std::string_view op = variant["op"];
  to.is_atomic = true;
  to.type = variant.type();
  to.element_bytes = isa::size_bytes(to.type);
  to.atomic = atomic_named(op);
  to.order = Order::relaxed;
  to.scope = to.space == Space::shared ? Scope::cluster : Scope::gpu;
  Instruction& instruction = program_.code.back();
  if (!set_update(instruction, op, to.type)) fail("no such operation on this type");
  if (to.space != Space::shared && depends_on_order(op, to.type))
    program_.blocks_communicate = true;
  Operation::Value element;
  element.slot = slots_.fresh(to.element_bytes);
  element.bytes = static_cast<std::uint8_t>(to.element_bytes);
  return element;
}

void Lowering::copy_bulk() {
  const isa::Variant& variant = source_->match.variant;
  const auto& operands = source_->operands;
  Operation operation;
  operation.kind = Kind::copy_bulk;
  operation.is_multicast = variant.has("multicast::cluster");
  Slot bytes = source(operands.at(2), Type::u32);
  operation.s[0].slot = bytes;
  operation.s[0].bytes = 4;
  if (operation.is_multicast) {
    operation.s[1].slot = source(operands.at(4), Type::u16);
    operation.s[1].bytes = 2;
  }
  emit(Op::operation).access = static_cast<std::uint32_t>(program_.operations.size());
  Access from, to;
  const bool tells_mbarrier = variant["done"] != "bulk_group";
  from.is_copy = to.is_copy = tells_mbarrier;
  from.space = space_named(variant["src"]);
  to.space = space_named(variant["dst"]);
  to.is_store = true;
  if (variant.has("reduce")) operation.s[2] = reduction(to);
  operation.to = add_access(operands[0], to, false);
  operation.from = add_access(operands[1], from, false);
  if (tells_mbarrier) operation.barrier = completion(operands.at(3), bytes);
  program_.operations.push_back(operation);
}

/// A store or an update, and then its end.
void Lowering::store_async() {
  const isa::Variant& variant = source_->match.variant;
  const auto& operands = source_->operands;
  Access to;
  to.space = Space::shared;
  to.is_store = to.is_copy = true;
  to.type = variant.type();
  to.element_bytes = isa::size_bytes(to.type);
  std::vector<Operand> elements = elements_of(operands.at(1));
  to.elements = static_cast<std::uint8_t>(elements.size());
  Slot value = no_slot;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    to.data[i] = value = source(elements[i], to.type);
    to.register_bytes[i] = static_cast<std::uint8_t>(to.element_bytes);
  }
  if (std::string_view op = variant["op"]; !op.empty()) {
    to.is_atomic = true;
    to.atomic = atomic_named(op);
    to.order = Order::relaxed;
    to.scope = Scope::cluster;
    to.data[0] = no_slot;
  }
  emit(to.is_atomic ? Op::atomic : Op::store).s[0] = to.is_atomic ? value : no_slot;
  Operation operation;
  operation.kind = Kind::store_async;
  operation.to = add_access(operands[0], to, false);
  program_.code.back().access = operation.to;
  emit(Op::operation).access = static_cast<std::uint32_t>(program_.operations.size());
  operation.barrier = completion(operands.at(2), slots_.constant(4, to.bytes()));
  program_.operations.push_back(operation);
}

}  // namespace warpwise::code
