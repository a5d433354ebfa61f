/// \file
/// batched_product: Y[b][n][o] = sum over i of X[b][n][i] * W[i][o], a matrix for each b.
///
/// The question: one function is run by a million threads. How does each of them know which element
/// is its own, and what may the launch look like?
///
///     build/ch01_programming_model                               # everything
///     build/ch01_programming_model --only "2D tiles" --size 3x33x7
///     build/ch01_programming_model --view "block a batch"        # its accesses, line by line
///
/// A size is B x N x Dout; Din is 256 in all of them. Every rung adds the products in the same
/// order, so all of them give the same bits.
///
/// The rungs of `batched_product`, as the table lists them, and their kernels:
///
///      1  on the CPU      product_1_host
///      2  block a batch   product_2_block
///      3  2D tiles        product_3_tiles
///      4  grid-stride     product_4_stride
///      5  masked tile     product_5_masked
///      6  the five steps  product_6_steps
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "lesson/compare/product_reference.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int inner = 256;          ///< Din.
constexpr int most_threads = 1024;  ///< in a block, on every GPU there is.

/// Extents of the problem: X is batches x rows x inner, W inner x columns, Y batches x rows x
/// columns.
struct Extents {
  int batches, rows, columns;
  std::size_t y() const { return static_cast<std::size_t>(batches) * rows * columns; }
  std::size_t x() const { return static_cast<std::size_t>(batches) * rows * inner; }
  std::size_t w() const { return static_cast<std::size_t>(inner) * columns; }
};

// ---- rungs ----

/// One element of Y: a row of X times a column of W.
/// @param x_row inner floats. @param w_column every columns-th float from there on.
__host__ __device__ float element(const float* x_row, const float* w_column, int columns) {
  float sum = 0;
  for (int i = 0; i < inner; ++i) {
    // The device makes one fused multiply-add of it; a call of fmaf is slow on some hosts.
    sum += x_row[i] * w_column[static_cast<std::size_t>(i) * columns];
  }
  return sum;
}

/// Rung 1: one thread of the host, element after element.
/// @param x, w, y host memory.
/// @cost 2 flops for each of the B * N * Dout * Din products.
void product_1_host(const float* x, const float* w, float* y, const Extents& e) {
  for (std::size_t i = 0; i < e.y(); ++i) {
    y[i] = element(x + i / e.columns * inner, w + i % e.columns, e.columns);
  }
}

/// Rung 2: a block for each batch, a thread for each element of its matrix. blockIdx says the
/// batch, threadIdx row and column.
/// @param x device, B x N x Din. @param w device, Din x Dout. @param[out] y device, B x N x Dout.
/// @pre blocks of (Dout, N) threads, no more than 1024; B blocks.
/// @cost the flops of rung 1; each thread reads a row of X and a column of W.
/// @source cmeraki, "GPUs Part 2", for operation and layout.
__global__ void product_2_block(const float* x, const float* w, float* y, int rows, int columns) {
  const int batch = blockIdx.x;
  const int row = threadIdx.y;
  const int column = threadIdx.x;
  const std::size_t line = static_cast<std::size_t>(batch) * rows + row;
  y[line * columns + column] = element(x + line * inner, w + column, columns);
}

/// Rung 3: the matrix is cut into tiles of 16 x 16, and a block takes one. Threads of tiles that
/// stick out have nothing to do: the guard.
/// @param x, w, y as above.
/// @pre blocks of any (x, y); enough of them to cover Dout in x and N in y; B in z.
/// @cost as rung 2.
__global__ void product_3_tiles(const float* x, const float* w, float* y, int rows, int columns) {
  const int batch = blockIdx.z;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns) return;
  const std::size_t line = static_cast<std::size_t>(batch) * rows + row;
  y[line * columns + column] = element(x + line * inner, w + column, columns);
}

/// Rung 4: the grid does not follow the problem. A thread takes an element, then the one that is
/// a whole grid further, and so on to the end; it finds batch and row by division.
/// @param x, w, y as above. @param count B * N * Dout.
/// @pre blocks of any x; any number of them.
/// @cost as rung 2.
/// @source NVIDIA, "CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops".
__global__ void product_4_stride(const float* x, const float* w, float* y, std::size_t count,
                                 int columns) {
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (std::size_t i = first; i < count; i += threads) {
    const std::size_t line = i / columns;  // batch * N + row.
    y[i] = element(x + line * inner, w + i % columns, columns);
  }
}

/// Rung 5: the view of tiles. A block owns tile (z, y, x) of Y and works through it with whatever
/// threads it has; a mask says which of the tile's elements exist.
/// @param x, w, y as above. @tparam tile_rows, tile_columns of a tile.
/// @pre blocks of any x; a block for each tile.
/// @cost as rung 2.
template <int tile_rows, int tile_columns>
__global__ void product_5_masked(const float* x, const float* w, float* y, int rows, int columns) {
  const int first_row = blockIdx.y * tile_rows;
  const int first_column = blockIdx.x * tile_columns;
  for (int i = threadIdx.x; i < tile_rows * tile_columns; i += blockDim.x) {
    const int row = first_row + i / tile_columns;
    const int column = first_column + i % tile_columns;
    const bool mask = row < rows && column < columns;
    if (!mask) continue;
    const std::size_t line = static_cast<std::size_t>(blockIdx.z) * rows + row;
    y[line * columns + column] = element(x + line * inner, w + column, columns);
  }
}

// ---- the five steps ----

/// Ends the program unless a call succeeded. Every CUDA call says how it went; who does not look
/// finds out later, and elsewhere.
void require(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}

/// Rung 6: all that is needed to use a kernel from host memory to host memory.
/// @param host_x, host_w, host_y host memory, laid out as the kernels want it.
/// @cost a copy of X and W to the device and of Y from it, plus rung 3.
void product_6_steps(const float* host_x, const float* host_w, float* host_y, const Extents& e) {
  // 1. Memory on the device. The pointers are addresses there: the host cannot follow them.
  float* x = nullptr;
  float* w = nullptr;
  float* y = nullptr;
  require(cudaMalloc(&x, e.x() * sizeof(float)), "cudaMalloc");
  require(cudaMalloc(&w, e.w() * sizeof(float)), "cudaMalloc");
  require(cudaMalloc(&y, e.y() * sizeof(float)), "cudaMalloc");

  // 2. Inputs to the device. Sizes are in bytes.
  require(cudaMemcpy(x, host_x, e.x() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  require(cudaMemcpy(w, host_w, e.w() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");

  // 3. The launch. It returns at once; the next line asks whether it was refused.
  const dim3 block(16, 16);
  const dim3 grid((e.columns + 15) / 16, (e.rows + 15) / 16, e.batches);
  product_3_tiles<<<grid, block>>>(x, w, y, e.rows, e.columns);
  require(cudaGetLastError(), "the launch");

  // 4. The result to the host. This copy waits for the kernel; what went wrong in it shows here.
  require(cudaMemcpy(host_y, y, e.y() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");

  // 5. The memory back.
  require(cudaFree(x), "cudaFree");
  require(cudaFree(w), "cudaFree");
  require(cudaFree(y), "cudaFree");
}

// ---- launchers ----

/// A rung on the host. Its result has to be on the device to be compared.
/// @param compute takes x, w and y in host memory.
template <class Compute>
void host_rung(lesson::Trial& run, const char* name, Compute compute, const std::vector<float>& x,
               const std::vector<float>& w, float* device_y, const Extents& e) {
  run.work(name, [=, y = std::vector<float>(e.y())]() mutable {
    compute(x.data(), w.data(), y.data(), e);
    require(cudaMemcpy(device_y, y.data(), y.size() * sizeof(float), cudaMemcpyHostToDevice),
            "cudaMemcpy");
  });
}

/// The problem at one size, and its rungs.
void product_rungs(lesson::Trial& run) {
  const Extents e{run.size()[0], run.size()[1], run.size()[2]};
  const std::vector<float> host_x = lesson::uniform_numbers(e.x(), 1);
  const std::vector<float> host_w = lesson::uniform_numbers(e.w(), 2);
  const float* x = run.input("x", host_x);
  const float* w = run.input("w", host_w);
  const std::vector<double> expected =
      lesson::product_reference(host_x, host_w, e.batches * e.rows, e.columns, inner);
  // 256 products of numbers below 1, each rounded once, in sums below 256.
  float* y = run.output("y", expected, {.absolute = inner * 0x1p-20, .relative = 0}, e.columns);

  host_rung(run, "on the CPU", product_1_host, host_x, host_w, y, e);
  if (e.rows * e.columns <= most_threads) {
    const dim3 block(e.columns, e.rows);
    run.variant("block a batch", product_2_block, {.grid = e.batches, .block = block}, x, w, y,
                e.rows, e.columns);
  } else {
    run.skip("block a batch",
             "N x Dout is above 1024, the most threads of a block: the launch would be refused");
  }
  const dim3 tiles(lesson::ceil_div(e.columns, 16), lesson::ceil_div(e.rows, 16), e.batches);
  run.variant("2D tiles", product_3_tiles, {.grid = tiles, .block = {16, 16}}, x, w, y, e.rows,
              e.columns);
  const int blocks = static_cast<int>(std::min<std::size_t>((e.y() + 255) / 256, 4096));
  run.variant("grid-stride", product_4_stride, {.grid = blocks, .block = 256}, x, w, y, e.y(),
              e.columns);
  run.variant("masked tile", product_5_masked<16, 16>, {.grid = tiles, .block = 64}, x, w, y,
              e.rows, e.columns);
  host_rung(run, "the five steps", product_6_steps, host_x, host_w, y, e);
}

}  // namespace

void product_ladder(lesson::Run& run) {
  run.ladder({.name = "batched_product",
              .title = "Y[B, N, Dout] = X[B, N, 256] W[256, Dout], float32",
              .full = {256, 32, 32},
              .small = {8, 32, 32},
              .awkward = {{1, 1, 1}, {2, 31, 33}, {1, 33, 32}, {3, 17, 5}, {5, 1, 97}},
              .needs =
                  [](const lesson::Size& size) {
                    const Extents e{size[0], size[1], size[2]};
                    const auto floats = static_cast<double>(e.x() + e.w() + e.y());
                    const double flops = 2.0 * static_cast<double>(e.y()) * inner;
                    return lesson::Needs{.bytes = floats * sizeof(float), .flops = flops};
                  }},
             product_rungs);
}
