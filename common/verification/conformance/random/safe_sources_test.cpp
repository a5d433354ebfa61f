#include "verification/conformance/random/safe_sources.h"

#include <doctest/doctest.h>

#include "verification/conformance/assumptions.h"

namespace warpwise::conformance {
namespace {

using isa::Type;

TEST_CASE("an f64 instruction never sees a second NaN; one source and constants stay as they are") {
  SafeSources one("add");
  CHECK(one.take("%d1", Type::f64) == "%d1");
  CHECK(one.take("0d3FF0000000000000", Type::f64) == "0d3FF0000000000000");
  CHECK(one.before() == "");

  SafeSources sum("fma");
  CHECK(sum.take("%d1", Type::f64) == "%d1");
  CHECK(sum.take("%d2", Type::f64) == "%b1");
  CHECK(sum.before() ==
        "  setp.nan.f64 %q0, %d1, %d1;\n  setp.nan.and.f64 %q0, %d2, %d2, %q0;\n"
        "  selp.f64 %b1, 0d3FF0000000000000, %d2, %q0;\n");
  std::string before = sum.before();
  CHECK(sum.take("%d3", Type::f64) == "%b2");
  CHECK(sum.before().substr(before.size()) ==
        "  setp.nan.f64 %q0, %d1, %b1;\n  setp.nan.and.f64 %q0, %d3, %d3, %q0;\n"
        "  selp.f64 %b2, 0d3FF0000000000000, %d3, %q0;\n");

  SafeSources same("mul");
  CHECK(same.take("%d4", Type::f64) == "%d4");
  CHECK(same.take("%d4", Type::f64) == "%d4");
  CHECK(same.before() == "");

  SafeSources single("add"), compared("setp");
  for (const char* name : {"%r1", "%r2"}) CHECK(single.take(name, Type::f32) == name);
  for (const char* name : {"%d1", "%d2"}) CHECK(compared.take(name, Type::f64) == name);
  CHECK(single.before() + compared.before() == "");
}

TEST_CASE("the second source of a float's minimum, and what is shifted by, is hidden") {
  SafeSources smallest("min"), integer("min"), shift("shl"), wide("max");
  CHECK(smallest.take("%r1", Type::f32) == "%r1");
  CHECK(smallest.take("%r1", Type::f32) == "%a0");
  CHECK(smallest.before() == "  xor.b32 %a0, %r1, %zr;\n");
  for (int k = 0; k < 2; ++k) CHECK(integer.take("%r1", Type::s32) == "%r1");
  CHECK(shift.take("%h1", Type::b16) == "%h1");
  CHECK(shift.take("%r1", Type::u32) == "%a0");
  CHECK(wide.take("%d1", Type::f64) == "%d1");
  CHECK(wide.take("%d1", Type::f64) == "%b1");
  CHECK(wide.before().starts_with("  xor.b64 %b0, %d1, %zd;\n  setp.nan.f64 %q0, %d1, %d1;\n"));
}

TEST_CASE("a bit field of 32 bits has no constant place or length from 32 on") {
  SafeSources field("bfi"), wide("bfe");
  for (const char* name : {"%r1", "0x2b"}) CHECK(wide.take(name, Type::u64) == name);
  field.take("%r1", Type::b32);
  CHECK(field.take("0x100", Type::b32) == "0x100");
  CHECK(field.take("0x1f", Type::u32) == "0x1f");
  CHECK(field.before() == "");
  SafeSources far("bfe");
  far.take("%r1", Type::s32);
  CHECK(far.take("0x20", Type::u32) == "%a1");
  CHECK(far.take("0x3f", Type::u32) == "%a2");
  CHECK(far.before() == "  xor.b32 %a1, 0x20, %zr;\n  xor.b32 %a2, 0x3f, %zr;\n");
}

TEST_CASE("a divisor of integers is odd and positive") {
  SafeSources quotient("div"), real("div");
  quotient.take("%r1", Type::s32);
  CHECK(quotient.take("%r2", Type::s32) == "%a0");
  CHECK(quotient.before() == "  and.b32 %a0, %r2, 0x7fffffff;\n  or.b32 %a0, %a0, 1;\n");
  real.take("%r1", Type::f32);
  CHECK(real.take("%r2", Type::f32) == "%r2");
}

TEST_CASE("a register is forgotten once where it is read in another format than it was written") {
  Assumptions known;
  CHECK(known.forget("%r1", Type::u32) == "");  // from memory
  known.written("%r1", Type::f32, false);
  CHECK(known.forget("%r1", Type::f32) == "");
  CHECK(known.forget("%r1", Type::bf16x2) == "  xor.b32 %r1, %r1, %zr;\n");
  CHECK(known.forget("%r1", Type::u32) == "");
  known.written("%r1", Type::u32, false);
  CHECK(known.forget("%r1", Type::s32) == "");
  CHECK(known.forget("%r1", Type::f32) != "");
  known.written("%h1", Type::f16, true);  // some lanes keep what they had
  CHECK(known.forget("%h1", Type::f16) == "  xor.b16 %h1, %h1, %zh;\n");
  known.written("%d1", Type::f64, false);
  known.received("%d1");
  CHECK(known.forget("%d1", Type::b64) == "");
  known.merged();
  CHECK(known.forget("%d1", Type::b64) == "  xor.b64 %d1, %d1, %zd;\n");
  CHECK(known.forget("%r5", Type::f32) != "");
  CHECK(known.forget("%p1", Type::pred) == "");
  CHECK(known.forget("0x5", Type::u32) == "");
}

}  // namespace
}  // namespace warpwise::conformance
