// Texts of several translation units become one module.

#include "simulator/ptx/link.h"

#include <doctest/doctest.h>

namespace ptx = warpwise::ptx;

namespace {

ptx::Module unit(const std::string& body, const std::string& file) {
  return ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n" + body + "\n.file 1 \"" +
                    file + "\"\n");
}

template <class... Units>
ptx::Module linked(Units... units) {
  std::vector<ptx::Module> all;
  (all.push_back(std::move(units)), ...);
  return ptx::link(std::move(all));
}

const ptx::Variable* variable(const ptx::Module& module, const std::string& name) {
  const ptx::Variable* found = nullptr;
  for (const ptx::Variable& candidate : module.variables)
    if (candidate.name == name) {
      CHECK_MESSAGE(found == nullptr, "twice: ", name);
      found = &candidate;
    }
  return found;
}

}  // namespace

TEST_CASE("declarations find their definitions, in either order") {
  auto module = linked(unit(".extern .func (.param .b32 r) f(.param .b32 x);\n"
                            ".extern .global .align 4 .u32 v;\n"
                            ".visible .func g() { ret; }\n",
                            "a.cu"),
                       unit(".visible .global .align 4 .u32 v = 7;\n"
                            ".extern .func g();\n"
                            ".visible .func (.param .b32 r) f(.param .b32 x) { ret; }\n",
                            "b.cu"));
  REQUIRE(variable(module, "v") != nullptr);
  CHECK(variable(module, "v")->initial.size() == 4);
  CHECK(module.functions.size() == 2);
  CHECK(module.find("f") != nullptr);
  CHECK(module.find("g") != nullptr);
}

TEST_CASE("internal names of different units stay separate") {
  const std::string text =
      ".global .align 4 .u32 mine = 1;\n.global .align 8 .u64 at = mine;\n"
      ".func f() { ret; }\n";
  auto module = linked(
      unit(text + ".visible .entry k() { .reg .b64 %rd<2>; mov.u64 %rd1, mine; call f, (); ret; }",
           "a.cu"),
      unit(text + ".visible .entry l() { .reg .b64 %rd<2>; mov.u64 %rd1, mine; call f, (); ret; }",
           "b.cu"),
      unit(".visible .func f() { .local .b8 mine[4]; .reg .b64 %rd<2>; mov.u64 %rd1, mine; ret; }",
           "c.cu"));
  auto first = module.find("k")->body[0].operands[1].name;
  auto second = module.find("l")->body[0].operands[1].name;
  CHECK(first != second);
  REQUIRE(variable(module, first) != nullptr);
  REQUIRE(variable(module, second) != nullptr);
  CHECK(module.find("k")->body[1].operands[0].name != module.find("l")->body[1].operands[0].name);
  CHECK(module.find("k")->body[1].operands[0].name != "f");
  CHECK(module.find("f")->body[0].operands[1].name == "mine");
  for (const ptx::Variable& candidate : module.variables)
    for (const auto& reference : candidate.references)
      CHECK(variable(module, reference.symbol) != nullptr);
}

TEST_CASE("weak, common and visible definitions") {
  auto module = linked(unit(".weak .global .b32 w = 1;\n.common .global .b8 c[4];\n"
                            ".weak .func f() { ret; }\n",
                            "a.cu"),
                       unit(".weak .global .b32 w = 2;\n.common .global .b8 c[16];\n"
                            ".weak .func f() { exit; ret; }\n",
                            "b.cu"),
                       unit(".visible .func f() { exit; exit; ret; }\n", "c.cu"));
  CHECK(variable(module, "w")->initial.at(0) == std::byte{1});
  CHECK(variable(module, "c")->bytes == 16);
  CHECK(module.functions.size() == 1);
  CHECK(module.find("f")->body.size() == 3);
  CHECK_THROWS_AS(linked(unit(".visible .func f() { ret; }", "a.cu"),
                         unit(".visible .func f() { ret; }", "b.cu")),
                  ptx::ParseError);
}

TEST_CASE("dynamic shared memory is one array, with the strictest alignment") {
  auto module = linked(unit(".extern .shared .align 4 .b8 s[];", "a.cu"),
                       unit(".extern .shared .align 16 .b8 s[];", "b.cu"));
  CHECK(variable(module, "s")->alignment == 16);
}

TEST_CASE("a file's name may have letters of several bytes") {
  auto module = linked(unit(".visible .func f() { .loc 1 5 1\n ret; }", "Kurs \\303\\274/a.cu"),
                       unit(".visible .func g() { .loc 1 6 1\n ret; }", "b\\9.cu"));
  auto file = [&](const char* name) {
    return module.files.at(module.find(name)->locations[0].file);
  };
  CHECK(file("f") == "Kurs ü/a.cu");
  CHECK(file("g") == "b\\9.cu");
}

TEST_CASE("places keep their files") {
  auto module = linked(unit(".visible .func f() { .loc 1 5 1\n ret; }", "a.cu"),
                       unit(".visible .func g() { .loc 1 6 1\n ret; }", "b.cu"));
  auto file = [&](const char* name) {
    return module.files.at(module.find(name)->locations[0].file);
  };
  CHECK(file("f") == "a.cu");
  CHECK(file("g") == "b.cu");
}
