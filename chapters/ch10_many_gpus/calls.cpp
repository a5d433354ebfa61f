/// \file
/// calls: small all-reduces, from the first call of the host until every device has the sums.
///
/// The question: what do the calls cost that a busy device hides?
///
///     build/ch10_many_gpus --only calls
#include <algorithm>
#include <chrono>

#include "all_reduce.h"
#include "lesson/device/error.h"
#include "lesson/device/stand_in.h"
#include "lesson/run.h"
#include "nccl.h"

namespace lesson = warpwise::lesson;

namespace {

using Start = std::function<void()>;

/// Microseconds from the call until all devices are done, the median of some; they are idle before.
std::string median_us(const Devices& devices, const Start& start) {
  if (!start) return "-";
  constexpr int warm_up = 20, times = 201;
  using Clock = std::chrono::steady_clock;
  std::vector<double> microseconds;
  for (int t = 0; t < warm_up + times; ++t) {
    devices.synchronise();
    const Clock::time_point begin = Clock::now();
    start();
    devices.synchronise();
    const std::chrono::duration<double, std::micro> took = Clock::now() - begin;
    if (t >= warm_up) microseconds.push_back(took.count());
  }
  std::sort(microseconds.begin(), microseconds.end());
  return lesson::decimal(microseconds[times / 2], 1);
}

std::vector<std::string> row_of(const Devices& devices, int kib) {
  const AllReduce<float> a(devices, kib * 256);
  devices.each([&](int d) {
    lesson::check(cudaMemset(a.x[d].get(), 0, sizeof(float) * std::size_t(a.count)));
  });
  const bool reach = devices.unreachable().empty();
  std::vector<std::string> row{std::to_string(kib)};
  for (const Start& start : {
           Start([&] { ring(a); }),
           reach ? Start([&] { read_all_peers(a); }) : Start(),
           reach ? Start([&] { chunk_to_all_peers(a); }) : Start(),
           Start(nccl_all_reduce(a).launch),
       }) {
    row.push_back(median_us(devices, start));
  }
  return row;
}

}  // namespace

void calls_table(lesson::Run& run, const Devices& devices) {
  run.table("calls", [&] {
    lesson::Demonstration table;
    table.title = "microseconds from the first call until every device has the sums";
    table.columns = {"KiB", "ring", "kernels read all peers", "kernels write a chunk to all",
                     "NCCL"};
    for (int kib : {1, 16, 64, 256, 512, 1024}) {
      if (lesson::simulator_present()) {
        table.rows.push_back({std::to_string(kib), "-", "-", "-", "-"});
      } else {
        table.rows.push_back(row_of(devices, kib));
      }
    }
    table.note =
        lesson::simulator_present()
            ? "Times need GPUs."
            : "Microseconds from the first call until every device has the sums; the median "
              "of 201.";
    return table;
  });
}
