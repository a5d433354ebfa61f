// Textures and surfaces of every shape: cubemaps, alone and in layers, by each address mode; lines
// among layers and mirrored volumes; levels that gradients choose; and surfaces that are written
// and read inside, and read outside. For each a hash of what it gave.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "texture_case.h"

namespace {

using namespace texture;

/// One gradient has one direction, the other is shorter: their lengths need no rounding.
__global__ void sample(cudaTextureObject_t t, Way way, const float4* places, float4* out,
                       int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 p = places[i];
  const int layer = static_cast<int>(p.w);
  const float step = exp2f(p.w) / 64;
  const float2 right = i & 1 ? make_float2(step, 0) : make_float2(0, step),
               down = i & 1 ? make_float2(0, step / 4) : make_float2(step / 4, 0);
  switch (way) {
    case Way::one:
      out[i] = tex1D<float4>(t, p.x);
      break;
    case Way::layered_one:
      out[i] = tex1DLayered<float4>(t, p.x, layer);
      break;
    case Way::three:
      out[i] = tex3D<float4>(t, p.x, p.y, p.z);
      break;
    case Way::cube:
      out[i] = texCubemap<float4>(t, p.x, p.y, p.z);
      break;
    case Way::layered_cube:
      out[i] = texCubemapLayered<float4>(t, p.x, p.y, p.z, layer);
      break;
    case Way::gradient_one:
      out[i] = tex1DGrad<float4>(t, p.x, step, step / 4);
      break;
    case Way::gradient_two:
      out[i] = tex2DGrad<float4>(t, p.x, p.y, right, down);
      break;
    case Way::gradient_three:
      out[i] = tex3DGrad<float4>(t, p.x, p.y, p.z, make_float4(right.x, right.y, 0, 0),
                                 make_float4(down.x, down.y, 0, 0));
      break;
    default:
      break;
  }
}

std::uint64_t hash_of(const void* values, std::size_t bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < bytes; ++i)
    hash = (hash ^ static_cast<const std::uint8_t*>(values)[i]) * 0x100000001b3u;
  return hash;
}

void run(const Case& c) {
  Numbers numbers;
  const Texture texture(c, numbers);
  const std::vector<float4> places = places_of(c, numbers);
  float4 *device_places, *device_out;
  std::vector<float4> out(c.count);
  const std::size_t bytes = out.size() * sizeof(float4);
  check(cudaMalloc(&device_places, bytes), "cudaMalloc");
  check(cudaMalloc(&device_out, bytes), "cudaMalloc");
  check(cudaMemcpy(device_places, places.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  sample<<<(c.count + 127) / 128, 128>>>(texture.object, c.way, device_places, device_out, c.count);
  check(cudaMemcpy(out.data(), device_out, bytes, cudaMemcpyDeviceToHost), c.name.c_str());
  std::printf("%s: %016llx\n", c.name.c_str(),
              static_cast<unsigned long long>(hash_of(out.data(), bytes)));
  cudaFree(device_places);
  cudaFree(device_out);
}

void run_textures() {
  const char* modes[] = {"wrap", "clamp", "mirror", "border"};
  for (int mode = 0; mode < 4; ++mode)
    for (auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
      const std::string name =
          std::string(modes[mode]) + (filter == cudaFilterModeLinear ? "_linear" : "_point");
      Case c{.filter = filter, .address = static_cast<cudaTextureAddressMode>(mode)};
      c.width = c.height = 8;
      c.depth = 6, c.name = "cube_" + name, c.way = Way::cube;
      // Where a direction meets an edge, the hardware's rounding says which side it is on.
      const bool shows_edges = mode == cudaAddressModeWrap || mode == cudaAddressModeBorder;
      const bool is_told = filter == cudaFilterModeLinear || !shows_edges;
      if (is_told) run(c);
      c.depth = 18, c.name = "cubes_" + name, c.way = Way::layered_cube, c.channels = 4;
      if (is_told) run(c);
      c.name = "volume_" + name, c.way = Way::three, c.depth = 4, c.normalized = true;
      run(c);
      c.name = "lines_" + name, c.way = Way::layered_one, c.height = 0, c.channels = 1;
      run(c);
    }
  Case c{.between_levels = cudaFilterModeLinear, .normalized = true, .levels = 6};
  c.width = 32, c.texels = Texels::counted;
  c.name = "gradients_1d", c.way = Way::gradient_one;
  run(c);
  c.name = "gradients_2d", c.way = Way::gradient_two, c.height = 32;
  run(c);
  c.name = "gradients_3d", c.way = Way::gradient_three, c.depth = 32;
  run(c);
}

/// A surface and its size.
struct Shape {
  const char* name;
  int width, height, depth;
  unsigned flags;
};
constexpr Shape shapes[] = {{"1d", 16, 0, 0, 0},
                            {"2d", 16, 8, 0, 0},
                            {"3d", 16, 8, 4, 0},
                            {"layers_of_lines", 16, 0, 4, cudaArrayLayered},
                            {"layers", 16, 8, 4, cudaArrayLayered},
                            {"cube", 8, 8, 6, cudaArrayCubemap},
                            {"cubes", 8, 8, 12, cudaArrayCubemap | cudaArrayLayered}};

template <class T>
__device__ T texel_of(int i) {
  T texel;
  auto* bytes = reinterpret_cast<unsigned char*>(&texel);
  for (int k = 0; k < static_cast<int>(sizeof(T)); ++k)
    bytes[k] = static_cast<unsigned char>(7 * i + 31 * k + 5);
  return texel;
}

template <class T>
__global__ void write(cudaSurfaceObject_t s, int shape, int3 size) {
  const int x = threadIdx.x * sizeof(T), y = blockIdx.x, z = blockIdx.y;
  const T v = texel_of<T>(threadIdx.x + size.x * (y + size.y * z));
  if (shape == 0) surf1Dwrite(v, s, x);
  if (shape == 1) surf2Dwrite(v, s, x, y);
  if (shape == 2) surf3Dwrite(v, s, x, y, z);
  if (shape == 3) surf1DLayeredwrite(v, s, x, z);
  if (shape == 4) surf2DLayeredwrite(v, s, x, y, z);
  if (shape == 5) surfCubemapwrite(v, s, x, y, z);
  if (shape == 6) surfCubemapLayeredwrite(v, s, x, y, z);
}

/// From one row and one texel before the first to as many after the last.
template <class T, cudaSurfaceBoundaryMode Outside>
__global__ void read(cudaSurfaceObject_t s, int shape, T* out) {
  const int x = (static_cast<int>(threadIdx.x) - 1) * static_cast<int>(sizeof(T)),
            y = static_cast<int>(blockIdx.x) - 1, z = blockIdx.y;
  T v{};
  if (shape == 0) v = surf1Dread<T>(s, x, Outside);
  if (shape == 1) v = surf2Dread<T>(s, x, y, Outside);
  if (shape == 2) v = surf3Dread<T>(s, x, y, z - 1, Outside);
  if (shape == 3) v = surf1DLayeredread<T>(s, x, z, Outside);
  if (shape == 4) v = surf2DLayeredread<T>(s, x, y, z, Outside);
  if (shape == 5) v = surfCubemapread<T>(s, x, y, z, Outside);
  if (shape == 6) v = surfCubemapLayeredread<T>(s, x, y, z, Outside);
  out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = v;
}

template <class T>
void run_surfaces(const char* type) {
  for (int shape = 0; shape < 7; ++shape) {
    const Shape& size = shapes[shape];
    const int rows = std::max(1, size.height), slices = std::max(1, size.depth);
    const auto format = cudaCreateChannelDesc<T>();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    check(cudaMalloc3DArray(&resource.res.array.array, &format,
                            make_cudaExtent(size.width, size.height, size.depth),
                            size.flags | cudaArraySurfaceLoadStore),
          "cudaMalloc3DArray");
    cudaSurfaceObject_t surface;
    check(cudaCreateSurfaceObject(&surface, &resource), "cudaCreateSurfaceObject");
    write<T>
        <<<dim3(rows, slices), size.width>>>(surface, shape, make_int3(size.width, rows, slices));
    const dim3 grid(rows + 2, shape == 2 ? slices + 2 : slices);
    const int block = size.width + 2;
    std::vector<T> out(std::size_t{grid.x} * grid.y * block);
    T* device_out;
    check(cudaMalloc(&device_out, out.size() * sizeof(T)), "cudaMalloc");
    std::printf("surface_%s %s:", size.name, type);
    for (bool clamps : {false, true}) {
      const auto kernel = clamps ? read<T, cudaBoundaryModeClamp> : read<T, cudaBoundaryModeZero>;
      kernel<<<grid, block>>>(surface, shape, device_out);
      check(cudaMemcpy(out.data(), device_out, out.size() * sizeof(T), cudaMemcpyDeviceToHost),
            size.name);
      std::printf(" %016llx",
                  static_cast<unsigned long long>(hash_of(out.data(), out.size() * sizeof(T))));
    }
    std::printf("\n");
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(resource.res.array.array);
    cudaFree(device_out);
  }
}

}  // namespace

int main() {
  run_textures();
  run_surfaces<unsigned char>("uchar");
  run_surfaces<short2>("short2");
  run_surfaces<float>("float");
  run_surfaces<ushort4>("ushort4");
  run_surfaces<float4>("float4");
}
