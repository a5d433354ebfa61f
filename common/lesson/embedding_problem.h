#pragma once
#include <vector>

#include "lesson/start/size.h"

/// \file
/// GPT-2's embedding as a problem: y[line][t][c] = wte[tokens[line][t]][c] + wpe[t][c].
/// \ingroup lesson
namespace warpwise::lesson {

/// Host arrays of one size and the reference.
struct EmbeddingProblem {
  /// @param size lines x tokens of a line x channels.
  explicit EmbeddingProblem(const Size& size);

  /// In double, row-major: lines * T rows of C.
  /// @param add_position false for the plain gather of rows.
  std::vector<double> reference(bool add_position) const;
  /// Tokens of all lines: rows of the result.
  int rows() const { return static_cast<int>(tokens.size()); }

  int lines = 0, T = 0, C = 0;
  int vocabulary = 0;       ///< GPT-2's where there are enough tokens to make use of it.
  std::vector<int> tokens;  ///< lines * T, each below the vocabulary.
  std::vector<float> wte;   ///< vocabulary * C.
  std::vector<float> wpe;   ///< T * C.
};

}  // namespace warpwise::lesson
