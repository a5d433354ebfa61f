#pragma once
#include <string>
#include <string_view>

/// \file
/// In which order a warp walks through an array, from the simulator's trace of one warp.
/// \ingroup lesson
namespace warpwise::lesson {

/// Lets the simulator write down what warp 0 of block 0 does in each launch: into a file of this
/// process's own, whose name a restart of the program keeps. Call it before anything of CUDA.
void ask_for_trace();

/// The trace of the last launch, and removes its file. @return empty where there is none.
std::string take_trace();

/// The largest distance of one load of an array from the load before it, in bytes, by the lowest
/// lane. A walk goes in small steps, whatever order a compiler gives the loads of some iterations;
/// a second walk begins with a jump from the end to the start.
/// @param trace as take_trace() returns it.
/// @param array its name.
/// @return 0 for fewer than two loads.
double largest_jump(std::string_view trace, std::string_view array);

}  // namespace warpwise::lesson
