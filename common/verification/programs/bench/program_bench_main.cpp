/// \file
/// The time and memory of whole programs under the simulator, in addition to the instructions that
/// simulator_bench measures: how long one with kernels of CUB and of tensor cores takes from its
/// start to its end, and how much memory one needs that touches much, with all checks on.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/preload.h"

namespace {

struct Run {
  double seconds;
  double megabytes;  ///< at most in memory at one time
};

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Runs the program under the simulator; ends this one where it fails.
Run run(std::vector<std::string> words) {
  words.insert(words.begin(), WARPWISE_WHOLE_PROGRAM);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const double start = now();
  const pid_t process = fork();
  if (process == 0) {
    setenv("LD_PRELOAD", warpwise::base::preloadable(WARPWISE_STAND_IN).c_str(), 1);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (process < 0 || wait4(process, &status, 0, &usage) != process || status != 0) {
    fmt::print(stderr, "{} does not run: build it with cmake --build\n", arguments[0]);
    std::exit(3);
  }
  return {now() - start, static_cast<double>(usage.ru_maxrss) / 1024};
}

}  // namespace

int main() {
  constexpr int rounds = 10, megabytes = 256;
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) best = std::min(best, run({"start"}).seconds);
  fmt::print("a program with kernels of CUB and tensor cores: {:.0f} ms (best of {})\n", best * 1e3,
             rounds);
  const Run large = run({"memory", std::to_string(megabytes)});
  fmt::print("a program that touches {} MB: at most {:.0f} MB, {:.1f} s\n\n", megabytes,
             large.megabytes, large.seconds);
}
