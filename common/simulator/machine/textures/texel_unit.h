#pragma once
#include <array>
#include <cstdint>

#include "simulator/code/program.h"
#include "simulator/memory/address_space.h"

namespace warpwise::machine {

/// Where one lane reads a texture.
struct TexelPlace {
  float at[3] = {};            ///< coordinates, in texels or in whole textures
  std::int32_t whole[3] = {};  ///< the same where the instruction has integers: a texel
  bool is_whole = false;
  std::uint32_t layer = 0;
  bool is_volume = false;      ///< the instruction is for three dimensions
  bool has_level = false;      ///< else it is the first
  float level = 0;             ///< of a mipmap, before the sampler's bias and limits
  bool has_gradients = false;  ///< which give the level
  float gradients[2][3] = {};  ///< of `at`, from one pixel to the next in two directions
};

/// The result of a lane: the bits of four values, and which texels they were made of.
struct TexelResult {
  std::array<std::uint32_t, 4> channels{};
  static constexpr unsigned most_texels = 16;     ///< eight of each of two levels
  std::array<std::uint64_t, most_texels> texels;  ///< their addresses
  unsigned texel_count = 0;
};

/// Texels and what they count in a mixture, in 256ths.
struct TexelMixture {
  static constexpr unsigned most = TexelResult::most_texels;
  std::array<std::uint32_t, 4> channels[most];
  unsigned weights[most] = {};
  unsigned count = 0;
};

/// Reads textures as an H200 does, bit for bit where its answers were recorded.
class TexelUnit {
 public:
  TexelUnit(const memory::AddressSpace& memory, const memory::TexelObject& object)
      : memory_(memory), view_(object.view), sampler_(object.sampler) {}

  /// The filtered value at a place of a texture. @param is_cube the place is a direction.
  TexelResult fetch(const TexelPlace& place, bool is_cube) const;
  /// One channel of each of the four texels that a filter in two dimensions would mix.
  TexelResult gather(const TexelPlace& place, unsigned channel) const;

 private:
  /// The texels that a coordinate falls between; outside where there is a border.
  struct Axis {
    std::int64_t index[2] = {0, 0};
    unsigned weight = 0;  ///< of the second, in 256ths
    static constexpr std::int64_t outside = -1;
  };
  Axis axis(float coordinate, unsigned dimension, std::uint32_t size, bool between) const;
  std::int64_t resolve(std::int64_t index, std::int64_t size, unsigned dimension) const;
  void set_axes(Axis* axes, const TexelPlace& place, const memory::TexelLevel& level,
                bool between) const;
  std::array<std::uint32_t, 4> texel(const memory::TexelLevel& level, std::int64_t x,
                                     std::int64_t y, std::int64_t z, TexelResult& result,
                                     bool is_mixed) const;
  std::array<std::uint32_t, 4> border(bool is_mixed) const;
  std::uint32_t channel(const std::byte* texel, unsigned index, bool is_mixed) const;
  void add(const TexelPlace& place, std::size_t level, unsigned share, TexelMixture& mixed,
           TexelResult& result) const;
  std::array<std::uint32_t, 4> sum_of(const TexelMixture& mixed) const;
  std::array<std::uint32_t, 4> at_level(const TexelPlace& place, std::size_t level,
                                        TexelResult& result) const;
  float level_of(const TexelPlace& place, bool is_cube) const;
  bool is_filtered() const;
  bool is_normalized() const;

  const memory::AddressSpace& memory_;
  const memory::TexelView& view_;
  const memory::Sampler& sampler_;
};

}  // namespace warpwise::machine
