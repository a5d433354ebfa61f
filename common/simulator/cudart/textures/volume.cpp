#include "simulator/cudart/textures/volume.h"

#include <algorithm>

#include "simulator/cudart/copies/copy.h"
#include "simulator/cudart/device/check_device.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/textures/array.h"

// Three dimensions: memory that is pitched in rows and slices.
namespace warpwise::cudart {
namespace {

void refuse(const char* why) { throw Failure{cudaErrorInvalidValue, why, "invalid-copy"}; }

/// The first byte of a part of a volume.
char* corner(const cudaPitchedPtr& volume, const cudaPos& position) {
  return static_cast<char*>(volume.ptr) + position.x + position.y * volume.pitch +
         position.z * volume.pitch * volume.ysize;
}

/// @param other the array on the other side, or null.
void check_side(const cudaPitchedPtr& volume, const cudaPos& position, const cudaExtent& extent,
                cudaArray_const_t other) {
  if (volume.ptr == nullptr) refuse("a side of the copy has neither a pointer nor an array");
  if (extent.depth > 1 && position.y + extent.height > volume.ysize) {
    refuse("the copied rows reach beyond the height (ysize) of a side");
  }
  const bool rows = extent.height > 1 || extent.depth > 1;
  if (rows && extent.width > volume.pitch) {
    throw Failure{other ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue,
                  "the copied rows are longer than a side's pitch", "invalid-copy"};
  }
  if (rows && position.x + extent.width > volume.pitch) {
    refuse("the copied rows reach beyond a side's pitch");
  }
}

Fill fill_of(const cudaPitchedPtr& volume, int value, const cudaExtent& extent) {
  const bool is_empty = extent.width == 0 || extent.height == 0 || extent.depth == 0;
  if (!is_empty && (extent.height > 1 || extent.depth > 1) && volume.pitch < extent.width)
    refuse("the rows are longer than the pitch");
  Fill result;
  result.to = volume.ptr;
  result.value = static_cast<unsigned>(value);
  result.width = extent.width;
  result.rows = extent.height;
  result.pitch = volume.pitch;
  result.slices = extent.depth;
  result.slice = volume.pitch * volume.ysize;
  return result;
}

/// A copy between devices, as any other: memory of all of them has addresses of its own.
cudaMemcpy3DParms between_devices(const cudaMemcpy3DPeerParms* params) {
  check_device(given(params).srcDevice), check_device(params->dstDevice);
  need_device();
  cudaMemcpy3DParms result = {};
  result.srcArray = params->srcArray, result.dstArray = params->dstArray;
  result.srcPos = params->srcPos, result.dstPos = params->dstPos;
  result.srcPtr = params->srcPtr, result.dstPtr = params->dstPtr;
  result.extent = params->extent;
  result.kind = cudaMemcpyDefault;
  return result;
}

/// One side of a copy. @param extent in bytes, rows and slices. @param other the array on the other
/// side, or null.
ArrayPart side_at(cudaArray_const_t handle, const cudaPitchedPtr& volume, const cudaPos& position,
                  const cudaExtent& extent, cudaArray_const_t other) {
  if (handle == nullptr) {
    check_side(volume, position, extent, other);
    return {corner(volume, position), volume.pitch, volume.pitch * volume.ysize};
  }
  if (volume.ptr != nullptr) refuse("a side of the copy has both a pointer and an array");
  const Array& array = array_of(handle);
  return part_of(array, position.x * array.view.format.bytes(), position.y, position.z,
                 extent.width, extent.height, extent.depth);
}

/// Copies with an array count its texels, all others count bytes.
std::size_t element_bytes(const cudaMemcpy3DParms& params) {
  const auto texel = [](cudaArray_const_t handle) {
    return handle == nullptr ? std::size_t{0} : array_of(handle).view.format.bytes();
  };
  const std::size_t from = texel(params.srcArray), to = texel(params.dstArray);
  if (from != 0 && to != 0 && from != to) refuse("the arrays have texels of different sizes");
  return std::max({from, to, std::size_t{1}});
}

/// A side of a copy of a batch: lengths of 0 are those of the copy.
cudaPitchedPtr side_of(const cudaMemcpy3DOperand& operand, const cudaExtent& extent) {
  if (operand.type == cudaMemcpyOperandTypeArray) {
    stop_unsupported(
        "simulator: CUDA arrays in cudaMemcpy3DBatchAsync are not available in the "
        "simulator");
  }
  if (operand.type != cudaMemcpyOperandTypePointer) refuse("unknown kind of memory");
  const auto& side = operand.op.ptr;
  const std::size_t pitch = side.rowLength == 0 ? extent.width : side.rowLength;
  return {side.ptr, pitch, extent.width, side.layerHeight == 0 ? extent.height : side.layerHeight};
}

Copy copy_of_operation(const cudaMemcpy3DBatchOp& asked) {
  const cudaExtent& extent = asked.extent;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) {
    refuse("a copy of a batch copies nothing");
  }
  cudaMemcpy3DParms params = {};
  params.srcPtr = side_of(asked.src, extent), params.dstPtr = side_of(asked.dst, extent);
  params.extent = extent;
  params.kind = cudaMemcpyDefault;
  return copy_of(params);
}

}  // namespace

Copy copy_of(const cudaMemcpy3DParms& params) {
  const std::size_t element = element_bytes(params);
  cudaExtent extent = params.extent;
  extent.width *= element;
  // Positions in memory count the same elements.
  const auto in_bytes = [&](cudaArray_const_t array, cudaPos position) {
    if (array == nullptr) position.x *= element;
    return position;
  };
  Copy result;
  result.kind = params.kind;
  result.width = extent.width;
  result.rows = extent.height;
  result.slices = extent.depth;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return result;
  const ArrayPart from = side_at(params.srcArray, params.srcPtr,
                                 in_bytes(params.srcArray, params.srcPos), extent, params.dstArray);
  const ArrayPart to = side_at(params.dstArray, params.dstPtr,
                               in_bytes(params.dstArray, params.dstPos), extent, params.srcArray);
  result.from = from.first, result.from_pitch = from.pitch, result.from_slice = from.slice;
  result.to = to.first, result.to_pitch = to.pitch, result.to_slice = to.slice;
  return result;
}

cudaMemcpy3DParms params_of(const Copy& copy) {
  const auto side = [&](void* pointer, std::size_t pitch, std::size_t slice) {
    return cudaPitchedPtr{pointer, pitch, copy.width, pitch == 0 ? copy.rows : slice / pitch};
  };
  cudaMemcpy3DParms params = {};
  params.srcPtr = side(const_cast<void*>(copy.from), copy.from_pitch, copy.from_slice);
  params.dstPtr = side(copy.to, copy.to_pitch, copy.to_slice);
  params.extent = {copy.width, copy.rows, copy.slices};
  params.kind = copy.kind;
  return params;
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* params) {
  return call_after_fault("cudaMemcpy3D", [&] {
    given(params);
    need_device();
    working_stream(nullptr);
    copy(copy_of(*params), nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* params, cudaStream_t stream) {
  return call_after_fault("cudaMemcpy3DAsync", [&] {
    given(params);
    need_device();
    working_stream(stream);
    copy(copy_of(*params), stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* params) {
  return call_after_fault("cudaMemcpy3DPeer", [&] {
    const cudaMemcpy3DParms copied = between_devices(params);
    working_stream(nullptr);
    copy(copy_of(copied), nullptr, Return::when_done);
  });
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* params, cudaStream_t stream) {
  return call_after_fault("cudaMemcpy3DPeerAsync", [&] {
    const cudaMemcpy3DParms copied = between_devices(params);
    forbid_beside_capture(stream);
    copy(copy_of(copied), stream, Return::when_host_free);
  });
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp* list,
                                   unsigned long long flags, cudaStream_t stream) {
  return call_after_fault("cudaMemcpy3DBatchAsync", [&] {
    given(stream);
    need_device();
    given(list);
    if (count == 0 || flags != 0) throw Failure{cudaErrorInvalidValue, ""};
    for (std::size_t i = 0; i < count; ++i)
      copy(copy_of_operation(list[i]), stream, Return::when_host_free);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr volume, int value, cudaExtent extent) {
  return call_after_fault(
      "cudaMemset3D", [&] { fill(fill_of(volume, value, extent), nullptr, Return::when_done); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr volume, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return call_after_fault("cudaMemset3DAsync", [&] {
    fill(fill_of(volume, value, extent), stream, Return::when_host_free);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* volume, cudaExtent extent) {
  if (volume == nullptr) return call_without_device("cudaMalloc3D", [&] { given(volume); });
  const cudaError_t error =
      cudaMallocPitch(&volume->ptr, &volume->pitch, extent.width, extent.height * extent.depth);
  if (error == cudaSuccess) volume->xsize = extent.width, volume->ysize = extent.height;
  return error;
}
}
