/// \file
/// GPT-2's embedding, with blocks of 32 to 1024 threads.
///
/// The question: a block of 768 threads, one for each channel, fills an SM less than one of 256.
/// Does the embedding notice?
///
///     build/ch04_occupancy --only embedding
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

// ---- input and reference ----

/// The table need not be longer than the text for its rows to be used about once.
constexpr int vocabulary = 50257;

struct Embedding {
  int lines, T, C;
  std::vector<int> tokens;  ///< lines * T.
  std::vector<float> wte;   ///< rows * C: a row for each token.
  std::vector<float> wpe;   ///< T * C: a row for each position.

  explicit Embedding(const lesson::Size& size) : lines(size[0]), T(size[1]), C(size[2]) {
    lesson::RandomBits bits(3);
    const auto next = [&] { return bits() >> 8; };
    const int rows = std::min(vocabulary, 4 * lines * T);
    tokens.resize(static_cast<std::size_t>(lines) * T);
    for (int& token : tokens) token = static_cast<int>(next() % static_cast<std::uint32_t>(rows));
    wte.resize(static_cast<std::size_t>(rows) * C);
    wpe.resize(static_cast<std::size_t>(T) * C);
    for (float& value : wte) value = static_cast<float>(next()) * 0x1p-24F - 0.5F;
    for (float& value : wpe) value = static_cast<float>(next()) * 0x1p-24F - 0.5F;
  }

  std::vector<double> reference() const {
    std::vector<double> out;
    out.reserve(tokens.size() * C);
    for (std::size_t place = 0; place < tokens.size(); ++place) {
      const float* word = wte.data() + static_cast<std::size_t>(tokens[place]) * C;
      const float* position = wpe.data() + place % T * C;
      for (int c = 0; c < C; ++c) out.push_back(static_cast<double>(word[c]) + position[c]);
    }
    return out;
  }
};

// ---- the kernel ----

/// Each thread makes one number: the token's row plus the position's row, channel by channel.
/// @param[in] tokens lines * T, device. @param[in] wte rows * C, device. @param[in] wpe T * C,
/// device. @param[out] out lines * T * C, device.
/// @pre blocks and grid in one dimension, together at least `count` = lines * T * C threads.
/// @cost 12 bytes a number, of which the position's 4 come from the L2 cache.
__global__ void embedding_flat(const int* tokens, const float* wte, const float* wpe, float* out,
                               int count, int T, int C) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int channel = i % C, place = i / C;
  const std::size_t word = static_cast<std::size_t>(tokens[place]) * C;
  out[i] = wte[word + channel] + wpe[place % T * C + channel];
}

void embedding_rungs(lesson::Trial& run) {
  const Embedding problem(run.size());
  const int* tokens = run.input("tokens", problem.tokens);
  const float* wte = run.input("wte", problem.wte);
  const float* wpe = run.input("wpe", problem.wpe);
  float* out = run.output("out", problem.reference(), {.relative = 0x1p-24}, problem.C);
  const int count = static_cast<int>(problem.tokens.size()) * problem.C;
  const int threads = std::max(run.value(), 32);
  run.variant("one number a thread", embedding_flat,
              {.grid = (count + threads - 1) / threads, .block = threads}, tokens, wte, wpe, out,
              count, problem.T, problem.C);
}

}  // namespace

void embedding_sweep(lesson::Run& run) {
  run.sweep({.parameter = "threads a block",
             .values = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024},
             .shows = {lesson::Shown::resident_warps, lesson::Shown::occupancy}},
            {.name = "embedding",
             .title = "token plus position, lines x T x C: one block size after the other",
             .full = {24, 1024, 768},
             .small = {2, 32, 768},
             .awkward = {{1, 1, 1}, {3, 5, 33}},
             .needs =
                 [](const lesson::Size& size) {
                   return lesson::Needs{.bytes = 8 * static_cast<double>(size.elements())};
                 }},
            embedding_rungs);
}
