// Handles that other processes open.
#include <cstring>

#include "answers.h"

using namespace answers;

SUBJECT(ipc) {
  void *device = nullptr, *managed = nullptr, *pinned = nullptr, *pooled = nullptr,
       *opened = nullptr;
  int on_stack = 0;
  cudaMalloc(&device, 1000);
  cudaMallocManaged(&managed, 1000);
  cudaMallocHost(&pinned, 1000);
  cudaMallocAsync(&pooled, 1000, nullptr);
  cudaIpcMemHandle_t handle = {}, second = {}, inner = {}, other = {}, none = {};
  ASK(cudaIpcGetMemHandle(&handle, device));
  ASK(cudaIpcGetMemHandle(&second, device));
  SHOW(std::memcmp(&handle, &second, sizeof handle) == 0);
  SHOW(std::memcmp(&handle, &none, sizeof handle) == 0);
  ASK(cudaIpcGetMemHandle(&inner, static_cast<char*>(device) + 16));
  SHOW(std::memcmp(&handle, &inner, sizeof handle) == 0);
  ASK(cudaIpcGetMemHandle(&other, managed));
  ASK(cudaIpcGetMemHandle(&other, pinned));
  ASK(cudaIpcGetMemHandle(&other, pooled));
  ASK(cudaIpcGetMemHandle(&other, nullptr));
  ASK(cudaIpcGetMemHandle(&other, &on_stack));
  ASK(cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess));
  ASK(cudaIpcOpenMemHandle(&opened, handle, 0));
  ASK(cudaIpcOpenMemHandle(&opened, handle, 7));
  ASK(cudaIpcOpenMemHandle(nullptr, handle, cudaIpcMemLazyEnablePeerAccess));
  ASK(cudaIpcOpenMemHandle(&opened, none, cudaIpcMemLazyEnablePeerAccess));
  ASK(cudaIpcCloseMemHandle(device));
  ASK(cudaIpcCloseMemHandle(nullptr));
  ASK(cudaIpcCloseMemHandle(&on_stack));
  ASK(cudaFree(device));
  ASK(cudaIpcGetMemHandle(&other, device));
  ASK(cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess));
  about("events");
  cudaEvent_t shared = nullptr, plain = nullptr, untimed = nullptr, found = nullptr;
  cudaEventCreate(&plain);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  ASK(cudaEventCreateWithFlags(&shared, cudaEventInterprocess | cudaEventDisableTiming));
  cudaIpcEventHandle_t event = {}, no_event = {};
  ASK(cudaIpcGetEventHandle(&event, shared));
  ASK(cudaIpcGetEventHandle(&no_event, plain));
  ASK(cudaIpcGetEventHandle(&no_event, untimed));
  ASK(cudaIpcGetEventHandle(&no_event, nullptr));
  ASK(cudaIpcGetEventHandle(nullptr, shared));
  ASK(cudaIpcOpenEventHandle(&found, event));
  ASK(cudaIpcOpenEventHandle(nullptr, event));
  no_event = {};
  ASK(cudaIpcOpenEventHandle(&found, no_event));
  ASK(cudaEventRecord(shared));
  ASK(cudaEventSynchronize(shared));
  ASK(cudaEventQuery(shared));
  float ms = 0;
  ASK(cudaEventElapsedTime(&ms, shared, shared));
  ASK(cudaEventDestroy(shared));
}
