// Exercise 08_bulk_pieces: pieces of 512 floats, brought by bulk copies in two stages.
//
//   y[piece * 512 + i] = x[piece * 512 + i] - x[piece * 512 + 511 - i]
//
// x and y: pieces * 512 floats, in device memory, 16-byte aligned. A block takes a piece, then the
// one gridDim.x further, and so on:
//   blockDim = 128; gridDim = pieces / 4, rounded up
// Thread 0 starts the copies. Build and check it: ./learn run ch06/08

/// A barrier of a stage, in shared memory. A phase ends when so many threads have arrived and all
/// expected bytes have come; then the next phase begins.
using StageBarrier = unsigned long long;

__device__ unsigned address_of(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

/// One thread begins a barrier whose phases end after `arrivals` arrivals.
__device__ void init(StageBarrier* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(barrier)), "r"(arrivals)
               : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Arrives, and lets the phase wait for so many bytes more.
__device__ void expect(StageBarrier* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(barrier)),
               "r"(bytes)
               : "memory");
}

/// Starts a copy to shared memory; its bytes count on the barrier.
__device__ void start(float* to, const float* from, unsigned bytes, StageBarrier* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(address_of(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(address_of(barrier))
      : "memory");
}

/// Waits for the end of the phase with this parity: phases 0, 1, 2, ... have 0, 1, 0, ...
__device__ void wait(StageBarrier* barrier, int parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}" ::"r"(address_of(barrier)),
      "r"(parity)
      : "memory");
}

__global__ void bulk_pieces(const float* x, float* y, int pieces) {
  __shared__ __align__(128) float tile[2][512];
  __shared__ StageBarrier full[2];
  // BEGIN YOUR CODE
  const auto bring = [&](int stage, int piece) {
    expect(&full[stage], 2048);
    start(tile[stage], x + static_cast<size_t>(piece) * 512, 2048, &full[stage]);
  };
  if (threadIdx.x == 0) {
    init(&full[0], 1);
    init(&full[1], 1);
    bring(0, blockIdx.x);
  }
  __syncthreads();
  int count = 0;
  for (int piece = blockIdx.x; piece < pieces; piece += gridDim.x, ++count) {
    const int stage = count % 2, next = piece + gridDim.x;
    if (threadIdx.x == 0 && next < pieces) bring(1 - stage, next);
    wait(&full[stage], count / 2 % 2);
    for (int i = threadIdx.x; i < 512; i += 128) {
      y[static_cast<size_t>(piece) * 512 + i] = tile[stage][i] - tile[stage][511 - i];
    }
    __syncthreads();  // All have read: the stage may be filled again.
  }
  // END YOUR CODE
}
