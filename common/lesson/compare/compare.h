#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lesson/compare/value_pattern.h"

/// \file
/// Whether an output is right, and if not, how it is wrong.
/// \ingroup lesson
namespace warpwise::lesson {

/// Every byte of an output before a launch. As a float it is 3.4e38: what adds to a stale output or
/// takes the larger of the two gives itself away, and no computed NaN looks like it.
inline constexpr unsigned char poison_byte = 0x7F;

/// bf16 numbers as floats. One that still holds the poison becomes the poison of a float.
std::vector<float> widened_bf16(std::span<const std::uint16_t> numbers);

/// One wrong element.
struct WrongElement {
  std::size_t index = 0;
  double expected = 0;
  double got = 0;
  bool unwritten = false;  ///< still the poison.
};

/// The result of a comparison.
struct Comparison {
  std::size_t total = 0;
  std::size_t wrong = 0;
  std::size_t unwritten = 0;        ///< wrong because never written.
  std::vector<WrongElement> first;  ///< the first few wrong ones.
  Pattern pattern;                  ///< of the wrong ones' places.
  std::string unwritten_pattern;    ///< of those never written, where that is not all of them.
  Pattern values;                   ///< of the values of those that were written.
  std::size_t row_length = 0;       ///< of the output as a matrix; 0: it is none.

  bool right() const { return wrong == 0; }
  /// Several lines: how many, the pattern, the first few, how their values are wrong. Lines that
  /// begin with a blank are rows of a table. No newline at the end.
  std::string text() const;
  /// The first sentence: how many, and their places.
  std::string which() const;
  /// That, and how their values are wrong, without the table.
  std::string summary() const;
  /// A question that leads on; one sentence.
  std::string next() const;
};

/// Compares the whole output with a reference.
///
/// The poison is wrong whatever is_right() says.
/// Elements that one side has and the other has not are wrong.
/// @param row_length columns of a matrix, so that patterns speak of rows and columns; 0: none.
/// @param slips are looked at before other rules for the values.
Comparison compare(std::span<const double> expected, std::span<const float> got,
                   Tolerance tolerance, std::size_t row_length = 0,
                   std::span<const Slip> slips = {});

}  // namespace warpwise::lesson
