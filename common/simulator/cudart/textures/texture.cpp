#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

#include "simulator/cudart/device/check_device.h"
#include "simulator/cudart/device/properties.h"
#include "simulator/cudart/memory/host_memory.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/textures/array.h"

// Texture and surface objects.
namespace warpwise::cudart {
namespace {

/// The description that an object was made from, for queries.
struct Origin {
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
};
struct Origins {
  std::mutex mutex;
  std::map<std::uint64_t, Origin> of;  ///< by handle, of live textures
};
Origins& origins(bool is_surface) {
  static auto& textures = *new Origins;
  static auto& surfaces = *new Origins;
  return is_surface ? surfaces : textures;
}

[[noreturn]] void refuse_texture(std::string why) {
  throw Failure{cudaErrorInvalidValue, std::move(why)};
}

/// The allocation that holds linear memory, from its first byte to its last.
const memory::Allocation* storage_of(const void* pointer, std::uint64_t bytes) {
  const std::uint64_t address = address_of(pointer);
  const memory::Allocation* found = runtime().memory.find(address);
  if (found == nullptr) refuse_texture("the pointer of the resource is not in device memory");
  if (bytes > found->end() - address)
    refuse_texture(
        fmt::format("the resource has {} bytes, but from its pointer to the end of {} there "
                    "are {}",
                    bytes, found->describe(), found->end() - address));
  return found;
}

void check_alignment(const void* pointer) {
  if (address_of(pointer) % texture_alignment != 0)
    refuse_texture(
        fmt::format("the pointer of the resource must be a multiple of {} "
                    "(cudaDeviceProp::textureAlignment)",
                    texture_alignment));
}

memory::TexelView view_of(const cudaResourceDesc& resource) {
  memory::TexelView view;
  memory::TexelLevel level;
  switch (resource.resType) {
    case cudaResourceTypeArray:
      return array_of(resource.res.array.array).view;
    case cudaResourceTypeMipmappedArray:
      return mipmapped_array_of(resource.res.mipmap.mipmap).view;
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      view.format = format_of(linear.desc);
      check_alignment(linear.devPtr);
      view.storage = storage_of(linear.devPtr, linear.sizeInBytes);
      view.is_buffer = true;
      level.address = address_of(linear.devPtr);
      level.width = static_cast<std::uint32_t>(linear.sizeInBytes / view.format.bytes());
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = resource.res.pitch2D;
      view.format = format_of(rows.desc);
      check_alignment(rows.devPtr);
      if (rows.width == 0 || rows.height == 0) refuse_texture("the resource has no texels");
      // Rows may overlap: a GPU takes a pitch that is shorter than a row.
      if (rows.pitchInBytes % texture_pitch_alignment != 0)
        refuse_texture(
            fmt::format("the pitch must be a multiple of {} "
                        "(cudaDeviceProp::texturePitchAlignment): use cudaMallocPitch",
                        texture_pitch_alignment));
      view.storage = storage_of(
          rows.devPtr, (rows.height - 1) * rows.pitchInBytes + rows.width * view.format.bytes());
      view.dimensions = 2;
      level.address = address_of(rows.devPtr);
      level.width = static_cast<std::uint32_t>(rows.width);
      level.height = static_cast<std::uint32_t>(rows.height);
      level.pitch = rows.pitchInBytes;
      break;
    }
    default:
      refuse_texture("unknown kind of resource");
  }
  view.levels = {level};
  return view;
}

memory::AddressMode mode_of(cudaTextureAddressMode mode) {
  switch (mode) {
    case cudaAddressModeWrap:
      return memory::AddressMode::wrap;
    case cudaAddressModeClamp:
      return memory::AddressMode::clamp;
    case cudaAddressModeMirror:
      return memory::AddressMode::mirror;
    case cudaAddressModeBorder:
      return memory::AddressMode::border;
  }
  refuse_texture("unknown address mode");
}

memory::Sampler sampler_of(const cudaTextureDesc& texture, const memory::TexelView& view) {
  memory::Sampler sampler;
  for (unsigned i = 0; i < 3; ++i) sampler.address[i] = mode_of(texture.addressMode[i]);
  std::copy(std::begin(texture.borderColor), std::end(texture.borderColor), sampler.border);
  if (texture.filterMode != cudaFilterModePoint && texture.filterMode != cudaFilterModeLinear)
    refuse_texture("unknown filter mode");
  sampler.is_linear = texture.filterMode == cudaFilterModeLinear;
  sampler.is_linear_mipmap = texture.mipmapFilterMode == cudaFilterModeLinear;
  sampler.is_normalized = texture.normalizedCoords != 0;
  const bool is_integer = view.format.kind != memory::TexelKind::floating;
  sampler.gives_fraction = is_integer && texture.readMode == cudaReadModeNormalizedFloat;
  sampler.is_srgb = texture.sRGB != 0;
  sampler.is_seamless = texture.seamlessCubemap != 0;
  sampler.most_anisotropy = texture.maxAnisotropy;
  sampler.level_bias = texture.mipmapLevelBias;
  sampler.least_level = texture.minMipmapLevelClamp;
  sampler.most_level = texture.maxMipmapLevelClamp;
  const bool has_fractions = is_integer && view.format.bits != 32;
  if (is_integer && sampler.is_linear && !(has_fractions && sampler.gives_fraction))
    throw Failure{cudaErrorInvalidFilterSetting,
                  "a linear filter needs floats: read integers of 8 or 16 bits as "
                  "cudaReadModeNormalizedFloat, or filter by cudaFilterModePoint"};
  if (texture.readMode == cudaReadModeNormalizedFloat && !has_fractions)
    throw Failure{cudaErrorInvalidNormSetting,
                  "cudaReadModeNormalizedFloat is for integers of 8 or 16 bits"};
  if (sampler.is_srgb && sampler.gives_fraction && view.format.bits == 8)
    stop_unsupported("simulator: sRGB textures are not available in the simulator");
  return sampler;
}

std::uint64_t create(memory::TexelObject object, const Origin& origin) {
  const bool is_surface = object.is_surface;
  const std::uint64_t handle = runtime().memory.texel_objects().create(std::move(object));
  const std::lock_guard lock(origins(is_surface).mutex);
  origins(is_surface).of[handle] = origin;
  return handle;
}

void create_texture(cudaTextureObject_t* out, const cudaResourceDesc* resource,
                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
  given(resource);
  given(texture, cudaErrorInvalidResourceHandle);
  if (view != nullptr)
    stop_unsupported("simulator: resource views of textures are not available in the simulator");
  memory::TexelObject object;
  object.view = view_of(*resource);
  need_device();
  forbid_while_capturing();
  given(out);
  object.sampler = sampler_of(*texture, object.view);
  *out = create(std::move(object), {*resource, *texture});
}

void create_surface(cudaSurfaceObject_t* out, const cudaResourceDesc* resource) {
  given(out), given(resource);
  const bool is_array = resource->resType == cudaResourceTypeArray;
  if (is_array) array_of(resource->res.array.array);
  need_device();
  forbid_while_capturing();
  if (!is_array) refuse_texture("a surface shows a CUDA array");
  const Array& array = array_of(resource->res.array.array);
  memory::TexelObject object;
  object.is_surface = true;
  object.view = array.view;
  *out = create(std::move(object), {*resource, {}});
}

void destroy(std::uint64_t handle, bool is_surface) {
  // Launches that were issued before may still read it.
  runtime().queue.wait_for_all();
  runtime().memory.texel_objects().destroy(handle, is_surface);  // A GPU refuses no handle.
  const std::lock_guard lock(origins(is_surface).mutex);
  origins(is_surface).of.erase(handle);
}

Origin origin_of(std::uint64_t handle, bool is_surface) {
  const std::lock_guard lock(origins(is_surface).mutex);
  const auto found = origins(is_surface).of.find(handle);
  if (found == origins(is_surface).of.end()) refuse_texture("unknown object");
  return found->second;
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view) {
  return call_without_device("cudaCreateTextureObject",
                             [&] { create_texture(object, resource, texture, view); });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return call("cudaDestroyTextureObject", [&] {
    forbid_while_capturing();
    destroy(object, false);
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return call_without_device("cudaGetTextureObjectResourceDesc", [&] {
    given(resource);
    need_device();
    *resource = origin_of(object, false).resource;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return call_without_device("cudaGetTextureObjectTextureDesc", [&] {
    given(texture, cudaErrorInvalidResourceHandle);
    need_device();
    *texture = origin_of(object, false).texture;
  });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                 cudaTextureObject_t object) {
  return call("cudaGetTextureObjectResourceViewDesc", [&] {
    origin_of(object, false);
    store(view, cudaResourceViewDesc{});  // Objects with a view of their own are not supported.
  });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels,
                                                 const cudaChannelFormatDesc* channels,
                                                 int device) {
  return call_without_device("cudaDeviceGetTexture1DLinearMaxWidth", [&] {
    given(texels), given(channels);
    check_device(device);
    constexpr std::size_t most_bytes = std::size_t{1} << 32;
    *texels = most_bytes / format_of(*channels).bytes();
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return call_without_device("cudaCreateSurfaceObject", [&] { create_surface(object, resource); });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return call("cudaDestroySurfaceObject", [&] {
    forbid_while_capturing();
    destroy(object, true);
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
  return call_without_device("cudaGetSurfaceObjectResourceDesc", [&] {
    given(resource, cudaErrorInvalidDevice);
    need_device();
    *resource = origin_of(object, true).resource;
  });
}
}
