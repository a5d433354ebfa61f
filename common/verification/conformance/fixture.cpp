#include "verification/conformance/fixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "verification/conformance/values.h"

namespace warpwise::conformance {
namespace {

using isa::Type;

constexpr unsigned slot_bytes = 16;  ///< of each operand of each lane
constexpr unsigned threads = 128;

/// Bytes of a result in a record; a predicate takes a bit, and bytes come in 16-bit registers.
std::size_t bytes_of(Type type) { return type == Type::pred ? 0 : std::max(2u, size_bytes(type)); }

std::size_t packed_lanes(Type type) {
  return type == Type::pred ? fixture_lanes / 8 : fixture_lanes * bytes_of(type);
}

/// From address register %i into %sK.
std::string load(std::size_t k, Type type) {
  std::size_t at = k * slot_bytes;
  if (type == Type::pred)
    return fmt::format("  ld.global.u8 %h, [%i+{}];\n  setp.ne.u16 %s{}, %h, 0;\n", at, k);
  unsigned bytes = isa::size_bytes(type);
  if (bytes == 16)
    return fmt::format("  ld.global.v2.b64 {{%l, %m}}, [%i+{}];\n  mov.b128 %s{}, {{%l, %m}};\n",
                       at, k);
  return fmt::format("  ld.global.{}{} %s{}, [%i+{}];\n", bytes == 1 ? "u" : "b", 8 * bytes, k, at);
}

std::string store(std::size_t k, Type type) {
  std::size_t at = k * slot_bytes;
  if (type == Type::pred)
    return fmt::format("  selp.u16 %h, 1, 0, %d{};\n  st.global.u8 [%o+{}], %h;\n", k, at);
  if (isa::size_bytes(type) == 16)
    return fmt::format("  mov.b128 {{%l, %m}}, %d{};\n  st.global.v2.b64 [%o+{}], {{%l, %m}};\n", k,
                       at);
  return fmt::format("  st.global.b{} [%o+{}], %d{};\n", 8 * bytes_of(type), at, k);
}

// A subtraction leaves a borrow: only subtractions set it and read it here.
std::string set_carry(std::size_t source, bool subtracts) {
  return fmt::format("  selp.u32 %t0, 1, 0, %s{};\n  {};\n", source,
                     subtracts ? "sub.cc.u32 %t0, 0, %t0" : "add.cc.u32 %t0, %t0, 0xffffffff");
}
std::string get_carry(std::size_t destination, bool subtracts) {
  return fmt::format("  {} %t0, 0, 0;\n  setp.ne.u32 %d{}, %t0, 0;\n",
                     subtracts ? "subc.u32" : "addc.u32", destination);
}

}  // namespace

const char module_header[] = ".version 9.0\n.target sm_90\n.address_size 64\n";

std::string register_class(Type type) {
  return type == Type::pred ? "pred" : fmt::format("b{}", 8 * std::max(2u, isa::size_bytes(type)));
}

Fixture::Fixture(Variant variant) : variant_(std::move(variant)) {
  for (const isa::OperandSpec& operand : variant_.operands()) {
    if (is_immediate(operand)) continue;
    (operand.destination ? destinations_ : sources_)
        .push_back(isa::type_of(operand, variant_.match.variant));
  }
  if (implicit().carry_in) sources_.push_back(Type::pred);
  if (implicit().carry_out) destinations_.push_back(Type::pred);
}

const isa::Implicit& Fixture::implicit() const { return variant_.match.syntax->implicit(); }

bool Fixture::subtracts() const { return variant_.match.syntax->mnemonic().starts_with("sub"); }

std::string Fixture::instruction() const {
  std::size_t source = 0, destination = 0;
  return variant_.text([&](const isa::OperandSpec& operand) {
    return operand.destination ? fmt::format("%d{}", destination++) : fmt::format("%s{}", source++);
  });
}

std::string Fixture::kernel(const std::string& name) const {
  std::string text = fmt::format(
      ".visible .entry {}(.param .u64 in, .param .u64 out) {{\n"
      "  .reg .b64 %i, %o, %l, %m;\n  .reg .b32 %t<3>;\n  .reg .b16 %h;\n",
      name);
  for (std::size_t k = 0; k < sources_.size(); ++k)
    text += fmt::format("  .reg .{} %s{};\n", register_class(sources_[k]), k);
  for (std::size_t k = 0; k < destinations_.size(); ++k)
    text += fmt::format("  .reg .{} %d{};\n", register_class(destinations_[k]), k);
  text += fmt::format(
      "  ld.param.u64 %i, [in];\n  ld.param.u64 %o, [out];\n"
      "  mov.u32 %t0, %ctaid.x;\n  mov.u32 %t1, %tid.x;\n  mad.lo.u32 %t2, %t0, {}, %t1;\n"
      "  mad.wide.u32 %i, %t2, {}, %i;\n  mad.wide.u32 %o, %t2, {}, %o;\n",
      threads, slot_bytes * std::max<std::size_t>(1, sources_.size()),
      slot_bytes * destinations_.size());
  for (std::size_t k = 0; k < sources_.size(); ++k) text += load(k, sources_[k]);
  if (implicit().carry_in) text += set_carry(sources_.size() - 1, subtracts());
  text += "  " + instruction() + "\n";
  if (implicit().carry_out) text += get_carry(destinations_.size() - 1, subtracts());
  for (std::size_t k = 0; k < destinations_.size(); ++k) text += store(k, destinations_[k]);
  return text + "  ret;\n}\n";
}

Bytes Fixture::input() const {
  auto values = fixture_inputs(sources_);
  Bytes bytes(slot_bytes * std::max<std::size_t>(1, values.size()) * fixture_lanes);
  for (std::size_t lane = 0; lane < fixture_lanes; ++lane)
    for (std::size_t k = 0; k < values.size(); ++k)
      std::memcpy(&bytes[(lane * values.size() + k) * slot_bytes], &values[k][lane], slot_bytes);
  return bytes;
}

Launch Fixture::launch(const std::string& name, const Bytes& input) const {
  return {name, fixture_lanes / threads, threads, &input,
          slot_bytes * destinations_.size() * fixture_lanes};
}

std::size_t Fixture::packed_bytes() const {
  std::size_t bytes = 0;
  for (Type type : destinations_) bytes += packed_lanes(type);
  return bytes;
}

Bytes Fixture::packed(const Bytes& output) const {
  Bytes result(packed_bytes());
  std::size_t at = 0;
  for (std::size_t k = 0; k < destinations_.size(); ++k) {
    std::size_t bytes = bytes_of(destinations_[k]);
    for (std::size_t lane = 0; lane < fixture_lanes; ++lane) {
      const std::byte* from = &output[(lane * destinations_.size() + k) * slot_bytes];
      if (bytes == 0)
        result[at + lane / 8] |= *from << (lane % 8);
      else
        std::memcpy(&result[at + lane * bytes], from, bytes);
    }
    at += packed_lanes(destinations_[k]);
  }
  return result;
}

Value Fixture::at(const Bytes& packed, std::size_t index, std::size_t lane) const {
  std::size_t begin = 0;
  for (std::size_t k = 0; k < index; ++k) begin += packed_lanes(destinations_[k]);
  std::size_t bytes = bytes_of(destinations_[index]);
  Value value;
  if (bytes == 0)
    value.low = std::to_integer<unsigned>(packed[begin + lane / 8] >> (lane % 8)) & 1;
  else
    std::memcpy(&value, &packed[begin + lane * bytes], bytes);
  return value;
}

std::uint64_t Fixture::hash(const Bytes& input) const {
  return hash_of({reinterpret_cast<const char*>(input.data()), input.size()}, hash_of(kernel("k")));
}

const Bytes& Inputs::of(const Fixture& fixture) {
  Bytes& bytes = known_[fixture.sources()];
  if (bytes.empty()) bytes = fixture.input();
  return bytes;
}

}  // namespace warpwise::conformance
