#include "simulator/isa/rows/all.h"

#include <vector>

namespace warpwise::isa::WARPWISE_ISA_LEVEL {

std::span<const Row> all_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> all;
    for (auto table : {integer_rows,
                       carry_rows,
                       packed_integer_rows,
                       video_rows,
                       bit_rows,
                       float_rows,
                       float_sm100_rows,
                       half_rows,
                       special_function_rows,
                       compare_rows,
                       set_rows,
                       convert_rows,
                       convert_packed_rows,
                       move_rows,
                       matrix_rows,
                       matrix_memory_rows,
                       warpgroup_rows,
                       machine_rows,
                       memory_rows,
                       synchronization_rows,
                       async_copy_rows,
                       texture_rows})
      for (const Row& row : table()) all.push_back(row);
    return all;
  }();
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
