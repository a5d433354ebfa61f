#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/matrix/matrix_registers.h"

/// Matrices between shared or global memory and registers. The rows that move 8 x 8 matrices have
/// functions for the part that is not a memory access: it sorts the rows that lanes have loaded
/// (four registers, lane 8 * i + r has row r of matrix i) into fragments, or the other way.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

constexpr unsigned row_registers = 4;
/// An 8 x 8 matrix in rows, as registers hold it: the four lanes of a group have one row.
constexpr unsigned words = 32;

void transpose(const uint32_t* from, uint32_t* to) {
  uint16_t elements[2 * words];
  std::memcpy(elements, from, sizeof elements);
  transpose_rows(elements, elements);
  std::memcpy(to, elements, sizeof elements);
}

template <unsigned Count, bool Transposed>
void after_load(const Operands& o) {
  FourWords matrices[Count][8];
  for (unsigned matrix = 0; matrix < Count; ++matrix) {
    // Of each register two vectors: a word of each of the eight rows.
    for (unsigned word = 0; word < row_registers; ++word)
      std::memcpy(matrices[matrix] + 2 * word,
                  static_cast<const uint32_t*>(source_register(o, 0, word)) + 8 * matrix, 32);
    rotate_places<2>(matrices[matrix]);
  }
  for (unsigned matrix = 0; matrix < Count; ++matrix) {
    auto* d = static_cast<uint32_t*>(destination_register(o, matrix));
    std::memcpy(d, matrices[matrix], sizeof matrices[matrix]);
    if constexpr (Transposed) transpose(d, d);
  }
}

template <unsigned Count, bool Transposed>
void before_store(const Operands& o) {
  FourWords matrices[4][8] = {};
  for (unsigned matrix = 0; matrix < Count; ++matrix) {
    uint32_t rows[words];
    std::memcpy(rows, source_register(o, 0, matrix), sizeof rows);
    if constexpr (Transposed) transpose(rows, rows);
    std::memcpy(matrices[matrix], rows, sizeof rows);
    rotate_places<3>(matrices[matrix]);
  }
  for (unsigned matrix = 0; matrix < 4; ++matrix)
    for (unsigned word = 0; word < row_registers; ++word)
      std::memcpy(static_cast<uint32_t*>(destination_register(o, word)) + 8 * matrix,
                  matrices[matrix] + 2 * word, 32);
}

template <unsigned Count>
void transpose_registers(const Operands& o) {
  for (unsigned matrix = 0; matrix < Count; ++matrix)
    transpose(static_cast<const uint32_t*>(source_register(o, 0, matrix)),
              static_cast<uint32_t*>(destination_register(o, matrix)));
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

LaneFunction select_movmatrix(const Variant&) { return transpose_registers<1>; }

LaneFunction select_transpose(const Variant& v) {
  if (v["num"] == "x1") return transpose_registers<1>;
  if (v["num"] == "x2") return transpose_registers<2>;
  return v["num"] == "x4" ? transpose_registers<4> : transpose_registers<8>;
}

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
      {"movmatrix.sync.aligned.m8n8.trans.b16 d, a", K::matrix, select_movmatrix},
      // What wmma.load does with the registers that it has loaded where their elements are not
      // neighbours in memory: movmatrix of each.
      {"_transpose.num.b16 d, a; .num = {.x1, .x2, .x4, .x8}", K::matrix, select_transpose},
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
