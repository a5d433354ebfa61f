#include "verification/conformance/variants.h"

#include <doctest/doctest.h>

#include <set>

#include "verification/conformance/fixture.h"
#include "verification/conformance/values.h"

namespace warpwise::conformance {
namespace {

const LeftOut nothing = [](const std::string&) { return false; };

TEST_CASE("each row of lanes has variants, and each variant its name") {
  for (const isa::Row& row : isa::rows()) {
    bool tried = row.kind == isa::Kind::lanes && !row.syntax.starts_with('_');
    auto variants = variants_of(row, nothing);
    INFO(row.syntax);
    CHECK(variants.empty() == !tried);
    std::set<std::string> keys;
    for (const Variant& variant : variants) {
      CHECK_MESSAGE(keys.insert(variant.key()).second, variant.key());
      auto again = variant_of_key(variant.key());
      REQUIRE_MESSAGE(again.has_value(), variant.key());
      CHECK(again->key() == variant.key());
      CHECK(again->match.syntax->row().syntax == row.syntax);
    }
  }
}

TEST_CASE("each choice of a modifier that a row supports is in a variant") {
  // Where there are too many combinations to try all: setp has some thousands.
  std::set<std::string> words;
  for (const Variant& variant : all_variants(nothing)) {
    if (variant.match.syntax->mnemonic() != "setp") continue;
    for (std::size_t at = 0; at != std::string::npos; at = variant.opcode.find('.', at + 1))
      words.insert(variant.opcode.substr(at, variant.opcode.find('.', at + 1) - at));
  }
  for (const char* word : {".eq", ".ltu", ".nan", ".hs", ".and", ".xor", ".ftz", ".u16", ".f64"})
    CHECK_MESSAGE(words.count(word) == 1, std::string(word));
}

TEST_CASE("what ptxas refuses is left out, and others come in its place") {
  const isa::Row& row = isa::find_row("setp.lt.and.s32")->syntax->row();
  auto refused = [](const std::string& key) { return key.find(".ftz") != std::string::npos; };
  auto variants = variants_of(row, refused);
  CHECK(variants.size() > 100);
  for (const Variant& variant : variants) CHECK_FALSE(refused(variant.key()));
}

TEST_CASE("inputs hold the edges, cross them, and are always the same") {
  auto lanes = fixture_inputs({isa::Type::f32, isa::Type::f32});
  REQUIRE(lanes.size() == 2);
  REQUIRE(lanes[0].size() == fixture_lanes);
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (std::size_t i = 0; i < fixture_lanes; ++i) pairs.insert({lanes[0][i].low, lanes[1][i].low});
  for (std::uint64_t a : {0x00000000u, 0x80000000u, 0x7f800000u, 0x7fc00001u, 0x00000001u})
    for (std::uint64_t b : {0x80000000u, 0xff7fffffu, 0x7f800005u}) CHECK(pairs.count({a, b}) == 1);
  CHECK(pairs.size() > 900);
  // Recorded outputs rest on these very numbers.
  Random random(1);
  CHECK(random.next() == 0x910a2dec89025cc1ull);
}

TEST_CASE("numbers are read in every format") {
  CHECK(numbers_of(isa::Type::f32, {0xbfc00000, 0}) == std::vector<double>{-1.5});
  CHECK(numbers_of(isa::Type::f64, {0x0000000000000001, 0}) == std::vector<double>{0x1p-1074});
  CHECK(numbers_of(isa::Type::f16x2, {0x3c00'c000, 0}) == std::vector<double>{-2, 1});
  CHECK(numbers_of(isa::Type::bf16, {0x7f80, 0})[0] > 1e300);
  CHECK(numbers_of(isa::Type::s32, {1, 0}).empty());
}

Fixture fixture_of(const std::string& key) { return Fixture(*variant_of_key(key)); }

TEST_CASE("results are packed without gaps, predicates as bits") {
  Fixture fixture = fixture_of("setp.lt.f32");
  REQUIRE(fixture.destinations().size() == 2);
  CHECK(fixture.packed_bytes() == 2 * fixture_lanes / 8);
  Bytes output(32 * fixture_lanes);
  output[32 * 9] = output[32 * 700 + 16] = std::byte{1};
  Bytes packed = fixture.packed(output);
  CHECK(fixture.at(packed, 0, 9).low == 1);
  CHECK(fixture.at(packed, 0, 10).low == 0);
  CHECK(fixture.at(packed, 1, 700).low == 1);
  CHECK(fixture.at(packed, 1, 9).low == 0);
}

}  // namespace
}  // namespace warpwise::conformance
