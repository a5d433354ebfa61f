// PTX that people write and nvcc does not. Its meaning when it runs is tested by
// verification/programs/language/ptx_by_hand.cu and
// verification/programs/language/ptx_values_in_registers.cu, against a GPU's record.
#include <doctest/doctest.h>

#include <cstring>

#include "simulator/ptx/module.h"

namespace ptx = warpwise::ptx;

namespace by_hand_test {

const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n";

std::string kernel(const std::string& body) {
  return ".visible .entry k() { .reg .b32 %r<9>; .reg .f32 %f<3>; .reg .pred %p<3>;\n" + body +
         "\nret; }\n";
}

std::string error_of(const std::string& text) {
  try {
    ptx::parse(head + text);
  } catch (const ptx::ParseError& error) {
    return error.what();
  }
  return "";
}

bool is_refused(const std::string& text, const std::string& why) {
  return error_of(text).find(why) != std::string::npos;
}

std::string unsupported(const std::string& text) {
  return ptx::parse(head + text).find("k")->unsupported;
}

const std::string f = ".func (.reg .u32 %q) f (.reg .u32 %a) { add.u32 %q, %a, 1; ret; }\n";

TEST_CASE("a call with registers passes through parameters that the text does not have") {
  const ptx::Module module = ptx::parse(head + f + kernel("call (%r1), f, (%r2);"));
  const ptx::Function &callee = *module.find("f"), &k = *module.find("k");
  REQUIRE(callee.body.size() == 5);
  CHECK(callee.body[0].opcode == "ld.param.b32");
  CHECK(callee.body[2].opcode == "st.param.b32");
  REQUIRE(k.body.size() == 4);
  CHECK(k.body[0].opcode == "st.param.b32");
  CHECK(k.body[2].opcode == "ld.param.b32");
  for (std::size_t i : {0, 2}) {
    CHECK(callee.body[i].is_implied);
    CHECK(k.body[i].is_implied);
  }
  CHECK_FALSE(k.body[1].is_implied);
}

TEST_CASE("what cannot be passed in registers spoils only its function") {
  CHECK(unsupported(f + kernel("call (%r1), f, (%p1);")).find("no predicate") != std::string::npos);
  CHECK(unsupported(kernel("call (%r1), unknown, (5);")).find("what the function takes") !=
        std::string::npos);
  const ptx::Module module =
      ptx::parse(head + ".func (.reg .pred %q) g (.reg .pred %a) { mov.pred %q, %a; ret; }\n" +
                 ".func (.reg .u32 %q) h (.reg .pred %a) { mov.u32 %q, 1; ret; }\n" + kernel(""));
  for (const char* name : {"g", "h"})
    CHECK(module.find(name)->unsupported.find("no predicate") != std::string::npos);
  CHECK(module.find("k")->unsupported.empty());
  CHECK(unsupported(kernel("mov.v2.b32 %r1, %r2;")).find("two vectors") != std::string::npos);
}

TEST_CASE("a prototype without its semicolon ends where the next directive begins") {
  const ptx::Module module =
      ptx::parse(head + ".visible .func (.reg .u32 %q) f (.reg .u32 %a)\n" + kernel("") + f);
  REQUIRE(module.functions.size() == 3);
  CHECK(module.functions[0].is_declaration);
  REQUIRE(module.find("k") != nullptr);
  CHECK_FALSE(module.find("k")->body.empty());
  CHECK(module.find("f") != nullptr);
}

TEST_CASE("a vector is moved by way of others, and may be of special registers") {
  const ptx::Module module =
      ptx::parse(head + kernel(".reg .v4 .u32 V; mov.v4.u32 V, %tid; mov.v2.u32 {V.x, V.y}, V;") +
                 kernel(".reg .v2 .u32 V; mov.v2.u32 V, {V.y, V.x};"));
  const ptx::Function &whole = module.functions[0], &swap = module.functions[1];
  CHECK(whole.unsupported.find("two vectors") != std::string::npos);
  REQUIRE(whole.body.size() == 9);
  CHECK(whole.body[2].operands[1].name == "%tid.z");
  CHECK(whole.body[3].operands[1].value == 0);
  REQUIRE(swap.body.size() == 5);
  CHECK(swap.body[0].operands[1].id == swap.body[3].operands[0].id);
  CHECK(swap.body[0].operands[0].id == swap.body[2].operands[1].id);
}

TEST_CASE("constant expressions that mean nothing are refused") {
  const auto value = [](const std::string& text) { return ".global .u32 v = " + text + ";"; };
  CHECK(error_of(value("(1 + 2) * 3")).empty());
  CHECK(is_refused(value("1 / 0"), "cannot be joined by /"));
  CHECK(is_refused(value("1 % 0"), "cannot be joined by %"));
  CHECK(is_refused(value("1.5 << 2"), "cannot be joined by <<"));
  CHECK(is_refused(value("~1.5"), "needs an integer"));
  CHECK(is_refused(value("1.5 ? 1 : 2"), "a condition"));
  CHECK(is_refused(value("(.u64)1.5"), "no such cast"));
  CHECK(is_refused(value("1 +"), "found ';'"));
  CHECK(is_refused(kernel("ld.shared.u32 %r1, [%r2+1.5];"), "expected an integer"));
  const std::string deep(100'000, '(');
  CHECK(is_refused(value(deep), "nested too deeply"));
  CHECK(is_refused(value(std::string(100'000, '-') + "1"), "nested too deeply"));
  CHECK(is_refused(".global .u32 v[9] = " + std::string(100'000, '{'), "nested too deeply"));
}

TEST_CASE("the smallest quotient is itself") {
  const ptx::Module module = ptx::parse(head + ".global .s64 v = (.s64)0x8000000000000000 / -1;\n");
  std::int64_t value = 0;
  std::memcpy(&value, module.variables[0].initial.data(), sizeof value);
  CHECK(value == INT64_MIN);
}

TEST_CASE("many registers are as many as a text can use") {
  const std::string many = ".reg .b32 %a<900000>;";
  CHECK(error_of(kernel(many)).empty());
  CHECK(is_refused(kernel(many + many), "too many registers"));
  CHECK(is_refused(kernel(many) + kernel(many), "too many registers"));
  CHECK(is_refused(kernel(".reg .v4 .b32 %a<900000>;"), "too many registers"));
}

TEST_CASE("arrays: extents, elements, masks of addresses") {
  CHECK(is_refused(".global .u32 v[4294967296][4294967296];", "larger than any GPU's memory"));
  CHECK(is_refused(".global .u32 v[1] = {1, 2};", "more initial values"));
  CHECK(is_refused(".global .u32 a; .global .u8 v = 0xfff(a);", "must choose one byte"));
  CHECK(is_refused(kernel("ld.shared.u32 %r1, none[3];"), "no array none"));
  const std::string tile = ".shared .u32 tile[8]; .reg .b16 %h; .reg .v2 .b32 V;\n";
  CHECK(is_refused(kernel(tile + "ld.shared.u32 %r1, tile[%h];"), "needs 32 or 64 bits"));
  CHECK(is_refused(kernel(tile + "ld.shared.u32 %r1, tile[V];"), "not a number: V"));
  CHECK(is_refused(kernel(tile + "st.shared.v2.b32 [tile], {V, V};"), "a vector inside a vector"));
  const ptx::Module open = ptx::parse(head + ".global .u32 v[][2] = {{1, 2}, {3}}, none[];\n");
  CHECK(open.variables[0].bytes == 16);
  CHECK(open.variables[1].bytes == 0);
}

TEST_CASE("what a pointer leads to says nothing about where the pointer is") {
  const ptx::Module module =
      ptx::parse(head + ".entry k(.param .u32 n, .param .u64 .ptr .global .align 1 p) { ret; }\n");
  CHECK(module.find("k")->parameters[1].alignment == 8);
}

TEST_CASE("texture references are variables that only their users miss") {
  const ptx::Module module =
      ptx::parse(head + ".global .texref t; .global .samplerref s = { filter_mode = nearest };\n" +
                 kernel("#line 3 \"a.ptx\"\nmov.u32 %r1, 1;"));
  CHECK(module.variables.size() == 2);
  CHECK(module.find("k")->unsupported.empty());
}

TEST_CASE("an alias may come first, but not without its function") {
  const std::string declared = ".func g(.param .u32 a); .func h(.param .u32 a); .alias h, g;\n";
  CHECK(is_refused(declared, "no function g for the alias h"));
  const ptx::Module module = ptx::parse(head + declared + ".func g(.param .u32 a) { ret; }\n");
  CHECK(module.find("h") != nullptr);
}

}  // namespace by_hand_test
