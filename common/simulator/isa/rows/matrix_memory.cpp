#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/matrix_registers.h"

/// Matrices between shared or global memory and registers. The rows that move 8 x 8 matrices have
/// functions for the part that is no memory access: it sorts the rows that lanes have loaded (four
/// registers, lane 8 * i + r has row r of matrix i) into fragments, or the other way.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

constexpr unsigned row_registers = 4;
using Rows = uint16_t[warp_size][8];  ///< [8 * matrix + row][column]

/// Where element `part` of a lane's register stands in its 8 x 8 matrix.
template <bool Transposed>
Position in_matrix(unsigned lane, unsigned part) {
  Position p = fragment::of_accumulator(8, 8, lane, part);
  return Transposed ? Position{p.column, p.row} : p;
}

template <unsigned Count, bool Transposed>
void to_fragments(const Rows& rows, const Operands& o) {
  for (unsigned matrix = 0; matrix < Count; ++matrix) {
    auto* d = static_cast<uint16_t*>(destination_register(o, matrix));
    for (unsigned i = 0; i < 2 * warp_size; ++i) {
      Position p = in_matrix<Transposed>(i / 2, i % 2);
      d[i] = rows[8 * matrix + p.row][p.column];
    }
  }
}

template <unsigned Count, bool Transposed>
void from_fragments(Rows& rows, const Operands& o) {
  for (unsigned matrix = 0; matrix < Count; ++matrix) {
    const auto* s = static_cast<const uint16_t*>(source_register(o, 0, matrix));
    for (unsigned i = 0; i < 2 * warp_size; ++i) {
      Position p = in_matrix<Transposed>(i / 2, i % 2);
      rows[8 * matrix + p.row][p.column] = s[i];
    }
  }
}

template <unsigned Count, bool Transposed>
void after_load(const Operands& o) {
  Rows rows;
  for (unsigned lane = 0; lane < warp_size; ++lane)
    for (unsigned word = 0; word < row_registers; ++word)
      std::memcpy(rows[lane] + 2 * word,
                  static_cast<const uint32_t*>(source_register(o, 0, word)) + lane, 4);
  to_fragments<Count, Transposed>(rows, o);
}

template <unsigned Count, bool Transposed>
void before_store(const Operands& o) {
  Rows rows = {};
  from_fragments<Count, Transposed>(rows, o);
  for (unsigned lane = 0; lane < warp_size; ++lane)
    for (unsigned word = 0; word < row_registers; ++word)
      std::memcpy(static_cast<uint32_t*>(destination_register(o, word)) + lane,
                  rows[lane] + 2 * word, 4);
}

void transpose(const Operands& o) {
  Rows rows;
  from_fragments<1, false>(rows, o);
  to_fragments<1, true>(rows, o);
}

template <bool IsLoad, unsigned Count, bool Transposed>
constexpr LaneFunction move =
    IsLoad ? after_load<Count, Transposed> : before_store<Count, Transposed>;

template <bool IsLoad>
LaneFunction select_8x8(const Variant& v) {
  bool transposed = v.has("trans");
  if (v["num"] == "x1") return transposed ? move<IsLoad, 1, true> : move<IsLoad, 1, false>;
  if (v["num"] == "x2") return transposed ? move<IsLoad, 2, true> : move<IsLoad, 2, false>;
  return transposed ? move<IsLoad, 4, true> : move<IsLoad, 4, false>;
}

LaneFunction select_transpose(const Variant&) { return transpose; }

}  // namespace

std::span<const Row> matrix_memory_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"ldmatrix.sync.aligned.m8n8.num{.trans}{.space}.b16 d, [a]; .num = {.x1, .x2, .x4}; "
       ".space = {.shared, .shared::cta}",
       K::matrix_load, select_8x8<true>},
      {"stmatrix.sync.aligned.m8n8.num{.trans}{.space}.b16 [a], b; .num = {.x1, .x2, .x4}; "
       ".space = {.shared, .shared::cta}",
       K::matrix_store, select_8x8<false>},
      {"movmatrix.sync.aligned.m8n8.trans.b16 d, a", K::matrix, select_transpose},
      {"wmma.load.role.sync.aligned.layout.shape{.space}.type d, [a]{, b:u32}; "
       ".role = {.a, .b}; .layout = {.row, .col}; "
       ".shape = {.m16n16k16, .m32n8k16, .m8n32k16}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.f16, .bf16, .s8, .u8}",
       K::matrix_load},
      {"wmma.load.role.sync.aligned.layout.shape{.space}.type d, [a]{, b:u32}; "
       ".role = {.c}; .layout = {.row, .col}; "
       ".shape = {.m16n16k16, .m32n8k16, .m8n32k16}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.f16, .f32, .s32}",
       K::matrix_load},
      {"wmma.load.role.sync.aligned.layout.shape{.space}.type d, [a]{, b:u32}; "
       ".role = {.a, .b}; .layout = {.row, .col}; .shape = {.m16n16k8}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.tf32}",
       K::matrix_load},
      {"wmma.load.role.sync.aligned.layout.shape{.space}.type d, [a]{, b:u32}; "
       ".role = {.c}; .layout = {.row, .col}; .shape = {.m16n16k8}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.f32}",
       K::matrix_load},
      {"wmma.load.role.sync.aligned.layout.shape{.space}.type d, [a]{, b:u32}; "
       ".role = {.a, .b, .c}; .layout = {.row, .col}; .shape = {.m8n8k4}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.f64}",
       K::matrix_load},
      {"wmma.load.role.sync.aligned.layout.shape{.space}.type d, [a]{, b:u32}; "
       ".role = {.a}; .layout = {.row}; .shape = {.m8n8k32}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.s4, .u4}",
       K::matrix_load},
      {"wmma.load.role.sync.aligned.layout.shape{.space}.type d, [a]{, b:u32}; "
       ".role = {.b}; .layout = {.col}; .shape = {.m8n8k32}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.s4, .u4}",
       K::matrix_load},
      {"wmma.load.role.sync.aligned.layout.shape{.space}.type d, [a]{, b:u32}; "
       ".role = {.a}; .layout = {.row}; .shape = {.m8n8k128}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.b1}",
       K::matrix_load},
      {"wmma.load.role.sync.aligned.layout.shape{.space}.type d, [a]{, b:u32}; "
       ".role = {.b}; .layout = {.col}; .shape = {.m8n8k128}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.b1}",
       K::matrix_load},
      {"wmma.load.role.sync.aligned.layout.shape{.space}.type d, [a]{, b:u32}; "
       ".role = {.c}; .layout = {.row, .col}; .shape = {.m8n8k32, .m8n8k128}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.s32}",
       K::matrix_load},
      {"wmma.store.d.sync.aligned.layout.shape{.space}.type [a], b{, c:u32}; "
       ".layout = {.row, .col}; .shape = {.m16n16k16, .m32n8k16, .m8n32k16}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.f16, .f32, .s32}",
       K::matrix_store},
      {"wmma.store.d.sync.aligned.layout.shape{.space}.type [a], b{, c:u32}; "
       ".layout = {.row, .col}; .shape = {.m16n16k8}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.f32}",
       K::matrix_store},
      {"wmma.store.d.sync.aligned.layout.shape{.space}.type [a], b{, c:u32}; "
       ".layout = {.row, .col}; .shape = {.m8n8k4}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.f64}",
       K::matrix_store},
      {"wmma.store.d.sync.aligned.layout.shape{.space}.type [a], b{, c:u32}; "
       ".layout = {.row, .col}; .shape = {.m8n8k32, .m8n8k128}; "
       ".space = {.global, .shared, .shared::cta}; .type = {.s32}",
       K::matrix_store},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
