#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "simulator/cudart/tests/child.h"
#include "simulator/cudart/tests/fake_module.h"
#include "simulator/cudart/warpwise_report.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function,
                            const char* name, int limit, uint3* thread, uint3* block,
                            dim3* block_size, dim3* grid_size, int* warp_size);
void __cudaRegisterVar(void** handle, char* host_variable, char* device_address, const char* name,
                       int external, size_t bytes, int constant, int global);
void __cudaRegisterManagedVar(void** handle, void** pointer, char* device_address, const char* name,
                              int external, size_t bytes, int constant, int global);
char __cudaInitModule(void** handle);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
}

namespace warpwise::cudart {
namespace {

// Host stubs and shadow variables, as nvcc would make them.
char fill_stub, missing_stub, table_shadow;
void* managed_shadow = nullptr;

TEST_CASE("a registered program launches as nvcc's stubs do") {
  FakeImage image;
  void** handle = __cudaRegisterFatBinary(&image.wrapper);
  __cudaRegisterFunction(handle, &fill_stub, nullptr, "fill", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  __cudaRegisterFunction(handle, &missing_stub, nullptr, "not_there", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
  __cudaRegisterVar(handle, &table_shadow, nullptr, "table", 0, 64, 1, 0);
  __cudaRegisterManagedVar(handle, &managed_shadow, nullptr, "shared_value", 0, 4, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);

  int* x = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&x), 400) == cudaSuccess);
  int value = 42, n = 100;
  void* arguments[] = {&x, &value, &n};
  cudaKernel_t kernel = nullptr;
  dim3 grid, block;
  size_t shared_bytes = 1;
  cudaStream_t stream = reinterpret_cast<cudaStream_t>(1);
  CHECK(__cudaPushCallConfiguration(dim3(4, 2), dim3(32), 0, nullptr) == 0);
  CHECK(__cudaGetKernel(&kernel, &fill_stub) == cudaSuccess);
  CHECK(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream) == cudaSuccess);
  CHECK(grid.y == 2);
  CHECK(stream == nullptr);
  CHECK(__cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream) == cudaSuccess);
  CHECK(cudaLaunchKernel(&fill_stub, 1, 32, arguments, 0, nullptr) == cudaSuccess);
  // For a kernel that nvcc's stub launched by its handle, the graph returns the program's own
  // function.
  cudaStreamCreate(&stream);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(__cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream) == cudaSuccess);
  cudaGraph_t captured = nullptr;
  CHECK(cudaStreamEndCapture(stream, &captured) == cudaSuccess);
  cudaGraphNode_t launch = nullptr;
  size_t launches = 1;
  CHECK(cudaGraphGetNodes(captured, &launch, &launches) == cudaSuccess);
  cudaKernelNodeParams launched = {};
  CHECK(cudaGraphKernelNodeGetParams(launch, &launched) == cudaSuccess);
  CHECK(launched.func == &fill_stub);
  cudaGraphDestroy(captured);
  cudaStreamDestroy(stream);
  stream = nullptr;
  std::vector<int> host(100);
  CHECK(cudaMemcpy(host.data(), x, 400, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(host[99] == 42);

  CHECK(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream) ==
        cudaErrorMissingConfiguration);
  CHECK(cudaLaunchKernel(&missing_stub, 1, 32, arguments, 0, nullptr) ==
        cudaErrorInvalidDeviceFunction);
  CHECK(cudaLaunchKernel(&host, 1, 32, arguments, 0, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaLaunchKernel(nullptr, 1, 32, arguments, 0, nullptr) == cudaErrorInvalidDeviceFunction);

  char text[8] = "seven", back[8] = "";
  CHECK(cudaMemcpyToSymbol(&table_shadow, text, 8, 56, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbol(back, &table_shadow, 8, 56, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::string(back) == "seven");
  CHECK(cudaMemcpyToSymbol(&table_shadow, text, 8, 57, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(text, text, 8, 0, cudaMemcpyHostToDevice) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyToSymbol(&table_shadow, text, 8, 0, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidMemcpyDirection);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t in = nullptr, out = nullptr;
  char six[8] = "six";
  cudaGraphCreate(&graph, 0);
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, &table_shadow, text, 8, 60,
                                       cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, &table_shadow, text, 8, 8,
                                       cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, &table_shadow, text, 8, 8,
                                       cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, back, &table_shadow, 8, 8,
                                         cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, in, &table_shadow, six, 8, 8,
                                                 cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(std::string(back) == "six");
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
  size_t bytes = 0;
  void* address = nullptr;
  CHECK(cudaGetSymbolSize(&bytes, &table_shadow) == cudaSuccess);
  CHECK(bytes == 64);
  CHECK(cudaGetSymbolAddress(&address, &table_shadow) == cudaSuccess);
  CHECK(runtime().memory.find(reinterpret_cast<std::uint64_t>(address)) != nullptr);

  CHECK(__cudaInitModule(handle) == 1);
  REQUIRE(managed_shadow != nullptr);
  *static_cast<int*>(managed_shadow) = 5;
  CHECK(cudaFree(x) == cudaSuccess);
  __cudaUnregisterFatBinary(handle);
  CHECK(cudaLaunchKernel(&fill_stub, 1, 32, arguments, 0, nullptr) ==
        cudaErrorInvalidResourceHandle);
  __cudaUnregisterFatBinary(handle);
  cudaGetLastError();
}

TEST_CASE("launches beyond the limits are refused with the real codes") {
  CHECK(launch_fake("print", 0) == cudaErrorInvalidValue);
  CHECK(launch_fake("print", dim3(1, 0)) == cudaErrorInvalidValue);
  CHECK(launch_fake("print", dim3(1, 65536)) == cudaErrorInvalidValue);
  CHECK(launch_fake("print", dim3(1u << 31)) == cudaErrorInvalidValue);
  CHECK(launch_fake("print", 1, 0) == cudaErrorInvalidValue);
  CHECK(launch_fake("print", 1, 1025) == cudaErrorInvalidValue);
  CHECK(launch_fake("print", 1, dim3(32, 33)) == cudaErrorInvalidValue);
  CHECK(launch_fake("print", 1, dim3(1, 1, 65)) == cudaErrorInvalidValue);
  // 65536 * 65536 threads are 0 in 32 bits.
  CHECK(launch_fake("print", 1, dim3(65536, 65536)) == cudaErrorInvalidValue);
  CHECK(launch_fake("bounded", 1, 129) == cudaErrorInvalidValue);
  CHECK(launch_fake("bounded", 1, 128) == cudaSuccess);
  CHECK(launch_fake("hungry", 1, 512) == cudaErrorLaunchOutOfResources);
  CHECK(launch_fake("hungry", 1, 256) == cudaSuccess);
  CHECK(launch_fake("bounded", 1, 32, 48 * 1024) == cudaErrorInvalidValue);
  CHECK(launch_fake("bounded", 1, 32, 47 * 1024) == cudaSuccess);
  CHECK(launch_fake("print", 1, 32, ~std::size_t{0}) == cudaErrorInvalidValue);
  CHECK(launch_fake_on("fill", nullptr, 0, 0, reinterpret_cast<cudaStream_t>(0x1234)) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaLaunchKernel(fake_kernel("fill"), 1, 32, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("more dynamic shared memory has to be asked for") {
  const cudaKernel_t kernel = fake_kernel("bounded");
  const int most = runtime().gpu.shared_bytes_per_block_max - 1024;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1) ==
        cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1) ==
        cudaErrorInvalidValue);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most) ==
        cudaSuccess);
  // As an H200 does, and after no other call.
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(launch_fake("bounded", 1, 32, static_cast<std::size_t>(most)) == cudaSuccess);
  CHECK(launch_fake("bounded", 1, 32, static_cast<std::size_t>(most) + 1) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("cudaLaunchKernelExC launches with harmless attributes") {
  int* x = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&x), 40) == cudaSuccess);
  int value = 3, n = 10, host[10] = {};
  void* arguments[] = {&x, &value, &n};
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {1, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelExC(&config, fake_kernel("fill"), arguments) == cudaSuccess);
  CHECK(cudaLaunchKernelExC(nullptr, fake_kernel("fill"), arguments) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, x, 40, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(host[9] == 3);
  cudaFree(x), cudaGetLastError();
}

TEST_CASE("clusters and cooperation reach the machine, and their limits are checked") {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  cudaLaunchConfig_t config = {};
  config.gridDim = 48;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const auto launch = [&](unsigned x) {
    attribute.val.clusterDim = {x, 1, 1};
    return cudaLaunchKernelExC(&config, fake_kernel("print"), nullptr);
  };
  CHECK(launch(8) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(last_fake_launch().cluster == watch::Index3{8, 1, 1});
  CHECK(last_fake_launch().grid_workspace == 0);
  CHECK(launch(0) == cudaErrorInvalidClusterSize);
  CHECK(launch(5) == cudaErrorInvalidClusterSize);
  CHECK(launch(16) == cudaErrorInvalidClusterSize);
  cudaFuncSetAttribute(fake_kernel("print"), cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  CHECK(launch(16) == cudaSuccess);
  const dim3 most(static_cast<unsigned>(runtime().gpu.sms) * 2);
  CHECK(cudaLaunchCooperativeKernel(fake_kernel("print"), most, 1024, nullptr, 0, nullptr) ==
        cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(last_fake_launch().cooperative);
  CHECK(last_fake_launch().grid_workspace != 0);
  CHECK(cudaLaunchCooperativeKernel(fake_kernel("print"), most.x + 1, 1024, nullptr, 0, nullptr) ==
        cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
}

TEST_CASE("child: a fault is sticky" * doctest::skip()) {
  int *x = nullptr, host = 0;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&x), 40) == cudaSuccess);
  CHECK(launch_fake("fault") == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);  // Seen no earlier than at a synchronisation.
  CHECK(launch_fake_on("fill", x, 1, 10) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaSuccess);  // Read, but not gone.
  CHECK(launch_fake("print") == cudaErrorIllegalAddress);
  CHECK(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
  CHECK(cudaFree(x) == cudaErrorIllegalAddress);
  CHECK(std::string(cudaGetErrorName(cudaGetLastError())) == "cudaErrorIllegalAddress");
  // Work issued after the fault never ran.
  CHECK(runtime().memory.host(reinterpret_cast<std::uint64_t>(x))[0] ==
        memory::AddressSpace::poison);
}

TEST_CASE("child: a copy sees the fault" * doctest::skip()) {
  int *x = nullptr, host = 0;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&x), 40) == cudaSuccess);
  CHECK(launch_fake("fault") == cudaSuccess);
  CHECK(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
}

TEST_CASE("child: blocking launches" * doctest::skip()) {
  CHECK(launch_fake("fault") == cudaErrorIllegalAddress);
}

TEST_CASE("child: output" * doctest::skip()) {
  launch_fake("print");
  std::puts("before");
  cudaDeviceSynchronize();
  std::puts("after");
}

TEST_CASE("child: unsupported instruction" * doctest::skip()) {
  std::fputs("unflushed", stdout);
  launch_fake("unsupported");
  cudaDeviceSynchronize();
}

TEST_CASE("child: reports" * doctest::skip()) {
  launch_fake("print");
  launch_fake("slow");
  cudaDeviceSynchronize();
  std::abort();
}

TEST_CASE("child: forked" * doctest::skip()) {
  void* x = nullptr;
  REQUIRE(cudaMalloc(&x, 4) == cudaSuccess);
  launch_fake("print");
  const pid_t child = fork();
  if (child == 0) {
    const bool refused = cudaDeviceSynchronize() == cudaErrorInitializationError;
    std::exit(refused ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a fault stays, from the first synchronisation on") {
  CHECK(run_case("child: a fault is sticky").status == 0);
  CHECK(run_case("child: a copy sees the fault").status == 0);
  CHECK(run_case("child: blocking launches", "CUDA_LAUNCH_BLOCKING=1").status == 0);
  CHECK(run_case("child: blocking launches").status != 0);
  const Ending quiet = run_case("child: a copy sees the fault", "WARPWISE_QUIET=1");
  CHECK_FALSE(quiet.says("read past its array"));
  CHECK(run_case("child: a copy sees the fault").says("read past its array"));
}

TEST_CASE("device output appears at the synchronisation") {
  const Ending ending = run_case("child: output");
  const std::size_t before = ending.text.find("before"), device = ending.text.find("hello from"),
                    after = ending.text.find("after\n");
  CHECK(before < device);
  CHECK(device < after);
  CHECK(after != std::string::npos);
}

TEST_CASE("what cannot be run ends the program with status 3 and says why") {
  const Ending instruction = run_case("child: unsupported instruction");
  CHECK(instruction.status == 3);
  CHECK(instruction.says("cannot be run yet: PTX line"));
  CHECK(instruction.says("the simulator does not know wobble"));
  CHECK(instruction.says("unflushed"));
}

TEST_CASE("the report has a line per launch even when the program aborts") {
  const std::string file = "/tmp/warpwise_launch_test." + std::to_string(getpid());
  CHECK(run_case("child: reports", "WARPWISE_REPORT=" + file).status != 0);
  const Ending lines = run_command("wc -l < " + file + "; cat " + file + "; rm " + file);
  CHECK(lines.text.substr(0, 2) == "2\n");
  CHECK(lines.says("print"));
  CHECK(lines.says("slow"));
  const Ending refused = run_case("child: output", "WARPWISE_REPORT=/no/such/folder/report");
  CHECK(refused.status == 3);
  CHECK(refused.says("/no/such/folder/report"));
}

TEST_CASE("the child of a fork has no device and does not hang") {
  CHECK(run_case("child: forked").status == 0);
}

TEST_CASE("a lesson gets the reports since its last question") {
  warpwise_take_report();
  launch_fake("print");
  const std::string report = warpwise_take_report();
  CHECK(report.find("\"launches\":[{") != std::string::npos);
  CHECK(report.find("print") != std::string::npos);
  CHECK(std::string(warpwise_take_report()).find("\"launches\":[]") != std::string::npos);
}

TEST_CASE("an event of a launch is done with it") {
  cudaEvent_t event = nullptr, timed = nullptr;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
  CHECK(cudaEventCreate(&timed) == cudaSuccess);
  for (const auto id :
       {cudaLaunchAttributeLaunchCompletionEvent, cudaLaunchAttributeProgrammaticEvent}) {
    cudaLaunchAttribute attribute = {};
    attribute.id = id;
    cudaEvent_t& asked = id == cudaLaunchAttributeProgrammaticEvent
                             ? attribute.val.programmaticEvent.event
                             : attribute.val.launchCompletionEvent.event;
    asked = event;
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelExC(&config, fake_kernel("slow"), nullptr) == cudaSuccess);
    CHECK(cudaEventQuery(event) == cudaErrorNotReady);
    CHECK(cudaEventSynchronize(event) == cudaSuccess);
    CHECK(cudaStreamQuery(nullptr) == cudaSuccess);
    asked = timed;
    CHECK(cudaLaunchKernelExC(&config, fake_kernel("slow"), nullptr) == cudaErrorInvalidValue);
  }
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaEventDestroy(timed) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("a list of arguments that is too short, or holds values, is refused") {
  int *x = nullptr, value = 1;
  CHECK(cudaMalloc(reinterpret_cast<void**>(&x), 40) == cudaSuccess);
  void* too_short[] = {&x, &value, nullptr};
  void* values[] = {&x, reinterpret_cast<void*>(5), &value};
  for (void** arguments : {too_short, values}) {
    CHECK(cudaLaunchKernel(fake_kernel("fill"), 1, 32, arguments, 0, nullptr) ==
          cudaErrorInvalidValue);
  }
  CHECK(cudaFree(x) == cudaSuccess);
  cudaGetLastError();
}

}  // namespace
}  // namespace warpwise::cudart
