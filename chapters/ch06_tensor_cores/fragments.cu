/// \file
/// Who holds which element of a fragment: asked of the device, drawn as tables.
///
///     build/ch06_tensor_cores --only fragments
#include <array>
#include <string>
#include <vector>

#include "lesson/device/device_array.h"
#include "product_problem.h"
#include "warp_matrix.h"

namespace lesson = warpwise::lesson;

namespace tensor {
namespace {

constexpr int lanes = 32;
/// Elements that a lane holds of A (16 x 16), B (16 x 8) and C (16 x 8), and where they begin.
constexpr int of_a = 8, of_b = 4, of_c = 4;
constexpr int first_b = of_a, first_c = of_a + of_b, of_lane = of_a + of_b + of_c;

/// Each lane tells what it holds. The elements of A and B are their own numbers in the tile; A and
/// B are chosen so that an element of C is its number too.
/// @param[in] a, b tiles whose elements are numbers: 16 x 16, and 8 x 16 (B's columns).
/// @param[in] left, right tiles whose product numbers C: see product_numbering().
/// @param[out] held 32 * 16 floats: of each lane 8 elements of A, 4 of B, 4 of C. All device.
/// @pre one block of one warp.
/// @source PTX manual, ldmatrix and the fragments of mma.m16n8k16.
__global__ void tell_fragments(const bf16* a, const bf16* b, const bf16* left, const bf16* right,
                               float* held) {
  __shared__ __align__(16) bf16 tile[4][16 * 16];
  const int lane = threadIdx.x;
  for (int i = lane; i < 16 * 16; i += lanes) {
    tile[0][i] = a[i];
    tile[2][i] = left[i];
    if (i < 8 * 16) tile[1][i] = b[i];
    if (i < 8 * 16) tile[3][i] = right[i];
  }
  __syncwarp();
  const auto load_a = [&](const bf16* from) {
    FragmentA f;
    load_matrices(shared_address(from + lane % 16 * 16 + lane / 16 * 8), f.pair[0], f.pair[1],
                  f.pair[2], f.pair[3]);
    return f;
  };
  const auto load_b = [&](const bf16* from) {
    FragmentB f;
    unsigned unused[2];
    load_matrices(shared_address(from + lane % 8 * 16 + lane / 8 % 2 * 8), f.pair[0], f.pair[1],
                  unused[0], unused[1]);
    return f;
  };
  const FragmentA held_a = load_a(tile[0]);
  const FragmentB held_b = load_b(tile[1]);
  Accumulator c = {};
  multiply_add(c, load_a(tile[2]), load_b(tile[3]));

  float* own = held + lane * of_lane;
  for (int i = 0; i < of_a; ++i) {
    own[i] = __bfloat162float(reinterpret_cast<const bf16*>(held_a.pair)[i]);
  }
  for (int i = 0; i < of_b; ++i) {
    own[first_b + i] = __bfloat162float(reinterpret_cast<const bf16*>(held_b.pair)[i]);
  }
  for (int i = 0; i < of_c; ++i) own[first_c + i] = c.value[i];
}

/// rows x columns with 0, 1, 2, ...
std::vector<float> numbered(int rows, int columns) {
  std::vector<float> values(static_cast<std::size_t>(rows) * columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return values;
}

/// Runs the kernel. @return `held`.
std::vector<float> held_by_lanes() {
  // Row i of the left tile is (8 i, 1, 0, ...), column j of the right one (1, j, 0, ...): 8 i + j.
  std::vector<float> left(16 * 16), right(8 * 16);
  for (int i = 0; i < 16; ++i) left[i * 16] = static_cast<float>(8 * i), left[i * 16 + 1] = 1;
  for (int j = 0; j < 8; ++j) right[j * 16] = 1, right[j * 16 + 1] = static_cast<float>(j);
  lesson::Workspace space;
  const bf16* a = space.input("a", as_bf16(numbered(16, 16)));
  const bf16* b = space.input("b", as_bf16(numbered(8, 16)));
  const bf16* device_left = space.input("left", as_bf16(left));
  const bf16* device_right = space.input("right", as_bf16(right));
  std::vector<float> held(std::size_t{lanes} * of_lane);
  float* device_held = space.input("held", held);
  tell_fragments<<<1, lanes>>>(a, b, device_left, device_right, device_held);
  lesson::check(cudaGetLastError());
  lesson::check(
      cudaMemcpy(held.data(), device_held, held.size() * sizeof(float), cudaMemcpyDeviceToHost));
  return held;
}

/// A table of a tile: in each cell the lane and the register, as "5: a2".
/// @param rows, columns of the picture. @param cell (row, column) -> number of the element.
/// @param first, count which of a lane's 16 floats; `pair` of them share a register.
lesson::Demonstration picture(const std::string& matrix, const std::string& title, int rows,
                              int columns, int step, int first, int count, int pair,
                              int (*number_of)(int row, int column)) {
  const std::vector<float> held = held_by_lanes();
  lesson::Demonstration table{
      .name = "fragments_" + matrix, .title = title, .columns = {"row"}, .rows = {}};
  for (int column = 0; column < columns; column += step) {
    table.columns.push_back(step == 1 ? std::to_string(column)
                                      : std::to_string(column) + ", " +
                                            std::to_string(column + step - 1));
  }
  for (int row = 0; row < rows; ++row) {
    table.rows.push_back({std::to_string(row)});
    for (int column = 0; column < columns; column += step) {
      std::string cell;
      for (int at = 0; at < lanes * count; ++at) {
        const int lane = at / count, index = at % count;
        if (held[lane * of_lane + first + index] != static_cast<float>(number_of(row, column))) {
          continue;
        }
        cell += std::to_string(lane) + ": " + matrix + std::to_string(index / pair);
      }
      table.rows.back().push_back(cell);
    }
  }
  return table;
}

}  // namespace
}  // namespace tensor

void fragment_tables(lesson::Run& run) {
  using tensor::picture;
  run.table("fragments_a", [] {
    return picture("a", "A of mma.m16n8k16, 16 x 16: lane and register of k, k + 1", 16, 16, 2, 0,
                   tensor::of_a, 2, [](int row, int k) { return row * 16 + k; });
  });
  run.table("fragments_b", [] {
    return picture("b", "B of mma.m16n8k16, 16 x 8: lane and register of each element", 16, 8, 1,
                   tensor::first_b, tensor::of_b, 2, [](int k, int n) { return n * 16 + k; });
  });
  run.table("fragments_c", [] {
    return picture("c", "C of mma.m16n8k16, 16 x 8: lane and register of each element", 16, 8, 1,
                   tensor::first_c, tensor::of_c, 1, [](int row, int n) { return row * 8 + n; });
  });
}
