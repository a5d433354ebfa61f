#include "simulator/code/lowering/lowering.h"

/// Textures and surfaces.
namespace warpwise::code {
namespace {

using isa::Kind;
using isa::Type;

/// "a2d" is a layered texture of two dimensions, "acube" a layered cubemap.
void set_geometry(TexelAccess& access, std::string_view name) {
  access.is_layered = name.starts_with('a');
  access.is_cubemap = name.ends_with("cube");
  const char digit = name[access.is_layered ? 1 : 0];
  access.dimensions = access.is_cubemap ? 3 : static_cast<std::uint8_t>(digit - '0');
}

TexelAccess access_of(Kind kind, const isa::Match& match) {
  const isa::Variant& variant = match.variant;
  TexelAccess access;
  set_geometry(access, variant["geom"]);
  access.type = variant.type("dtype");
  access.has_integer_coordinates = kind != Kind::texture || variant["ctype"] == "s32";
  if (kind == Kind::surface_load) access.what = TexelAccess::What::load;
  if (kind == Kind::surface_store) access.what = TexelAccess::What::store;
  if (match.syntax->mnemonic() == "tld4") {
    access.what = TexelAccess::What::gather;
    access.channel = static_cast<std::uint8_t>(std::string_view("rgba").find(variant["comp"]));
  }
  access.outside = variant["outside"] == "clamp"  ? TexelAccess::Outside::clamp
                   : variant["outside"] == "zero" ? TexelAccess::Outside::zero
                                                  : TexelAccess::Outside::trap;
  return access;
}

}  // namespace

Operation::Value Lowering::handle_of(const Operand& operand) {
  if (operand.id < 0)
    fail(
        "textures and surfaces by name (texture references) are gone since CUDA 12: pass a "
        "cudaTextureObject_t or cudaSurfaceObject_t");
  if (register_bytes(operand.id) != 8) fail("the handle of a texture or surface has 64 bits");
  Operation::Value value;
  value.slot = registers_[operand.id];
  value.bytes = 8;
  return value;
}

Operation::Value Lowering::texel_value(const Operand& operand, Type type) {
  Operation::Value value;
  value.slot = source(operand, type);
  value.bytes = static_cast<std::uint8_t>(isa::size_bytes(type));
  return value;
}

void Lowering::texel_access(Kind kind) {
  const auto& operands = source_->operands;
  TexelAccess access = access_of(kind, source_->match);
  const bool is_store = access.what == TexelAccess::What::store;
  const std::size_t at = is_store ? 0 : source_->has_second ? 2 : 1;
  const Operand& address = operands.at(at);
  Operation operation;
  operation.kind = kind;
  operation.s[0] = handle_of(address);

  // Three coordinates are written as four, the last of which has no meaning.
  const std::size_t count = access.dimensions + (access.is_layered ? 1u : 0u);
  if (address.elements.size() < count || address.elements.size() > 4)
    fail("expected " + std::to_string(count) + " coordinates");
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_layer = access.is_layered && i == 0;
    access.coordinates[i] = texel_value(
        address.elements[i], is_layer || access.has_integer_coordinates ? Type::u32 : Type::f32);
  }

  if (source_->match.variant.has("level"))
    access.given_level =
        texel_value(operands.at(at + 1), access.has_integer_coordinates ? Type::u32 : Type::f32);

  if (source_->match.variant.has("grad")) {
    for (std::size_t way = 0; way < 2; ++way) {
      const std::vector<Operand> gradient = elements_of(operands.at(at + 1 + way));
      if (gradient.size() < access.dimensions) fail("a gradient has too few values");
      for (std::size_t i = 0; i < access.dimensions; ++i)
        access.gradients[way][i] = texel_value(gradient[i], Type::f32);
    }
  }

  const std::vector<Operand> data = elements_of(operands.at(is_store ? 1 : 0));
  if (data.size() > std::size(access.data)) fail("a texel has 1, 2 or 4 values");
  const bool is_surface = kind != Kind::texture;
  const std::string_view vec = source_->match.variant["vec"];
  const std::size_t wanted = !is_surface || vec == "v4" ? 4 : vec == "v2" ? 2 : 1;
  if (data.size() != wanted) fail("expected " + std::to_string(wanted) + " values");
  for (std::size_t i = 0; i < data.size(); ++i) {
    Operation::Value& value = access.data[i];
    if (data[i].kind == Operand::Kind::sink) {
      if (is_store) fail("a value to store is missing");
      value.bytes = static_cast<std::uint8_t>(isa::size_bytes(access.type));
      continue;
    }
    const bool is_register = data[i].kind == Operand::Kind::reg;
    value.slot = is_store ? source_value(data[i], access.type) : registers_[data[i].id];
    value.bytes = static_cast<std::uint8_t>(
        is_register ? register_bytes(data[i].id) : std::max(2u, isa::size_bytes(access.type)));
  }
  if (source_->has_second && operands[1].id >= 0)
    access.is_resident.slot = registers_[operands[1].id];

  Instruction& instruction = emit(Op::operation);
  instruction.access = static_cast<std::uint32_t>(program_.operations.size());
  operation.texels = static_cast<std::uint32_t>(program_.texel_accesses.size());
  program_.operations.push_back(operation);
  program_.texel_accesses.push_back(access);
}

}  // namespace warpwise::code
