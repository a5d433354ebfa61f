#pragma once
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <vector>

/// Texture and surface objects: texels in memory, and how kernels see them.
namespace warpwise::memory {

struct Allocation;

enum class TexelKind : std::uint8_t { unsigned_integer, signed_integer, floating };

/// The parts of one texel.
struct TexelFormat {
  TexelKind kind = TexelKind::floating;
  std::uint8_t bits = 32;     ///< of a channel: 8, 16 or 32
  std::uint8_t channels = 1;  ///< 1, 2 or 4
  unsigned bytes() const { return bits / 8u * channels; }
};

/// One level of a mipmap, or all there is. Rows of texels, slices of rows.
struct TexelLevel {
  std::uint64_t address = 0;  ///< of the first texel, as programs see addresses
  std::uint32_t width = 1, height = 1, depth = 1;
  std::uint64_t pitch = 0, slice = 0;  ///< bytes from row to row and from slice to slice
};

/// Texels and their shape.
struct TexelView {
  TexelFormat format;
  std::uint8_t dimensions = 1;          ///< 1, 2 or 3; without the layers
  bool is_layered = false;              ///< the slices are layers
  bool is_cubemap = false;              ///< six slices are a cube
  bool is_buffer = false;               ///< linear memory: texels in a row, without any filter
  std::vector<TexelLevel> levels;       ///< at least one; each half as large as the one before
  const Allocation* storage = nullptr;  ///< that holds them; records of allocations are kept
};

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

/// How a texture is read.
struct Sampler {
  AddressMode address[3] = {};
  bool is_linear = false;         ///< the filter between texels
  bool is_linear_mipmap = false;  ///< and between levels
  bool is_normalized = false;     ///< coordinates count whole textures, not texels
  bool gives_fraction = false;    ///< integers are read as floats of [0, 1] or [-1, 1]
  bool is_srgb = false;           ///< 8-bit colours become linear
  bool is_seamless = false;       ///< faces of a cubemap are mixed with their neighbours
  unsigned most_anisotropy = 0;   ///< samples in the longer direction of two gradients
  float border[4] = {};
  float level_bias = 0, least_level = 0, most_level = 0;
};

/// A texture or surface object of the program. Never destroyed, so that its use after the program
/// has destroyed it can be named.
struct TexelObject {
  bool is_surface = false;
  bool is_live = true;
  TexelView view;
  Sampler sampler;  ///< of a texture
};

/// All of them, by handle. May be called from several threads.
class TexelObjects {
 public:
  /// @return its handle, which no other object has or will have.
  std::uint64_t create(TexelObject object);
  /// @return false where the object does not exist or has ended.
  bool destroy(std::uint64_t handle, bool is_surface);
  /// The object, live or not; null where there never was one.
  const TexelObject* find(std::uint64_t handle) const;

 private:
  mutable std::shared_mutex mutex_;
  std::vector<std::unique_ptr<TexelObject>> all_;  ///< of handles 1, 2, ...
};

}  // namespace warpwise::memory
