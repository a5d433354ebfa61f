/// \file
/// NCCL between processes: the identifier by MPI, the numbers from device memory to device memory.
#include "by_nccl.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "lesson/open_library.h"
#include "nccl_api.h"

namespace by_nccl {
namespace {

using Clock = std::chrono::steady_clock;

int this_rank = 0;
nccl::Communicator communicator = nullptr;
cudaStream_t stream = nullptr;

[[noreturn]] void give_up(const char* what, const char* why) {
  std::fprintf(stderr, "rank %d: %s: %s\n", this_rank, what, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

void check(const char* what, cudaError_t error) {
  if (error != cudaSuccess) give_up(what, cudaGetErrorString(error));
}

void check_nccl(const char* what, int status) {
  if (status == nccl::success) return;
  give_up(what, ("NCCL says status " + std::to_string(status)).c_str());
}

void* library() {
  static void* const opened = warpwise::lesson::open_library(nccl::library_name);
  return opened;
}

template <class Function>
Function* function(const char* name) {
  auto* found = reinterpret_cast<Function*>(::dlsym(library(), name));
  if (found == nullptr) give_up(name, "libnccl.so.2 does not have it");
  return found;
}

/// Waits for the stream. A rank that has gone leaves NCCL's kernels waiting: NCCL is asked, and
/// there is a limit.
void wait_for_stream() {
  constexpr auto limit = std::chrono::seconds(20);
  const Clock::time_point begin = Clock::now();
  auto* asks = function<nccl::CommGetAsyncError>("ncclCommGetAsyncError");
  for (;;) {
    const cudaError_t now = cudaStreamQuery(stream);
    if (now == cudaSuccess) return;
    if (now != cudaErrorNotReady) check("all-reduce", now);
    int state = nccl::success;
    check_nccl("ncclCommGetAsyncError", asks(communicator, &state));
    if (state != nccl::in_progress) check_nccl("all-reduce", state);
    if (Clock::now() - begin > limit) give_up("all-reduce", "no answer for 20 seconds");
    std::this_thread::yield();
  }
}

}  // namespace

int devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

bool is_there() { return library() != nullptr; }

void begin(int ranks, int rank, int local) {
  this_rank = rank;
  check("cudaSetDevice", cudaSetDevice(local));
  check("cudaStreamCreate", cudaStreamCreate(&stream));
  nccl::Identifier identifier{};
  if (rank == 0) {
    check_nccl("ncclGetUniqueId", function<nccl::GetUniqueId>("ncclGetUniqueId")(&identifier));
  }
  MPI_Bcast(&identifier, sizeof identifier, MPI_BYTE, 0, MPI_COMM_WORLD);
  check_nccl("ncclCommInitRank", function<nccl::CommInitRank>("ncclCommInitRank")(
                                     &communicator, ranks, identifier, rank));
}

double all_reduce(const std::vector<float>& mine, std::vector<float>& sums) {
  const std::size_t bytes = sizeof(float) * mine.size();
  void *from = nullptr, *to = nullptr;
  check("cudaMalloc", cudaMalloc(&from, bytes));
  check("cudaMalloc", cudaMalloc(&to, bytes));
  check("cudaMemcpy", cudaMemcpy(from, mine.data(), bytes, cudaMemcpyDefault));
  check("cudaMemset", cudaMemset(to, 0xFE, bytes));
  check("cudaDeviceSynchronize", cudaDeviceSynchronize());
  auto* reduce = function<nccl::AllReduceCall>("ncclAllReduce");
  MPI_Barrier(MPI_COMM_WORLD);
  const Clock::time_point begin = Clock::now();
  check_nccl("ncclAllReduce",
             reduce(from, to, mine.size(), nccl::type_float, nccl::sum, communicator, stream));
  wait_for_stream();
  const double took = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  check("cudaMemcpy", cudaMemcpy(sums.data(), to, bytes, cudaMemcpyDefault));
  check("cudaFree", cudaFree(from));
  check("cudaFree", cudaFree(to));
  return took;
}

void end() {
  check_nccl("ncclCommDestroy", function<nccl::CommDestroy>("ncclCommDestroy")(communicator));
  check("cudaStreamDestroy", cudaStreamDestroy(stream));
}

}  // namespace by_nccl
