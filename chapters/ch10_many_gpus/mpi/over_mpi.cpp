/// \file
/// All-reduce between processes: NCCL where each has a GPU, MPI on host memory where they have
/// none. MPI starts the processes and carries NCCL's identifier to all of them. Built only where
/// CMake finds MPI, and loaded only for --mpi.
///
///     mpirun -n 4 build/ch10_many_gpus --mpi
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "by_nccl.h"

namespace {

constexpr int right = 0, something_wrong = 1, bad_usage = 2, environment = 3;

/// Of all ranks: how many there are, which one this is, and the same on its host.
struct Ranks {
  int count = 0, rank = 0;
  int on_host = 0, local = 0;

  Ranks() {
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &on_host);
    MPI_Comm_rank(host, &local);
    MPI_Comm_free(&host);
  }
};

/// The smallest of all ranks' numbers.
int smallest(int number) {
  int least = 0;
  MPI_Allreduce(&number, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return least;
}

/// How the numbers travel, decided by all ranks together.
struct Road {
  bool over_nccl = false;
  std::string words = {};    ///< "MPI on host memory: no GPU"
  std::string refused = {};  ///< one line: why nothing runs.
};

/// @param device "auto", "gpu" or "sim", as for every chapter.
Road choose(const Ranks& ranks, std::string_view device) {
  const int devices = device == "sim" ? 0 : by_nccl::devices();
  if (smallest(devices) == 0) {
    if (device == "gpu") return {.refused = "--device gpu: a rank has no GPU that can be used"};
    return {.words = device == "sim" ? "MPI on host memory: --device sim"
                                     : "MPI on host memory: no GPU"};
  }
  if (smallest(devices >= ranks.on_host ? 1 : 0) == 0) {
    return {.refused = std::to_string(ranks.on_host) + " ranks and " + std::to_string(devices) +
                       " GPUs on this host, NCCL wants one GPU per rank: mpirun -n " +
                       std::to_string(devices) + ", or --device sim for host memory"};
  }
  if (smallest(by_nccl::is_there() ? 1 : 0) == 0) {
    return {.words = "MPI on host memory: libnccl.so.2 was not found"};
  }
  return {.over_nccl = true, .words = "NCCL, one GPU per rank"};
}

/// What a rank holds at place i: whole numbers, so that every order of additions gives the same.
float number(int rank, long long i) { return static_cast<float>((i * 7 + rank * 13) % 17 - 8); }

/// For a test of the test: the rank that gets one number wrong; none without the variable.
int wrong_rank() {
  const char* text = std::getenv("WARPWISE_WRONG_RANK");
  return text == nullptr ? -1 : std::atoi(text);
}

/// Compares all of the result. A wrong one is told on stderr, by the rank that has it.
bool is_right(const Ranks& ranks, const std::vector<float>& got) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    double sum = 0;
    for (int r = 0; r < ranks.count; ++r) sum += number(r, static_cast<long long>(i));
    if (got[i] == sum) continue;
    std::fprintf(stderr, "rank %d: element %zu of %zu is %g, not %g\n", ranks.rank, i, got.size(),
                 static_cast<double>(got[i]), sum);
    return false;
  }
  return true;
}

/// The sums of all ranks' numbers. @return the slowest rank's microseconds, the median of some.
double all_reduce(const Road& road, const std::vector<float>& mine, std::vector<float>& sums) {
  constexpr int times = 5;
  std::vector<double> microseconds;
  for (int t = 0; t < times; ++t) {
    std::fill(sums.begin(), sums.end(), std::numeric_limits<float>::quiet_NaN());
    MPI_Barrier(MPI_COMM_WORLD);
    double took = 0;
    if (road.over_nccl) {
      took = by_nccl::all_reduce(mine, sums);
    } else {
      const double begin = MPI_Wtime();
      MPI_Allreduce(mine.data(), sums.data(), static_cast<int>(mine.size()), MPI_FLOAT, MPI_SUM,
                    MPI_COMM_WORLD);
      took = 1e6 * (MPI_Wtime() - begin);
    }
    double slowest = 0;
    MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    microseconds.push_back(slowest);
  }
  std::sort(microseconds.begin(), microseconds.end());
  return microseconds[times / 2];
}

/// One row of the table, printed by rank 0. @return false where any rank has a wrong number.
bool row(const Ranks& ranks, const Road& road, int count) {
  std::vector<float> mine(count), sums(count);
  for (int i = 0; i < count; ++i) mine[i] = number(ranks.rank, i);
  const double took = all_reduce(road, mine, sums);
  if (ranks.rank == wrong_rank()) sums.back() += 1;
  const bool all_right = smallest(is_right(ranks, sums) ? 1 : 0) != 0;
  if (ranks.rank == 0) {
    // The bus bandwidth of nccl-tests: what each link carries, over the time.
    const double bytes = 2.0 * (ranks.count - 1) / ranks.count * sizeof(float) * count;
    std::printf("%10d  %-7s  %10.1f  %8.2f\n", count, all_right ? "right" : "wrong", took,
                bytes / took / 1e3);
    std::fflush(stdout);
  }
  return all_right;
}

int run(const Ranks& ranks, std::string_view device) {
  const auto refuse = [&](const std::string& why, int status) {
    if (ranks.rank == 0) std::fprintf(stderr, "--mpi: %s\n", why.c_str());
    return status;
  };
  if (ranks.count == 1) {
    return refuse("one rank only: mpirun -n 4 build/ch10_many_gpus --mpi", bad_usage);
  }
  const Road road = choose(ranks, device);
  if (!road.refused.empty()) return refuse(road.refused, environment);
  if (road.over_nccl) by_nccl::begin(ranks.count, ranks.rank, ranks.local);
  if (ranks.rank == 0) {
    std::printf("%d ranks, %s\n   numbers  verdict          us      GB/s\n", ranks.count,
                road.words.c_str());
  }
  std::vector<int> counts{1, 3, 257, (1 << 18) + 1};
  if (road.over_nccl) counts.push_back(1 << 26);
  bool all_right = true;
  for (int count : counts) all_right = row(ranks, road, count) && all_right;
  if (road.over_nccl) by_nccl::end();
  return all_right ? right : something_wrong;
}

}  // namespace

/// What --mpi does. @param device "auto", "gpu" or "sim". @return the exit status.
extern "C" int warpwise_over_mpi(const char* device) {
  MPI_Init(nullptr, nullptr);
  const int status = run(Ranks(), device);
  MPI_Finalize();
  return status;
}
