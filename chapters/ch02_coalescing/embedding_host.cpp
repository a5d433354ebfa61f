/// \file
/// The embedding on the CPU, next to the best kernel for it: what does the GPU gain before any
/// tuning?
///
/// The question: both have to read a row of two tables and write a row of the result for each
/// token. How many times as long does one core take, and how many times all of them together?
///
///     build/ch02_coalescing --only embedding_host
///
/// The rungs of `embedding_host`, as the table lists them, and what runs:
///
///      1  one core   sum_rows, four floats at a time
///      2  all cores  sum_rows in as many threads as the machine has cores
#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "base/numbers.h"
#include "lesson/embedding_problem.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

/// Four floats that the CPU adds in one instruction (SIMD), on x86-64 and on arm64.
using Lanes = float __attribute__((vector_size(16)));
constexpr int floats_of_lanes = sizeof(Lanes) / sizeof(float);

/// y[row] = wte[tokens[row]] + wpe[row % T] for the rows of [first, end), host.
/// @cost 12 bytes an element.
void sum_rows(const lesson::EmbeddingProblem& problem, int first, int end, float* y) {
  const auto C = static_cast<std::size_t>(problem.C);
  for (int row = first; row < end; ++row) {
    const float* token = problem.wte.data() + problem.tokens[row] * C;
    const float* position = problem.wpe.data() + row % problem.T * C;
    float* out = y + row * C;
    std::size_t c = 0;
    for (; c + floats_of_lanes <= C; c += floats_of_lanes) {
      Lanes a, b;
      std::memcpy(&a, token + c, sizeof a);
      std::memcpy(&b, position + c, sizeof b);
      a += b;
      std::memcpy(out + c, &a, sizeof a);
    }
    for (; c < C; ++c) out[c] = token[c] + position[c];
  }
}

/// The same by `threads` threads, each with a stretch of rows of its own.
void sum_rows_by_threads(const lesson::EmbeddingProblem& problem, int threads, float* y) {
  const int rows = problem.rows();
  const int stretch = lesson::ceil_div(rows, threads);
  std::vector<std::jthread> running;
  for (int first = 0; first < rows; first += stretch) {
    running.emplace_back([&problem, first, end = std::min(first + stretch, rows), y] {
      sum_rows(problem, first, end, y);
    });
  }
}

/// A rung on the host. Its result goes to the device to be compared; that is not timed.
void host_rung(lesson::Trial& run, const char* name, int threads,
               const std::shared_ptr<const lesson::EmbeddingProblem>& problem, float* device_y) {
  const auto y =
      std::make_shared<std::vector<float>>(problem->rows() * static_cast<std::size_t>(problem->C));
  const auto start = [=] {
    if (threads == 1) {
      sum_rows(*problem, 0, problem->rows(), y->data());
    } else {
      sum_rows_by_threads(*problem, threads, y->data());
    }
  };
  const auto collect = [=] {
    lesson::check(
        cudaMemcpy(device_y, y->data(), y->size() * sizeof(float), cudaMemcpyHostToDevice));
  };
  run.work(name, start, {}, collect);
}

void embedding_host_rungs(lesson::Trial& run) {
  const auto problem = std::make_shared<const lesson::EmbeddingProblem>(run.size());
  float* y = run.output("y", problem->reference(true), {.relative = 0x1p-24}, problem->C);
  host_rung(run, "one core", 1, problem, y);
  host_rung(run, "all cores", static_cast<int>(std::max(2U, std::thread::hardware_concurrency())),
            problem, y);
}

}  // namespace

void embedding_host_ladder(lesson::Run& run) {
  run.ladder({.name = "embedding_host",
              .title = "the same on the CPU: lines x tokens x channels",
              .full = {128, 1024, 768},
              .small = {2, 128, 768},
              .awkward = {{1, 1, 1}, {3, 5, 33}, {2, 7, 36}, {1, 2, 1030}},
              .needs =
                  [](const lesson::Size& size) {
                    return lesson::Needs{.bytes = 8.0 * static_cast<double>(size.elements())};
                  }},
             embedding_host_rungs);
}
