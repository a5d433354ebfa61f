#pragma once
#include "all_reduce_arrays.h"
#include "lesson/ladder.h"

/// \file
/// NCCL's all-reduce as the baseline. Found when the program asks for it, on GPUs; neither
/// building nor running the chapter needs it.

/// All-reduce of a.x in place, in stream 0 of each device; the caller begins and ends it. @return a
/// call that throws Stop when
/// NCCL refuses, or why there is none. The arrays must live as long as the call.
template <class T>
warpwise::lesson::LibraryCall nccl_all_reduce(const AllReduce<T>& a);
