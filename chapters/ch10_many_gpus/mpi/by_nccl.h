#pragma once
#include <vector>

/// \file
/// NCCL between processes, one GPU each. What goes wrong ends all ranks, with one line.
namespace by_nccl {

/// GPUs that this process can use; 0 where there is no driver.
int devices();
/// Whether libnccl.so.2 can be opened.
bool is_there();

/// Collective: rank 0's identifier goes to all ranks by MPI. @pre is_there() on every rank, and a
/// device of number `local`.
void begin(int ranks, int rank, int local);
/// Collective: sums[i] = mine[i] of all ranks. @param[in] mine, sums as many on every rank, host.
/// @return microseconds between device memory and device memory.
double all_reduce(const std::vector<float>& mine, std::vector<float>& sums);
void end();

}  // namespace by_nccl
