/// \file
/// Checks exercise 04_rows_of_a_layer: a product whose inner dimension is split over two devices.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x M x K floats. @param w K x N floats. @param[out] y M x N floats.
using Layer = void(const float* x, const float* w, float* y, int M, int N, int K);

constexpr int last_M = 64, last_N = 48, last_K = 333;

void attempt(lesson::Session<Layer>& session) {
  const int M = session.size()[0];
  const int N = session.size()[1];
  const int K = session.size()[2];
  const std::vector<float> x = lesson::whole_numbers(M * K, 8, 21);
  const std::vector<float> w = lesson::whole_numbers(K * N, 8, 22);
  std::vector<double> y(M * N);
  for (int i = 0; i < M; ++i) {
    for (int k = 0; k < K; ++k) {
      for (int j = 0; j < N; ++j) y[i * N + j] += static_cast<double>(x[i * K + k]) * w[k * N + j];
    }
  }
  float* out = session.output(y, {}, N);
  session.call(session.input(x), session.input(w), out, M, N, K);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr double x_bytes = 4.0 * last_M * last_K, w_bytes = 4.0 * last_K * last_N;
  return lesson::check_program<Layer>(
      argc, argv,
      {.function = "layer",
       .sizes = {{1, 1, 1}, {1, 3, 2}, {5, 7, 9}, {17, 31, 33}, {last_M, last_N, last_K}},
       .budget = 100'000'000,
       .lesson = "chapters/ch10_many_gpus/README.md, \"A layer on two devices\"",
       .gates = {{.name = "peer",
                  .what = "bytes between the devices, per byte of Y",
                  .measure = lesson::Measure::peer_bytes,
                  .per = 4.0 * last_M * last_N,
                  .at_least = 1,
                  .at_most = 1,
                  .mistake = "weights_over_the_link",
                  .announced = "one matrix of the size of Y goes from device to device"},
                 {.name = "weights",
                  .what = "bytes from the host, per byte of X twice and W once",
                  .measure = lesson::Measure::pinned_bytes_in,
                  .per = 2 * x_bytes + w_bytes,
                  .at_most = 1,
                  .mistake = "all_weights_to_both",
                  .announced = "each row of W goes to one device"},
                 {.name = "chain",
                  .what =
                      "operations on the longest chain: two fills, copies in, product, copy, add, "
                      "copy out",
                  .measure = lesson::Measure::longest_chain,
                  .at_least = 7,
                  .at_most = 8,
                  .mistake = "one_after_the_other",
                  .announced = "the two products may run at the same time"},
                 lesson::waits_gate({.at_most = 3,
                                     .mistake = "host_waits",
                                     .announced = "the host waits only at the end",
                                     .after_fills = "two of them"})},
       .gpus = 2},
      attempt);
}
