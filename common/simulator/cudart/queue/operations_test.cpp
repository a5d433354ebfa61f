#include "simulator/cudart/queue/operations.h"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "simulator/cudart/tests/fake_module.h"
#include "simulator/cudart/warpwise_report.h"

namespace warpwise::cudart {
namespace {

using nlohmann::json;

json taken() { return json::parse(warpwise_take_operations()); }

// Two arrays of ints on the device and one in page-locked memory.
struct TwoArrays {
  static constexpr std::size_t bytes = 64;
  int *a = nullptr, *b = nullptr, *pinned = nullptr;
  cudaStream_t first = nullptr, second = nullptr;
  TwoArrays() {
    cudaMalloc(reinterpret_cast<void**>(&a), bytes);
    cudaMalloc(reinterpret_cast<void**>(&b), bytes);
    cudaMallocHost(reinterpret_cast<void**>(&pinned), bytes);
    std::memset(pinned, 0, bytes);
    cudaStreamCreate(&first), cudaStreamCreate(&second);
    warpwise_count_operations(1);
  }
  ~TwoArrays() {
    warpwise_count_operations(0);
    cudaDeviceSynchronize();
    cudaFree(a), cudaFree(b), cudaFreeHost(pinned);
    cudaStreamDestroy(first), cudaStreamDestroy(second);
  }
  void copy_in(int* to, cudaStream_t stream) const {
    cudaMemcpyAsync(to, pinned, bytes, cudaMemcpyHostToDevice, stream);
  }
};

TEST_CASE("a chain is as long as its streams and events make it, whatever ran first") {
  const TwoArrays x;
  x.copy_in(x.a, x.first);
  launch_fake_on("fill", x.a, 1, 1, x.first);
  x.copy_in(x.b, x.second);
  launch_fake_on("fill", x.b, 1, 1, x.second);
  json counts = taken();
  CHECK(counts["longest_chain"] == 2);
  CHECK(counts["overlaps"] == 2);
  CHECK(counts["pinned_bytes_in"] == 2 * TwoArrays::bytes);
  CHECK(counts["launch_calls"] == 2);
  CHECK(counts["operations"].size() == 4);
  CHECK(counts["operations"][3]["column"] == 1);

  // The same with the second stream after the first.
  cudaEvent_t done = nullptr;
  cudaEventCreate(&done);
  x.copy_in(x.a, x.first);
  launch_fake_on("fill", x.a, 1, 1, x.first);
  cudaEventRecord(done, x.first);
  cudaStreamWaitEvent(x.second, done, 0);
  x.copy_in(x.b, x.second);
  launch_fake_on("fill", x.b, 1, 1, x.second);
  counts = taken();
  CHECK(counts["longest_chain"] == 4);
  CHECK(counts["overlaps"] == 0);
  CHECK(counts["host_waits"] == 0);
  cudaEventDestroy(done);
}

TEST_CASE("what the host has waited for comes before what it asks for then") {
  const TwoArrays x;
  launch_fake_on("fill", x.a, 1, 1, x.first);
  cudaStreamSynchronize(x.first);
  cudaStreamSynchronize(x.first);  // Nothing to wait for any more.
  launch_fake_on("fill", x.b, 1, 1, x.second);
  const json counts = taken();
  CHECK(counts["host_waits"] == 1);
  CHECK(counts["longest_chain"] == 2);
}

TEST_CASE("copies of pageable memory are distinguished, and one to it holds the host") {
  const TwoArrays x;
  std::vector<int> host(TwoArrays::bytes / sizeof(int));
  cudaMemcpyAsync(x.a, host.data(), TwoArrays::bytes, cudaMemcpyHostToDevice, x.first);
  CHECK(taken()["host_waits"] == 0);
  cudaMemcpyAsync(host.data(), x.a, TwoArrays::bytes, cudaMemcpyDeviceToHost, x.first);
  const json counts = taken();
  CHECK(counts["host_waits"] == 1);
  CHECK(counts["pageable_bytes"] == TwoArrays::bytes);
  CHECK(counts["pinned_bytes_out"] == 0);
}

TEST_CASE("a captured launch is not counted as a launch; the launch of its graph is") {
  const TwoArrays x;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t instance = nullptr;
  cudaStreamBeginCapture(x.first, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < 3; ++i) launch_fake_on("add", x.a, 1, 1, x.first);
  cudaMemsetAsync(x.b, 0, TwoArrays::bytes, x.first);
  cudaStreamEndCapture(x.first, &graph);
  cudaMemset(x.a, 0, TwoArrays::bytes);
  CHECK(taken()["launch_calls"] == 0);
  cudaGraphInstantiate(&instance, graph, 0);
  cudaGraphLaunch(instance, x.first);
  const json counts = taken();
  CHECK(counts["launch_calls"] == 1);
  CHECK(counts["graph_launches"] == 1);
  CHECK(counts["instantiations"] == 1);
  CHECK(counts["longest_chain"] == 4);
  CHECK(counts["operations"].size() == 4);
  cudaGraphExecDestroy(instance), cudaGraphDestroy(graph);
}

TEST_CASE("memory that is asked for while the device works is counted") {
  const TwoArrays x;
  void* more = nullptr;
  cudaMalloc(&more, 16);
  cudaFree(more);
  CHECK(taken()["allocations_in_flight"] == 0);
  launch_fake_on("fill", x.a, 1, 1, x.first);
  cudaMalloc(&more, 16);
  cudaFree(more);  // Waits.
  cudaFree(nullptr);
  const json counts = taken();
  CHECK(counts["allocations_in_flight"] == 2);
  CHECK(counts["host_waits"] == 1);
}

}  // namespace
}  // namespace warpwise::cudart
