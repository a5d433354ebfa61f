#pragma once
#include <cuda_bf16.h>

#include "devices.h"

/// \file
/// What an all-reduce works on.

/// Arrays of one all-reduce of `count` elements. Spans of `T` are in memory of their device.
template <class T>
struct AllReduce {
  const Devices* devices = nullptr;
  int count = 0;
  Shared<T> x[Devices::most];        ///< of each device: its numbers; the sums where in place.
  Shared<T> sums[Devices::most];     ///< the sums where out of place.
  Shared<T> arrived[Devices::most];  ///< room for what a neighbour sends.
  Shared<T> initial[Devices::most];  ///< what x holds before each run.
  Shared<T> host[Devices::most];     ///< page-locked.

  AllReduce(const Devices& all, int elements);
  int n() const { return devices->count(); }
};

/// Where chunk c of n begins. Chunks differ by one element at most, and may be empty.
constexpr long long chunk_begin(int c, int n, long long count) { return c * count / n; }
