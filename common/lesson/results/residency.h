#pragma once
#include "lesson/device/launch.h"
#include "lesson/results/results.h"
#include "occupancy/gpu_table.h"

/// \file
/// The part of a launch that one SM holds.
/// \ingroup lesson
namespace warpwise::lesson {

/// @param gpu whose limits. @param kernel a host function of a kernel, or a cudaKernel_t: its
/// registers and shared memory come from the compiled code.
/// @throws Stop when the runtime does not know the kernel.
Residency residency_of(const occupancy::Gpu& gpu, const void* kernel, const Shape& shape);

/// Lets a rung's residency be of the launch whose time its row shows: shared memory and grid may
/// depend on the size. Without a recorded time it is the launch that just ran.
/// @param ran its size.
void show_launch_of_time(Rung& rung, const LadderResult& ladder, const occupancy::Gpu& limits,
                         const Size& ran);

}  // namespace warpwise::lesson
