#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "simulator/cudart/copies/copy.h"
#include "simulator/cudart/device/driver_functions.h"
#include "simulator/cudart/runtime.h"

// The driver's allocations, copies and fills, by those of the runtime.
namespace warpwise::cudart {
namespace {

void* at(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// Allocates through the runtime and gives the pointer as the driver's number.
template <typename Allocate>
CUresult allocate(CUdeviceptr* out, std::size_t bytes, const Allocate& by) {
  // Unlike the runtime, the driver refuses allocations of 0 bytes.
  if (out == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* fresh = nullptr;
  const CUresult result = as_driver([&] { return by(&fresh); });
  if (result == CUDA_SUCCESS) *out = reinterpret_cast<CUdeviceptr>(fresh);
  return result;
}

CUresult mem_alloc(CUdeviceptr* out, std::size_t bytes) {
  return allocate(out, bytes, [&](void** fresh) { return cudaMalloc(fresh, bytes); });
}

CUresult mem_alloc_managed(CUdeviceptr* out, std::size_t bytes, unsigned flags) {
  return allocate(out, bytes, [&](void** fresh) { return cudaMallocManaged(fresh, bytes, flags); });
}

CUresult mem_alloc_pitch(CUdeviceptr* out, std::size_t* pitch, std::size_t width, std::size_t rows,
                         unsigned) {
  return allocate(out, width * rows,
                  [&](void** fresh) { return cudaMallocPitch(fresh, pitch, width, rows); });
}

CUresult mem_free(CUdeviceptr address) {
  return as_driver([&] { return cudaFree(at(address)); });
}

CUresult mem_get_info(std::size_t* free_bytes, std::size_t* total) {
  return as_driver([&] { return cudaMemGetInfo(free_bytes, total); });
}

CUresult mem_get_address_range(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr address) {
  const memory::Allocation* found = runtime().memory.find(address);
  if (found == nullptr) return CUDA_ERROR_NOT_FOUND;
  if (base != nullptr) *base = found->base;
  if (bytes != nullptr) *bytes = found->bytes;
  return CUDA_SUCCESS;
}

CUresult mem_alloc_host(void** out, std::size_t bytes) {
  return as_driver([&] { return cudaMallocHost(out, bytes); });
}

CUresult mem_host_alloc(void** out, std::size_t bytes, unsigned flags) {
  return as_driver([&] { return cudaHostAlloc(out, bytes, flags); });
}

CUresult mem_free_host(void* pointer) {
  return as_driver([&] { return cudaFreeHost(pointer); });
}

CUresult mem_host_get_device_pointer(CUdeviceptr* out, void* pointer, unsigned flags) {
  return as_driver(
      [&] { return cudaHostGetDevicePointer(reinterpret_cast<void**>(out), pointer, flags); });
}

CUresult copy_to_device(CUdeviceptr to, const void* from, std::size_t bytes) {
  return as_driver([&] { return cudaMemcpy(at(to), from, bytes, cudaMemcpyHostToDevice); });
}

CUresult copy_to_host(void* to, CUdeviceptr from, std::size_t bytes) {
  return as_driver([&] { return cudaMemcpy(to, at(from), bytes, cudaMemcpyDeviceToHost); });
}

CUresult copy_on_device(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return as_driver([&] { return cudaMemcpy(at(to), at(from), bytes, cudaMemcpyDeviceToDevice); });
}

CUresult copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return as_driver([&] { return cudaMemcpy(at(to), at(from), bytes, cudaMemcpyDefault); });
}

CUresult copy_to_device_later(CUdeviceptr to, const void* from, std::size_t bytes,
                              CUstream stream) {
  return as_driver(
      [&] { return cudaMemcpyAsync(at(to), from, bytes, cudaMemcpyHostToDevice, stream); });
}

CUresult copy_to_host_later(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return as_driver(
      [&] { return cudaMemcpyAsync(to, at(from), bytes, cudaMemcpyDeviceToHost, stream); });
}

CUresult copy_on_device_later(CUdeviceptr to, CUdeviceptr from, std::size_t bytes,
                              CUstream stream) {
  return as_driver(
      [&] { return cudaMemcpyAsync(at(to), at(from), bytes, cudaMemcpyDeviceToDevice, stream); });
}

CUresult copy_later(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return as_driver(
      [&] { return cudaMemcpyAsync(at(to), at(from), bytes, cudaMemcpyDefault, stream); });
}

/// Words of 1, 2 or 4 bytes.
template <typename Word>
CUresult fill_words(CUdeviceptr to, Word value, std::size_t count, CUstream stream, Return when) {
  if (to % sizeof(Word) != 0) return CUDA_ERROR_INVALID_VALUE;
  Fill request;
  request.to = at(to);
  request.value = value;
  request.width = count * sizeof(Word);
  request.element_bytes = sizeof(Word);
  return as_driver([&] { return call("cuMemset", [&] { fill(request, stream, when); }); });
}

template <typename Word>
CUresult fill_now(CUdeviceptr to, Word value, std::size_t count) {
  return fill_words(to, value, count, nullptr, Return::when_done);
}

template <typename Word>
CUresult fill_later(CUdeviceptr to, Word value, std::size_t count, CUstream stream) {
  return fill_words(to, value, count, stream, Return::when_host_free);
}

}  // namespace

std::span<const DriverFunction> driver_memory_functions() {
  static const DriverFunction functions[] = {
      driver_function("cuMemAlloc", 3020, mem_alloc),
      driver_function("cuMemAllocManaged", 6000, mem_alloc_managed),
      driver_function("cuMemAllocPitch", 3020, mem_alloc_pitch),
      driver_function("cuMemFree", 3020, mem_free),
      driver_function("cuMemGetInfo", 3020, mem_get_info),
      driver_function("cuMemGetAddressRange", 3020, mem_get_address_range),
      driver_function("cuMemAllocHost", 3020, mem_alloc_host),
      driver_function("cuMemHostAlloc", 2020, mem_host_alloc),
      driver_function("cuMemFreeHost", 2000, mem_free_host),
      driver_function("cuMemHostGetDevicePointer", 3020, mem_host_get_device_pointer),
      driver_function("cuMemcpyHtoD", 3020, copy_to_device),
      driver_function("cuMemcpyDtoH", 3020, copy_to_host),
      driver_function("cuMemcpyDtoD", 3020, copy_on_device),
      driver_function("cuMemcpy", 4000, copy),
      driver_function("cuMemcpyHtoDAsync", 3020, copy_to_device_later),
      driver_function("cuMemcpyDtoHAsync", 3020, copy_to_host_later),
      driver_function("cuMemcpyDtoDAsync", 3020, copy_on_device_later),
      driver_function("cuMemcpyAsync", 4000, copy_later),
      driver_function("cuMemsetD8", 3020, fill_now<unsigned char>),
      driver_function("cuMemsetD16", 3020, fill_now<unsigned short>),
      driver_function("cuMemsetD32", 3020, fill_now<unsigned>),
      driver_function("cuMemsetD8Async", 3020, fill_later<unsigned char>),
      driver_function("cuMemsetD16Async", 3020, fill_later<unsigned short>),
      driver_function("cuMemsetD32Async", 3020, fill_later<unsigned>),
  };
  return functions;
}

}  // namespace warpwise::cudart
