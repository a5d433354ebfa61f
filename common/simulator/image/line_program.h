#pragma once
#include "simulator/image/elf.h"
#include "simulator/image/line_table.h"

namespace warpwise::image {

/// Runs the DWARF line number programs (versions 2 to 4) of a cubin. Programs of other versions are
/// passed over.
/// @return an empty table for a cubin without line numbers.
/// @throws ImageError when the table is damaged.
LineTable read_line_table(const Elf& elf);

}  // namespace warpwise::image
