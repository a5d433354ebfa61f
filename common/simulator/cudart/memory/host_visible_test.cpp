#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include "simulator/cudart/tests/child.h"
#include "simulator/cudart/tests/fake_module.h"

// Access of the host to managed memory while launches are pending.
namespace warpwise::cudart {
namespace {

/// Three arrays of 100 integers and two streams.
struct Arrays {
  int *x = nullptr, *y = nullptr, *z = nullptr;
  cudaStream_t first = nullptr, second = nullptr;
  Arrays() {
    for (int** array : {&x, &y, &z})
      REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(array), 400, cudaMemAttachGlobal) ==
              cudaSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking) == cudaSuccess);
  }
  ~Arrays() {
    for (int* array : {x, y, z}) cudaFree(array);
    cudaStreamDestroy(first), cudaStreamDestroy(second);
  }
};

TEST_CASE("the host may use managed memory that no pending launch reaches") {
  const Arrays used;
  launch_fake_on("fill", used.x, 7, 100, used.first);
  used.y[3] = 1;
  int* fresh = nullptr;
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&fresh), 400, cudaMemAttachGlobal) ==
          cudaSuccess);
  fresh[0] = 2;
  launch_fake_on("fill", used.z, 8, 100, used.second);
  cudaStreamSynchronize(used.first);
  CHECK(used.x[99] == 7);  // though the other stream is not done
  CHECK(used.y[3] == 1);
  cudaStreamSynchronize(used.second);
  CHECK(used.z[99] == 8);
  cudaFree(fresh);
}

TEST_CASE("child: one stream of two was waited for" * doctest::skip()) {
  const Arrays used;
  launch_fake_on("fill", used.x, 7, 50, used.first);
  launch_fake_on("fill", used.x + 50, 8, 50, used.second);
  cudaStreamSynchronize(used.first);
  CHECK(used.x[0] == 7);
}

TEST_CASE("child: the memory is reached through two pointers" * doctest::skip()) {
  const Arrays used;
  *reinterpret_cast<int**>(used.y) = used.z + 100;  // where z ends
  void* box = nullptr;
  REQUIRE(cudaMalloc(&box, 64) == cudaSuccess);
  cudaMemcpy(static_cast<char*>(box) + 8, &used.y, 8, cudaMemcpyHostToDevice);
  launch_fake_on("fill", static_cast<int*>(box), 7, 1, used.first);
  used.x[0] = 1;
  CHECK(used.z[0] == 7);
}

TEST_CASE("child: a graph was launched" * doctest::skip()) {
  const Arrays used;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t instance = nullptr;
  cudaStreamBeginCapture(used.first, cudaStreamCaptureModeGlobal);
  launch_fake_on("fill", used.x, 7, 100, used.first);
  launch_fake_on("fill", used.z, 8, 100, used.first);
  cudaStreamEndCapture(used.first, &graph);
  REQUIRE(cudaGraphInstantiate(&instance, graph, 0) == cudaSuccess);
  cudaGraphLaunch(instance, used.second);
  used.y[0] = 1;
  CHECK(used.z[0] == 8);
}

TEST_CASE("managed memory that a pending launch reaches is closed") {
  const Ending two = run_case("child: one stream of two was waited for");
  INFO(two.text);
  CHECK(two.says("missing-sync: the host read byte 0 of allocation 1 (400 bytes of managed"));
  const Ending behind = run_case("child: the memory is reached through two pointers");
  INFO(behind.text);
  CHECK(behind.says("missing-sync: the host read byte 0 of allocation 3 (400 bytes of managed"));
  const Ending graph = run_case("child: a graph was launched");
  INFO(graph.text);
  CHECK(graph.says("missing-sync: the host read byte 0 of allocation 3 (400 bytes of managed"));
}

}  // namespace
}  // namespace warpwise::cudart
