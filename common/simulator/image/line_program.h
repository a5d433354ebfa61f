#pragma once
#include <cstddef>

#include "simulator/image/elf.h"
#include "simulator/image/line_table.h"

namespace warpwise::image {

/// Runs the DWARF line number programs (versions 2 to 4) of one section and adds their rows.
/// Programs of other versions are passed over.
/// @param section index of the .debug_line section.
/// @throws ImageError when the section is damaged.
void run_line_programs(const Elf& elf, std::size_t section, LineTable& table);

}  // namespace warpwise::image
