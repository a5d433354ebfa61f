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

/// Waits for the end of phase 0, 1, 2, ...; phases are told apart by their last bit.
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

}  // namespace tensor
