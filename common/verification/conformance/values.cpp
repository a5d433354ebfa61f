#include "verification/conformance/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace warpwise::conformance {
namespace {

using isa::Type;

/// Bits of exponent and mantissa of a floating-point format.
struct Format {
  unsigned exponent, mantissa;
  std::uint64_t sign() const { return 1ull << (exponent + mantissa); }
  std::uint64_t infinity() const { return ((1ull << exponent) - 1) << mantissa; }
  std::uint64_t quiet() const { return infinity() | 1ull << (mantissa - 1); }
  int bias() const { return (1 << (exponent - 1)) - 1; }
};

/// A type as its name says it: "bf16x2" is two parts of bf16.
struct FloatShape {
  unsigned parts, bits;
  std::optional<Format> format;  ///< of floating-point parts
};

FloatShape shape_of(Type type) {
  std::string_view name = isa::name_of(type);
  unsigned bits = type == Type::pred ? 1 : 8 * isa::size_bytes(type);
  unsigned parts = 1;
  if (std::size_t x = name.find('x'); x != name.npos) parts = name[x + 1] - '0';
  bits /= parts;
  std::optional<Format> format;
  if (name.starts_with("f64")) format = Format{11, 52};
  if (name.starts_with("f32") || name.starts_with("tf32")) format = Format{8, 23};
  if (name.starts_with("f16")) format = Format{5, 10};
  if (name.starts_with("bf16")) format = Format{8, 7};
  if (name.starts_with("e4m3")) format = Format{4, 3};
  if (name.starts_with("e5m2")) format = Format{5, 2};
  return {parts, bits, format};
}

std::uint64_t ones(unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

/// The bits of a number that the format holds exactly; nothing where it does not.
std::optional<std::uint64_t> encode(const Format& format, double number) {
  int power = std::ilogb(number);
  double fraction = std::ldexp(std::fabs(number), -power) - 1;
  double scaled = std::ldexp(fraction, static_cast<int>(format.mantissa));
  if (scaled != std::floor(scaled) || power > format.bias() || power <= -format.bias())
    return std::nullopt;
  return (number < 0 ? format.sign() : 0) |
         static_cast<std::uint64_t>(power + format.bias()) << format.mantissa |
         static_cast<std::uint64_t>(scaled);
}

double decoded(const Format& f, std::uint64_t bits) {
  std::uint64_t exponent = (bits & f.infinity()) >> f.mantissa, mantissa = bits & ones(f.mantissa);
  double number = 0;
  if (exponent << f.mantissa == f.infinity())
    number = mantissa ? std::numeric_limits<double>::quiet_NaN()
                      : std::numeric_limits<double>::infinity();
  else
    number = std::ldexp(
        static_cast<double>(mantissa + (exponent ? 1ull << f.mantissa : 0)),
        static_cast<int>(exponent ? exponent : 1) - f.bias() - static_cast<int>(f.mantissa));
  return bits & f.sign() ? -number : number;
}

std::vector<std::uint64_t> float_edges(const Format& f) {
  std::uint64_t smallest_normal = 1ull << f.mantissa, last = smallest_normal - 1;
  std::uint64_t one = static_cast<std::uint64_t>(f.bias()) << f.mantissa;
  std::vector<std::uint64_t> edges = {
      0, f.sign(), one, f.quiet() | 1, f.infinity(), 1, f.sign() | (f.infinity() - 1),
      // A signalling NaN; the formats of 8 bits have no room for one.
      f.mantissa > 3 ? f.infinity() | 5 : f.infinity() | 1, f.sign() | one, f.sign() | f.infinity(),
      f.infinity() - 1, f.sign() | 1, last, f.sign() | last, smallest_normal,
      f.sign() | smallest_normal, f.quiet(), f.sign() | f.quiet() | 3, f.sign() | f.infinity() | 2,
      f.sign() * 2 - 1, one + 1, one - 1};
  // Halves show how ties are rounded; powers of two bound the integer types.
  for (double number :
       {0.5,          1.5,           2.5,          -0.5,         -1.5,          3.0,      2.0,
        -2.0,         0.75,          100.75,       127.0,        128.0,         -128.0,   -129.0,
        255.0,        255.5,         256.0,        32767.0,      32768.0,       -32768.0, 65535.0,
        65536.0,      0x1p31,        -0x1p31,      0x1p32,       0x1p63,        -0x1p63,  0x1p64,
        2147483647.0, -2147483649.0, 4294967295.0, 2147483520.0, 0x1.fffffep62, 1e10,     -1e10})
    if (auto bits = encode(f, number)) edges.push_back(*bits);
  for (int power : {-1, -2, -10, -24, -25, -60, -100, 10, 60, 100, 126})
    if (auto bits = encode(f, std::ldexp(1.0, power))) edges.push_back(*bits);
  return edges;
}

std::vector<std::uint64_t> integer_edges(unsigned bits) {
  std::uint64_t highest = 1ull << (bits - 1);
  std::vector<std::uint64_t> edges = {0,
                                      1,
                                      ~0ull,
                                      highest,
                                      highest - 1,
                                      32,
                                      2,
                                      0x8001020304050607,
                                      31,
                                      33,
                                      3,
                                      7,
                                      8,
                                      15,
                                      16,
                                      17,
                                      63,
                                      64,
                                      65,
                                      127,
                                      128,
                                      255,
                                      256,
                                      ~1ull,
                                      ~7ull,
                                      highest + 1,
                                      0x5555555555555555,
                                      0xaaaaaaaaaaaaaaaa,
                                      0x00ff80ff7f00807f,
                                      0xffff,
                                      0x10000,
                                      0x7fff,
                                      0x8000,
                                      0x00ff00ff00ff00ff,
                                      0xff80ff80ff80ff80,
                                      highest >> 1,
                                      0xffffff,
                                      0x800000,
                                      0x76543210,
                                      0x0123cdef};
  for (std::uint64_t& edge : edges) edge &= ones(bits);
  return edges;
}

std::uint64_t random_part(const FloatShape& shape, Random& random) {
  std::uint64_t bits = random.next() & ones(shape.bits);
  if (!shape.format) {
    // All magnitudes: a random number of bits is kept, of either sign.
    bits &= ones(1 + static_cast<unsigned>(random.below(shape.bits)));
    return (random.chance(30) ? ~bits : bits) & ones(shape.bits);
  }
  const Format& f = *shape.format;
  auto with_exponent = [&](std::uint64_t exponent) {
    return (bits & ~f.infinity()) | exponent << f.mantissa;
  };
  std::uint64_t kind = random.below(8);
  auto near = static_cast<std::uint64_t>(f.bias());
  std::uint64_t spread = std::min<std::uint64_t>(12, near);
  if (kind < 4) return with_exponent(near - spread + random.below(2 * spread));
  if (kind == 4) return with_exponent(random.below(3));  // about subnormal
  if (kind == 5)
    return with_exponent((1ull << f.exponent) - 2 - random.below(3));  // about infinite
  if (kind == 6)  // few digits: ties and exact results
    return encode(f, static_cast<double>(random.below(64)) - 31.5).value_or(with_exponent(near));
  return bits;
}

template <class Part>
Value assembled(const FloatShape& shape, Part part) {
  Value value;
  for (unsigned i = 0; i < shape.parts; ++i) value.low |= part() << (i * shape.bits);
  return value;
}

/// c becomes -(a * b) as nearly as its type holds it: the sum of an fma then cancels.
template <class T, class Bits>
void cancel(const Value& a, const Value& b, Value& c) {
  T product =
      std::bit_cast<T>(static_cast<Bits>(a.low)) * std::bit_cast<T>(static_cast<Bits>(b.low));
  if (std::isfinite(product)) c.low = std::bit_cast<Bits>(-product);
}

}  // namespace

std::vector<Value> edge_values(Type type) {
  FloatShape shape = shape_of(type);
  if (type == Type::pred) return {{0, 0}, {1, 0}};
  auto edges = shape.format ? float_edges(*shape.format) : integer_edges(std::min(64u, shape.bits));
  std::vector<Value> result;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    // The parts of a vector get different edges.
    std::size_t at = i;
    Value value = assembled(shape, [&] {
      at += 7;
      return edges[(at - 7) % edges.size()];
    });
    if (shape.bits > 64) value.high = edges[(i + 7) % edges.size()];
    bool known = std::any_of(result.begin(), result.end(), [&](const Value& other) {
      return other.low == value.low && other.high == value.high;
    });
    if (!known) result.push_back(value);
  }
  return result;
}

Value random_value(Type type, Random& random) {
  FloatShape shape = shape_of(type);
  if (shape.bits > 64) return {random.next(), random.next()};
  return assembled(shape, [&] { return random_part(shape, random); });
}

std::vector<double> numbers_of(Type type, const Value& value) {
  FloatShape shape = shape_of(type);
  std::vector<double> numbers;
  for (unsigned i = 0; shape.format && i < shape.parts; ++i)
    numbers.push_back(decoded(*shape.format, value.low >> (i * shape.bits)));
  return numbers;
}

std::vector<std::vector<Value>> fixture_inputs(const std::vector<Type>& sources) {
  // As many edges of each source as can be crossed in about half to three quarters of the lanes.
  constexpr std::size_t crossed[] = {0, 512, 26, 8, 5};
  std::size_t most = sources.size() < std::size(crossed) ? crossed[sources.size()] : 0;
  std::vector<std::vector<Value>> edges;
  std::uint64_t seed = hash_of("");
  std::size_t product = 1;
  for (Type type : sources) {
    edges.push_back(edge_values(type));
    product *= std::min(most, edges.back().size());
    seed = hash_of(isa::name_of(type), seed);
  }
  Random random(seed);
  std::vector<std::vector<Value>> lanes(sources.size(), std::vector<Value>(fixture_lanes));
  for (std::size_t lane = 0; lane < fixture_lanes; ++lane) {
    std::size_t rest = lane;
    for (std::size_t k = 0; k < sources.size(); ++k) {
      std::size_t here = std::min(most, edges[k].size());
      Value& value = lanes[k][lane];
      if (lane < product) {
        value = edges[k][rest % here];
        rest /= here;
        continue;
      }
      bool alike = k > 0 && sources[k] == sources[0];
      if (random.chance(35))
        value = random.pick(edges[k]);
      else if (alike && random.chance(15))
        value = {lanes[0][lane].low ^ random.below(2), lanes[0][lane].high};
      else
        value = random_value(sources[k], random);
    }
    bool three = sources.size() == 3 && sources[0] == sources[1] && sources[1] == sources[2];
    if (!three || lane < product || lane % 4 != 1) continue;
    if (sources[0] == Type::f32)
      cancel<float, std::uint32_t>(lanes[0][lane], lanes[1][lane], lanes[2][lane]);
    if (sources[0] == Type::f64)
      cancel<double, std::uint64_t>(lanes[0][lane], lanes[1][lane], lanes[2][lane]);
  }
  return lanes;
}

}  // namespace warpwise::conformance
