#pragma once
#include <string>

/// \file
/// The simulator's trace of one warp, for a check that asks in which order it walks.
/// \ingroup lesson
namespace warpwise::lesson {

/// Lets the simulator write down what warp 0 of block 0 does in each launch: into a file of this
/// process's own, whose name a restart of the program keeps. Call it before anything of CUDA.
void ask_for_trace();

/// The trace of the last launch, and removes its file. @return empty where there is none.
std::string take_trace();

}  // namespace warpwise::lesson
