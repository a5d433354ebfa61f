#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "simulator/cudart/copies/copy.h"
#include "simulator/cudart/launch/registry.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

constexpr const char* copy_mistake = "invalid-copy";

/// Finds a variable that a copy names.
const machine::Variable& copied_variable(const void* symbol) {
  try {
    return find_variable(symbol);
  } catch (Failure& failure) {
    if (failure.error == cudaErrorInvalidSymbol) failure.kind = copy_mistake;
    throw;
  }
}

/// The address of a part of a variable, for a copy.
void* part(const void* symbol, std::size_t offset, std::size_t bytes) {
  const machine::Variable& variable = copied_variable(symbol);
  if (offset > variable.bytes || bytes > variable.bytes - offset) {
    throw Failure{cudaErrorInvalidValue,
                  fmt::format("{} bytes at offset {} do not fit in the variable's {}; the offset "
                              "also counts bytes",
                              bytes, offset, variable.bytes),
                  copy_mistake};
  }
  return reinterpret_cast<void*>(variable.address + offset);
}

cudaMemcpyKind checked(cudaMemcpyKind kind, cudaMemcpyKind host_kind) {
  if (kind == host_kind || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault)
    return kind;
  throw Failure{cudaErrorInvalidMemcpyDirection,
                "the variable is on the device, which the direction does not say", copy_mistake};
}

void copy_to(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
             cudaMemcpyKind kind, cudaStream_t stream, Return when) {
  if (bytes == 0) return void(find_stream(stream));
  copy({.to = part(symbol, offset, bytes),
        .from = from,
        .width = bytes,
        .kind = checked(kind, cudaMemcpyHostToDevice)},
       stream, when);
  note_set(symbol);
}

void copy_from(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
               cudaMemcpyKind kind, cudaStream_t stream, Return when) {
  if (bytes == 0) return void(find_stream(stream));
  copy({.to = to,
        .from = part(symbol, offset, bytes),
        .width = bytes,
        .kind = checked(kind, cudaMemcpyDeviceToHost)},
       stream, when);
}

/// Makes the call with the address of a part of a variable, if there is such a part.
/// @param kind the direction that the program gives; @param host_kind the direction allowed if the
/// host takes part.
template <typename Call>
cudaError_t with_part(const char* function, const void* symbol, std::size_t offset,
                      std::size_t bytes, cudaMemcpyKind kind, cudaMemcpyKind host_kind,
                      const Call& make) {
  void* address = nullptr;
  const cudaError_t error = call_after_fault(function, [&] {
    find_variable(symbol);
    checked(kind, host_kind);
    address = part(symbol, offset, bytes);
  });
  return error == cudaSuccess ? make(address) : error;
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return call_without_device("cudaMemcpyToSymbol", [&] {
    copy_to(symbol, from, bytes, offset, kind, nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return call_without_device("cudaMemcpyToSymbolAsync", [&] {
    copy_to(symbol, from, bytes, offset, kind, stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return call_without_device("cudaMemcpyFromSymbol", [&] {
    copy_from(to, symbol, bytes, offset, kind, nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return call_without_device("cudaMemcpyFromSymbolAsync", [&] {
    copy_from(to, symbol, bytes, offset, kind, stream, Return::when_host_free);
  });
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return call_after_fault("cudaGetSymbolAddress", [&] {
    store(pointer, reinterpret_cast<void*>(find_variable(symbol).address));
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return call_after_fault("cudaGetSymbolSize", [&] {
    store(bytes, static_cast<std::size_t>(find_variable(symbol).bytes));
  });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* before, size_t count,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return with_part("cudaGraphAddMemcpyNodeToSymbol", symbol, offset, bytes, kind,
                   cudaMemcpyHostToDevice, [&](void* to) {
                     return cudaGraphAddMemcpyNode1D(node, graph, before, count, to, from, bytes,
                                                     kind);
                   });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* before, size_t count, void* to,
                                             const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
  return with_part("cudaGraphAddMemcpyNodeFromSymbol", symbol, offset, bytes, kind,
                   cudaMemcpyDeviceToHost, [&](void* from) {
                     return cudaGraphAddMemcpyNode1D(node, graph, before, count, to, from, bytes,
                                                     kind);
                   });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return with_part(
      "cudaGraphMemcpyNodeSetParamsToSymbol", symbol, offset, bytes, kind, cudaMemcpyHostToDevice,
      [&](void* to) { return cudaGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind); });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return with_part(
      "cudaGraphMemcpyNodeSetParamsFromSymbol", symbol, offset, bytes, kind, cudaMemcpyDeviceToHost,
      [&](void* from) { return cudaGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from,
                                                     size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return with_part("cudaGraphExecMemcpyNodeSetParamsToSymbol", symbol, offset, bytes, kind,
                   cudaMemcpyHostToDevice, [&](void* to) {
                     return cudaGraphExecMemcpyNodeSetParams1D(exec, node, to, from, bytes, kind);
                   });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* to, const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return with_part("cudaGraphExecMemcpyNodeSetParamsFromSymbol", symbol, offset, bytes, kind,
                   cudaMemcpyDeviceToHost, [&](void* from) {
                     return cudaGraphExecMemcpyNodeSetParams1D(exec, node, to, from, bytes, kind);
                   });
}
}
