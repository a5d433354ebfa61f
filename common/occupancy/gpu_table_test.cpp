#include "occupancy/gpu_table.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "occupancy/gpu_facts.h"

namespace warpwise::occupancy {
namespace {

std::string id_of(const Gpu* gpu) { return gpu ? std::string(gpu->id) : "none"; }

std::string fact(const Gpu& gpu, std::string_view name) {
  for (const Fact& each : facts_of(gpu)) {
    if (each.name == name) return each.value;
  }
  return "no such fact";
}

TEST_CASE("the rows") {
  CHECK(gpu_ids() == "t4, v100, a100, rtx3090, rtx4090, l4, h100, h200, b200");
  std::set<std::string_view> names;
  for (const Gpu& gpu : gpu_table()) {
    CHECK(names.insert(gpu.id).second);
    CHECK_FALSE(gpu.source.empty());
    CHECK((gpu.supported_by_cuda_13 == (gpu.compute_capability >= 75)));
  }
}

TEST_CASE("limits of a row agree with each other") {
  for (const Gpu& gpu : gpu_table()) {
    CAPTURE(gpu.id);
    CHECK(gpu.threads_per_sm == gpu.warps_per_sm * warp_size);
    CHECK(gpu.shared_bytes_per_block_max + gpu.shared_reserved_per_block ==
          gpu.shared_bytes_per_sm);
    CHECK(gpu.shared_bytes_per_sm % gpu.shared_unit == 0);
    CHECK(gpu.registers_per_sm % (gpu.warp_unit * gpu.register_unit) == 0);
    CHECK(gpu.blocks_per_sm <= gpu.warps_per_sm);
  }
}

TEST_CASE("peaks agree with SMs, lanes and clock") {
  for (const Gpu& gpu : gpu_table()) {
    CAPTURE(gpu.id);
    const double tflops = 2e-6 * gpu.sms * gpu.fp32_lanes_per_sm * gpu.boost_mhz;
    CHECK(std::abs(tflops - gpu.fp32_tflops) < 0.01 * gpu.fp32_tflops);
    CHECK((gpu.bf16_tensor_tflops > 0) == gpu.has_bf16_tensor_cores());
  }
}

TEST_CASE("what was measured on the H200") {
  const Gpu& gpu = *find_gpu("h200");
  CHECK(gpu.sms == 132);
  CHECK(gpu.l2_bytes == 60 * 1024 * 1024);
  CHECK(gpu.memory_bytes == 139LL * 1024 * 1024 * 1024);
}

TEST_CASE("rows are found by id, name and the driver's name") {
  for (const Gpu& gpu : gpu_table()) {
    CHECK(find_gpu(gpu.id) == &gpu);
    CHECK(find_gpu(gpu.name) == &gpu);
    CHECK(find_gpu(gpu.driver_name) == &gpu);
  }
  for (const char* name : {"rtx4090", "RTX 4090", "RTX-4090", "GeForce RTX 4090",
                           "nvidia geforce rtx 4090", "  Rtx_4090 "}) {
    CHECK(id_of(find_gpu(name)) == "rtx4090");
  }
  CHECK(id_of(find_gpu("Tesla T4")) == "t4");
  CHECK(id_of(find_gpu("H200")) == "h200");
  CHECK(id_of(find_gpu("NVIDIA H100 80GB HBM3")) == "h100");
}

TEST_CASE("other products and nonsense are not found") {
  for (const char* name : {"", " ", "NVIDIA", "GeForce", "rtx", "4090", "RTX 4090 D", "NVIDIA L40",
                           "NVIDIA H100 PCIe", "RTX 3090 Ti", "h20", "\xff\xfe"}) {
    CHECK(id_of(find_gpu(name)) == "none");
  }
}

TEST_CASE("the nearest row of a compute capability") {
  for (const Gpu& gpu : gpu_table()) {
    CHECK(nearest_gpu(gpu.compute_capability).compute_capability == gpu.compute_capability);
  }
  CHECK(nearest_gpu(87).id == "rtx3090");
  CHECK(nearest_gpu(103).id == "b200");
  CHECK(nearest_gpu(120).compute_capability == 89);
  CHECK(nearest_gpu(121).compute_capability == 89);
  CHECK(nearest_gpu(72).id == "v100");
  CHECK(nearest_gpu(0).id == "v100");
  CHECK(nearest_gpu(-90).id == "v100");
  CHECK(nearest_gpu(1 << 30).id == "b200");
}

TEST_CASE("a row as text: units, none, not known") {
  const Gpu& h200 = *find_gpu("h200");
  CHECK(fact(h200, "name") == "NVIDIA H200");
  CHECK(fact(h200, "architecture") == "sm_90");
  CHECK(fact(h200, "L2") == "60 MiB");
  CHECK(fact(h200, "memory") == "139 GiB");
  CHECK(fact(h200, "memory bandwidth") == "4800 GB/s");
  CHECK(fact(h200, "bf16 tensor cores") == "989.5 TFLOP/s, dense");
  CHECK(fact(h200, "shared memory per block, opted in") == "232448 bytes");
  CHECK(fact(*find_gpu("t4"), "bf16 tensor cores") == "none");
  CHECK(fact(*find_gpu("t4"), "shared memory reserved per block") == "0 bytes");
  CHECK(fact(*find_gpu("v100"), "compiled for by CUDA 13") == "no: arithmetic only");

  Gpu unmeasured = h200;
  unmeasured.boost_mhz = 0;
  unmeasured.l2_bytes = 0;
  unmeasured.source = "";
  CHECK(fact(unmeasured, "boost clock") == "not known");
  CHECK(fact(unmeasured, "L2") == "not known");
  CHECK(fact(unmeasured, "source") == "not known");
}

}  // namespace
}  // namespace warpwise::occupancy
