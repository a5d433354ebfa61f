#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "simulator/isa/syntax.h"

/// Helpers that the tests of rows share.
namespace warpwise::isa {

/// Runs one opcode on single values (broadcast to 32 lanes) and returns lane 7 of the result.
/// @param selectors of video instructions, for d, a, b, ...
template <class D, class... S>
D run_selected(std::string_view opcode, std::vector<std::string_view> selectors, S... sources) {
  auto match = find_row(opcode, sizeof...(S) + 1);
  REQUIRE_MESSAGE(match.has_value(), opcode);
  REQUIRE((match->function != nullptr));
  alignas(64) D d[32];
  std::memset(d, 0x5a, sizeof d);
  Operands operands;
  operands.d = d;
  alignas(64) std::byte storage[4][512];
  std::size_t at = 0;
  (
      [&] {
        for (int lane = 0; lane < 32; ++lane)
          std::memcpy(storage[at] + lane * sizeof(S), &sources, sizeof(S));
        operands.s[at] = storage[at];
        ++at;
      }(),
      ...);
  std::uint64_t immediate[32];
  if (match->syntax->implicit().immediate) {
    std::fill_n(immediate, 32, match->syntax->row().immediate(match->variant, selectors));
    operands.s[at] = immediate;
  }
  match->function(operands);
  return d[7];
}

template <class D, class... S>
D run(std::string_view opcode, S... sources) {
  return run_selected<D>(opcode, {}, sources...);
}

/// Runs an instruction on matrices, each of which lends its registers: d = a * b + c.
template <class Matrix>
void multiply(const Match& match, Matrix& d, const Matrix& a, const Matrix& b, const Matrix& c) {
  Operands operands;
  operands.d = d.pointers.data();
  operands.s[0] = a.pointers.data();
  operands.s[1] = b.pointers.data();
  operands.s[2] = c.pointers.data();
  match.function(operands);
}

}  // namespace warpwise::isa
