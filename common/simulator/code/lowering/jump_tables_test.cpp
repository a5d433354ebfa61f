// Which branches ptxas turns into tables of targets.

#include "simulator/code/lowering/jump_tables.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "simulator/ptx/module.h"

using namespace warpwise;
using namespace warpwise::code;

namespace jump_tables_test {

/// How many branches of a chain of comparisons become parts of a table.
/// @param parent a constant that a branch before the chain compares with; "": there is none.
long parts(const std::vector<int>& constants, const std::string& parent = "",
           const std::string& type = "s32", const std::string& last = "eq") {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<9>;\n"
      ".reg .b32 %r<9>;\n.reg .b16 %rs<9>;\nmov.u32 %r1, %tid.x;\ncvt.u16.u32 %rs1, %r1;\n";
  const std::string compared = type == "s16" ? "%rs1" : "%r1";
  if (!parent.empty()) text += "setp.gt.s32 %p1, %r1, " + parent + ";\n@%p1 bra OTHER;\n";
  for (std::size_t i = 0; i < constants.size(); ++i)
    text += "setp." + (i + 1 == constants.size() ? last : "eq") + "." + type + " %p2, " + compared +
            ", " + std::to_string(constants[i]) + ";\n@%p2 bra CASE;\n";
  text +=
      "bra.uni END;\nCASE:\nmov.u32 %r2, 1;\nbra.uni END;\nOTHER:\nmov.u32 %r2, "
      "2;\nEND:\nret;\n}\n";
  const ptx::Module module = ptx::parse(text);
  const ptx::Function& function = module.functions.at(0);
  const std::vector<bool> found = parts_of_tables(function, basic_blocks(function));
  return std::count(found.begin(), found.end(), true);
}

TEST_CASE("three constants make a table, and two after a branch with a third") {
  CHECK(parts({0, 1, 2}) == 3);
  CHECK(parts({0, 1}) == 0);
  CHECK(parts({0, 1}, "1") == 2);
  CHECK(parts({5}, "6") == 0);
  CHECK(parts({0, 1, 2}, "", "s16") == 0);
}

TEST_CASE("a last comparison for all others is none of them") {
  CHECK(parts({0, 1, 2}, "", "s32", "ne") == 0);
  CHECK(parts({0, 1, 2, 3}, "", "s32", "ne") == 3);
}

TEST_CASE("distant constants make none: measured with ptxas") {
  CHECK(parts({0, 1, 10}) == 3);
  CHECK(parts({0, 1, 11}) == 0);
  CHECK(parts({0, 1, 2, 15}) == 4);
  CHECK(parts({0, 1, 2, 16}) == 0);
  CHECK(parts({0, 9}, "10") == 2);
  CHECK(parts({0, 10}, "11") == 0);
}

}  // namespace jump_tables_test
