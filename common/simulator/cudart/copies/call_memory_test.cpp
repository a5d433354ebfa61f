#include "simulator/cudart/copies/call_memory.h"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cerrno>
#include <cstdlib>

#include "simulator/cudart/memory/registered_pages.h"
#include "simulator/cudart/tests/child.h"
#include "simulator/cudart/tests/fake_module.h"

// Memory that the program hands to system calls.
namespace warpwise::cudart {
namespace {

constexpr std::size_t bytes = 400;

TEST_CASE("a system call gets pinned memory by an address that is open, other memory as it is") {
  int here = 0, *pinned = nullptr, *managed = nullptr;
  REQUIRE(cudaMallocHost(reinterpret_cast<void**>(&pinned), bytes) == cudaSuccess);
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&managed), bytes, cudaMemAttachGlobal) ==
          cudaSuccess);
  CHECK_FALSE(may_be_closed(&here));
  CHECK_FALSE(may_be_closed(nullptr));
  for (int* shared : {pinned, managed}) {
    CHECK(may_be_closed(shared));
    void* const given = for_call(shared);
    CHECK(given != shared);
    *static_cast<int*>(given) = 7;
    CHECK(shared[0] == 7);
    errno = ERANGE;
    judge_call(shared, bytes, CallDoes::writes);
    CHECK(errno == ERANGE);
  }
  cudaFreeHost(pinned);
  cudaFree(managed);
}

TEST_CASE("registered memory is closed, but while work runs, until the host has waited") {
  constexpr std::size_t page = 4096;
  auto* const mine = static_cast<char*>(std::aligned_alloc(page, 3 * page));
  mine[page] = 5;
  REQUIRE(cudaHostRegister(mine + 1, 3 * page - 1, 0) == cudaSuccess);
  launch_fake_on("fill", reinterpret_cast<int*>(mine + 4), 7, 10, nullptr);
  CHECK(has_closed_registered());
  CHECK_FALSE(is_closed_registered(reinterpret_cast<std::uint64_t>(mine + page - 1)));
  CHECK(is_closed_registered(reinterpret_cast<std::uint64_t>(mine + page)));
  CHECK(is_closed_registered(reinterpret_cast<std::uint64_t>(mine + 3 * page - 1)));
  CHECK_FALSE(is_closed_registered(reinterpret_cast<std::uint64_t>(mine + 3 * page)));
  SUBCASE("the host waits") { cudaDeviceSynchronize(); }
  SUBCASE("work has run") {
    {
      const OpenForDevice open;
      CHECK_FALSE(has_closed_registered());
      mine[page] = 5;
    }
    CHECK(is_closed_registered(reinterpret_cast<std::uint64_t>(mine + page)));
    cudaDeviceSynchronize();
  }
  SUBCASE("a system call gets it") { CHECK(for_call(mine + 1) == mine + 1); }
  CHECK(mine[page] == 5);
  CHECK(cudaHostUnregister(mine + 1) == cudaSuccess);
  CHECK_FALSE(has_closed_registered());
  CHECK(mine[4] == 7);
  std::free(mine);
}

TEST_CASE("child: device memory is handed to a system call" * doctest::skip()) {
  void* device = nullptr;
  REQUIRE(cudaMalloc(&device, bytes) == cudaSuccess);
  CHECK(for_call(device) == device);
  judge_call(device, 0, CallDoes::reads);
  errno = EFAULT;
  judge_call(device, 0, CallDoes::reads);
}

TEST_CASE("child: memory that a launch may use was handed to a system call" * doctest::skip()) {
  int* managed = nullptr;
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&managed), bytes, cudaMemAttachGlobal) ==
          cudaSuccess);
  launch_fake_on("fill", managed, 7, 100, nullptr);
  for_call(managed);
  judge_call(managed, 0, CallDoes::writes);
  judge_call(managed + 2, 4, CallDoes::writes);
}

TEST_CASE("child: a system call went beyond the memory" * doctest::skip()) {
  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(reinterpret_cast<void**>(&pinned), bytes) == cudaSuccess);
  judge_call(pinned, bytes, CallDoes::reads);
  judge_call(pinned, bytes + 1, CallDoes::reads);
}

TEST_CASE("what a system call must not use is reported") {
  const Ending device = run_case("child: device memory is handed to a system call");
  CHECK(device.status == 1);
  CHECK(device.says("device-pointer-on-host: the host read byte 0 of allocation 1 (400 bytes of"));
  const Ending used = run_case("child: memory that a launch may use was handed to a system call");
  CHECK(used.status == 1);
  CHECK(used.says("missing-sync: the host wrote byte 8 of allocation 1 (400 bytes of managed"));
  const Ending beyond = run_case("child: a system call went beyond the memory");
  CHECK(beyond.says("the host read 0 bytes past the end of allocation 1 (400 bytes of pinned"));
}

}  // namespace
}  // namespace warpwise::cudart
