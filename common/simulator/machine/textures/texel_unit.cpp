#include "simulator/machine/textures/texel_unit.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <cstring>

#include "simulator/machine/textures/texel_gradients.h"

namespace warpwise::machine {
namespace {

using memory::AddressMode;
using memory::TexelKind;
using memory::TexelLevel;
using Channels = std::array<std::uint32_t, 4>;

constexpr unsigned weight_one = 256;  ///< weights have eight bits after the point

float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31,
                      fraction = bits & 1023u;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float small = std::ldexp(static_cast<float>(fraction), -24);
  return sign ? -small : small;
}

/// The integer of a texel that means 1.
std::int64_t most_of(const memory::TexelFormat& format) {
  return (std::int64_t{1} << (format.bits - (format.kind == TexelKind::signed_integer ? 1 : 0))) -
         1;
}

/// The face of a cube that a direction meets, and where on it, in [0, 1].
unsigned cube_face(const float* direction, float* at) {
  const float x = direction[0], y = direction[1], z = direction[2];
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  unsigned face = 0;
  float major = ax, s = 0, t = 0;
  // Where two are equally long, z comes before y and y before x.
  if (az >= ax && az >= ay) {
    face = z < 0 ? 5 : 4, major = az, s = z < 0 ? -x : x, t = -y;
  } else if (ay >= ax) {
    face = y < 0 ? 3 : 2, major = ay, s = x, t = y < 0 ? -z : z;
  } else {
    face = x < 0 ? 1 : 0, s = x < 0 ? z : -z, t = -y;
  }
  if (major == 0) major = 1;  // No direction at all leads to the middle.
  // As an H100 does: where that is rounded, a direction on the edge of a texel falls to one side.
  const float inverse = 1 / major;
  at[0] = (s * inverse + 1) * 0.5f, at[1] = (t * inverse + 1) * 0.5f;
  return face;
}

/// How floats are mixed: their bits are lined up with those of the largest, what is below is cut
/// off, and the sum is rounded, halves away from zero.
struct Precision {
  int kept;      ///< bits of each, counted from the largest's first
  int result;    ///< bits of the sum
  int smallest;  ///< exponent of the last bit that a sum can have
};
constexpr Precision single_precision{28, 24, -149}, half_precision{15, 11, -24};

float special_sum(const TexelMixture& mixed, unsigned channel) {
  float sum = 0;
  for (unsigned i = 0; i < mixed.count; ++i)
    sum += std::bit_cast<float>(mixed.channels[i][channel]);
  return std::isnan(sum) ? std::bit_cast<float>(0x7fffffffu) : sum;
}

float float_sum(const TexelMixture& mixed, unsigned channel, const Precision& precision) {
  float values[TexelMixture::most];
  int largest = INT_MIN;
  for (unsigned i = 0; i < mixed.count; ++i) {
    values[i] = std::bit_cast<float>(mixed.channels[i][channel]);
    if (!std::isfinite(values[i])) return special_sum(mixed, channel);
    if (std::fpclassify(values[i]) == FP_SUBNORMAL) values[i] = 0;
    if (values[i] == 0) continue;
    int exponent = 0;
    std::frexp(values[i], &exponent);
    largest = std::max(largest, exponent);
  }
  if (largest == INT_MIN) return 0;
  std::int64_t sum = 0;
  for (unsigned i = 0; i < mixed.count; ++i)
    sum += std::int64_t{mixed.weights[i]} *
           static_cast<std::int64_t>(std::ldexp(double{values[i]}, precision.kept - largest));
  auto size = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  int last = largest - precision.kept - 8;  // exponent of the sum's last bit
  const int cut = std::max(static_cast<int>(std::bit_width(size)) - precision.result,
                           precision.smallest - last);
  if (cut > 62) return 0;
  if (cut > 0) {
    size = (size + (std::uint64_t{1} << (cut - 1))) >> cut;
    last += cut;
  }
  const auto result = static_cast<float>(std::ldexp(static_cast<double>(size), last));
  if (std::fpclassify(result) == FP_SUBNORMAL) return 0;
  return sum < 0 ? -result : result;
}

/// Fractions are mixed as integers of 16 bits.
float fraction_sum(const TexelMixture& mixed, unsigned channel, const memory::TexelFormat& format) {
  std::int64_t sum = 0;
  for (unsigned i = 0; i < mixed.count; ++i)
    sum += std::int64_t{mixed.weights[i]} * static_cast<std::int32_t>(mixed.channels[i][channel]);
  const std::int64_t most = most_of(format);
  const std::int64_t wide = format.kind == TexelKind::signed_integer ? 32767 : 65535;
  const std::int64_t divisor = 2 * most * weight_one;
  const std::int64_t doubled = 2 * sum * wide + most * weight_one;
  const std::int64_t whole = doubled / divisor - (doubled % divisor < 0);
  return static_cast<float>(static_cast<double>(std::max(whole, -wide)) /
                            static_cast<double>(wide));
}

}  // namespace

bool TexelUnit::is_filtered() const {
  const bool gives_floats = view_.format.kind == TexelKind::floating || sampler_.gives_fraction;
  return sampler_.is_linear && gives_floats && !view_.is_buffer;
}

/// Places on a face of a cubemap always are normalized; its faces know nothing of each other.
bool TexelUnit::is_normalized() const { return sampler_.is_normalized || view_.is_cubemap; }

std::int64_t TexelUnit::resolve(std::int64_t index, std::int64_t size, unsigned dimension) const {
  AddressMode mode = sampler_.address[dimension];
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  if (repeats && !is_normalized()) mode = AddressMode::clamp;
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
  constexpr double normalized_steps = 1 << 21;  // coordinates of whole textures have 21 bits
  double place = std::fpclassify(coordinate) == FP_SUBNORMAL ? 0 : coordinate;
  if (is_normalized()) place = std::floor(place * normalized_steps) / normalized_steps * size;
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
  axis.index[0] = resolve(first, size, dimension);
  axis.index[1] = resolve(first + 1, size, dimension);
  // A texel and its mirror image are two, which shows in how weights are rounded.
  const bool mirrors = is_normalized() && sampler_.address[dimension] == AddressMode::mirror;
  if (axis.index[0] != axis.index[1] || mirrors) axis.weight = static_cast<unsigned>(fixed & 255);
  return axis;
}

/// The bits of one channel as the program gets them; of a fraction that is mixed, the integer.
std::uint32_t TexelUnit::channel(const std::byte* texel, unsigned index, bool is_mixed) const {
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
  if (!sampler_.gives_fraction || is_mixed)
    return is_signed ? static_cast<std::uint32_t>(value) : bits;
  const auto most = static_cast<float>(most_of(format));
  const float fraction = is_signed ? std::max(-1.f, static_cast<float>(value) / most)
                                   : static_cast<float>(bits) / most;
  return std::bit_cast<std::uint32_t>(fraction);
}

/// The border's colour as a texel of this format would hold it.
Channels TexelUnit::border(bool is_mixed) const {
  Channels result{};
  const bool is_integer = view_.format.kind != TexelKind::floating;
  if (is_integer && !sampler_.gives_fraction) {
    // Whole channels take the number's bits as they are; no narrower one was seen to take any.
    for (unsigned i = 0; view_.format.bits == 32 && i < view_.format.channels; ++i)
      result[i] = std::bit_cast<std::uint32_t>(sampler_.border[i]);
    return result;
  }
  const auto most = static_cast<float>(most_of(view_.format));
  const float least = view_.format.kind == TexelKind::signed_integer ? -1 : 0;
  for (unsigned i = 0; i < view_.format.channels; ++i) {
    const float colour = sampler_.border[i];
    result[i] = std::bit_cast<std::uint32_t>(colour);
    if (!is_integer) continue;
    const float whole = std::ceil(std::clamp(colour, least, 1.f) * most - 0.5f);
    result[i] = is_mixed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(whole))
                         : std::bit_cast<std::uint32_t>(whole / most);
  }
  return result;
}

Channels TexelUnit::texel(const TexelLevel& level, std::int64_t x, std::int64_t y, std::int64_t z,
                          TexelResult& result, bool is_mixed) const {
  if (x < 0 || y < 0 || z < 0) return border(is_mixed);
  const std::uint64_t address = level.address + static_cast<std::uint64_t>(z) * level.slice +
                                static_cast<std::uint64_t>(y) * level.pitch +
                                static_cast<std::uint64_t>(x) * view_.format.bytes();
  if (result.texel_count < TexelResult::most_texels) result.texels[result.texel_count++] = address;
  const std::byte* bytes = memory_.host(address);
  Channels channels{};
  for (unsigned i = 0; i < view_.format.channels; ++i) channels[i] = channel(bytes, i, is_mixed);
  return channels;
}

void TexelUnit::set_axes(Axis* axes, const TexelPlace& place, const TexelLevel& level,
                         bool between) const {
  const std::uint32_t sizes[3] = {level.width, level.height, level.depth};
  // A line has a second coordinate, 0: half of a border, where texels are mixed. Layers have none.
  const unsigned dimensions =
      view_.is_layered ? view_.dimensions : std::max<unsigned>(2, view_.dimensions);
  for (unsigned i = 0; i < dimensions; ++i) axes[i] = axis(place.at[i], i, sizes[i], between);
  if (!view_.is_layered && !view_.is_cubemap) return;
  axes[2].index[0] = axes[2].index[1] = std::min<std::int64_t>(place.layer, level.depth - 1);
}

/// Adds the texels of a level, of which all together weigh `share`.
void TexelUnit::add(const TexelPlace& place, std::size_t index, unsigned share, TexelMixture& mixed,
                    TexelResult& result) const {
  const TexelLevel& level = view_.levels[index];
  Axis axes[3];
  set_axes(axes, place, level, is_filtered());
  // As the hardware rounds them: weights of z, then of x within these, then of y.
  const unsigned second_z = (share * axes[2].weight + 127) / weight_one;
  for (unsigned z = 0; z < 2; ++z) {
    const unsigned of_z = z ? second_z : share - second_z;
    const unsigned second_x = (of_z * axes[0].weight + 128) / weight_one;
    for (unsigned x = 0; x < 2; ++x) {
      const unsigned of_x = x ? second_x : of_z - second_x;
      const unsigned second_y = (of_x * axes[1].weight + (x ? 128 : 127)) / weight_one;
      for (unsigned y = 0; y < 2; ++y) {
        const unsigned weight = y ? second_y : of_x - second_y;
        if (weight == 0) continue;
        mixed.weights[mixed.count] = weight;
        mixed.channels[mixed.count++] =
            texel(level, axes[0].index[x], axes[1].index[y], axes[2].index[z], result, true);
      }
    }
  }
}

Channels TexelUnit::sum_of(const TexelMixture& mixed) const {
  const Precision& precision = view_.format.bits == 16 ? half_precision : single_precision;
  Channels sum{};
  for (unsigned i = 0; i < view_.format.channels; ++i)
    sum[i] =
        std::bit_cast<std::uint32_t>(sampler_.gives_fraction ? fraction_sum(mixed, i, view_.format)
                                                             : float_sum(mixed, i, precision));
  return sum;
}

Channels TexelUnit::at_level(const TexelPlace& place, std::size_t index,
                             TexelResult& result) const {
  if (!is_filtered()) {
    const TexelLevel& level = view_.levels[index];
    Axis axes[3];
    set_axes(axes, place, level, false);
    return texel(level, axes[0].index[0], axes[1].index[0], axes[2].index[0], result, false);
  }
  TexelMixture mixed;
  add(place, index, weight_one, mixed, result);
  return sum_of(mixed);
}

/// As the gradients ask for it.
float TexelUnit::level_of(const TexelPlace& place, bool is_cube) const {
  const TexelLevel& level = view_.levels.front();
  const std::uint32_t sizes[3] = {level.width, is_cube ? level.width : level.height,
                                  is_cube ? level.width : level.depth};
  double gradients[2][3] = {};
  for (unsigned way = 0; way < 2; ++way) {
    if (is_cube) move_on_cube(place.at, place.gradients[way], gradients[way]);
    for (unsigned i = 0; i < 3; ++i) {
      if (!is_cube) gradients[way][i] = place.gradients[way][i];
      if (is_normalized()) gradients[way][i] *= sizes[i];
    }
  }
  return level_of_gradients(gradients);
}

TexelResult TexelUnit::fetch(const TexelPlace& asked, bool is_cube) const {
  TexelResult result;
  TexelPlace place = asked;
  // An H200 gives zero where the instruction is for another kind of texture.
  if (view_.is_buffer != place.is_whole) return result;
  if (place.is_volume && view_.dimensions != 3) return result;
  if (view_.is_buffer) {
    const TexelLevel& level = view_.levels.front();
    const std::int64_t index = place.whole[0];
    if (index >= 0 && index < level.width)
      result.channels = texel(level, index, 0, 0, result, false);
    return result;
  }
  if (is_cube) {
    const std::uint32_t cubes = std::max(1u, view_.levels.front().depth / 6);
    place.layer = 6 * std::min(asked.layer, cubes - 1) + cube_face(asked.at, place.at);
  }
  if (asked.has_gradients) {
    place.has_level = true;
    place.level = level_of(asked, is_cube);
  }
  if (!place.has_level) {
    result.channels = at_level(place, 0, result);
    return result;
  }
  const float most = std::min(sampler_.most_level, static_cast<float>(view_.levels.size() - 1));
  const float bias = std::floor(sampler_.level_bias * weight_one) / weight_one;
  const float level = std::max(0.f, std::clamp(place.level + bias, sampler_.least_level,
                                               std::max(most, sampler_.least_level)));
  if (!sampler_.is_linear_mipmap || view_.levels.size() == 1) {
    const auto nearest = static_cast<std::size_t>(std::floor(level + 0.5f));
    result.channels = at_level(place, std::min(nearest, view_.levels.size() - 1), result);
    return result;
  }
  const auto fixed = static_cast<unsigned>(level * weight_one);
  const std::size_t first = std::min<std::size_t>(fixed / weight_one, view_.levels.size() - 1);
  const unsigned weight = fixed % weight_one;
  if (weight == 0 || first + 1 >= view_.levels.size()) {
    result.channels = at_level(place, first, result);
    return result;
  }
  // Each of two levels gets its share first: the texels of both are one sum.
  TexelMixture mixed;
  add(place, first, weight_one - weight, mixed, result);
  add(place, first + 1, weight, mixed, result);
  result.channels = sum_of(mixed);
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
                               axes[2].index[0], result, false)[channel];
  return result;
}

}  // namespace warpwise::machine
