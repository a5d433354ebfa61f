#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "simulator/cudart/copy.h"
#include "simulator/cudart/error.h"
#include "simulator/cudart/registry.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

/// The address of a part of a variable.
void* part(const void* symbol, std::size_t offset, std::size_t bytes) {
  const machine::Variable& variable = find_variable(symbol);
  if (offset > variable.bytes || bytes > variable.bytes - offset) {
    throw Failure{cudaErrorInvalidValue,
                  fmt::format("{} bytes at offset {} do not fit in the variable's {}", bytes,
                              offset, variable.bytes)};
  }
  return reinterpret_cast<void*>(variable.address + offset);
}

cudaMemcpyKind checked(cudaMemcpyKind kind, cudaMemcpyKind host_kind) {
  if (kind == host_kind || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault)
    return kind;
  throw Failure{cudaErrorInvalidMemcpyDirection, "the variable is on the device"};
}

void copy_to(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
             cudaMemcpyKind kind, cudaStream_t stream, Return when) {
  copy({.to = part(symbol, offset, bytes),
        .from = from,
        .width = bytes,
        .kind = checked(kind, cudaMemcpyHostToDevice)},
       stream, when);
}

void copy_from(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
               cudaMemcpyKind kind, cudaStream_t stream, Return when) {
  copy({.to = to,
        .from = part(symbol, offset, bytes),
        .width = bytes,
        .kind = checked(kind, cudaMemcpyDeviceToHost)},
       stream, when);
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return call("cudaMemcpyToSymbol",
              [&] { copy_to(symbol, from, bytes, offset, kind, nullptr, Return::when_done); });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpyToSymbolAsync",
              [&] { copy_to(symbol, from, bytes, offset, kind, stream, Return::when_host_free); });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return call("cudaMemcpyFromSymbol",
              [&] { copy_from(to, symbol, bytes, offset, kind, nullptr, Return::when_done); });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpyFromSymbolAsync",
              [&] { copy_from(to, symbol, bytes, offset, kind, stream, Return::when_host_free); });
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return call("cudaGetSymbolAddress", [&] {
    if (pointer == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    *pointer = part(symbol, 0, 0);
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return call("cudaGetSymbolSize", [&] {
    if (bytes == nullptr) throw Failure{cudaErrorInvalidValue, ""};
    *bytes = find_variable(symbol).bytes;
  });
}
}
