// The values of textures at many places: for each way to read one a hash of the texels and the
// places, and one of the results. Weights, rounding, borders and formats are the hardware's own.
// The filters of which docs/diagnoses.md says that they can differ are left out.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "texture_case.h"

namespace {

using namespace texture;

__device__ uint4 bits_of(float4 v) {
  return make_uint4(__float_as_uint(v.x), __float_as_uint(v.y), __float_as_uint(v.z),
                    __float_as_uint(v.w));
}
__device__ uint4 bits_of(int4 v) { return make_uint4(v.x, v.y, v.z, v.w); }
__device__ uint4 bits_of(uint4 v) { return v; }

template <class T>
__global__ void sample(cudaTextureObject_t t, Way way, const float4* places, uint4* out,
                       int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float4 p = places[i];
  const int layer = static_cast<int>(p.w);
  T value{};
  switch (way) {
    case Way::one:
      value = tex1D<T>(t, p.x);
      break;
    case Way::two:
      value = tex2D<T>(t, p.x, p.y);
      break;
    case Way::three:
      value = tex3D<T>(t, p.x, p.y, p.z);
      break;
    case Way::layered_one:
      value = tex1DLayered<T>(t, p.x, layer);
      break;
    case Way::layered_two:
      value = tex2DLayered<T>(t, p.x, p.y, layer);
      break;
    case Way::cube:
      value = texCubemap<T>(t, p.x, p.y, p.z);
      break;
    case Way::level_one:
      value = tex1DLod<T>(t, p.x, p.w);
      break;
    case Way::level_two:
      value = tex2DLod<T>(t, p.x, p.y, p.w);
      break;
    case Way::level_three:
      value = tex3DLod<T>(t, p.x, p.y, p.z, p.w);
      break;
    case Way::gather_x:
      value = tex2Dgather<T>(t, p.x, p.y, 0);
      break;
    case Way::gather_y:
      value = tex2Dgather<T>(t, p.x, p.y, 1);
      break;
    case Way::gather_z:
      value = tex2Dgather<T>(t, p.x, p.y, 2);
      break;
    case Way::gather_w:
      value = tex2Dgather<T>(t, p.x, p.y, 3);
      break;
    case Way::fetch:
      value = tex1Dfetch<T>(t, static_cast<int>(p.x));
      break;
  }
  out[i] = bits_of(value);
}

/// FNV-1a.
template <class T>
std::uint64_t hash_of(const std::vector<T>& values, std::uint64_t hash = 0xcbf29ce484222325u) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  for (std::size_t i = 0; i < values.size() * sizeof(T); ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

void run(const Case& c) {
  Numbers numbers;
  const Texture texture(c, numbers);
  const std::vector<float4> places = places_of(c, numbers);
  float4* device_places;
  uint4* device_out;
  std::vector<uint4> out(c.count);
  const std::size_t bytes = out.size() * sizeof(uint4);
  check(cudaMalloc(&device_places, bytes), "cudaMalloc");
  check(cudaMalloc(&device_out, bytes), "cudaMalloc");
  check(cudaMemcpy(device_places, places.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  const auto kernel = c.read == 'f' ? sample<float4> : c.read == 'i' ? sample<int4> : sample<uint4>;
  kernel<<<(c.count + 127) / 128, 128>>>(texture.object, c.way, device_places, device_out, c.count);
  check(cudaMemcpy(out.data(), device_out, bytes, cudaMemcpyDeviceToHost), c.name.c_str());
  std::printf("%s: %016llx %016llx\n", c.name.c_str(),
              static_cast<unsigned long long>(hash_of(places, hash_of(texture.texels))),
              static_cast<unsigned long long>(hash_of(out)));
  cudaFree(device_places);
  cudaFree(device_out);
}

constexpr auto linear = cudaFilterModeLinear;
constexpr auto with_sign = cudaChannelFormatKindSigned,
               without_sign = cudaChannelFormatKindUnsigned;

void run_filters() {
  // clang-format off
  run({.name = "weights_1d", .filter = linear, .texels = Texels::steps, .places = Places::sweep, .count = 8192});
  run({.name = "weights_1d_norm", .filter = linear, .normalized = true, .texels = Texels::steps, .places = Places::sweep, .count = 8192});
  run({.name = "weights_1d_norm13", .width = 13, .filter = linear, .normalized = true, .texels = Texels::steps, .places = Places::sweep, .count = 8192});
  run({.name = "weights_far", .width = 4096, .filter = linear, .texels = Texels::steps, .low = 0, .high = 1, .count = 4096});
  run({.name = "weights_far_norm", .width = 4096, .filter = linear, .normalized = true, .texels = Texels::steps, .low = 0, .high = 1, .count = 4096});
  run({.name = "lin1d_random", .filter = linear, .low = 0, .high = 1, .count = 4096});
  run({.name = "lin1d_wide", .filter = linear, .texels = Texels::wide, .low = 0, .high = 1, .count = 4096});
  run({.name = "point1d_special", .texels = Texels::special, .low = 0, .high = 1, .count = 256});
  run({.name = "lin2d_random", .way = Way::two, .height = 9, .filter = linear, .low = 0, .high = 1, .count = 8192});
  run({.name = "lin2d_wide", .way = Way::two, .height = 9, .filter = linear, .texels = Texels::wide, .low = 0, .high = 1, .count = 4096});
  run({.name = "lin2d_channels", .way = Way::two, .height = 9, .channels = 4, .filter = linear, .low = -0.5, .high = 1.5});
  run({.name = "lin3d_random", .way = Way::three, .width = 8, .height = 5, .depth = 6, .filter = linear, .low = 0, .high = 1, .count = 8192});
  run({.name = "lin3d_norm", .way = Way::three, .width = 8, .height = 5, .depth = 6, .filter = linear, .address = cudaAddressModeWrap, .normalized = true, .low = -1, .high = 2, .count = 4096});
  run({.name = "layered1d", .way = Way::layered_one, .depth = 5, .filter = linear, .count = 1024});
  run({.name = "layered2d", .way = Way::layered_two, .height = 9, .depth = 5, .filter = linear, .count = 1024});
  run({.name = "cube_point", .way = Way::cube, .width = 8, .height = 8, .depth = 6, .normalized = true, .texels = Texels::counted, .count = 4096});
  // clang-format on
}

void run_formats() {
  for (int bits : {8, 16})
    for (auto kind : {without_sign, with_sign})
      for (int channels : {1, 2, 4}) {
        const std::string name = (kind == without_sign ? "u" : "s") + std::to_string(bits) + "x" +
                                 std::to_string(channels);
        Case c{.way = Way::two, .height = 9, .bits = bits, .channels = channels, .kind = kind};
        c.low = 0;
        c.high = 1;
        c.name = "raw2d_" + name;
        c.read = kind == without_sign ? 'u' : 'i';
        c.count = 256;
        run(c);
        c.to_float = true;
        c.read = 'f';
        c.count = 4096;
        c.filter = linear;
        c.name = "lin2d_" + name;
        if (bits != 8 || kind != with_sign) run(c);
        c.filter = cudaFilterModePoint;
        c.width = c.height = 64;
        c.name = "point2d_" + name;
        run(c);
      }
  for (int channels : {1, 2, 4}) {
    const std::string name = "x" + std::to_string(channels);
    Case c{.way = Way::two, .height = 9, .bits = 16, .channels = channels, .filter = linear};
    c.low = 0;
    c.high = 1;
    c.count = 4096;
    c.name = "lin2d_half" + name;
    run(c);
    c.filter = cudaFilterModePoint;
    c.count = 256;
    c.name = "point2d_half" + name;
    run(c);
    c.bits = 32;
    c.name = "raw2d_f32" + name;
    run(c);
  }
}

void run_borders() {
  const char* names[] = {"wrap", "clamp", "mirror", "border"};
  for (int mode = 0; mode < 4; ++mode)
    for (bool normalized : {false, true})
      for (int width : {13, 16}) {
        const std::string name =
            names[mode] + std::string(normalized ? "_norm" : "") + std::to_string(width);
        Case c{.width = width, .normalized = normalized};
        c.address = static_cast<cudaTextureAddressMode>(mode);
        Case edges = c;
        edges.texels = Texels::counted;
        edges.places = Places::edges;
        edges.count = 8 * width * 4;
        const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
        const bool has_far_places = !(repeats && normalized && width == 13);
        edges.name = "point1d_" + name;
        if (has_far_places) run(edges);
        edges.name = "lin1d_" + name;
        edges.filter = linear;
        if (has_far_places) run(edges);
        c.way = Way::two;
        c.height = 7;
        c.channels = 2;
        c.name = "point2d_" + name;
        run(c);
        c.channels = 4;
        c.filter = linear;
        c.name = "lin2d_" + name;
        run(c);
      }
  // clang-format off
  constexpr auto border = cudaAddressModeBorder;
  run({.name = "border_u8", .way = Way::two, .height = 9, .bits = 8, .channels = 4, .kind = without_sign, .address = border, .read = 'u', .count = 256});
  run({.name = "border_s16", .way = Way::two, .height = 9, .bits = 16, .channels = 2, .kind = with_sign, .address = border, .read = 'i', .count = 256});
  run({.name = "border_u8n", .way = Way::two, .height = 9, .bits = 8, .channels = 4, .kind = without_sign, .filter = linear, .address = border, .to_float = true, .count = 1024});
  run({.name = "border_f1", .way = Way::two, .height = 9, .filter = linear, .address = border, .count = 1024});
  // clang-format on
}

void run_gathers_and_levels() {
  for (int j = 0; j < 4; ++j) {
    Case c{.height = 9, .channels = 4, .texels = Texels::counted, .count = 1024};
    c.way = static_cast<Way>(static_cast<int>(Way::gather_x) + j);
    c.name = "gather_f" + std::to_string(j);
    run(c);
    c.width = 13;
    c.height = 7;
    c.address = cudaAddressModeWrap;
    c.normalized = true;
    c.name = "gather_norm" + std::to_string(j);
    run(c);
  }
  for (bool is_linear : {false, true})
    for (bool between : {false, true}) {
      if (is_linear && between) continue;
      const std::string name =
          std::string(is_linear ? "_lin" : "_pt") + (between ? "_miplin" : "_mippt");
      Case c{.filter = is_linear ? linear : cudaFilterModePoint, .normalized = true, .count = 4096};
      c.between_levels = between ? linear : cudaFilterModePoint;
      c.way = Way::level_one;
      c.width = 32;
      c.levels = 6;
      c.low = 0;
      c.high = 1;
      c.name = "lod1d" + name;
      run(c);
      c.way = Way::level_three;
      c.width = 16;
      c.height = 8;
      c.depth = 12;
      c.levels = 4;
      c.name = "lod3d" + name;
      run(c);
      c.way = Way::level_two;
      c.width = 32;
      c.height = 20;
      c.depth = 0;
      c.levels = 5;
      c.address = cudaAddressModeWrap;
      c.low = -0.5;
      c.high = 1.5;
      c.name = "lod2d" + name;
      run(c);
    }
  // clang-format off
  run({.name = "lod_weights", .way = Way::level_one, .width = 32, .between_levels = linear, .normalized = true, .levels = 6, .texels = Texels::counted, .low = 0.01, .high = 0.02, .count = 8192});
  run({.name = "mip_plain", .way = Way::two, .width = 32, .height = 32, .filter = linear, .between_levels = linear, .normalized = true, .levels = 6, .low = 0, .high = 1, .bias = 1.3f, .count = 512});
  // clang-format on
}

void run_plain_memory() {
  // clang-format off
  run({.name = "fetch_f", .way = Way::fetch, .width = 100, .memory = Memory::linear, .count = 1024});
  run({.name = "fetch_f4", .way = Way::fetch, .width = 100, .channels = 4, .memory = Memory::linear, .count = 1024});
  run({.name = "fetch_u8", .way = Way::fetch, .width = 100, .bits = 8, .kind = without_sign, .memory = Memory::linear, .read = 'u', .count = 1024});
  run({.name = "fetch_u8n", .way = Way::fetch, .width = 100, .bits = 8, .channels = 2, .kind = without_sign, .to_float = true, .memory = Memory::linear, .count = 1024});
  run({.name = "pitch_lin", .way = Way::two, .width = 50, .height = 9, .filter = linear, .memory = Memory::pitch, .count = 1024});
  run({.name = "pitch_norm", .way = Way::two, .width = 50, .height = 9, .filter = linear, .address = cudaAddressModeWrap, .normalized = true, .memory = Memory::pitch, .count = 1024});
  run({.name = "pitch_u8n", .way = Way::two, .width = 50, .height = 9, .bits = 8, .channels = 4, .kind = without_sign, .filter = linear, .to_float = true, .memory = Memory::pitch, .count = 1024});
  // clang-format on
}

}  // namespace

int main() {
  run_filters();
  run_formats();
  run_borders();
  run_gathers_and_levels();
  run_plain_memory();
}
