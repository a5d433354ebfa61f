/// \file
/// stencil: a grid of points in n parts, one on each device; each step needs a row of the
/// neighbours.
///
/// The question: can a second device halve the time, though the parts have to exchange their edges
/// after every step?
///
///     build/ch10_many_gpus --only stencil
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "devices.h"
#include "lesson/order_table.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int threads = 256;
constexpr int steps = 4;  // even: the result is in the first of the two arrays

/// What one device has of the grid: `rows` rows, between a halo row above and one below.
struct Part {
  const float* above;  ///< the row above the first one: of the halo, or of the neighbour.
  const float* from;   ///< the first row.
  const float* below;  ///< the row below the last one.
  float* to;
  int rows, columns;
  int first;     ///< of the whole grid: the number of the first row.
  int all_rows;  ///< of the whole grid.
};

//! [step]
/// to = the mean of the four neighbours, for the rows [begin, begin + gridDim.y); points on the
/// border of the whole grid keep their value. @pre one thread for each column, blockIdx.y for each
/// row.
/// @cost 8 bytes for each point, when the rows above and below come from the cache.
__global__ void stencil_step(Part part, int begin) {
  const int r = begin + blockIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= part.columns) return;
  const long long columns = part.columns;
  const float* row = part.from + r * columns;
  const int whole_row = part.first + r;
  float value = row[c];
  if (whole_row > 0 && whole_row < part.all_rows - 1 && c > 0 && c < part.columns - 1) {
    const float* up = r > 0 ? row - columns : part.above;
    const float* down = r < part.rows - 1 ? row + columns : part.below;
    value = 0.25F * (up[c] + down[c] + row[c - 1] + row[c + 1]);
  }
  part.to[r * columns + c] = value;
}
//! [step]

/// Launches rows [begin, end) on the current device.
void step(const Part& part, int begin, int end, cudaStream_t stream) {
  if (begin >= end) return;
  const dim3 grid(lesson::ceil_div(part.columns, threads), end - begin);
  stencil_step<<<grid, threads, 0, stream>>>(part, begin);
  lesson::check(cudaGetLastError());
}

/// A grid in as many parts as there are devices. Two arrays of each part change places.
class Grid {
 public:
  /// @param parts 1: all of it on device 0.
  Grid(const Devices& devices, int parts, const std::vector<float>& initial, int rows, int columns)
      : devices_(devices), parts_(parts), rows_(rows), columns_(columns) {
    for (int d = 0; d < parts; ++d) {
      const std::size_t bytes = sizeof(float) * (rows_of(d) + 2) * std::size_t(columns);
      for (Shared<float>& array : arrays_[d]) {
        array = std::static_pointer_cast<float>(device_memory(d, bytes));
      }
      initial_[d] = std::static_pointer_cast<float>(device_memory(d, bytes));
      lesson::check(cudaMemcpy(initial_[d].get() + columns,
                               initial.data() + std::size_t(begin_of(d)) * columns, part_bytes(d),
                               cudaMemcpyDefault));
    }
  }

  int parts() const { return parts_; }
  int rows_of(int d) const { return begin_of(d + 1) - begin_of(d); }
  /// Row r of a part in array p; -1 and rows_of(d) are the halo rows.
  float* row(int d, int p, int r) const { return arrays_[d][p].get() + (1LL + r) * columns_; }
  /// A step of part d from array p to the other one, with its own halo rows.
  Part part(int d, int p) const {
    return {row(d, p, -1), row(d, p, 0), row(d, p, rows_of(d)), row(d, 1 - p, 0),
            rows_of(d),    columns_,     begin_of(d),           rows_};
  }
  /// The edges of the neighbours in array p become the halo rows of part d, in a stream of d.
  void fetch_halo(int d, int p, cudaStream_t stream) const {
    const std::size_t bytes = sizeof(float) * columns_;
    if (d > 0) {
      lesson::check(cudaMemcpyPeerAsync(row(d, p, -1), d, row(d - 1, p, rows_of(d - 1) - 1), d - 1,
                                        bytes, stream));
    }
    if (d + 1 < parts_) {
      lesson::check(
          cudaMemcpyPeerAsync(row(d, p, rows_of(d)), d, row(d + 1, p, 0), d + 1, bytes, stream));
    }
  }
  /// The stream of d waits until its neighbours have done their step before.
  void wait_for_neighbours(int d, int which) const {
    if (d > 0) devices_.wait(d, which, d - 1, which);
    if (d + 1 < parts_) devices_.wait(d, which, d + 1, which);
  }
  /// All but the initial rows is spoiled.
  void reset() const {
    for (int d = 0; d < parts_; ++d) {
      const OnDevice current(d);
      for (const Shared<float>& array : arrays_[d]) {
        lesson::check(cudaMemsetAsync(array.get(), 0xFE,
                                      part_bytes(d) + 2 * sizeof(float) * std::size_t(columns_)));
      }
      lesson::check(cudaMemcpyAsync(row(d, 0, 0), initial_[d].get() + columns_, part_bytes(d),
                                    cudaMemcpyDeviceToDevice));
    }
    devices_.synchronise();
  }
  void collect(float* result) const {
    for (int d = 0; d < parts_; ++d) {
      lesson::check(cudaMemcpy(result + std::size_t(begin_of(d)) * columns_, row(d, 0, 0),
                               part_bytes(d), cudaMemcpyDefault));
    }
  }

 private:
  int begin_of(int d) const { return static_cast<int>(static_cast<long long>(d) * rows_ / parts_); }
  std::size_t part_bytes(int d) const {
    return sizeof(float) * rows_of(d) * static_cast<std::size_t>(columns_);
  }

  const Devices& devices_;
  int parts_, rows_, columns_;
  Shared<float> arrays_[Devices::most][2];
  Shared<float> initial_[Devices::most];
};

/// Rungs 1 and 2: the halo rows by copies, then the whole part, in one stream per device.
void copies_then_kernel(const Devices& devices, const Grid& grid) {
  for (int d = 0; d < grid.parts(); ++d) devices.record(d);
  for (int t = 0; t < steps; ++t) {
    for (int d = 0; d < grid.parts(); ++d) grid.wait_for_neighbours(d, 0);
    for (int d = 0; d < grid.parts(); ++d) {
      const OnDevice current(d);
      grid.fetch_halo(d, t % 2, devices.stream(d));
      step(grid.part(d, t % 2), 0, grid.rows_of(d), devices.stream(d));
      devices.record(d);
    }
  }
}

/// Rung 3: the interior needs no halo. Stream 0 has the interiors, stream 1 the halo rows and
/// edges.
void interior_first(const Devices& devices, const Grid& grid) {
  for (int d = 0; d < grid.parts(); ++d) {
    for (int s : {0, 1}) devices.record(d, s);
  }
  for (int t = 0; t < steps; ++t) {
    for (int d = 0; d < grid.parts(); ++d) {
      devices.wait(d, 0, d, 1);
      devices.wait(d, 1, d, 0);
      grid.wait_for_neighbours(d, 1);
    }
    for (int d = 0; d < grid.parts(); ++d) {
      const OnDevice current(d);
      const Part part = grid.part(d, t % 2);
      step(part, 1, part.rows - 1, devices.stream(d, 0));
      devices.record(d, 0);
      grid.fetch_halo(d, t % 2, devices.stream(d, 1));
      step(part, 0, 1, devices.stream(d, 1));
      step(part, std::max(1, part.rows - 1), part.rows, devices.stream(d, 1));
      devices.record(d, 1);
    }
  }
}

/// Rung 4: no halo rows: the kernel reads the edges of its neighbours.
void read_neighbours(const Devices& devices, const Grid& grid) {
  for (int d = 0; d < grid.parts(); ++d) devices.record(d);
  for (int t = 0; t < steps; ++t) {
    for (int d = 0; d < grid.parts(); ++d) grid.wait_for_neighbours(d, 0);
    for (int d = 0; d < grid.parts(); ++d) {
      const OnDevice current(d);
      Part part = grid.part(d, t % 2);
      if (d > 0) part.above = grid.row(d - 1, t % 2, grid.rows_of(d - 1) - 1);
      if (d + 1 < grid.parts()) part.below = grid.row(d + 1, t % 2, 0);
      step(part, 0, part.rows, devices.stream(d));
      devices.record(d);
    }
  }
}

/// Whole numbers: a step divides by four, so four steps are exact in float.
std::vector<float> initial_points(std::size_t count) { return lesson::whole_numbers(count, 8, 3); }

std::vector<double> expected(const std::vector<float>& initial, int rows, int columns) {
  std::vector<double> from(initial.begin(), initial.end());
  std::vector<double> to = from;
  for (int t = 0; t < steps; ++t) {
    for (int r = 1; r < rows - 1; ++r) {
      const double* row = from.data() + std::size_t(r) * columns;
      double* out = to.data() + std::size_t(r) * columns;
      for (int c = 1; c < columns - 1; ++c) {
        out[c] = 0.25 * (row[c - columns] + row[c + columns] + row[c - 1] + row[c + 1]);
      }
    }
    std::swap(from, to);
  }
  return from;
}

void stencil_rungs(lesson::Trial& run, const Devices& devices) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  const std::vector<float> initial = initial_points(run.size().elements());
  float* result = run.output("the grid", expected(initial, rows, columns), {}, columns);
  const auto one = std::make_shared<Grid>(devices, 1, initial, rows, columns);
  const auto all = std::make_shared<Grid>(devices, devices.count(), initial, rows, columns);
  const auto rung = [&](const char* name, const std::shared_ptr<Grid>& grid,
                        void (*start)(const Devices&, const Grid&)) {
    if (grid->parts() > rows) return run.skip(name, "fewer rows than devices");
    run.work(
        name, devices.timed([&devices, grid, start] { start(devices, *grid); }),
        [grid] { grid->reset(); }, [grid, result] { grid->collect(result); });
  };
  rung("one device", one, copies_then_kernel);
  rung("halo by copies, then the kernel", all, copies_then_kernel);
  rung("interior first, halo meanwhile", all, interior_first);
  if (devices.unreachable().empty()) {
    rung("kernels read the neighbours", all, read_neighbours);
  } else {
    run.yardstick("kernels read the neighbours", {{}, devices.unreachable()});
  }
}

}  // namespace

void stencil_ladders(lesson::Run& run, const Devices& devices) {
  lesson::Ladder ladder{
      .name = "stencil",
      .title = "four steps of a stencil on a grid in as many parts as there are devices",
      .full = {16384, 16384},
      .small = {64, 48},
      .awkward = {{8, 1}, {9, 31}, {17, 33}},
      .needs =
          [](const lesson::Size& size) {
            return lesson::Needs{.bytes = 8.0 * steps * static_cast<double>(size.elements())};
          },
      .limit = "one device",
      .counts_operations = true};
  const auto rungs = [&](lesson::Trial& trial) { stencil_rungs(trial, devices); };
  run.ladder(ladder, rungs);
  order_table(
      run, "stencil", {"launch_calls", "longest_chain", "overlaps", "peer_bytes", "staged_bytes"},
      {"launches", "longest chain", "copies that may overlap", "peer bytes", "staged bytes"});
  ladder.name = "small_stencil";
  ladder.title = "the same on a grid that one device computes in microseconds";
  ladder.full = {1024, 1024};
  ladder.awkward = {};
  run.ladder(ladder, rungs);
}
