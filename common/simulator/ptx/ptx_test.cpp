#include <doctest/doctest.h>

#include <bit>

#include "simulator/ptx/module.h"

namespace ptx = warpwise::ptx;

namespace {

const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n";

std::string kernel(const std::string& body) {
  return head +
         ".visible .entry k(.param .u64 k_0, .param .align 4 .b8 k_1[12])\n.maxntid 128, 2 "
         ".reqnctapercluster 4, 2\n{\n" +
         body + "\n}\n.file 1 \"/src/a.cu\"\n";
}

std::string error_of(const std::string& text) {
  try {
    ptx::parse(text);
  } catch (const ptx::ParseError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("moved code, which has line 0, keeps the place before it") {
  auto module =
      ptx::parse(kernel(".reg .b32 %r<2>;\n.loc 1 7 3\nmov.u32 %r0, 1;\n"
                        ".loc 1 0 3\nmov.u32 %r1, 2;\nret;"));
  const ptx::Function& k = *module.find("k");
  REQUIRE(k.body.size() == 3);
  CHECK(k.locations.at(k.body[1].location).line == 7);
}

TEST_CASE("predicates are in registers alone") {
  CHECK(error_of(head + ".global .align 4 .pred p[2] = {0, 1};").find("cannot be a predicate") !=
        std::string::npos);
}

TEST_CASE("a label belongs to its braces") {
  auto module =
      ptx::parse(kernel(".reg .pred %p<2>; .reg .b32 %r<2>;\n"
                        "{ WAIT: @%p1 bra DONE; bra WAIT; DONE: }\n"
                        "DONE: mov.u32 %r1, 1;\n"
                        "{ WAIT: { @%p1 bra DONE; bra WAIT; DONE: } bra OUTER; DONE: bra DONE; }\n"
                        "OUTER: ret;"));
  const ptx::Function& k = *module.find("k");
  const auto leads_to = [&k](std::size_t branch) {
    return k.labels.at(k.body.at(branch).operands.at(0).name);
  };
  CHECK(leads_to(0) == 2);  // the end of its own braces
  CHECK(leads_to(1) == 0);
  CHECK(leads_to(3) == 5);  // of the innermost of that name, which comes later
  CHECK(leads_to(4) == 3);  // of the braces around
  CHECK(leads_to(5) == 7);  // of the function
  CHECK(leads_to(6) == 6);
}

TEST_CASE("a kernel: parameters, registers in scopes, labels, locations") {
  auto module =
      ptx::parse(kernel(".reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<2>;\n"
                        ".shared .align 4 .b8 tile[24];\n"
                        ".loc 1 7 3\n"
                        "ld.param.u64 %rd1, [k_0];\n"
                        ".loc 2 40 5, function_name $L__info_string0, inlined_at 1 7 3\n"
                        "{.reg.b32 %r1; mov.u32 %r1, 4; }\n"
                        "mov.u32 %r1, %tid.x;\n"
                        "$L__BB0_2:\n"
                        "@!%p1 bra $L__BB0_2;\n"
                        "ld.shared.f32 %r2, [tile+8];\n"
                        "st.global.v2.b32 [%rd1+-8], {%r1, %r2};\n"
                        "shfl.sync.down.b32 %r3|%p2, %r1, 1, 31, -1;\n"
                        "ret;"));
  CHECK(module.architecture == 90);
  CHECK(module.files.at(1) == "/src/a.cu");
  const ptx::Function& k = *module.find("k");
  CHECK(k.parameters[1].bytes == 12);
  CHECK(k.max_threads == 256);
  CHECK(k.cluster == std::array{4u, 2u, 1u});
  REQUIRE(k.body.size() == 8);
  CHECK(k.body[1].operands[0].id != k.body[2].operands[0].id);
  CHECK(k.body[2].operands[1].name == "%tid.x");
  CHECK(k.labels.at("$L__BB0_2") == 3);
  CHECK(k.body[3].guard_negated);
  CHECK(k.body[4].operands[1].name == "tile");
  CHECK(k.body[4].operands[1].value == 8);
  CHECK(k.body[5].operands[0].value == -8);
  CHECK(k.body[5].operands[1].elements.size() == 2);
  CHECK(k.body[6].has_second);
  CHECK(k.body[6].operands[5].value == -1);
  const auto& inlined = k.locations[k.body[1].location];
  CHECK(inlined.line == 40);
  CHECK(k.locations[inlined.inlined_at].line == 7);
}

TEST_CASE("WARP_SZ is a number") {
  auto module = ptx::parse(kernel(".reg .b32 %r<2>; mov.u32 %r1, WARP_SZ; ret;"));
  const ptx::Operand& size = module.find("k")->body[0].operands[1];
  CHECK(size.kind == ptx::Operand::Kind::integer);
  CHECK(size.value == 32);
}

TEST_CASE("floats in decimal are doubles, and minus turns the sign of any float") {
  auto module = ptx::parse(
      kernel(".reg .f32 %f<2>; add.f32 %f1, 0.5, 2.5e-4; add.f32 %f1, -1.5, -0f3F800000; ret;"));
  const auto& body = module.find("k")->body;
  auto is_double = [&](const ptx::Operand& operand, double value) {
    return operand.kind == ptx::Operand::Kind::f64 && std::bit_cast<double>(operand.value) == value;
  };
  CHECK(is_double(body[0].operands[1], 0.5));
  CHECK(is_double(body[0].operands[2], 2.5e-4));
  CHECK(is_double(body[1].operands[1], -1.5));
  CHECK(body[1].operands[2].value == 0xbf800000);
}

TEST_CASE("variables: short initialisers, strings, addresses, dynamic shared memory") {
  auto module = ptx::parse(head +
                           ".global .align 4 .u32 table[8] = {1, -2, 0x10};\n"
                           ".const .align 4 .f32 pi = 0f40490FDB;\n"
                           ".global .align 8 .u64 where[2] = {generic(table)+4, 0};\n"
                           ".extern .shared .align 16 .b8 dynamic[];\n");
  CHECK(module.variables[0].bytes == 32);
  CHECK(module.variables[0].initial.size() == 12);
  CHECK(module.variables[2].references.at(0).addend == 4);
  CHECK(module.variables[3].linkage == ptx::Linkage::external);
  CHECK(module.variables[3].bytes == 0);
}

TEST_CASE("errors name the PTX line, its text and the source line") {
  std::string error = error_of(kernel(".reg .b32 %r<2>;\n.loc 1 9 1\nadd.s32 %r1, %r0, 5x;"));
  CHECK(error.find("not a number: 5x") != std::string::npos);
  CHECK(error.find("source line 9") != std::string::npos);
  CHECK(error.find("PTX line 9: add.s32 %r1, %r0, 5x;") != std::string::npos);
}

TEST_CASE("an instruction without a row spoils its function, not the module") {
  auto module =
      ptx::parse(kernel(".reg .b32 %r<2>;\n.loc 1 9 1\nfoo.bar {%r1}, %r0;\nbar.foo;\nret;") +
                 ".visible .entry other() { ret; }");
  CHECK(module.find("k")->unsupported ==
        "PTX line 9: foo.bar {%r1}, %r0;: the simulator does not know foo.bar yet (in k, source "
        "line 9)");
  CHECK(module.find("other")->unsupported.empty());
  CHECK(module.find("other")->body.size() == 1);
}

TEST_CASE("operands that its row does not have spoil an instruction's function") {
  const auto problem = [](const std::string& instruction) {
    const auto module = ptx::parse(
        kernel(".reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<2>;\n" + instruction + "\nret;"));
    return module.find("k")->unsupported;
  };
  CHECK(problem("ld.global.u32 ;") == "PTX line 8: ld.global.u32 ;: it lacks operands");
  CHECK(problem("ld.global.u32 %r1, %rd1;").find("expected an address in brackets") !=
        std::string::npos);
  CHECK(problem("add.s32 5, %r0, 5;").find("needs a register") != std::string::npos);
  CHECK(problem("add.s32 %r1, %p0, 5;").find("cannot be a predicate") != std::string::npos);
  CHECK(problem("add.s32 %r1, %r0, 5, 5;").find("too many operands") != std::string::npos);
  CHECK(problem("@%p1 ld.global.u32 %r1, [%rd1];").empty());
}

TEST_CASE("damaged texts are refused, never fatal") {
  std::string whole = kernel(".reg .b32 %r<2>;\nadd.s32 %r1, %r0, 5;\nret;");
  CHECK(error_of(whole).empty());
  for (std::size_t size = head.size() + 1; size < whole.size() - 25; ++size)
    CHECK_FALSE_MESSAGE(error_of(whole.substr(0, size)).empty(), size);
  CHECK_FALSE(error_of("hello").empty());
  CHECK_FALSE(error_of(head + ".global .b8 x[99999999999999];").empty());
  CHECK_FALSE(error_of(kernel(".reg .b32 %r<99999999999>;")).empty());
  CHECK_FALSE(error_of(kernel("@%p9 bra x;")).empty());
}
