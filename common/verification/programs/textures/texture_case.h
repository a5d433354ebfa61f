#pragma once
/// \file
/// One way to make a texture and to choose the places where it is read: texture_samples.cu and
/// texture_shapes.cu go through many.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace texture {

inline void check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorName(code));
  std::exit(1);
}

/// The same numbers on every machine.
struct Numbers {
  std::uint32_t state = 777;
  std::uint32_t next() {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
  }
  float unit() { return static_cast<float>(next() >> 8) * (1.0f / 16777216); }
};

enum class Way {
  one,
  two,
  three,
  layered_one,
  layered_two,
  cube,
  level_one,
  level_two,
  level_three,
  gather_x,
  gather_y,
  gather_z,
  gather_w,
  fetch,
  layered_cube,
  gradient_one,
  gradient_two,
  gradient_three
};
enum class Texels { random, steps, wide, counted, special };
enum class Places { random, sweep, edges };
enum class Memory { array, linear, pitch };

struct Case {
  std::string name;
  Way way = Way::one;
  int width = 16, height = 0, depth = 0;
  int bits = 32, channels = 1;
  cudaChannelFormatKind kind = cudaChannelFormatKindFloat;
  cudaTextureFilterMode filter = cudaFilterModePoint, between_levels = cudaFilterModePoint;
  cudaTextureAddressMode address = cudaAddressModeClamp;
  bool normalized = false, to_float = false;
  int levels = 1;
  Texels texels = Texels::random;
  Places places = Places::random;
  Memory memory = Memory::array;
  float low = -2, high = 3;  ///< of random places, in widths
  float bias = 0;
  char read = 'f';  ///< as floats, integers or unsigned ones
  int count = 2048;

  int texel_bytes() const { return bits / 8 * channels; }
  bool is_layered() const { return way == Way::layered_one || way == Way::layered_two; }
  bool is_cube() const { return way == Way::cube || way == Way::layered_cube; }
  bool is_gather() const { return way >= Way::gather_x && way <= Way::gather_w; }
};

inline void append_texels(const Case& c, Numbers& numbers, std::size_t count,
                          std::vector<std::uint8_t>& to) {
  const float special[] = {0,     -0.0f, 1, INFINITY, 2,       1e-40f, -INFINITY, 3e38f,
                           3e38f, NAN,   4, 1e-38f,   -1e-38f, 5,      -3e38f,    1};
  for (std::size_t i = 0; i < count * c.channels; ++i) {
    std::uint8_t bytes[4];
    if (c.kind != cudaChannelFormatKindFloat) {
      const std::uint32_t value =
          c.texels == Texels::counted ? static_cast<std::uint32_t>(i) : numbers.next() >> 3;
      std::memcpy(bytes, &value, 4);
    } else {
      float value = c.texels == Texels::steps     ? (i % 2 ? 256.f : 0.f)
                    : c.texels == Texels::counted ? static_cast<float>(i)
                                                  : numbers.unit() * 2 - 1;
      if (c.texels == Texels::wide)
        value = std::ldexp(value, static_cast<int>(numbers.next() % 40) - 20);
      if (c.texels == Texels::special) value = special[i % 16];
      const __half narrow = __float2half(value);
      std::memcpy(bytes, c.bits == 16 ? static_cast<const void*>(&narrow) : &value, c.bits / 8);
    }
    to.insert(to.end(), bytes, bytes + c.bits / 8);
  }
}

/// Places at the edges of texels and just off them, then far away and special ones.
inline float at_edge(const Case& c, int i) {
  const float far[] = {NAN,        INFINITY,    -INFINITY,  1e10f,        -1e10f,     3e9f,
                       -3e9f,      1e30f,       -1e30f,     2147483648.f, 65536.5f,   16777217.f,
                       1e-40f,     -1e-40f,     -0.0f,      0.99999994f,  123456.78f, -123456.78f,
                       8388609.5f, 4194304.25f, 1048576.3f, 262144.77f,   32768.01f,  131072.51f,
                       -32768.01f, 1e6f,        1e7f};
  const int texel = i % (8 * c.width) - 2 * c.width, turn = i / (8 * c.width);
  if (turn >= 3) return far[(i * 7 + turn) % 27];
  const float edge = static_cast<float>(texel) / (c.normalized ? c.width : 1);
  return turn == 0 ? edge : std::nextafter(edge, turn == 1 ? 1e30f : -1e30f);
}

inline std::vector<float4> places_of(const Case& c, Numbers& numbers) {
  const auto size = [&](int texels) {
    return c.normalized || texels == 0 ? 1.f : static_cast<float>(texels);
  };
  std::vector<float4> places;
  for (int i = 0; i < c.count; ++i) {
    float4 p;
    const auto within = [&](int texels) {
      return (c.low + (c.high - c.low) * numbers.unit()) * size(texels);
    };
    p.x = within(c.width);
    p.y = within(c.height);
    p.z = within(c.depth);
    p.w = static_cast<float>(static_cast<int>(numbers.next() % 12) - 3);
    if (c.levels > 1) {
      const bool is_sixteenth = numbers.next() % 4 == 0;
      p.w = is_sixteenth ? static_cast<float>(static_cast<int>(numbers.next() % 100) - 20) / 16
                         : numbers.unit() * (c.levels + 2) - 1;
    }
    if (c.places == Places::sweep) p.x = (0.4f + 2.2f * i / c.count) / (c.normalized ? c.width : 1);
    if (c.places == Places::edges) p.x = at_edge(c, i);
    if (c.is_cube()) {
      p.x = numbers.unit() * 2 - 1;
      p.y = numbers.unit() * 2 - 1;
      p.z = numbers.unit() * 2 - 1;
      if (i % 37 == 0) p.x = p.y;
      if (i % 41 == 0) p.z = -p.y;
      if (i % 43 == 0) p.x = p.y = p.z = 0.5f;
    }
    if (c.way == Way::fetch)
      p.x = static_cast<float>(static_cast<int>(numbers.next() % (3 * c.width)) - c.width);
    for (int unused = 0; unused < 4; ++unused) numbers.next();
    places.push_back(p);
  }
  return places;
}

/// The parts of a texture; frees it at the end.
class Texture {
 public:
  Texture(const Case& c, Numbers& numbers) : case_(c) {
    const int sizes[] = {c.bits, c.channels > 1 ? c.bits : 0, c.channels > 2 ? c.bits : 0,
                         c.channels > 3 ? c.bits : 0};
    format_ = cudaCreateChannelDesc(sizes[0], sizes[1], sizes[2], sizes[3], c.kind);
    if (c.memory == Memory::array)
      make_array(numbers);
    else
      make_plain(numbers);
    cudaTextureDesc how = {};
    for (auto& address : how.addressMode) address = c.address;
    how.filterMode = c.filter;
    how.readMode = c.to_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.normalizedCoords = c.normalized;
    how.mipmapFilterMode = c.between_levels;
    how.mipmapLevelBias = c.bias;
    how.maxMipmapLevelClamp = 100;
    const float border[] = {0.25f, 0.5f, 0.75f, 2.f};
    std::copy(border, border + 4, how.borderColor);
    check(cudaCreateTextureObject(&object, &resource_, &how, nullptr), c.name.c_str());
  }
  ~Texture() {
    cudaDestroyTextureObject(object);
    if (array_) cudaFreeArray(array_);
    if (levels_) cudaFreeMipmappedArray(levels_);
    if (plain_) cudaFree(plain_);
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  cudaTextureObject_t object = 0;
  std::vector<std::uint8_t> texels;

 private:
  void make_array(Numbers& numbers) {
    const Case& c = case_;
    const cudaExtent extent = make_cudaExtent(c.width, c.height, c.depth);
    unsigned flags = c.is_layered() ? cudaArrayLayered : c.is_cube() ? cudaArrayCubemap : 0;
    if (c.way == Way::layered_cube) flags |= cudaArrayLayered;
    if (c.is_gather()) flags |= cudaArrayTextureGather;
    if (c.levels == 1) {
      check(cudaMalloc3DArray(&array_, &format_, extent, flags), "cudaMalloc3DArray");
      fill(array_, 0, numbers);
      resource_.resType = cudaResourceTypeArray;
      resource_.res.array.array = array_;
      return;
    }
    check(cudaMallocMipmappedArray(&levels_, &format_, extent, c.levels, flags),
          "cudaMallocMipmappedArray");
    for (int level = 0; level < c.levels; ++level) {
      cudaArray_t array;
      check(cudaGetMipmappedArrayLevel(&array, levels_, level), "cudaGetMipmappedArrayLevel");
      fill(array, level, numbers);
    }
    resource_.resType = cudaResourceTypeMipmappedArray;
    resource_.res.mipmap.mipmap = levels_;
  }

  void fill(cudaArray_t array, int level, Numbers& numbers) {
    const Case& c = case_;
    const bool keeps_depth = c.is_layered() || c.is_cube();
    const std::size_t width = std::max(1, c.width >> level),
                      height = std::max(1, c.height >> level),
                      depth = keeps_depth ? c.depth : std::max(1, c.depth >> level);
    std::vector<std::uint8_t> own;
    append_texels(c, numbers, width * height * depth, own);
    texels.insert(texels.end(), own.begin(), own.end());
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(own.data(), width * c.texel_bytes(), width, height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    check(cudaMemcpy3D(&copy), "cudaMemcpy3D");
  }

  void make_plain(Numbers& numbers) {
    const Case& c = case_;
    const std::size_t row = static_cast<std::size_t>(c.width) * c.texel_bytes();
    append_texels(c, numbers, static_cast<std::size_t>(c.width) * std::max(1, c.height), texels);
    if (c.memory == Memory::linear) {
      check(cudaMalloc(&plain_, row), "cudaMalloc");
      check(cudaMemcpy(plain_, texels.data(), row, cudaMemcpyHostToDevice), "cudaMemcpy");
      resource_.resType = cudaResourceTypeLinear;
      resource_.res.linear.devPtr = plain_;
      resource_.res.linear.desc = format_;
      resource_.res.linear.sizeInBytes = row;
      return;
    }
    std::size_t pitch;
    check(cudaMallocPitch(&plain_, &pitch, row, c.height), "cudaMallocPitch");
    check(cudaMemcpy2D(plain_, pitch, texels.data(), row, row, c.height, cudaMemcpyHostToDevice),
          "cudaMemcpy2D");
    resource_.resType = cudaResourceTypePitch2D;
    auto& plane = resource_.res.pitch2D;
    plane.devPtr = plain_;
    plane.desc = format_;
    plane.width = c.width;
    plane.height = c.height;
    plane.pitchInBytes = pitch;
  }

  const Case& case_;
  cudaChannelFormatDesc format_{};
  cudaResourceDesc resource_{};
  cudaArray_t array_ = nullptr;
  cudaMipmappedArray_t levels_ = nullptr;
  void* plain_ = nullptr;
};

}  // namespace texture
