#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

/// \file
/// The few declarations of NCCL that this chapter needs, as in nccl.h, which not every toolkit has.
namespace nccl {

constexpr const char* library_name = "libnccl.so.2";

using Communicator = void*;
/// Made by one rank, needed by all.
struct Identifier {
  char bytes[128];
};
constexpr int type_float = 7, type_bf16 = 9, sum = 0;
constexpr int success = 0, in_progress = 7;

using CommInitAll = int(Communicator*, int, const int*);
using GetUniqueId = int(Identifier*);
using CommInitRank = int(Communicator*, int, Identifier, int);
using CommGetAsyncError = int(Communicator, int*);
using CommDestroy = int(Communicator);
using Group = int();
using AllReduceCall = int(const void*, void*, std::size_t, int, int, Communicator, cudaStream_t);

}  // namespace nccl
