#pragma once
#include <cuda.h>

#include "warp_matrix.h"

/// \file
/// Tiles that one thread has copied by one instruction: tensor maps, and barriers in shared memory
/// that count the bytes. From sm_90 on.
namespace tensor {

/// Describes a row-major bf16 matrix to the copy engine: it takes boxes of box_rows x 64 numbers,
/// whose chunks it lays out as Swizzled<64> does, and zeros where a box leaves the matrix.
/// @param[in] matrix rows x K, 16 aligned, device. @pre K % 8 == 0, box_rows <= 256
/// Throws where the driver refuses.
CUtensorMap tensor_map(const bf16* matrix, int rows, int K, int box_rows);

/// Describes C, row-major fp32, to the copy engine for stores: boxes of 16 rows x 32 numbers, which
/// it reads from shared memory laid out as Swizzled<64> does. The part of a box outside the matrix
/// is not written.
/// @param[out] matrix rows x N, 16 aligned, device. @pre N % 4 == 0
/// Throws where the driver refuses.
CUtensorMap tensor_map_of_c(float* matrix, int rows, int N);

/// A barrier of a stage, 8 bytes in shared memory. A phase ends when so many threads have arrived
/// and all expected bytes have come; then the next begins.
using StageBarrier = unsigned long long;

__device__ inline void start_barrier(StageBarrier* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}

/// Barriers that were started are seen by the copy engine, once a barrier of the block follows.
__device__ inline void show_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ inline void arrive(StageBarrier* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}

/// Arrives, and makes the phase wait for that many bytes more.
__device__ inline void arrive_expecting(StageBarrier* barrier, unsigned bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}

/// Waits for the end of phase 0, 1, 2, ...; the last bit distinguishes them.
__device__ inline void wait_for_phase(StageBarrier* barrier, unsigned phase) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}" ::"r"(shared_address(barrier)),
      "r"(phase & 1)
      : "memory");
}

/// Starts the copy of a box; its bytes count on the barrier.
/// @param to shared address, 1024 aligned. @param k, row where the box begins.
/// @source PTX manual, cp.async.bulk.tensor.
__device__ inline void start_box(unsigned to, const CUtensorMap& map, int k, int row,
                                 StageBarrier* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
      "l"(&map), "r"(k), "r"(row), "r"(shared_address(barrier))
      : "memory");
}

/// Has the descriptor fetched before the first copy wants it. @param map a kernel's parameter.
__device__ inline void fetch_map(const CUtensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// Starts the copy of a box to global memory, as a group of its own. Its shared memory may be
/// overwritten once the group was waited for.
/// @param from shared address, 1024 aligned, shown to the copy engine. @param column, row where the
/// box begins.
/// @source PTX manual, cp.async.bulk.tensor.
__device__ inline void start_store(const CUtensorMap& map, int column, int row, unsigned from) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];\n"
      "cp.async.bulk.commit_group;" ::"l"(&map),
      "r"(column), "r"(row), "r"(from)
      : "memory");
}

/// Waits until the copy engine has read all boxes of this thread but the `pending` newest.
template <int pending>
__device__ inline void wait_for_stores() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

}  // namespace tensor
