#pragma once
#include <span>

#include "simulator/isa/row.h"

/// The tables of this level, one per file of rows/.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

std::span<const Row> integer_rows();
std::span<const Row> carry_rows();
std::span<const Row> packed_integer_rows();
std::span<const Row> video_rows();
std::span<const Row> bit_rows();
std::span<const Row> float_rows();
std::span<const Row> float_sm100_rows();
std::span<const Row> half_rows();
std::span<const Row> special_function_rows();
std::span<const Row> compare_rows();
std::span<const Row> set_rows();
std::span<const Row> convert_rows();
std::span<const Row> convert_packed_rows();
std::span<const Row> move_rows();
std::span<const Row> matrix_rows();
std::span<const Row> matrix_memory_rows();
std::span<const Row> warpgroup_rows();
std::span<const Row> machine_rows();
std::span<const Row> memory_rows();
std::span<const Row> synchronization_rows();
std::span<const Row> async_copy_rows();
std::span<const Row> texture_rows();

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
