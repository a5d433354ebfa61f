#pragma once
#include "occupancy/gpu_table.h"

/// \file
/// What an operation needs of a GPU, however it is done: the floor of its time.
/// \ingroup lesson
namespace warpwise::lesson {

/// The bytes and flops that an operation needs, however it is done.
struct Needs {
  double bytes = 0;  ///< of device memory, read plus written.
  double flops = 0;
  bool tensor_cores = false;  ///< at their rate, in bf16; else at that of fp32 arithmetic.
  bool over_links = false;    ///< the bytes go between devices: no floor by the memory's rate.
};

/// The least time for the bytes, in microseconds, over the peak of that GPU; 0: not known.
double memory_floor_us(const Needs& needs, const occupancy::Gpu& gpu);
/// The same for the flops.
double compute_floor_us(const Needs& needs, const occupancy::Gpu& gpu);
/// The larger of both.
double floor_us(const Needs& needs, const occupancy::Gpu& gpu);

}  // namespace warpwise::lesson
