#pragma once
#include "layout.h"

/// \file
/// The keys and values that a decoder keeps of its tokens.
namespace attention {

/// Keys and values are (B, H, Tmax, 64), q is (B, H, 64), all 16 aligned; position[b] is the number
/// of the newest token of sequence b. All device.
struct Cache {
  const bf16 *q, *keys, *values;
  const int* position;
  int H, Tmax;
};

/// Floats that a block leaves for a head: largest score, sum of weights, weighted values.
inline constexpr int part_floats = 2 + head_size;

}  // namespace attention
