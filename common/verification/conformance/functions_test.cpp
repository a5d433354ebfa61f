#include "verification/conformance/functions.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <fstream>

#include "verification/conformance/fixture.h"

// All inputs take minutes: `conformance functions common/verification/recorded/conformance`. Here
// it is every segment of every table, and what is special.
namespace warpwise::conformance {
namespace {

const Sums& recorded() {
  static const Sums sums =
      read_sums(WARPWISE_SOURCE_DIR "/common/verification/recorded/conformance/functions.txt");
  return sums;
}

/// The block of an exponent of f32.
constexpr std::uint32_t exponent(int power) { return static_cast<std::uint32_t>(127 + power); }
constexpr std::uint32_t negative = 256;

bool is_worth_a_test(const Function& function, std::uint32_t block) {
  auto is = [&](std::string_view name) { return function.opcode.starts_with(name); };
  // Zeros and subnormals, numbers from 1 to 4, infinity and NaN, negative ones.
  for (std::uint32_t usual : {0u, exponent(0), exponent(1), 255u, negative | exponent(0)})
    if (block == usual) return !function.opcode.ends_with("x2") || block == exponent(0);
  if (is("rcp") || is("div")) return block == 253 || block == 254;
  // Logarithms below 1 are negative, and very small at first.
  if (is("lg2")) return block == exponent(-1) || block == exponent(-2);
  // Powers with more digits than the unit reads; those that are subnormal.
  if (is("ex2")) return block == exponent(-2) || block == (negative | exponent(6));
  // Fewer and more than all quarters of a turn.
  if (is("sin") || is("cos")) return block == exponent(-4) || block == exponent(2);
  if (is("tanh.approx.f32")) return block >= exponent(-9) && block <= exponent(3);
  return false;
}

TEST_CASE("approximate functions give the bits of the hardware") {
  for (const std::string& block : differing_blocks(recorded(), is_worth_a_test)) FAIL_CHECK(block);
}

TEST_CASE("a single sum that differs is found") {
  Sums sums = recorded();
  ++sums.at("rcp.approx.ftz.f32")[exponent(0)];
  ++sums.at("div.full.f32")[exponent(1)];
  auto few = [](const Function& function, std::uint32_t block) {
    return (function.opcode == "rcp.approx.ftz.f32" || function.opcode == "div.full.f32") &&
           (block == exponent(0) || block == exponent(1));
  };
  CHECK(differing_blocks(sums, few) ==
        std::vector<std::string>{"div.full.f32: inputs from 0x40000000",
                                 "rcp.approx.ftz.f32: inputs from 0x3f800000"});
  sums.erase("rcp.approx.ftz.f32");
  CHECK_THROWS(differing_blocks(sums, few));
}

TEST_CASE("results that differ add something else") {
  for (std::uint32_t index : {0u, 7u, 0x3f800000u, 0xffffffffu})
    for (std::uint32_t result : {0u, 0x80000000u, 0x3f800000u})
      for (int bit = 0; bit < 32; ++bit)
        CHECK(addend(index, result) != addend(index, result ^ 1u << bit));
  CHECK(addend(0, 1) + addend(1, 0) != addend(0, 0) + addend(1, 1));
}

TEST_CASE("the kernel adds up what the functions do") {
  auto machine = simulator();
  constexpr std::uint32_t first = 0x3eff0000, count = 1u << 18;
  for (const Function& function : functions()) {
    machine->load(module_header + sum_kernel(function, "k"));
    CHECK_MESSAGE(
        sum_of_inputs(*machine, "k", first, count) == sum_of_inputs(function, first, count),
        function.opcode);
  }
}

TEST_CASE("sums are written and read; too few of them are refused") {
  std::string name = (std::filesystem::temp_directory_path() / "functions_test_XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  std::filesystem::path folder = name;
  write_sums(folder / "functions.txt", recorded(), "a device");
  CHECK(read_sums(folder / "functions.txt") == recorded());
  std::ofstream(folder / "few.txt") << "rcp.approx.f32\n 00000000 00000001\n";
  CHECK_THROWS(read_sums(folder / "few.txt"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace warpwise::conformance
