#include <algorithm>
#include <array>
#include <stdexcept>

#include "verification/conformance/random/program.h"

namespace warpwise::conformance {
namespace {

/// An add or a multiplication that says no rounding may be fused with another.
bool may_be_fused(const Variant& variant) {
  std::string_view mnemonic = variant.match.syntax->mnemonic();
  if (mnemonic != "add" && mnemonic != "sub" && mnemonic != "mul") return false;
  for (const char* mode : {"rn", "rz", "rm", "rp"})
    if (variant.match.variant.has(mode)) return false;
  return isa::is_float(variant.match.variant.last_type());
}

/// The machine code of these has several steps, which ptxas could merge with others.
bool is_approximate(const Variant& variant) {
  return variant.match.variant.has("approx") || variant.match.variant.has("full");
}

bool suits_programs(const Variant& variant) {
  if (is_approximate(variant) || may_be_fused(variant)) return false;
  // Programs use these in chains.
  const isa::Implicit& implicit = variant.match.syntax->implicit();
  if (implicit.carry_in || implicit.carry_out) return false;
  for (const isa::OperandSpec& operand : variant.operands())
    if (isa::size_bytes(isa::type_of(operand, variant.match.variant)) > 8) return false;
  return true;
}

constexpr const char* known_exchanges[] = {
    "shfl.sync.up.b32",   "shfl.sync.down.b32", "shfl.sync.bfly.b32", "shfl.sync.idx.b32",
    "vote.sync.all.pred", "vote.sync.any.pred", "vote.sync.uni.pred", "vote.sync.ballot.b32",
    "match.any.sync.b32", "match.any.sync.b64", "redux.sync.add.u32", "redux.sync.add.s32",
    "redux.sync.min.u32", "redux.sync.min.s32", "redux.sync.max.u32", "redux.sync.max.s32",
    "redux.sync.and.b32", "redux.sync.or.b32",  "redux.sync.xor.b32"};

}  // namespace

Palette::Palette(const std::vector<std::string>& keys) {
  std::map<std::string, std::size_t> groups;
  for (const std::string& key : keys) {
    auto exchange = std::find(std::begin(known_exchanges), std::end(known_exchanges), key);
    if (exchange != std::end(known_exchanges)) {
      exchanges_.push_back(key);
      continue;
    }
    auto variant = variant_of_key(key);
    if (!variant) throw std::runtime_error("random programs use " + key + ", which has no row");
    const std::string& mnemonic = variant->match.syntax->mnemonic();
    auto [at, fresh] = groups.emplace(mnemonic, arithmetic_.size());
    if (fresh) arithmetic_.emplace_back();
    arithmetic_[at->second].push_back(*variant);
    if (mnemonic == "setp") comparisons_.push_back(*variant);
  }
}

std::vector<std::string> palette_keys(const LeftOut& left_out) {
  std::vector<std::string> keys;
  for (const Variant& variant : all_variants(left_out))
    if (suits_programs(variant)) keys.push_back(variant.key());
  for (const char* opcode : known_exchanges)
    if (isa::find_row(opcode)) keys.emplace_back(opcode);
  return keys;
}

}  // namespace warpwise::conformance
