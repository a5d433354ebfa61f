#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "simulator/cudart/runtime.h"
#include "simulator/cudart/tests/fake_module.h"

// If very many operations are pending, the host waits, as on a GPU.
namespace queue_room_test {

using namespace warpwise::cudart;

constexpr int many = 5000;

struct Scene {
  int* x = nullptr;
  cudaStream_t stream = nullptr;

  Scene() {
    runtime().queue.set_grace_period(std::chrono::hours(1));
    cudaMalloc(reinterpret_cast<void**>(&x), sizeof(int));
    cudaMemset(x, 0, sizeof(int));
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
  }
  ~Scene() {
    cudaFree(x);
    cudaStreamDestroy(stream);
  }
};

TEST_CASE("the host waits for room, and what it issued last has not begun") {
  const Scene scene;
  static std::atomic<int> done;
  done = 0;
  for (int i = 0; i < many; ++i)
    cudaLaunchHostFunc(
        scene.stream, [](void*) { ++done; }, nullptr);
  CHECK(done >= many - static_cast<int>(Queue::most_pending));
  CHECK(done < many);
  CHECK(cudaStreamSynchronize(scene.stream) == cudaSuccess);
  CHECK(done == many);
}

TEST_CASE("the host does not wait for room where a launch waits for what it does next") {
  const Scene scene;
  launch_fake_on("await", scene.x, 1, 1, scene.stream);
  cudaStreamQuery(scene.stream);
  for (int i = 0; i < many; ++i) launch_fake_on("add", scene.x, 1, 1, scene.stream);
  cudaStream_t other = nullptr;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  launch_fake_on("fill", scene.x, 1, 1, other);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  int sum = 0;
  CHECK(cudaMemcpy(&sum, scene.x, sizeof sum, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(sum == many + 1);
  cudaStreamDestroy(other);
}

TEST_CASE("the host does not wait for room where a function of the program's waits for it") {
  const Scene scene;
  static std::atomic<bool> may_go;
  may_go = false;
  cudaLaunchHostFunc(
      scene.stream,
      [](void*) {
        while (!may_go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      nullptr);
  for (int i = 0; i < many; ++i) launch_fake_on("add", scene.x, 1, 1, scene.stream);
  may_go = true;
  CHECK(cudaStreamSynchronize(scene.stream) == cudaSuccess);
}

}  // namespace queue_room_test
