#pragma once
#include <string>

#include "occupancy/occupancy.h"

/// What the occupancy calculator asks common/occupancy, and the answers as JSON. The page runs this
/// as WebAssembly; the test of the page runs it natively and compares.
namespace warpwise::calculator {

/// All GPUs: [{"id", "name", "sm", "warps", "blocks", "registers", "threads_per_block",
/// "registers_per_thread", "shared_per_sm", "shared_per_block"}], in the order of the table.
std::string gpus();

/// One kernel on one GPU: {"fits", "blocks", "warps", "of", "percent", "limits", "misfits",
/// "limiters", "cliffs", "text"}; limits are [{"name", "blocks"}] of each resource, null for no
/// limit; misfits are names of occupancy::Misfit; the text is what the chapters' programs print.
/// @param gpu index into the table. @param grid blocks of the launch; 0: no line about waves.
std::string answer(int gpu, const occupancy::Kernel& kernel, int grid);

/// What a chart shows: the resident warps for each amount of one thing, the others as they are.
enum class Axis { threads, registers, shared_bytes };
/// {"axis", "points": [[amount, warps], ...]}, from the least amount to the most that a block may
/// have; shared memory is the dynamic part, on top of the static one.
std::string chart(int gpu, const occupancy::Kernel& kernel, Axis axis);

}  // namespace warpwise::calculator
