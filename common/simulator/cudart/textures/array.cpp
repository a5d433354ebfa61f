#include "simulator/cudart/textures/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>

#include "simulator/cudart/memory/allocation_sites.h"
#include "simulator/cudart/memory/host_memory.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

constexpr unsigned known_flags = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                                 cudaArrayTextureGather | cudaArrayColorAttachment;

/// All arrays, by handle; the handles of levels are also here.
struct Arrays {
  std::mutex mutex;
  std::map<const void*, const Array*> arrays;
  std::map<const void*, std::unique_ptr<MipmappedArray>> mipmapped;
  std::vector<std::unique_ptr<Array>> own;
};
Arrays& all() {
  static auto& arrays = *new Arrays;
  return arrays;
}

[[noreturn]] void refuse(std::string why) { throw Failure{cudaErrorInvalidValue, std::move(why)}; }

/// The largest extents of each kind of array, of GPUs from compute capability 6 on.
struct Largest {
  std::size_t width, height, depth;
};

void check_extent(const cudaExtent& extent, unsigned flags) {
  const bool is_layered = (flags & cudaArrayLayered) != 0,
             is_cube = (flags & cudaArrayCubemap) != 0;
  if (is_layered && extent.depth == 0) refuse("the depth of a layered array is its layers: not 0");
  if (!is_layered && extent.depth != 0 && extent.height == 0)
    refuse("an array with a depth needs a height");
  if (is_cube && (extent.width != extent.height || extent.depth % 6 != 0 || extent.depth == 0 ||
                  (!is_layered && extent.depth != 6)))
    refuse("a cubemap is as high as it is wide and has six faces: a depth of 6 for each cube");
  if ((flags & cudaArrayTextureGather) != 0 && (extent.height == 0 || extent.depth != 0))
    refuse("cudaArrayTextureGather is for arrays of two dimensions");
  const Largest most = is_cube              ? Largest{32768, 32768, 2046}
                       : is_layered         ? Largest{32768, 32768, 2048}
                       : extent.depth != 0  ? Largest{16384, 16384, 16384}
                       : extent.height != 0 ? Largest{131072, 65536, 0}
                                            : Largest{131072, 0, 0};
  if (extent.width > most.width || extent.height > most.height || extent.depth > most.depth)
    refuse(fmt::format("an array of {} x {} x {} is larger than the GPU's limit for its kind",
                       extent.width, extent.height, extent.depth));
}

/// The shape of one array; its address is not known yet.
memory::TexelView view_of(const cudaChannelFormatDesc& channels, const cudaExtent& extent,
                          unsigned flags, unsigned levels) {
  memory::TexelView view;
  view.format = format_of(channels);
  view.is_layered = (flags & cudaArrayLayered) != 0;
  view.is_cubemap = (flags & cudaArrayCubemap) != 0;
  const bool has_volume = extent.depth != 0 && !view.is_layered && !view.is_cubemap;
  view.dimensions = has_volume ? 3 : extent.height != 0 ? 2 : 1;
  for (unsigned i = 0; i < levels; ++i) {
    const auto shrunk = [&](std::size_t size) {
      return static_cast<std::uint32_t>(std::max<std::size_t>(1, size >> i));
    };
    memory::TexelLevel level;
    level.width = shrunk(extent.width);
    level.height = shrunk(extent.height);
    level.depth = has_volume ? shrunk(extent.depth)
                             : static_cast<std::uint32_t>(std::max<std::size_t>(1, extent.depth));
    level.pitch = std::uint64_t{level.width} * view.format.bytes();
    level.slice = level.pitch * level.height;
    view.levels.push_back(level);
  }
  return view;
}

/// Gives the levels memory, one after the other.
void place(memory::TexelView& view) {
  std::uint64_t bytes = 0;
  for (const memory::TexelLevel& level : view.levels) bytes += level.slice * level.depth;
  Runtime& device = runtime();
  view.storage = device.memory.allocate(bytes, memory::Kind::device);
  if (view.storage == nullptr)
    throw Failure{cudaErrorMemoryAllocation, fmt::format("an array of {} bytes", bytes)};
  device.memory.track(view.storage->base);
  remember_allocation(view.storage->base);
  std::uint64_t next = view.storage->base;
  for (memory::TexelLevel& level : view.levels) {
    level.address = next;
    next += level.slice * level.depth;
  }
}

std::unique_ptr<Array> level_of(const memory::TexelView& view, std::size_t index,
                                const cudaChannelFormatDesc& channels, const cudaExtent& extent,
                                unsigned flags) {
  const memory::TexelLevel& level = view.levels[index];
  auto array = std::make_unique<Array>();
  array->channels = channels;
  array->extent = {level.width, extent.height == 0 ? 0 : level.height,
                   extent.depth == 0 ? 0 : level.depth};
  array->flags = flags;
  array->view = view;
  array->view.levels = {level};
  return array;
}

memory::TexelView make_view(const cudaChannelFormatDesc* channels, const cudaExtent& extent,
                            unsigned flags, unsigned levels) {
  constexpr unsigned all_flags = known_flags | cudaArraySparse | cudaArrayDeferredMapping;
  if ((flags & ~all_flags) != 0) refuse("unknown flags");
  memory::TexelView view = view_of(given(channels), extent, flags, levels);
  if (extent.width == 0) refuse("the width of an array is 0");
  need_device();
  forbid_while_capturing();
  if ((flags & ~known_flags) != 0)
    refuse("sparse and deferred arrays are not available in the simulator");
  check_extent(extent, flags);
  place(view);
  return view;
}

void make_array(cudaArray_t* out, const cudaChannelFormatDesc* channels, const cudaExtent& extent,
                unsigned flags) {
  given(out);
  const memory::TexelView view = make_view(channels, extent, flags, 1);
  auto made = level_of(view, 0, *channels, extent, flags);
  *out = reinterpret_cast<cudaArray_t>(made.get());
  const std::lock_guard lock(all().mutex);
  all().arrays[made.get()] = made.get();
  all().own.push_back(std::move(made));
}

void make_mipmapped(cudaMipmappedArray_t* out, const cudaChannelFormatDesc* channels,
                    const cudaExtent& extent, unsigned levels, unsigned flags) {
  given(out);
  const bool has_volume = (flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
  const std::size_t longest =
      std::max({extent.width, extent.height, has_volume ? extent.depth : std::size_t{1}});
  const auto most = static_cast<unsigned>(std::bit_width(std::max<std::size_t>(1, longest)));
  auto made = std::make_unique<MipmappedArray>();
  made->view = make_view(channels, extent, flags, std::clamp(levels, 1u, most));
  const std::lock_guard lock(all().mutex);
  for (std::size_t i = 0; i < made->view.levels.size(); ++i) {
    made->levels.push_back(level_of(made->view, i, *channels, extent, flags));
    made->levels.back()->is_level = true;
    all().arrays[made->levels.back().get()] = made->levels.back().get();
  }
  *out = reinterpret_cast<cudaMipmappedArray_t>(made.get());
  all().mipmapped[made.get()] = std::move(made);
}

/// Waits for the device, as cudaFree does, and gives the memory back.
void release(const memory::TexelView& view) {
  runtime().queue.wait_for_all();
  remember_free(view.storage->base);
  runtime().memory.release(view.storage->base);
  after_wait();
}

}  // namespace

const Array& array_of(cudaArray_const_t handle) {
  const std::lock_guard lock(all().mutex);
  const auto found = all().arrays.find(handle);
  if (found == all().arrays.end())
    throw Failure{cudaErrorInvalidResourceHandle,
                  handle == nullptr ? "the array is null" : "unknown array"};
  return *found->second;
}

bool is_array_handle(const void* pointer) {
  const std::lock_guard lock(all().mutex);
  return all().arrays.contains(static_cast<cudaArray_const_t>(pointer));
}

const MipmappedArray& mipmapped_array_of(cudaMipmappedArray_const_t handle) {
  const std::lock_guard lock(all().mutex);
  const auto found = all().mipmapped.find(handle);
  if (found == all().mipmapped.end())
    throw Failure{cudaErrorInvalidResourceHandle, "unknown mipmapped array"};
  return *found->second;
}

/// @param find the array of a handle, or fails.
template <class Find, class Handle>
const auto& array_to_free(Find find, Handle handle) {
  try {
    return find(handle);
  } catch (Failure& failure) {
    failure.why += ", or it was freed already; free it once";
    failure.kind = "invalid-free";
    throw;
  }
}

memory::TexelFormat format_of(const cudaChannelFormatDesc& channels) {
  const int bits[] = {channels.x, channels.y, channels.z, channels.w};
  const auto count =
      static_cast<unsigned>(std::count_if(bits, bits + 4, [](int n) { return n != 0; }));
  bool is_known = count == 1 || count == 2 || count == 4;
  for (unsigned i = 0; i < 4; ++i) is_known &= bits[i] == (i < count ? channels.x : 0);
  memory::TexelFormat format;
  switch (channels.f) {
    case cudaChannelFormatKindSigned:
      format.kind = memory::TexelKind::signed_integer;
      break;
    case cudaChannelFormatKindUnsigned:
      format.kind = memory::TexelKind::unsigned_integer;
      break;
    case cudaChannelFormatKindFloat:
      format.kind = memory::TexelKind::floating;
      is_known &= channels.x != 8;
      break;
    default:
      is_known = false;
  }
  is_known &= channels.x == 8 || channels.x == 16 || channels.x == 32;
  if (!is_known)
    throw Failure{cudaErrorInvalidChannelDescriptor,
                  "texels have 1, 2 or 4 channels of 8, 16 or 32 bits each, floats of 16 or 32"};
  format.bits = static_cast<std::uint8_t>(channels.x);
  format.channels = static_cast<std::uint8_t>(count);
  return format;
}

bool is_array_memory(const void* pointer) {
  const memory::Allocation* found = runtime().memory.find(reinterpret_cast<std::uint64_t>(pointer));
  if (found == nullptr) return false;
  const std::lock_guard lock(all().mutex);
  return std::any_of(all().arrays.begin(), all().arrays.end(),
                     [&](const auto& entry) { return entry.second->view.storage == found; });
}

ArrayPart part_of(const Array& array, std::size_t x, std::size_t y, std::size_t z,
                  std::size_t width, std::size_t rows, std::size_t slices) {
  const memory::TexelLevel& level = array.view.levels.front();
  const auto fits = [](std::size_t first, std::size_t count, std::size_t size) {
    return first <= size && count <= size - first;
  };
  if (!fits(x, width, level.pitch) || !fits(y, rows, level.height) || !fits(z, slices, level.depth))
    throw Failure{
        cudaErrorInvalidValue,
        fmt::format("{} bytes of {} rows of {} slices, from byte {} of row {} of slice {} "
                    "on, reach beyond the array: it has {} bytes, {} rows, {} slices",
                    width, rows, slices, x, y, z, level.pitch, level.height, level.depth),
        "invalid-copy"};
  char* start = reinterpret_cast<char*>(level.address);
  return {start + z * level.slice + y * level.pitch + x, level.pitch, level.slice};
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, size_t width,
                            size_t height, unsigned flags) {
  return call_without_device("cudaMallocArray", [&] {
    if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0)
      throw Failure{cudaErrorInvalidValue, "layers and cubes are for cudaMalloc3DArray"};
    make_array(array, channels, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                              cudaExtent extent, unsigned flags) {
  return call_without_device("cudaMalloc3DArray",
                             [&] { make_array(array, channels, extent, flags); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return call_after_fault("cudaFreeArray", [&] {
    if (array == nullptr) return;
    need_device();
    forbid_while_capturing();
    const Array& freed = array_to_free(array_of, array);
    if (freed.is_level) return;  // It lives as long as its mipmapped array.
    release(freed.view);
    const std::lock_guard lock(all().mutex);
    all().arrays.erase(array);
    std::erase_if(all().own, [&](const auto& own) { return own.get() == &freed; });
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  return call_without_device("cudaArrayGetInfo", [&] {
    const Array& asked = array_of(array);
    need_device();
    if (channels != nullptr) *channels = asked.channels;
    if (extent != nullptr) *extent = asked.extent;
    if (flags != nullptr) *flags = asked.flags;
  });
}

cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements*, cudaArray_t array, int) {
  return call_without_device("cudaArrayGetMemoryRequirements", [&] {
    array_of(&given(array));
    refuse("only an array whose memory is mapped later has requirements");
  });
}

cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties*, cudaArray_t array) {
  return call_without_device("cudaArrayGetSparseProperties", [&] {
    array_of(&given(array));
    refuse("the array is not sparse");
  });
}

cudaError_t cudaArrayGetPlane(cudaArray_t*, cudaArray_t array, unsigned) {
  return call_after_fault("cudaArrayGetPlane", [&] {
    array_of(array);
    need_device();
    refuse("the array does not consist of planes");
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array) {
  return call_without_device("cudaGetChannelDesc", [&] {
    given(channels);
    const Array& asked = array_of(array);
    need_device();
    *channels = asked.channels;
  });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const cudaChannelFormatDesc* channels, cudaExtent extent,
                                     unsigned levels, unsigned flags) {
  return call_without_device("cudaMallocMipmappedArray",
                             [&] { make_mipmapped(array, channels, extent, levels, flags); });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned index) {
  return call_after_fault("cudaGetMipmappedArrayLevel", [&] {
    const MipmappedArray& asked = mipmapped_array_of(array);
    need_device();
    if (index >= asked.levels.size())
      throw Failure{cudaErrorInvalidValue,
                    fmt::format("the array has {} levels", asked.levels.size())};
    store(level, reinterpret_cast<cudaArray_t>(asked.levels[index].get()));
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return call_after_fault("cudaFreeMipmappedArray", [&] {
    if (array == nullptr) return;
    need_device();
    forbid_while_capturing();
    const MipmappedArray& freed = array_to_free(mipmapped_array_of, array);
    release(freed.view);
    const std::lock_guard lock(all().mutex);
    for (const auto& level : freed.levels) all().arrays.erase(level.get());
    all().mipmapped.erase(array);
  });
}
}
