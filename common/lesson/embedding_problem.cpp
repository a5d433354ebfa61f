#include "lesson/embedding_problem.h"

#include "base/numbers.h"

namespace warpwise::lesson {

EmbeddingProblem::EmbeddingProblem(const Size& size) : lines(size[0]), T(size[1]), C(size[2]) {
  constexpr std::size_t gpt2_vocabulary = 50257;
  const std::size_t count = static_cast<std::size_t>(lines) * T;
  vocabulary = count >= gpt2_vocabulary ? static_cast<int>(gpt2_vocabulary) : 997;
  tokens = uniform_indices(count, vocabulary);
  wte = uniform_numbers(static_cast<std::size_t>(vocabulary) * C);
  wpe = uniform_numbers(static_cast<std::size_t>(T) * C, 2);
}

std::vector<double> EmbeddingProblem::reference(bool add_position) const {
  const auto channels = static_cast<std::size_t>(C);
  std::vector<double> y(tokens.size() * channels);
  for (std::size_t row = 0; row < tokens.size(); ++row) {
    const float* word = &wte[static_cast<std::size_t>(tokens[row]) * channels];
    const float* position = &wpe[row % T * channels];
    double* out = &y[row * channels];
    for (std::size_t c = 0; c < channels; ++c) {
      out[c] = static_cast<double>(word[c]) + (add_position ? position[c] : 0);
    }
  }
  return y;
}

}  // namespace warpwise::lesson
