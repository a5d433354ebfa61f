/// \file
/// Checks exercise 07_group_scales: the largest of each 32 numbers, by eight lanes.
#include <algorithm>
#include <cmath>
#include <vector>

#include "check/exercise.h"
#include "rows_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// x 32 numbers for each group, 16-byte aligned, scale one; device. @pre blocks of 128 threads,
/// eight for each group.
using GroupScales = void(const float* x, float* scale, int groups);

constexpr int group_size = 32;
constexpr int groups_per_block = 16;

/// Groups of several sizes in turn, with the largest number at a place that wanders, and negative.
std::vector<float> input(int groups) {
  constexpr float sizes[] = {1, 1e-9F, 100, 1e-3F};
  std::vector<float> x = checks::numbers(static_cast<std::size_t>(groups) * group_size, 18, -1, 2);
  for (int group = 0; group < groups; ++group) {
    float* own = &x[static_cast<std::size_t>(group) * group_size];
    own[group * 7 % group_size] = group % 2 == 0 ? -1.5F : 1.25F;
    std::for_each(own, own + group_size, [&](float& v) { v *= sizes[group % std::size(sizes)]; });
  }
  return x;
}

std::vector<double> reference(const std::vector<float>& x) {
  std::vector<double> scale(x.size() / group_size);
  for (std::size_t i = 0; i < x.size(); ++i) {
    scale[i / group_size] = std::max(scale[i / group_size], std::fabs(double{x[i]}) / 127);
  }
  return scale;
}

void attempt(lesson::Attempt<GroupScales>& attempt) {
  const int groups = attempt.size()[0];
  const std::vector<float> host = input(groups);
  const float* x = attempt.input("x", host);
  // One quotient.
  float* scale = attempt.output("scale", reference(host), {.relative = 2e-7});
  attempt.launch({.grid = (groups + groups_per_block - 1) / groups_per_block, .block = 128}, x,
                 scale, groups);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{256};
  const double warps = last[0] / 4.0;
  return lesson::check_exercise<GroupScales>(
      argc, argv,
      {.kernel = "group_scales",
       .sizes = {{5}, {1}, {3}, {4}, {31}, {257}, {20001}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch05_warp_reduce/README.md, \"A sum that every lane needs\"",
       .gates = {{.name = "loads",
                  .what = "load requests for each four groups",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = warps,
                  .at_least = 1,
                  .at_most = 1,
                  .mistake = "single_floats"},
                 {.name = "stores",
                  .what = "sectors stored for each four groups",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 1,
                  .at_most = 1},
                 {.name = "shared",
                  .what = "accesses to shared memory for each four groups",
                  .access = "shared",
                  .measure = lesson::Measure::requests,
                  .per = warps,
                  .at_most = 0,
                  .mistake = "through_shared"},
                 {.name = "workers",
                  .what = "warps that load groups",
                  .access = "global load",
                  .measure = lesson::Measure::warps,
                  .at_least = warps,
                  .mistake = "one_block",
                  .array = "x"}},
       .beyond = {{300007}},
       .full = {1 << 20}},
      attempt);
}
