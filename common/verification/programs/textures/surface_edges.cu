// Surfaces read and written inside, across and beyond their edges, by accesses of every width
// whatever their texels have, with the modes that clamp and that give zero. For each a hash of what
// it gave.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  std::exit(1);
}

struct Shape {
  const char* name;
  int kind, width, height, depth;
  unsigned flags;
};
constexpr Shape shapes[] = {{"1d", 0, 4, 0, 0, 0},
                            {"2d", 1, 4, 3, 0, 0},
                            {"3d", 2, 4, 3, 2, 0},
                            {"layers_of_lines", 3, 4, 0, 2, cudaArrayLayered},
                            {"layers", 4, 4, 3, 2, cudaArrayLayered},
                            {"five_wide", 1, 5, 3, 0, 0},
                            {"seven_long", 0, 7, 0, 0, 0}};

template <class T, cudaSurfaceBoundaryMode Outside>
__global__ void read(cudaSurfaceObject_t s, int kind, const int3* places, T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int3 at = places[i];
  if (kind == 0) out[i] = surf1Dread<T>(s, at.x, Outside);
  if (kind == 1) out[i] = surf2Dread<T>(s, at.x, at.y, Outside);
  if (kind == 2) out[i] = surf3Dread<T>(s, at.x, at.y, at.z, Outside);
  if (kind == 3) out[i] = surf1DLayeredread<T>(s, at.x, at.z, Outside);
  if (kind == 4) out[i] = surf2DLayeredread<T>(s, at.x, at.y, at.z, Outside);
}

template <class T, cudaSurfaceBoundaryMode Outside>
__global__ void write(cudaSurfaceObject_t s, int kind, int3 at) {
  T value;
  auto* bytes = reinterpret_cast<unsigned char*>(&value);
  for (int i = 0; i < static_cast<int>(sizeof value); ++i) bytes[i] = 0xa0 + i;
  if (kind == 0) surf1Dwrite(value, s, at.x, Outside);
  if (kind == 1) surf2Dwrite(value, s, at.x, at.y, Outside);
}

struct Hash {
  std::uint64_t value = 0xcbf29ce484222325u;
  void add(const void* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      value = (value ^ static_cast<const std::uint8_t*>(bytes)[i]) * 0x100000001b3u;
  }
};

cudaChannelFormatDesc format_of(int texel_bytes) {
  switch (texel_bytes) {
    case 1:
      return cudaCreateChannelDesc<unsigned char>();
    case 2:
      return cudaCreateChannelDesc<unsigned short>();
    case 4:
      return cudaCreateChannelDesc<float>();
    case 8:
      return cudaCreateChannelDesc<float2>();
    default:
      return cudaCreateChannelDesc<float4>();
  }
}

class Surface {
 public:
  Surface(const Shape& shape, int texel_bytes)
      : shape(shape),
        row_bytes(shape.width * texel_bytes),
        rows(std::max(1, shape.height)),
        slices(std::max(1, shape.depth)),
        content_(static_cast<std::size_t>(row_bytes) * rows * slices) {
    const cudaChannelFormatDesc format = format_of(texel_bytes);
    const cudaExtent extent = make_cudaExtent(shape.width, shape.height, shape.depth);
    check(cudaMalloc3DArray(&array_, &format, extent, shape.flags | cudaArraySurfaceLoadStore),
          "cudaMalloc3DArray");
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    check(cudaCreateSurfaceObject(&object, &resource), "cudaCreateSurfaceObject");
    std::uint64_t state = 99;
    for (unsigned char& byte : content_) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      byte = static_cast<unsigned char>(state >> 56);
    }
    fill();
  }
  ~Surface() {
    cudaDestroySurfaceObject(object);
    cudaFreeArray(array_);
  }

  void fill() {
    cudaMemcpy3DParms copy = whole(content_);
    std::swap(copy.srcPtr, copy.dstPtr);
    std::swap(copy.srcArray, copy.dstArray);
    copy.kind = cudaMemcpyHostToDevice;
    check(cudaMemcpy3D(&copy), "fill");
  }
  std::vector<unsigned char> bytes() {
    std::vector<unsigned char> read(content_.size());
    const cudaMemcpy3DParms copy = whole(read);
    check(cudaMemcpy3D(&copy), "bytes");
    return read;
  }

  /// Around each edge and far from it.
  std::vector<int3> places(int access_bytes) const {
    const int a = access_bytes;
    std::vector<int> xs, ys = {0}, zs = {0};
    for (int x = -2 * a; x <= row_bytes + 2 * a; x += a)
      if (x < 4 * a || x > row_bytes - 4 * a) xs.push_back(x);
    for (int x : {-16 * a, (row_bytes + 64 * a) / a * a, 1 << 20, INT32_MIN, INT32_MAX & ~(a - 1)})
      xs.push_back(x);
    if (shape.height > 0) ys = {-(1 << 20), -2, -1, 0, 1, rows - 1, rows, rows + 1, 1000000};
    if (shape.depth > 0) zs = {-1000000, -2, -1, 0, 1, slices - 1, slices, slices + 1, 1000000};
    std::vector<int3> all;
    for (int z : zs)
      for (int y : ys)
        for (int x : xs) all.push_back({x, y, z});
    return all;
  }

  const Shape& shape;
  int row_bytes, rows, slices;
  cudaSurfaceObject_t object;

 private:
  cudaMemcpy3DParms whole(std::vector<unsigned char>& to) const {
    cudaMemcpy3DParms copy = {};
    copy.dstPtr = make_cudaPitchedPtr(to.data(), row_bytes, shape.width, rows);
    copy.srcArray = array_;
    copy.extent = make_cudaExtent(shape.width, rows, slices);
    copy.kind = cudaMemcpyDeviceToHost;
    return copy;
  }

  cudaArray_t array_;
  std::vector<unsigned char> content_;
};

template <class T, cudaSurfaceBoundaryMode Outside>
void run_reads(const Surface& surface, const std::vector<int3>& places) {
  const int count = static_cast<int>(places.size());
  int3* device_places;
  T* device_out;
  std::vector<T> out(places.size());
  check(cudaMalloc(&device_places, places.size() * sizeof(int3)), "cudaMalloc");
  check(cudaMalloc(&device_out, out.size() * sizeof(T)), "cudaMalloc");
  check(cudaMemcpy(device_places, places.data(), places.size() * sizeof(int3), cudaMemcpyDefault),
        "cudaMemcpy");
  read<T, Outside><<<(count + 127) / 128, 128>>>(surface.object, surface.shape.kind, device_places,
                                                 device_out, count);
  check(cudaMemcpy(out.data(), device_out, out.size() * sizeof(T), cudaMemcpyDefault), "read");
  Hash hash;
  hash.add(out.data(), out.size() * sizeof(T));
  std::printf(" %016llx", static_cast<unsigned long long>(hash.value));
  cudaFree(device_places);
  cudaFree(device_out);
}

/// Each place alone, in the rows around the edges.
template <class T, cudaSurfaceBoundaryMode Outside>
void run_writes(Surface& surface, const std::vector<int3>& places) {
  Hash hash;
  for (const int3& at : places) {
    if (surface.shape.kind == 1 && at.y != -1 && at.y != 1 && at.y != surface.rows) continue;
    surface.fill();
    write<T, Outside><<<1, 1>>>(surface.object, surface.shape.kind, at);
    const std::vector<unsigned char> bytes = surface.bytes();
    hash.add(bytes.data(), bytes.size());
  }
  std::printf(" %016llx", static_cast<unsigned long long>(hash.value));
}

template <class T>
void run(const Shape& shape, int texel_bytes) {
  Surface surface(shape, texel_bytes);
  const std::vector<int3> places = surface.places(sizeof(T));
  std::printf("%s, texels of %d bytes, accesses of %zu: read", shape.name, texel_bytes, sizeof(T));
  run_reads<T, cudaBoundaryModeClamp>(surface, places);
  run_reads<T, cudaBoundaryModeZero>(surface, places);
  if (shape.kind < 2 && (shape.width < 7)) {
    std::printf(" write");
    run_writes<T, cudaBoundaryModeClamp>(surface, places);
    run_writes<T, cudaBoundaryModeZero>(surface, places);
  }
  std::printf("\n");
}

}  // namespace

int main() {
  for (const Shape& shape : shapes)
    for (int texel_bytes : {1, 2, 4, 8, 16}) {
      // Rows that no access fills were tried with some texels.
      if (shape.width > 4 && texel_bytes != 4 && texel_bytes != 8 && texel_bytes != 16) continue;
      run<unsigned char>(shape, texel_bytes);
      run<unsigned short>(shape, texel_bytes);
      run<unsigned>(shape, texel_bytes);
      run<uint2>(shape, texel_bytes);
      run<uint4>(shape, texel_bytes);
    }
}
