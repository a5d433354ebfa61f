#pragma once
#include <cstddef>

/// \file
/// Copies of many bytes by one instruction: to shared memory they count on a barrier there, from it
/// they form groups. From sm_90 on; below, the functions trap, and the program skips their rungs.
namespace rows {

/// 8 bytes in shared memory. A phase ends when one thread has arrived and all bytes that it expects
/// have come; then the next begins.
using BulkBarrier = unsigned long long;

__device__ inline unsigned shared_address_of(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// Makes the barrier, also for the copy engine. @pre a barrier of the block follows.
__device__ inline void start_bulk_barrier(BulkBarrier* barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], 1;\n"
      "fence.mbarrier_init.release.cluster;" ::"r"(shared_address_of(barrier))
      : "memory");
#else
  __trap();
#endif
}

/// Arrives, and makes the phase wait for that many bytes.
__device__ inline void arrive_expecting_bytes(BulkBarrier* barrier, std::size_t bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address_of(barrier)),
      "r"(static_cast<unsigned>(bytes))
      : "memory");
#endif
}

/// Waits for the end of phase 0, 1, 2, ...; the last bit distinguishes them.
__device__ inline void wait_for_bytes(BulkBarrier* barrier, int phase) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}" ::"r"(shared_address_of(barrier)),
      "r"(phase & 1)
      : "memory");
#endif
}

/// Starts a copy and goes on; its bytes count on the barrier.
/// @param to shared, @param from global, both 16 aligned. @param bytes a multiple of 16, not 0.
/// @source PTX manual, cp.async.bulk.
__device__ inline void start_bulk_copy(void* to, const void* from, std::size_t bytes,
                                       BulkBarrier* barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address_of(to)),
      "l"(__cvta_generic_to_global(from)), "r"(static_cast<unsigned>(bytes)),
      "r"(shared_address_of(barrier))
      : "memory");
#endif
}

/// The same with a hint: the first lines to leave the L2 cache are the ones that are read here.
/// @source PTX manual, createpolicy and cp.async.bulk.
__device__ inline void start_bulk_copy_evicted_first(void* to, const void* from, std::size_t bytes,
                                                     BulkBarrier* barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n"
      ".reg .b64 policy;\n"
      "createpolicy.fractional.L2::evict_first.b64 policy, 1.0;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
      " [%0], [%1], %2, [%3], policy;\n"
      "}" ::"r"(shared_address_of(to)),
      "l"(__cvta_generic_to_global(from)), "r"(static_cast<unsigned>(bytes)),
      "r"(shared_address_of(barrier))
      : "memory");
#endif
}

/// Makes what this thread wrote to shared memory visible to copies that start after a barrier.
__device__ inline void show_to_copies() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/// Starts a copy from shared to global memory as a group of its own, and goes on.
/// @param to global, @param from shared, both 16 aligned. @param bytes a multiple of 16, not 0.
/// @source PTX manual, cp.async.bulk.
__device__ inline void start_bulk_store(void* to, const void* from, std::size_t bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
      "cp.async.bulk.commit_group;" ::"l"(__cvta_generic_to_global(to)),
      "r"(shared_address_of(from)), "r"(static_cast<unsigned>(bytes))
      : "memory");
#endif
}

/// Waits until this thread's stores have read shared memory: their source is free.
__device__ inline void wait_for_reads_of_stores() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
}

}  // namespace rows
