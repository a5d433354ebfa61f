#pragma once
// The header for kernels with asynchronous copies and mbarriers, and their device.

#include <string>

#include "simulator/machine/machine_fixture.h"

namespace warpwise::machine::test {

/// Comes before the kernels.
inline const std::string async_copy_functions = R"(
#include <cuda_pipeline.h>
typedef unsigned long long u64;
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(u64* b, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}
__device__ void arrive(u64* b) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at(b)) : "memory");
}
__device__ void arrive_expecting(u64* b, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(bytes) : "memory");
}
__device__ bool has_ended(u64* b, unsigned parity) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done) : "r"(at(b)), "r"(parity) : "memory");
  return done;
}
__device__ void wait(u64* b, unsigned parity) { while (!has_ended(b, parity)) { } }
__device__ void copy_bulk(void* to, const void* from, unsigned bytes, u64* b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(at(to)), "l"(from), "r"(bytes), "r"(at(b)) : "memory");
}
)";

/// A device with such kernels, what they read and where they write.
struct AsyncCopies {
  Device device;
  std::uint64_t input, output;

  explicit AsyncCopies(const std::string& kernels)
      : device(async_copy_functions + kernels),
        input(device.upload(numbers<int>(4096))),
        output(device.upload(std::vector<int>(4096))) {}

  std::vector<int> got(int count) {
    return device.download<int>(output, static_cast<std::size_t>(count));
  }
};

}  // namespace warpwise::machine::test
