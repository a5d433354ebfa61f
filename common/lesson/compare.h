#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// \file
/// Whether an output is right, and if not, how it is wrong.
/// \ingroup lesson
namespace warpwise::lesson {

/// Every byte of an output before a launch. As a float it is 3.4e38: what adds to a stale output or
/// takes the larger of the two gives itself away, and no computed NaN looks like it.
inline constexpr unsigned char poison_byte = 0x7F;

/// How far an output may be from the reference: absolute + relative * |reference|.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

/// One wrong element.
struct WrongElement {
  std::size_t index = 0;
  double expected = 0;
  double got = 0;
  bool unwritten = false;  ///< still the poison.
};

/// What a comparison found.
struct Comparison {
  std::size_t total = 0;
  std::size_t wrong = 0;
  std::size_t unwritten = 0;        ///< wrong because never written.
  std::vector<WrongElement> first;  ///< the first few wrong ones.
  std::string pattern;              ///< of the wrong ones; empty when there is none.
  std::string unwritten_pattern;    ///< of those never written, where that is not all of them.
  std::size_t row_length = 0;       ///< of the output as a matrix; 0: it is none.

  bool right() const { return wrong == 0; }
  /// Several lines: how many, the first few, the pattern. No newline at the end.
  std::string text() const;
};

/// Compares the whole output with a reference.
///
/// A finite reference accepts what is not farther than the tolerance, written so that a NaN fails:
/// `!(|got - expected| <= tolerance)` is wrong. A NaN accepts every NaN but the poison; an infinity
/// accepts itself. A finite reference that float cannot hold accepts the infinity of its sign.
/// Elements that one side has and the other has not are wrong.
/// @param row_length columns of a matrix, so that patterns speak of rows and columns; 0: none.
Comparison compare(std::span<const double> expected, std::span<const float> got,
                   Tolerance tolerance, std::size_t row_length = 0);

}  // namespace warpwise::lesson
