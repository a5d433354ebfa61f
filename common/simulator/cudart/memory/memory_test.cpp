#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "simulator/cudart/tests/child.h"
#include "simulator/cudart/tests/fake_module.h"

namespace warpwise::cudart {
namespace {

TEST_CASE("memory goes to the device and comes back") {
  std::vector<int> out(1000, 0), in(1000);
  for (int i = 0; i < 1000; ++i) in[i] = i * 7;
  int *x = nullptr, *y = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&x), 4000) == cudaSuccess);
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&y), 4000) == cudaSuccess);
  CHECK(cudaMemcpy(x, in.data(), 4000, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(y, x, 4000, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(out.data(), y, 4000, cudaMemcpyDefault) == cudaSuccess);
  CHECK(out == in);
  CHECK(cudaFree(x) == cudaSuccess);
  CHECK(cudaFree(y) == cudaSuccess);
}

TEST_CASE("cudaMalloc refuses what it must") {
  void* x = &x;
  CHECK(cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
  CHECK(cudaMalloc(&x, 0) == cudaSuccess);
  CHECK(x == nullptr);
  CHECK(cudaMalloc(&x, ~std::size_t{0}) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("cudaFree accepts null and beginnings, once") {
  char* x = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&x), 100) == cudaSuccess);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(cudaFree(x + 4) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(x) == cudaErrorInvalidValue);
  CHECK(cudaFree(x) == cudaSuccess);
  CHECK(cudaFree(x) == cudaErrorInvalidValue);
  int on_stack = 0;
  CHECK(cudaFree(&on_stack) == cudaErrorInvalidValue);
}

TEST_CASE("copies are checked against their arrays") {
  std::vector<char> host(200);
  char* x = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&x), 100) == cudaSuccess);
  CHECK(cudaMemcpy(x, host.data(), 101, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(x + 50, host.data(), 51, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(x + 50, host.data(), 50, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(x, host.data(), ~std::size_t{0}, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host.data(), x, 100, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(x, host.data(), 100, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(x, host.data(), 100, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(x, nullptr, 100, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(x, host.data(), 4, static_cast<cudaMemcpyKind>(9)) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(nullptr, nullptr, 4, static_cast<cudaMemcpyKind>(9)) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemset(x, 0, 101) == cudaErrorInvalidValue);
  CHECK(cudaMemset(host.data(), 0, 10) == cudaErrorInvalidValue);
  CHECK(cudaFree(x) == cudaSuccess);
  CHECK(cudaMemcpy(host.data(), x, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("rows are copied with their pitches") {
  constexpr int rows = 3, width = 10;
  char *x = nullptr, host[rows * width], back[rows * 16];
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(reinterpret_cast<void**>(&x), &pitch, width, rows) == cudaSuccess);
  CHECK(pitch >= width);
  for (int i = 0; i < rows * width; ++i) host[i] = static_cast<char>(i);
  CHECK(cudaMemcpy2D(x, pitch, host, width, width, rows, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemset2D(x + 1, pitch, 99, 1, rows) == cudaSuccess);
  CHECK(cudaMemcpy2D(back, 16, x, pitch, width, rows, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int r = 0; r < rows; ++r) {
    CHECK(back[r * 16] == r * width);
    CHECK(back[r * 16 + 1] == 99);
    CHECK(back[r * 16 + 9] == r * width + 9);
  }
  CHECK(cudaMemcpy2D(x, 4, host, width, width, rows, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(x, 4, host, width, width, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(x, ~std::size_t{0}, host, width, width, rows, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(x, pitch, host, width, width, rows + 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  cudaFree(x);
  cudaGetLastError();
}

TEST_CASE("pinned and managed memory is also the host's") {
  int *pinned = nullptr, *managed = nullptr;
  void* alias = nullptr;
  REQUIRE(cudaHostAlloc(reinterpret_cast<void**>(&pinned), 64, cudaHostAllocMapped) == cudaSuccess);
  REQUIRE(cudaMallocManaged(reinterpret_cast<void**>(&managed), 64, cudaMemAttachGlobal) ==
          cudaSuccess);
  pinned[3] = 4;
  managed[3] = 5;
  CHECK(cudaHostGetDevicePointer(&alias, pinned, 0) == cudaSuccess);
  CHECK(alias == pinned);
  CHECK(cudaMemcpy(pinned, managed, 64, cudaMemcpyDefault) == cudaSuccess);
  CHECK(pinned[3] == 5);
  CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaMallocManaged(reinterpret_cast<void**>(&managed), 64, 77) == cudaErrorInvalidValue);
  CHECK(cudaHostAlloc(reinterpret_cast<void**>(&pinned), 64, 0x80) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("a pointer's attributes tell where it lives") {
  void *device = nullptr, *pinned = nullptr, *managed = nullptr;
  int on_stack = 0;
  REQUIRE(cudaMalloc(&device, 16) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 16) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 16, cudaMemAttachGlobal) == cudaSuccess);
  const auto type = [](const void* pointer) {
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
    return attributes.type;
  };
  CHECK(type(device) == cudaMemoryTypeDevice);
  CHECK(type(static_cast<char*>(device) + 15) == cudaMemoryTypeDevice);
  CHECK(type(pinned) == cudaMemoryTypeHost);
  CHECK(type(managed) == cudaMemoryTypeManaged);
  CHECK(type(&on_stack) == cudaMemoryTypeUnregistered);
  CHECK(cudaHostRegister(&on_stack, sizeof on_stack, 0) == cudaSuccess);
  CHECK(type(&on_stack) == cudaMemoryTypeHost);
  CHECK(cudaHostRegister(&on_stack, 4, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostUnregister(&on_stack) == cudaSuccess);
  CHECK(cudaHostUnregister(&on_stack) == cudaErrorHostMemoryNotRegistered);
  cudaFree(device), cudaFreeHost(pinned), cudaFree(managed), cudaGetLastError();
}

TEST_CASE("cudaMemGetInfo follows allocation") {
  std::size_t before = 0, after = 0, total = 0;
  void* x = nullptr;
  CHECK(cudaMemGetInfo(&before, &total) == cudaSuccess);
  CHECK(total == static_cast<std::size_t>(runtime().gpu.memory_bytes));
  CHECK(before < total);
  REQUIRE(cudaMalloc(&x, 6 << 20) == cudaSuccess);
  CHECK(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(before - after == 6 << 20);
  cudaFree(x);
}

TEST_CASE("several ranges are prefetched at once, each to its place") {
  void* x[3] = {};
  size_t bytes[3] = {4096, 8192, 4096}, first[2] = {0, 2};
  for (int i = 0; i < 3; ++i) cudaMallocManaged(&x[i], bytes[i], cudaMemAttachGlobal);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaMemLocation places[2] = {{cudaMemLocationTypeDevice, 0}, {cudaMemLocationTypeHost, 0}};
  CHECK(cudaMemPrefetchBatchAsync(x, bytes, 3, places, first, 2, 0, stream) == cudaSuccess);
  for (int i = 0; i < 3; ++i) {
    int where = 9;
    CHECK(cudaMemRangeGetAttribute(&where, sizeof where, cudaMemRangeAttributeLastPrefetchLocation,
                                   x[i], bytes[i]) == cudaSuccess);
    CHECK(where == (i < 2 ? 0 : cudaCpuDeviceId));
  }
  first[0] = 1;
  CHECK(cudaMemPrefetchBatchAsync(x, bytes, 3, places, first, 2, 0, stream) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemDiscardAndPrefetchBatchAsync(x, bytes, 3, places, first, 2, 0, stream) ==
        cudaErrorInvalidValue);
  first[0] = 0, places[1].type = cudaMemLocationTypeDevice;
  CHECK(cudaMemDiscardAndPrefetchBatchAsync(x, bytes, 3, places, first, 2, 0, stream) ==
        cudaSuccess);
  int where = 9;
  CHECK(cudaMemRangeGetAttribute(&where, sizeof where, cudaMemRangeAttributeLastPrefetchLocation,
                                 x[2], bytes[2]) == cudaSuccess);
  CHECK(where == 0);
  CHECK(cudaMemDiscardBatchAsync(x, bytes, 3, 0, stream) == cudaSuccess);
  CHECK(cudaMemDiscardBatchAsync(x, bytes, 3, 1, stream) == cudaErrorInvalidValue);
  for (void* one : x) cudaFree(one);
  CHECK(cudaMemDiscardBatchAsync(x, bytes, 1, 0, stream) == cudaErrorInvalidValue);
  cudaStreamDestroy(stream);
  cudaGetLastError();
}

TEST_CASE("several boxes are copied at once, each with its own rows and layers") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  char *device = nullptr, from[24], to[6] = {};
  for (int i = 0; i < 24; ++i) from[i] = static_cast<char>(i);
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), sizeof from) == cudaSuccess);
  const auto pointer = [](void* at, std::size_t row, std::size_t layer) {
    cudaMemcpy3DOperand side = {};
    side.type = cudaMemcpyOperandTypePointer;
    side.op.ptr.ptr = at, side.op.ptr.rowLength = row, side.op.ptr.layerHeight = layer;
    return side;
  };
  cudaMemcpy3DBatchOp list[2] = {};
  list[0] = {
      pointer(from, 0, 0), pointer(device, 0, 0), {4, 3, 2}, cudaMemcpySrcAccessOrderStream, 0};
  list[1] = {
      pointer(device + 1, 4, 3), pointer(to, 0, 0), {3, 1, 2}, cudaMemcpySrcAccessOrderStream, 0};
  CHECK(cudaMemcpy3DBatchAsync(2, list, 0, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(std::string(to, to + 6) == std::string{1, 2, 3, 13, 14, 15});
  CHECK(cudaMemcpy3DBatchAsync(2, list, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy3DBatchAsync(0, list, 0, stream) == cudaErrorInvalidValue);
  list[1].extent.depth = 0;
  CHECK(cudaMemcpy3DBatchAsync(2, list, 0, stream) == cudaErrorInvalidValue);
  cudaStreamDestroy(stream), cudaFree(device);
  cudaGetLastError();
}

TEST_CASE("variables are reached by name, within their size") {
  const cudaLibrary_t library = fake_library();
  void* table = nullptr;
  std::size_t bytes = 0;
  CHECK(cudaLibraryGetGlobal(&table, &bytes, library, "table") == cudaSuccess);
  CHECK(bytes == 64);
  CHECK(cudaLibraryGetGlobal(&table, &bytes, library, "no_such") == cudaErrorSymbolNotFound);
  int* shared_value = nullptr;
  CHECK(cudaLibraryGetManaged(reinterpret_cast<void**>(&shared_value), &bytes, library,
                              "shared_value") == cudaSuccess);
  CHECK(*shared_value == 0);
  cudaGetLastError();
}

TEST_CASE("child: device pointer on the host" * doctest::skip()) {
  int* x = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&x), 400);
  runtime().memory.name(reinterpret_cast<std::uint64_t>(x), "x");
  *const_cast<volatile int*>(x + 3) = 1;
}

TEST_CASE("child: missing synchronisation" * doctest::skip()) {
  int* x = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&x), 400, cudaMemAttachGlobal);
  launch_fake_on("fill", x, 7, 100);
  cudaDeviceSynchronize();
  CHECK(x[99] == 7);
  launch_fake_on("fill", x, 8, 100);
  CHECK(x[99] == 8);
}

TEST_CASE("child: allocations of more than there is" * doctest::skip()) {
  void* x = nullptr;
  CHECK(cudaMalloc(&x, 17ull << 30) == cudaErrorMemoryAllocation);
}

TEST_CASE("child: places that may not be written or read" * doctest::skip()) {
  CHECK(cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const pages =
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(pages != MAP_FAILED);
  char* const guard = static_cast<char*>(pages) + page;
  REQUIRE(mprotect(guard, page, PROT_NONE) == 0);
  void* x = nullptr;
  CHECK(cudaMalloc(&x, 64) == cudaSuccess);
  CHECK(cudaMemcpy(x, guard - 16, 16, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(x, guard - 16, 17, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  cudaFree(x);
}

TEST_CASE("an address to nowhere, and a copy into a page that guards an array, are reported") {
  const Ending ending = run_case("child: places that may not be written or read");
  CHECK(ending.says("null-pointer: cudaMalloc returned cudaErrorInvalidValue"));
  CHECK(ending.says("invalid-copy: cudaMemcpy returned cudaErrorInvalidValue"));
  CHECK(ending.says("the source has no 17 bytes"));
}

TEST_CASE("host accesses end the process with one explanation") {
  const std::string report = "/tmp/warpwise_memory_test." + std::to_string(getpid());
  const Ending device = run_case("child: device pointer on the host", "WARPWISE_REPORT=" + report);
  CHECK(device.status == 1);
  CHECK(device.says("device-pointer-on-host"));
  CHECK(device.says("byte 12 of array x (400 bytes of device memory)"));
  const Ending line = run_command("cat " + report + "; rm " + report);
  CHECK(line.says(R"("kind":"device-pointer-on-host")"));
  CHECK(line.says(R"("severity":"error")"));

  const Ending managed = run_case("child: missing synchronisation");
  CHECK(managed.status == 1);
  CHECK(managed.says("missing-sync"));
}

TEST_CASE("the chosen GPU's memory is the limit") {
  CHECK(run_case("child: allocations of more than there is", "WARPWISE_GPU=t4").status == 0);
}

TEST_CASE("registered memory is portable and mapped; pinned memory is not registered") {
  std::vector<char> own(8192);
  void* pinned = nullptr;
  unsigned flags = 0;
  CHECK(cudaHostRegister(own.data(), own.size(),
                         cudaHostRegisterMapped | cudaHostRegisterPortable) == cudaSuccess);
  CHECK(cudaHostGetFlags(&flags, own.data()) == cudaSuccess);
  CHECK(flags == (cudaHostRegisterMapped | cudaHostRegisterPortable));
  CHECK(cudaHostUnregister(own.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(own.data()) == cudaErrorHostMemoryNotRegistered);
  CHECK(cudaMallocHost(&pinned, 64) == cudaSuccess);
  CHECK(cudaHostUnregister(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("what cudaFreeAsync is to free is not freed before") {
  int* x = nullptr;
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaMallocAsync(reinterpret_cast<void**>(&x), 4096, stream) == cudaSuccess);
  // The stream gets there when the host function has ended.
  std::promise<void> go_on;
  const auto wait = [](void* of) { static_cast<std::promise<void>*>(of)->get_future().wait(); };
  CHECK(cudaLaunchHostFunc(stream, wait, &go_on) == cudaSuccess);
  CHECK(cudaFreeAsync(x, stream) == cudaSuccess);
  CHECK(cudaFree(x) == cudaErrorInvalidValue);
  go_on.set_value();
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaFree(x) == cudaErrorInvalidValue);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("child: copies that are unintended" * doctest::skip()) {
  char *x = nullptr, *pinned = nullptr, host[4000] = {};
  std::size_t pitch = 0;
  CHECK(cudaMallocPitch(reinterpret_cast<void**>(&x), &pitch, 200, 20) == cudaSuccess);
  CHECK(cudaMallocHost(reinterpret_cast<void**>(&pinned), 4096) == cudaSuccess);
  // Rows as they are, whole rows with their padding, and a part of one.
  CHECK(cudaMemcpy2D(x, pitch, host, 200, 200, 20, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemset(x, 0, pitch * 20) == cudaSuccess);
  CHECK(cudaMemcpy(pinned, x, 2 * pitch, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaMemcpy(x + pitch, host, 200, cudaMemcpyHostToDevice) == cudaSuccess);
  std::fprintf(stderr, "these are meant\n");
  const std::string which = std::getenv("NOT_MEANT");
  cudaError_t answer = cudaErrorUnknown;
  if (which == "one array") answer = cudaMemcpy(x, host, 4000, cudaMemcpyHostToDevice);
  if (which == "pitch") answer = cudaMemcpy2D(host, 200, x, 200, 200, 20, cudaMemcpyDeviceToHost);
  if (which == "to host") answer = cudaMemcpyAsync(x, pinned, 100, cudaMemcpyDeviceToHost);
  if (which == "from host") answer = cudaMemcpy(x, x + pitch, 100, cudaMemcpyHostToDevice);
  CHECK(answer == cudaSuccess);
  CHECK(cudaFree(x) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("copies that a GPU makes, but that are unintended, are notes") {
  const std::pair<const char*, const char*> cases[] = {
      {"one array", "the destination is memory in rows of 200 bytes with a pitch of 512 bytes"},
      {"pitch", "the pitch of the source is 200"},
      {"to host", "the destination is device memory, but the copy's direction"},
      {"from host", "the source is device memory, but the copy's direction"}};
  for (const auto& [which, words] : cases) {
    const Ending ending =
        run_case("child: copies that are unintended", fmt::format("NOT_MEANT='{}'", which));
    INFO(ending.text);
    CHECK(ending.status == 0);
    CHECK(ending.text.find("these are meant") < ending.text.find("note: "));
    CHECK(ending.says(fmt::format("note: invalid-copy: {}", words)));
  }
}

TEST_CASE("the host can be among those that access managed memory; all of it is attached") {
  int *x = nullptr, by[3] = {};
  CHECK(cudaMallocManaged(reinterpret_cast<void**>(&x), 4096) == cudaSuccess);
  const auto accessed = [&] {
    CHECK(cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, x, 4096) ==
          cudaSuccess);
  };
  const cudaMemLocation host = {cudaMemLocationTypeHost, 0},
                        device = {cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemAdvise(x, 4096, cudaMemAdviseSetAccessedBy, host) == cudaSuccess);
  accessed();
  CHECK(by[0] == cudaCpuDeviceId);
  CHECK(by[1] == cudaInvalidDeviceId);
  CHECK(cudaMemAdvise(x, 4096, cudaMemAdviseSetAccessedBy, device) == cudaSuccess);
  CHECK(cudaMemAdvise(x, 4096, cudaMemAdviseUnsetAccessedBy, host) == cudaSuccess);
  accessed();
  CHECK(by[0] == 0);
  CHECK(by[1] == cudaInvalidDeviceId);
  const cudaMemLocation nowhere = {cudaMemLocationTypeDevice, 99};
  for (const auto advice : {cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy})
    CHECK(cudaMemAdvise(x, 4096, advice, nowhere) == cudaErrorInvalidValue);
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(stream, x, 100, cudaMemAttachSingle) == cudaErrorInvalidValue);
  CHECK(cudaStreamAttachMemAsync(stream, x, 4096, cudaMemAttachSingle) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaFree(x) == cudaSuccess);
  cudaGetLastError();
}

}  // namespace
}  // namespace warpwise::cudart
