/// \file
/// The first step of GPT-2: each token's row of a table plus its position's row.
///
///     y[line][t][c] = wte[tokens[line][t]][c] + wpe[t][c]
///
/// The question: every access is coalesced from the first kernel on. What is left to gain, up to
/// the time of a plain copy of the same rows?
///
///     build/ch02_coalescing --only embedding
///     build/ch02_coalescing --only gather          # the baseline: rows without the sum
///
/// The rungs of `embedding`, as the table lists them, and their kernels:
///
///      1  block a line, barrier     embedding_1_barrier
///      2  block a line              embedding_2_line
///      3  block a token             embedding_3_token
///      4  float4                    embedding_4_packs
///      5  float4, half the threads  embedding_4_packs
///      6  float4, two lines         embedding_6_position
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "lesson/embedding_problem.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

// ---- what the rungs share ----

__device__ size_t row_begin(int row, int channels) { return static_cast<size_t>(row) * channels; }

__device__ float plus(float a, float b) { return a + b; }
__device__ float4 plus(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

// ---- rung 1: a block for each line, with a barrier ----

/// A block walks along a line of T tokens; thread c takes channel c of each. The barrier in the
/// loop orders nothing: no thread reads what another one wrote. It only makes the fast warps wait.
/// @param[in] tokens lines * T, each below the rows of wte. @param[in] wte rows * C. @param[in] wpe
/// T * C. @param[out] y lines * T * C. All row-major, device.
/// @pre a block for each line, any number of threads; best one for each channel.
/// @cost writes 4 bytes and reads 4 bytes of wte and 4 of wpe (from the L2 cache) an element.
/// @source G. Yaikhom, GPT-2 parallelisation, for the arrangement.
__global__ void embedding_1_barrier(const int* tokens, const float* wte, const float* wpe, float* y,
                                    int T, int C) {
  const int line = blockIdx.x;
  for (int t = 0; t < T; ++t) {
    const int token = tokens[line * T + t];
    __syncthreads();
    for (int c = threadIdx.x; c < C; c += blockDim.x) {
      y[row_begin(line * T + t, C) + c] = wte[row_begin(token, C) + c] + wpe[row_begin(t, C) + c];
    }
  }
}

// ---- rung 2: without the barrier ----

/// The same accesses; warps run ahead of each other.
/// @param tokens, wte, wpe, y as rung 1. @pre as rung 1. @cost as rung 1.
__global__ void embedding_2_line(const int* tokens, const float* wte, const float* wpe, float* y,
                                 int T, int C) {
  const int line = blockIdx.x;
  for (int t = 0; t < T; ++t) {
    const int token = tokens[line * T + t];
    for (int c = threadIdx.x; c < C; c += blockDim.x) {
      y[row_begin(line * T + t, C) + c] = wte[row_begin(token, C) + c] + wpe[row_begin(t, C) + c];
    }
  }
}

// ---- rung 3: fewer threads, more blocks ----

/// A block for each token: as many blocks as tokens instead of lines, so that every SM always has
/// one to start, and small ones, so that no slot of an SM stays empty.
/// @param tokens, wte, wpe, y as rung 1.
/// @pre a block for each token, any number of threads. @cost as rung 1.
__global__ void embedding_3_token(const int* tokens, const float* wte, const float* wpe, float* y,
                                  int T, int C) {
  const int row = blockIdx.x;
  const int token = tokens[row];
  const int t = row % T;
  for (int c = threadIdx.x; c < C; c += blockDim.x) {
    y[row_begin(row, C) + c] = wte[row_begin(token, C) + c] + wpe[row_begin(t, C) + c];
  }
}

// ---- rungs 4 and 5, embedding_4_packs: 16 bytes per thread; a thread per pack, or half ----

/// @tparam Pack float4; float where C is not a multiple of 4.
/// @param tokens, wte, wpe, y as rung 1, on 16-byte boundaries.
/// @pre C a multiple of a pack's floats; a block for each token, any number of threads.
/// @cost as rung 1, in a quarter of the requests.
template <class Pack>
__global__ void embedding_4_packs(const int* tokens, const float* wte, const float* wpe, float* y,
                                  int T, int C) {
  const int row = blockIdx.x;
  const auto* word = reinterpret_cast<const Pack*>(wte + row_begin(tokens[row], C));
  const auto* position = reinterpret_cast<const Pack*>(wpe + row_begin(row % T, C));
  auto* out = reinterpret_cast<Pack*>(y + row_begin(row, C));
  const int packs = C * sizeof(float) / sizeof(Pack);
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    out[pack] = plus(word[pack], position[pack]);
  }
}

// ---- rung 6: a position for several lines ----

/// A block takes the same position of `lines` lines. Its row of wpe is read once for all of them,
/// and a thread has `lines` loads of wte in flight at once.
/// @tparam Pack as rung 4. @tparam lines of a block.
/// @param tokens, wte, wpe, y as rung 4.
/// @pre as rung 4; blocks (position, group of lines): grid T x lines of y / `lines`, rounded up.
/// @cost as rung 4, and 1/lines of the reads of wpe.
template <class Pack, int lines>
__global__ void embedding_6_position(const int* tokens, const float* wte, const float* wpe,
                                     float* y, int T, int C, int all_lines) {
  const int t = blockIdx.x;
  const int first = blockIdx.y * lines;
  const int packs = C * sizeof(float) / sizeof(Pack);
  const Pack* word[lines];
#pragma unroll
  for (int i = 0; i < lines; ++i) {
    // A line past the end reads the last line's row and stores nothing.
    const int line = min(first + i, all_lines - 1);
    word[i] = reinterpret_cast<const Pack*>(wte + row_begin(tokens[line * T + t], C));
  }
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    const Pack position = reinterpret_cast<const Pack*>(wpe + row_begin(t, C))[pack];
    Pack kept[lines];
#pragma unroll
    for (int i = 0; i < lines; ++i) kept[i] = word[i][pack];
#pragma unroll
    for (int i = 0; i < lines; ++i) {
      if (first + i >= all_lines) break;
      auto* out = reinterpret_cast<Pack*>(y + row_begin((first + i) * T + t, C));
      out[pack] = plus(kept[i], position);
    }
  }
}

// ---- the baseline: rows without the sum ----

/// y[row] = wte[tokens[row]]: what an embedding has to move, and nothing else.
/// @tparam Pack as rung 4. @tparam rows of a block: a thread has as many loads in flight.
/// @param[in] tokens all_rows. @param[in] wte its rows of C. @param[out] y all_rows * C. Device.
/// @pre as rung 4; a block for each `rows` rows, rounded up.
/// @cost 8 bytes an element.
template <class Pack, int rows>
__global__ void gather_rows(const int* tokens, const float* wte, float* y, int C, int all_rows) {
  const int first = blockIdx.x * rows;
  const int packs = C * sizeof(float) / sizeof(Pack);
  const Pack* in[rows];
#pragma unroll
  for (int i = 0; i < rows; ++i) {
    // A row past the end reads the last row and stores nothing.
    in[i] = reinterpret_cast<const Pack*>(wte + row_begin(tokens[min(first + i, all_rows - 1)], C));
  }
  for (int pack = threadIdx.x; pack < packs; pack += blockDim.x) {
    Pack kept[rows];
#pragma unroll
    for (int i = 0; i < rows; ++i) kept[i] = in[i][pack];
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      if (first + i >= all_rows) break;
      reinterpret_cast<Pack*>(y + row_begin(first + i, C))[pack] = kept[i];
    }
  }
}

// ---- launchers ----

constexpr int largest_block = 1024;
constexpr int small_block = 256;
constexpr int lines_together = 2;

/// Whole warps for `packs` packs of a row, at most `most` threads.
int threads_for(int packs, int most) { return std::min(lesson::ceil_div(packs, 32) * 32, most); }

template <class Pack>
void pack_rungs(lesson::Trial& run, const lesson::EmbeddingProblem& problem, const int* tokens,
                const float* wte, const float* wpe, float* y) {
  const int packs = problem.C * static_cast<int>(sizeof(float)) / static_cast<int>(sizeof(Pack));
  const int threads = threads_for(packs, small_block);
  const int half = threads_for(lesson::ceil_div(packs, 2), small_block);
  run.variant("float4", embedding_4_packs<Pack>, {.grid = problem.rows(), .block = threads}, tokens,
              wte, wpe, y, problem.T, problem.C);
  run.variant("float4, half the threads", embedding_4_packs<Pack>,
              {.grid = problem.rows(), .block = half}, tokens, wte, wpe, y, problem.T, problem.C);
  const dim3 groups(problem.T, lesson::ceil_div(problem.lines, lines_together));
  run.variant("float4, two lines", embedding_6_position<Pack, lines_together>,
              {.grid = groups, .block = threads}, tokens, wte, wpe, y, problem.T, problem.C,
              problem.lines);
}

void embedding_rungs(lesson::Trial& run) {
  const lesson::EmbeddingProblem problem(run.size());
  const int T = problem.T, C = problem.C;
  const int* tokens = run.input("tokens", problem.tokens);
  const float* wte = run.input("wte", problem.wte);
  const float* wpe = run.input("wpe", problem.wpe);
  // One addition, correctly rounded.
  float* y = run.output("y", problem.reference(true), {.relative = 0x1p-24}, C);

  const lesson::Shape line{.grid = problem.lines, .block = threads_for(C, largest_block)};
  run.variant("block a line, barrier", embedding_1_barrier, line, tokens, wte, wpe, y, T, C);
  run.variant("block a line", embedding_2_line, line, tokens, wte, wpe, y, T, C);
  run.variant("block a token", embedding_3_token,
              {.grid = problem.rows(), .block = threads_for(C, small_block)}, tokens, wte, wpe, y,
              T, C);
  if (C % 4 == 0) {
    pack_rungs<float4>(run, problem, tokens, wte, wpe, y);
  } else {
    pack_rungs<float>(run, problem, tokens, wte, wpe, y);
  }
}

void gather_rungs(lesson::Trial& run) {
  const lesson::EmbeddingProblem problem(run.size());
  const int C = problem.C;
  const int* tokens = run.input("tokens", problem.tokens);
  const float* wte = run.input("wte", problem.wte);
  float* y = run.output("y", problem.reference(false), {}, C);
  const auto rung = [&](const char* name, auto kernel, int packs, int rows) {
    run.variant(
        name, kernel,
        {.grid = lesson::ceil_div(problem.rows(), rows), .block = threads_for(packs, small_block)},
        tokens, wte, y, C, problem.rows());
  };
  rung("float", gather_rows<float, 1>, C, 1);
  if (C % 4 == 0) {
    rung("float4", gather_rows<float4, 1>, C / 4, 1);
    rung("float4, two rows", gather_rows<float4, 2>, C / 4, 2);
  } else {
    for (const char* name : {"float4", "float4, two rows"}) {
      run.skip(name, "a row begins at a whole pack only when the channels are a multiple of 4");
    }
  }
}

/// Each row of the result written and one row of the table read for it.
lesson::Needs rows_moved(const lesson::Size& size) {
  return {.bytes = 8.0 * static_cast<double>(size.elements())};
}

const std::vector<lesson::Size> awkward{
    {1, 1, 1}, {3, 5, 33}, {2, 7, 36}, {5, 3, 1000}, {1, 2, 1030}};

}  // namespace

void embedding_ladders(lesson::Run& run) {
  run.ladder({.name = "gather",
              .title = "rows of a table by token, float32: lines x tokens x channels",
              .full = {128, 1024, 768},
              .small = {2, 128, 768},
              .awkward = awkward,
              .needs = rows_moved},
             gather_rungs);
  run.ladder({.name = "embedding",
              .title = "a token's row plus its position's, float32: lines x tokens x channels",
              .full = {128, 1024, 768},
              .small = {2, 128, 768},
              .awkward = awkward,
              .needs = rows_moved},
             embedding_rungs);
}
