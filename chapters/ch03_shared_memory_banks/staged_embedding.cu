/// \file
/// GPT-2's embedding once more, with the tokens of a line staged in shared memory.
///
/// The question: every thread of a block reads the same token. Is it worth loading a line's tokens
/// into shared memory first, so that each is read from global memory once?
///
///     build/ch03_shared_memory_banks --only staged
///
/// The rungs of `staged`, as the table lists them, and their kernels:
///
///      1  tokens from global  staged_1_global
///      2  tokens from shared  staged_2_shared
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "lesson/embedding_problem.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

__device__ size_t row_begin(int row, int channels) { return static_cast<size_t>(row) * channels; }

/// The tokens straight from global memory: one sector a request, the same for all lanes, and from
/// the second warp on in the L1 cache.
/// @param[in] tokens lines * T, each below the rows of wte. @param[in] wte rows * C. @param[in] wpe
/// T * C. @param[out] y lines * T * C. All row-major, device.
/// @pre a block for each line, any number of threads.
/// @cost writes 4 bytes and reads 4 bytes of wte an element.
__global__ void staged_1_global(const int* tokens, const float* wte, const float* wpe, float* y,
                                int T, int C) {
  const int line = blockIdx.x;
  for (int t = 0; t < T; ++t) {
    const int token = tokens[line * T + t];
    for (int c = threadIdx.x; c < C; c += blockDim.x) {
      y[row_begin(line * T + t, C) + c] = wte[row_begin(token, C) + c] + wpe[row_begin(t, C) + c];
    }
  }
}

/// The line's tokens in shared memory first, read by neighbouring threads in whole sectors.
/// @param tokens, wte, wpe, y as above.
/// @pre as above, with T ints of dynamic shared memory: T <= 12288 without asking for more.
/// @cost as above; T / 8 sectors of tokens a block instead of one request a warp and token.
/// @source G. Yaikhom, GPT-2 parallelisation, for the idea.
__global__ void staged_2_shared(const int* tokens, const float* wte, const float* wpe, float* y,
                                int T, int C) {
  extern __shared__ int line_tokens[];
  const int line = blockIdx.x;
  for (int t = threadIdx.x; t < T; t += blockDim.x) line_tokens[t] = tokens[line * T + t];
  // Each thread reads tokens that others brought.
  __syncthreads();
  for (int t = 0; t < T; ++t) {
    const int token = line_tokens[t];
    for (int c = threadIdx.x; c < C; c += blockDim.x) {
      y[row_begin(line * T + t, C) + c] = wte[row_begin(token, C) + c] + wpe[row_begin(t, C) + c];
    }
  }
}

void staged_rungs(lesson::Trial& run) {
  const lesson::EmbeddingProblem problem(run.size());
  const int T = problem.T, C = problem.C;
  const int* tokens = run.input("tokens", problem.tokens);
  const float* wte = run.input("wte", problem.wte);
  const float* wpe = run.input("wpe", problem.wpe);
  // One addition, correctly rounded.
  float* y = run.output("y", problem.reference(true), {.relative = 0x1p-24}, C);
  const int threads = std::min(lesson::ceil_div(C, 32) * 32, 1024);
  run.variant("tokens from global", staged_1_global, {.grid = problem.lines, .block = threads},
              tokens, wte, wpe, y, T, C);
  run.variant("tokens from shared", staged_2_shared,
              {.grid = problem.lines, .block = threads, .shared_bytes = T * sizeof(int)}, tokens,
              wte, wpe, y, T, C);
}

}  // namespace

void staged_embedding_ladder(lesson::Run& run) {
  run.ladder(
      {.name = "staged",
       .title = "embedding, its tokens from global or shared memory: lines x tokens x channels",
       .full = {256, 1024, 768},
       .small = {2, 128, 768},
       .awkward = {{1, 1, 1}, {3, 5, 33}, {2, 70, 36}, {1, 2, 1030}},
       .needs =
           [](const lesson::Size& size) {
             return lesson::Needs{.bytes = 8.0 * static_cast<double>(size.elements())};
           }},
      staged_rungs);
}
