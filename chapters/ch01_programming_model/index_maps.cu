/// \file
/// index maps: what each thread computes from its indices, printed by the threads' own results.
///
/// The question: threads and blocks have up to three indices, memory has one. Who is where?
///
///     build/ch01_programming_model --only index_map
///     build/ch01_programming_model --only warps
///     build/ch01_programming_model --only tile_offsets
#include <array>
#include <string>
#include <vector>

#include "lesson/device/device_array.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

// ---- thread -> (batch, row, column) -> flat offset ----

/// What a thread finds out about itself.
struct Place {
  int block[3], thread[3];
  int batch, row, column;
  int offset;
};

/// Rung 3's map without its work: each thread leaves its place where its element would be.
/// @param[out] places device, batches x rows x columns. @pre as product_3_tiles.
__global__ void write_places(Place* places, int rows, int columns) {
  const int batch = blockIdx.z;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || column >= columns) return;
  const int offset = (batch * rows + row) * columns + column;
  places[offset] = {
      {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.z)},
      {static_cast<int>(threadIdx.x), static_cast<int>(threadIdx.y), 0},
      batch,
      row,
      column,
      offset};
}

std::string triple(const int (&index)[3]) {
  std::string text = "(";
  text += std::to_string(index[0]) + "," + std::to_string(index[1]) + ",";
  return text + std::to_string(index[2]) + ")";
}

lesson::Demonstration index_map() {
  constexpr int batches = 2, rows = 3, columns = 5;
  const lesson::DeviceArray<Place> places(batches * rows * columns, "places");
  constexpr int block_x = 4, block_y = 2, grid_x = 2, grid_y = 2;
  write_places<<<dim3(grid_x, grid_y, batches), dim3(block_x, block_y)>>>(places, rows, columns);
  lesson::check(cudaGetLastError());
  lesson::Demonstration table;
  table.title = "2 x 3 x 5 elements, blocks of (4, 2) threads, a grid of (2, 2, 2)";
  table.columns = {"blockIdx", "threadIdx", "batch", "row", "column", "flat offset"};
  const std::vector<Place> all = places.to_host();
  for (const int offset : {0, 1, 3, 4, 5, 10, 14, 15, 29}) {
    const Place& p = all[offset];
    table.rows.push_back({triple(p.block), triple(p.thread), std::to_string(p.batch),
                          std::to_string(p.row), std::to_string(p.column),
                          std::to_string(p.offset)});
  }
  constexpr int blocks = grid_x * grid_y * batches;
  constexpr int threads = blocks * block_x * block_y;
  constexpr int elements = batches * rows * columns;
  table.note = std::to_string(blocks) + " blocks are " + std::to_string(threads) + " threads for " +
               std::to_string(elements) + " elements: the guard stops " +
               std::to_string(threads - elements) + " of them.";
  return table;
}

// ---- thread -> warp ----

/// The lane that the hardware gave this thread, and the first thread of its warp in linear order.
/// @param[out] lanes, firsts device, one int for each thread of a block. @pre one block.
__global__ void write_lanes(int* lanes, int* firsts) {
  const int linear = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int lane = 0;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  lanes[linear] = lane;
  firsts[linear] = __shfl_sync(__activemask(), linear, 0);
}

lesson::Demonstration warps() {
  lesson::Demonstration table;
  table.title = "the threads of a block in linear order, 32 to a warp";
  table.columns = {"block", "threads", "warps", "lanes of the last", "thread (0,1)"};
  table.note = "x runs fastest: thread (0,1) is number blockDim.x. Its warp need not begin there.";
  for (const auto& [x, y] : {std::array{40, 2}, std::array{16, 16}, std::array{33, 1},
                             std::array{32, 4}, std::array{1, 33}}) {
    const int threads = x * y;
    const lesson::DeviceArray<int> lanes(threads, "lanes");
    const lesson::DeviceArray<int> firsts(threads, "firsts");
    write_lanes<<<1, dim3(x, y)>>>(lanes, firsts);
    lesson::check(cudaGetLastError());
    const std::vector<int> lane = lanes.to_host();
    const std::vector<int> first = firsts.to_host();
    int count = 0;
    for (const int of : lane) count += of == 0 ? 1 : 0;
    const std::string second =
        y == 1 ? "-"
               : "warp " + std::to_string(first[x] / 32) + ", lane " + std::to_string(lane[x]);
    table.rows.push_back({std::to_string(x) + " x " + std::to_string(y), std::to_string(threads),
                          std::to_string(count), std::to_string(threads - first[threads - 1]),
                          second});
  }
  return table;
}

// ---- tile -> offsets ----

constexpr int tile = 4;

/// The offsets that tile (batch, tile_row, tile_column) of a matrix touches; -1 where the mask is
/// false.
/// @param[out] offsets device, tile x tile. @pre one block of any number of threads.
__global__ void write_offsets(int* offsets, int batch, int tile_row, int tile_column, int rows,
                              int columns) {
  for (int i = threadIdx.x; i < tile * tile; i += blockDim.x) {
    const int row = tile_row * tile + i / tile;
    const int column = tile_column * tile + i % tile;
    const bool mask = row < rows && column < columns;
    offsets[i] = mask ? (batch * rows + row) * columns + column : -1;
  }
}

void add_tile(lesson::Demonstration& table, int rows, int columns, int tile_row, int tile_column) {
  const lesson::DeviceArray<int> offsets(tile * tile, "offsets");
  write_offsets<<<1, 8>>>(offsets, 0, tile_row, tile_column, rows, columns);
  lesson::check(cudaGetLastError());
  const std::vector<int> all = offsets.to_host();
  for (int r = 0; r < tile; ++r) {
    std::vector<std::string> row{"1 x " + std::to_string(rows) + " x " + std::to_string(columns),
                                 triple({0, tile_row, tile_column}),
                                 std::to_string(tile_row * tile + r)};
    for (int c = 0; c < tile; ++c) {
      const int offset = all[r * tile + c];
      row.push_back(offset < 0 ? "masked" : std::to_string(offset));
    }
    table.rows.push_back(row);
  }
}

lesson::Demonstration tile_offsets() {
  lesson::Demonstration table;
  table.title = "tiles of 4 x 4: which flat offsets a program touches";
  table.columns = {"matrix", "program", "row", "1st", "2nd", "3rd", "4th column"};
  table.note =
      "A program is (batch, tile row, tile column), from 0. A matrix of one batch has no program "
      "(1,2,1).";
  add_tile(table, 16, 12, 2, 1);
  add_tile(table, 15, 10, 3, 2);
  return table;
}

}  // namespace

void index_tables(lesson::Run& run) {
  run.table("index_map", index_map);
  run.table("warps", warps);
  run.table("tile_offsets", tile_offsets);
}
