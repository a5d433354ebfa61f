#include "wrong_arguments.h"

namespace wrong {
namespace {

int questions = 0;

/// Questions to ask after the fault; null where no fault is to come.
std::vector<std::function<void()>>* later = nullptr;

/// The stream that is captured meanwhile; null where none is.
cudaStream_t beside = nullptr;

}  // namespace

World::World(Role asked, const char* called) : role(asked), function(called) {
  cudaMalloc(&device, sizeof host);
  cudaMalloc(&freed, std::size_t{8} << 20);
  cudaFree(freed);
  cudaMallocHost(&pinned, sizeof host);
  cudaMallocManaged(&managed, sizeof host, cudaMemAttachGlobal);
  cudaStreamCreate(&stream);
  cudaStreamCreateWithFlags(&capturing, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  cudaEventRecord(event, stream);
  cudaEventSynchronize(event);
  make_graph();
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPoolCreate(&pool, &props);
  const cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaMallocArray(&array, &floats, 16, 16, 0);
  cudaMallocMipmappedArray(&mipmapped, &floats, cudaExtent{16, 16, 0}, 2, 0);
  const char* text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .global .u32 one_word;\n"
      ".visible .entry one() { ret; }\n";
  cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0);
  cudaLibraryGetKernel(&kernel, library, "one");
  cudaUserObjectCreate(
      &object, host, [](void*) {}, 1, cudaUserObjectNoDestructorSync);
  // Relaxed: other calls of this thread are not forbidden by it.
  cudaStreamBeginCapture(capturing, cudaStreamCaptureModeRelaxed);
  cudaGetLastError();
}

/// A graph with one node, of the kind that the function is about.
void World::make_graph() {
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&other_graph, 0);
  cudaKernelNodeParams kernel_params = {};
  kernel_params.func = const_cast<void*>(answers::nothing);
  kernel_params.gridDim = kernel_params.blockDim = dim3(1, 1, 1);
  cudaMemsetParams fill = {};
  fill.dst = device;
  fill.elementSize = 4;
  fill.width = fill.height = 1;
  const cudaHostNodeParams host_params = {[](void*) {}, nullptr};
  if (is_for("MemcpyNode") && is_for("FromSymbol")) {
    cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, device, answers::table, 4, 4,
                                     cudaMemcpyDefault);
  } else if (is_for("MemcpyNode") && is_for("ToSymbol")) {
    cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, answers::table, device, 4, 4,
                                   cudaMemcpyDefault);
  } else if (is_for("MemcpyNode")) {
    cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, device, pinned, 64, cudaMemcpyDefault);
  } else if (is_for("MemsetNode")) {
    cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill);
  } else if (is_for("HostNode")) {
    cudaGraphAddHostNode(&node, graph, nullptr, 0, &host_params);
  } else if (is_for("EventRecordNode")) {
    cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, event);
  } else if (is_for("EventWaitNode")) {
    cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, event);
  } else if (is_for("ChildGraphNode")) {
    cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, other_graph);
  } else {
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel_params);
  }
  cudaGraphInstantiate(&exec, graph, 0);
}

bool World::may_end_objects() const {
  return is_for("Destroy") || is_for("Free") || is_for("Unload") || is_for("Release") ||
         is_for("EndCapture");
}

void World::settle() {
  if (may_end_objects()) return;
  cudaHostUnregister(host);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t captured = nullptr;
  if (cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
      status != cudaStreamCaptureStatusNone)
    cudaStreamEndCapture(stream, &captured);
  if (cudaStreamIsCapturing(capturing, &status) == cudaSuccess &&
      status != cudaStreamCaptureStatusActive) {
    cudaStreamEndCapture(capturing, &captured);
    cudaStreamBeginCapture(capturing, cudaStreamCaptureModeRelaxed);
  }
  cudaGetLastError();
}

World::~World() {
  // Objects that the call may have ended are left alone, with the rest.
  if (may_end_objects()) return;
  cudaGraph_t captured = nullptr;
  cudaStreamEndCapture(capturing, &captured);
  cudaStreamDestroy(capturing);
  cudaStreamDestroy(stream);
  cudaDeviceSynchronize();
  cudaUserObjectRelease(object, 1);
  cudaLibraryUnload(library);
  cudaFreeMipmappedArray(mipmapped);
  cudaFreeArray(array);
  cudaMemPoolDestroy(pool);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaGraphDestroy(other_graph);
  cudaEventDestroy(event);
  cudaFree(managed);
  cudaFreeHost(pinned);
  cudaFree(device);
  cudaGetLastError();
}

bool is_asked() { return questions >= answers::first_question().value_or(0); }

void put(std::function<void()> question) {
  const int number = questions + 1;
  const auto ask = [=] {
    if (answers::first_question()) std::fprintf(stderr, "%d\n", number);
    question();
  };
  const bool asked = is_asked();
  ++questions;
  if (asked && later == nullptr) ask();
  if (asked && later != nullptr) later->push_back(ask);
}

void begin_beside() {
  if (beside != nullptr) cudaStreamBeginCapture(beside, cudaStreamCaptureModeGlobal);
}

std::string end_beside() {
  if (beside == nullptr) return "";
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t captured = nullptr;
  cudaStreamIsCapturing(beside, &status);
  cudaStreamEndCapture(beside, &captured);
  cudaGraphDestroy(captured);
  cudaGetLastError();
  return status == cudaStreamCaptureStatusInvalidated ? ", capture spoilt" : "";
}

void beside_capture(void (*ask)()) {
  cudaStreamCreate(&beside);
  ask();
}

void after_fault(void (*ask)()) {
  // Never destroyed: nothing of what was made can be given back.
  later = new std::vector<std::function<void()>>;
  ask();
  answers::fault();
  for (const auto& question : *later) question();
}

}  // namespace wrong
