#include "simulator/machine/texel_unit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace warpwise::machine {
namespace {

using memory::AddressMode;
using memory::TexelKind;
using memory::TexelLevel;
using Channels = std::array<std::uint32_t, 4>;

constexpr unsigned weight_one = 256;  ///< weights have eight bits behind the point

float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31,
                      fraction = bits & 1023u;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float small = std::ldexp(static_cast<float>(fraction), -24);
  return sign ? -small : small;
}

/// The face of a cube that a direction meets, and where on it, in [0, 1].
unsigned cube_face(const float* direction, float* at) {
  const float x = direction[0], y = direction[1], z = direction[2];
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  unsigned face = 0;
  float major = ax, s = 0, t = 0;
  if (ax >= ay && ax >= az) {
    face = x < 0 ? 1 : 0, s = x < 0 ? z : -z, t = -y;
  } else if (ay >= az) {
    face = y < 0 ? 3 : 2, major = ay, s = x, t = y < 0 ? -z : z;
  } else {
    face = z < 0 ? 5 : 4, major = az, s = z < 0 ? -x : x, t = -y;
  }
  at[0] = (s / major + 1) * 0.5f, at[1] = (t / major + 1) * 0.5f;
  return face;
}

}  // namespace

bool TexelUnit::gives_floats() const {
  return view_.format.kind == TexelKind::floating || sampler_.gives_fraction;
}

bool TexelUnit::is_filtered() const {
  return sampler_.is_linear && gives_floats() && !view_.is_buffer;
}

std::int64_t TexelUnit::resolve(std::int64_t index, std::int64_t size, unsigned dimension) const {
  AddressMode mode = sampler_.address[dimension];
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  if (repeats && !sampler_.is_normalized) mode = AddressMode::clamp;
  switch (mode) {
    case AddressMode::wrap:
      return ((index % size) + size) % size;
    case AddressMode::mirror: {
      const std::int64_t place = ((index % (2 * size)) + 2 * size) % (2 * size);
      return place < size ? place : 2 * size - 1 - place;
    }
    case AddressMode::border:
      return index >= 0 && index < size ? index : Axis::outside;
    case AddressMode::clamp:
      break;
  }
  return std::clamp<std::int64_t>(index, 0, size - 1);
}

/// @param between the filter mixes two texels.
TexelUnit::Axis TexelUnit::axis(float coordinate, unsigned dimension, std::uint32_t size,
                                bool between) const {
  constexpr double farthest = 1e12;
  double place = coordinate;
  if (sampler_.is_normalized) place = static_cast<float>(coordinate * static_cast<float>(size));
  if (!(place > -farthest)) place = std::isnan(place) ? 0 : -farthest;
  place = std::min(place, farthest);
  Axis axis;
  if (!between) {
    axis.index[0] = axis.index[1] =
        resolve(static_cast<std::int64_t>(std::floor(place)), size, dimension);
    return axis;
  }
  const auto fixed = static_cast<std::int64_t>(std::floor((place - 0.5) * weight_one + 0.5));
  const std::int64_t first = fixed >> 8;
  axis.weight = static_cast<unsigned>(fixed & (weight_one - 1));
  axis.index[0] = resolve(first, size, dimension);
  axis.index[1] = resolve(first + 1, size, dimension);
  return axis;
}

/// The bits of one channel as the program gets them.
std::uint32_t TexelUnit::channel(const std::byte* texel, unsigned index) const {
  const memory::TexelFormat& format = view_.format;
  std::uint32_t bits = 0;
  std::memcpy(&bits, texel + std::size_t{index} * format.bits / 8, format.bits / 8);
  if (format.kind == TexelKind::floating)
    return format.bits == 32
               ? bits
               : std::bit_cast<std::uint32_t>(half_to_float(static_cast<std::uint16_t>(bits)));
  const bool is_signed = format.kind == TexelKind::signed_integer;
  const auto shifted = static_cast<std::int32_t>(bits << (32 - format.bits));
  const std::int32_t value = shifted >> (32 - format.bits);
  if (!sampler_.gives_fraction || format.bits == 32)
    return is_signed ? static_cast<std::uint32_t>(value) : bits;
  const float most = static_cast<float>((1u << (format.bits - (is_signed ? 1 : 0))) - 1);
  const float fraction = is_signed ? std::max(-1.f, static_cast<float>(value) / most)
                                   : static_cast<float>(bits) / most;
  return std::bit_cast<std::uint32_t>(fraction);
}

Channels TexelUnit::border() const {
  Channels result{};
  for (unsigned i = 0; i < view_.format.channels; ++i)
    result[i] = std::bit_cast<std::uint32_t>(sampler_.border[i]);
  return result;
}

Channels TexelUnit::texel(const TexelLevel& level, std::int64_t x, std::int64_t y, std::int64_t z,
                          TexelResult& result) const {
  if (x < 0 || y < 0 || z < 0) return border();
  const std::uint64_t address = level.address + static_cast<std::uint64_t>(z) * level.slice +
                                static_cast<std::uint64_t>(y) * level.pitch +
                                static_cast<std::uint64_t>(x) * view_.format.bytes();
  if (result.texel_count < TexelResult::most_texels) result.texels[result.texel_count++] = address;
  const std::byte* bytes = memory_.host(address);
  Channels channels{};
  for (unsigned i = 0; i < view_.format.channels; ++i) channels[i] = channel(bytes, i);
  return channels;
}

void TexelUnit::set_axes(Axis* axes, const TexelPlace& place, const TexelLevel& level,
                         bool between) const {
  const std::uint32_t sizes[3] = {level.width, level.height, level.depth};
  for (unsigned i = 0; i < view_.dimensions; ++i) {
    if (place.is_whole)
      axes[i].index[0] = axes[i].index[1] = resolve(place.whole[i], sizes[i], i);
    else
      axes[i] = axis(place.at[i], i, sizes[i], between);
  }
  if (!view_.is_layered && !view_.is_cubemap) return;
  const std::int64_t layer = std::min<std::int64_t>(place.layer, level.depth - 1);
  axes[2].index[0] = axes[2].index[1] = layer;
}

Channels TexelUnit::at_level(const TexelPlace& place, std::size_t index,
                             TexelResult& result) const {
  const TexelLevel& level = view_.levels[index];
  Axis axes[3];
  const bool between = is_filtered() && !place.is_whole;
  set_axes(axes, place, level, between);
  if (!between) return texel(level, axes[0].index[0], axes[1].index[0], axes[2].index[0], result);
  float sums[4] = {};
  for (unsigned corner = 0; corner < 1u << view_.dimensions; ++corner) {
    float weight = 1;
    std::int64_t at[3] = {axes[0].index[0], axes[1].index[0], axes[2].index[0]};
    for (unsigned i = 0; i < view_.dimensions; ++i) {
      const bool second = corner >> i & 1;
      at[i] = axes[i].index[second];
      weight *= static_cast<float>(second ? axes[i].weight : weight_one - axes[i].weight) /
                static_cast<float>(weight_one);
    }
    if (weight == 0) continue;
    const Channels channels = texel(level, at[0], at[1], at[2], result);
    for (unsigned i = 0; i < 4; ++i) sums[i] += weight * std::bit_cast<float>(channels[i]);
  }
  Channels filtered{};
  for (unsigned i = 0; i < 4; ++i) filtered[i] = std::bit_cast<std::uint32_t>(sums[i]);
  return filtered;
}

TexelResult TexelUnit::fetch(const TexelPlace& asked, bool is_cube) const {
  TexelResult result;
  TexelPlace place = asked;
  if (view_.is_buffer) {
    const TexelLevel& level = view_.levels.front();
    const std::int64_t index =
        place.is_whole ? place.whole[0] : static_cast<std::int64_t>(std::floor(place.at[0]));
    if (index >= 0 && index < level.width) result.channels = texel(level, index, 0, 0, result);
    return result;
  }
  if (is_cube) place.layer = 6 * asked.layer + cube_face(asked.at, place.at);
  const float most = std::min(sampler_.most_level, static_cast<float>(view_.levels.size() - 1));
  const float level =
      std::max(0.f, std::clamp(place.level + sampler_.level_bias, sampler_.least_level,
                               std::max(most, sampler_.least_level)));
  if (!sampler_.is_linear_mipmap || view_.levels.size() == 1) {
    const auto nearest = static_cast<std::size_t>(std::floor(level + 0.5f));
    result.channels = at_level(place, std::min(nearest, view_.levels.size() - 1), result);
    return result;
  }
  const auto fixed = static_cast<unsigned>(level * weight_one);
  const std::size_t first = std::min<std::size_t>(fixed / weight_one, view_.levels.size() - 1);
  const float weight = static_cast<float>(fixed % weight_one) / static_cast<float>(weight_one);
  result.channels = at_level(place, first, result);
  if (weight == 0 || first + 1 >= view_.levels.size()) return result;
  const Channels coarse = at_level(place, first + 1, result);
  for (unsigned i = 0; i < 4; ++i) {
    const float a = std::bit_cast<float>(result.channels[i]), b = std::bit_cast<float>(coarse[i]);
    result.channels[i] = std::bit_cast<std::uint32_t>((1 - weight) * a + weight * b);
  }
  return result;
}

TexelResult TexelUnit::gather(const TexelPlace& place, unsigned channel) const {
  TexelResult result;
  const TexelLevel& level = view_.levels.front();
  Axis axes[3];
  set_axes(axes, place, level, true);
  const unsigned order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  for (unsigned i = 0; i < 4; ++i)
    result.channels[i] = texel(level, axes[0].index[order[i][0]], axes[1].index[order[i][1]],
                               axes[2].index[0], result)[channel];
  return result;
}

float TexelUnit::level_of(const float* gradients, unsigned dimensions) const {
  const TexelLevel& level = view_.levels.front();
  const float sizes[3] = {static_cast<float>(level.width), static_cast<float>(level.height),
                          static_cast<float>(level.depth)};
  float longest = 0;
  for (unsigned way = 0; way < 2; ++way) {
    float sum = 0;
    for (unsigned i = 0; i < dimensions; ++i) {
      float step = gradients[way * dimensions + i];
      if (sampler_.is_normalized) step *= sizes[i];
      sum += step * step;
    }
    longest = std::max(longest, sum);
  }
  return longest > 0 ? 0.5f * std::log2(longest) : -1e30f;
}

}  // namespace warpwise::machine
