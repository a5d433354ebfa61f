/// \file
/// subdivision: a picture of the Mandelbrot set, point by point or by squares that split.
///
/// The question: a square whose border has one value also has that value inside. Kernels that
/// launch kernels can leave its points out. Is it worth their launches?
/// The rule is exact for a whole border, not for one of pixels: at 4096, squares down to 16 get 7
/// points wrong, in which a thread of the outside slips through between two pixels of the border.
///
///     build/ch09_streams_and_graphs --only subdivision
#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "lesson/device/stand_in.h"
#include "lesson/order_table.h"
#include "streams.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int most = 256;        ///< iterations.
constexpr int threads = 128;     ///< of a block that works on a square.
constexpr int first_side = 128;  ///< of a square, to begin with.

/// Iterations of z = z * z + c until |z| > 2, for pixel (column, row) of `side` x `side`.
/// Multiples of 1/side and few operations, so that host and device agree: no fused multiply-add.
__host__ __device__ int escapes(int column, int row, int side) {
#ifdef __CUDA_ARCH__
  const auto product = [](float a, float b) { return __fmul_rn(a, b); };
  const auto sum = [](float a, float b) { return __fadd_rn(a, b); };
#else
  const auto product = [](float a, float b) { return a * b; };
  const auto sum = [](float a, float b) { return a + b; };
#endif
  const float unit = 1.0F / static_cast<float>(side);
  const float a = sum(product(3.0F, product(static_cast<float>(column), unit)), -2.0F);
  const float b = sum(product(3.0F, product(static_cast<float>(row), unit)), -1.5F);
  float x = 0;
  float y = 0;
  for (int i = 0; i < most; ++i) {
    const float xx = product(x, x);
    const float yy = product(y, y);
    if (sum(xx, yy) > 4) return i;
    y = sum(product(2.0F, product(x, y)), b);
    x = sum(sum(xx, -yy), a);
  }
  return most;
}

/// All points. @param[out] count side * side ints, device. @pre one dimension, a thread per point.
/// @cost 4 bytes per point, up to 256 * 8 flops.
__global__ void subdivision_1_flat(int* count, int side) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < side * side) count[i] = escapes(i % side, i / side, side);
}

/// y = counts as shades. @param count side * side ints. @param[out] y as many floats.
__global__ void subdivision_shade(const int* count, float* y, int points) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < points) y[i] = static_cast<float>(count[i]) / most;
}

/// A square of the picture: its first column and row, and its side.
struct Square {
  int column, row, side;
};

/// Point k of the 4 (s - 1) on the border of a square, s at least 2.
__device__ int2 border_point(const Square& square, int k) {
  const int edge = square.side - 1;
  const int along = k % edge;
  switch (k / edge) {
    case 0:
      return {square.column + along, square.row};
    case 1:
      return {square.column + edge, square.row + along};
    case 2:
      return {square.column + edge - along, square.row + edge};
    default:
      return {square.column, square.row + edge - along};
  }
}

/// Whether the border has one value. Adds the points computed to *points. @pre all 128 threads.
__device__ bool has_one_value(const Square& square, int side, int* value,
                              unsigned long long* points) {
  __shared__ int first;
  const int count = 4 * (square.side - 1);
  if (threadIdx.x == 0) {
    first = escapes(square.column, square.row, side);
    atomicAdd(points, static_cast<unsigned long long>(count));
  }
  __syncthreads();
  int same = 1;
  for (int k = threadIdx.x; k < count; k += threads) {
    const int2 at = border_point(square, k);
    if (escapes(at.x, at.y, side) != first) same = 0;
  }
  *value = first;
  return __syncthreads_and(same) != 0;
}

/// Gives every point of the square one value, or computes each. @pre all 128 threads.
__device__ void fill_square(const Square& square, int side, int* count, const int* value,
                            unsigned long long* points) {
  const int area = square.side * square.side;
  for (int k = threadIdx.x; k < area; k += threads) {
    const int column = square.column + k % square.side;
    const int row = square.row + k / square.side;
    count[row * side + column] = value != nullptr ? *value : escapes(column, row, side);
  }
  if (value == nullptr && threadIdx.x == 0) {
    atomicAdd(points, static_cast<unsigned long long>(area));
  }
}

/// The square of this block: a grid of 2 x 2 or more blocks covers its parent.
__device__ Square own_square(const Square& parent) {
  const int part = parent.side / static_cast<int>(gridDim.x);
  return {parent.column + static_cast<int>(blockIdx.x) * part,
          parent.row + static_cast<int>(blockIdx.y) * part, part};
}

/// One block per square: fills it, or launches four blocks for its quarters. Nothing waits for a
/// child: since CUDA 12 no kernel can.
/// @param[out] count side * side ints, device. @param smallest side of a square that is not split
/// any more. @param[in,out] points computed so far, device.
/// @pre square grid of blocks of 128 threads; the side of `parent` is a multiple of the grid's.
/// @source Programming Guide, Dynamic Parallelism, fire-and-forget launches.
__global__ void subdivision_2_split(int* count, int side, Square parent, int smallest,
                                    unsigned long long* points) {
  const Square square = own_square(parent);
  int value = 0;
  if (has_one_value(square, side, &value, points)) {
    fill_square(square, side, count, &value, points);
  } else if (square.side <= smallest) {
    fill_square(square, side, count, nullptr, points);
  } else if (threadIdx.x == 0) {
    subdivision_2_split<<<dim3(2, 2), threads, 0, cudaStreamFireAndForget>>>(count, side, square,
                                                                             smallest, points);
  }
}

/// The root, for a side that is a multiple of 128: launches the squares, and the shades after all
/// of them: a tail launch begins when this grid and all that it launched are done. @pre one thread.
__global__ void subdivision_root(int* count, float* y, int side, int smallest,
                                 unsigned long long* points) {
  const Square all{0, 0, side};
  subdivision_2_split<<<dim3(side / first_side, side / first_side), threads, 0,
                        cudaStreamFireAndForget>>>(count, side, all, smallest, points);
  const int area = side * side;
  subdivision_shade<<<(area + 255) / 256, 256, 0, cudaStreamTailLaunch>>>(count, y, area);
}

/// The picture point by point. @param[out] points that the squares compute: the same for each GPU.
std::vector<double> picture(int side) {
  std::vector<double> y(static_cast<std::size_t>(side) * side);
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      y[static_cast<std::size_t>(row) * side + column] =
          static_cast<double>(escapes(column, row, side)) / most;
    }
  }
  return y;
}

/// Device memory of one size: the counts, and how many points were computed.
struct Picture {
  explicit Picture(int side) : count(device_floats(side * side)), points(device_floats(2)) {}
  HostFloats count, points;
  int* counts() const { return reinterpret_cast<int*>(count.get()); }
  unsigned long long* computed() const {
    return reinterpret_cast<unsigned long long*>(points.get());
  }
};

void flat(const Picture& picture, float* y, int side) {
  const int area = side * side;
  const int blocks = lesson::ceil_div(area, 256);
  subdivision_1_flat<<<blocks, 256>>>(picture.counts(), side);
  subdivision_shade<<<blocks, 256>>>(picture.counts(), y, area);
  lesson::check(cudaGetLastError());
}

void subdivision_rungs(lesson::Trial& run) {
  const int side = run.size()[0];
  float* y = run.output("y", picture(side), {});
  const auto memory = std::make_shared<Picture>(side);
  const auto none = [=] { lesson::check(cudaMemset(memory->computed(), 0, 8)); };
  lesson::check(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 32768));
  run.work(
      "flat", [=] { flat(*memory, y, side); }, none);
  for (const int smallest : {64, 32}) {
    const std::string name = "squares, split down to " + std::to_string(smallest);
    if (side % first_side != 0) {
      run.skip(name, "the side has to be a multiple of 128");
      continue;
    }
    run.work(
        name,
        [=] {
          subdivision_root<<<1, 1>>>(memory->counts(), y, side, smallest, memory->computed());
          lesson::check(cudaGetLastError());
        },
        none);
  }
}

/// Points that squares compute, counted on the device. @param smallest side of a square.
unsigned long long points_of(int side, int smallest) {
  const Picture memory(side);
  const HostFloats y = device_floats(side * side);
  lesson::check(cudaMemset(memory.computed(), 0, 8));
  subdivision_root<<<1, 1>>>(memory.counts(), y.get(), side, smallest, memory.computed());
  lesson::check(cudaGetLastError());
  unsigned long long points = 0;
  lesson::check(cudaMemcpy(&points, memory.computed(), 8, cudaMemcpyDefault));
  return points;
}

lesson::Demonstration points_table() {
  lesson::Demonstration table;
  const std::vector<int> sides =
      lesson::simulator_present() ? std::vector<int>{256, 512} : std::vector<int>{256, 1024, 4096};
  table.title = "points that are computed; 100 % is each point once";
  table.columns = {"picture", "split down to", "points", "share"};
  for (const int side : sides) {
    for (const int smallest : {64, 32}) {
      const unsigned long long points = points_of(side, smallest);
      const double share = 100 * static_cast<double>(points) / side / side;
      table.rows.push_back({std::to_string(side) + " squared", std::to_string(smallest),
                            std::to_string(points), lesson::decimal(share, 1) + " %"});
    }
  }
  table.note = "A square that splits has computed its border for nothing.";
  return table;
}

}  // namespace

void subdivision_ladder(lesson::Run& run) {
  run.ladder({.name = "subdivision",
              .title = "the Mandelbrot set, at most 256 iterations, in shades",
              .full = {4096},
              .small = {256},
              .awkward = {{128}, {384}},
              .needs =
                  [](const lesson::Size& size) {
                    return lesson::Needs{.bytes = 12.0 * size[0] * size[0]};
                  },
              .limit = "flat",
              .counts_operations = true},
             subdivision_rungs);
  lesson::order_table(run, "subdivision", {"launch_calls", "child_launches", "longest_chain"},
                      {"launches by the host", "launches by kernels", "longest chain"});
  run.table("points", points_table);
}
