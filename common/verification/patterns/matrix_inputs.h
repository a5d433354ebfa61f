#pragma once
/// \file
/// The inputs of products of matrices, and how a record shows what came out: matrix_products.cu and
/// sparse_products.cu.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using std::uint32_t, std::uint64_t;

/// An element: a float of this many bits of exponent and fraction, or an integer (exponent 0).
struct Format {
  int bits, exponent, fraction;
};
constexpr Format f16{16, 5, 10}, bf16{16, 8, 7}, tf32{32, 8, 23}, f32{32, 8, 23}, f64{64, 11, 52};
constexpr Format e4m3{8, 4, 3}, e5m2{8, 5, 2};
constexpr Format byte{8, 0, 0}, nibble{4, 0, 0}, bit{1, 0, 0}, s32{32, 0, 0};

const char* const kinds[] = {"small integers", "any bits", "near one",     "all exponents",
                             "far apart",      "tiny",     "few specials", "zeros"};
enum Kind {
  small_integers,
  any_bits,
  near_one,
  all_exponents,
  far_apart,
  tiny,
  specials,
  zeros,
  kind_count
};

inline uint64_t random_state;
inline uint64_t random_bits() {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state * 0x2545f4914f6cdd1dull >> 1 ^ random_state >> 40;
}
inline int random_below(int n) {
  return static_cast<int>(random_bits() % static_cast<uint64_t>(n));
}

inline uint64_t float_of(Format f, bool negative, int exponent, uint64_t fraction) {
  fraction &= (1ull << f.fraction) - 1;
  return static_cast<uint64_t>(negative) << (f.exponent + f.fraction) |
         static_cast<uint64_t>(exponent) << f.fraction | fraction;
}

inline uint64_t small_integer(Format f) {
  int value = random_below(17) - 8, magnitude = value < 0 ? -value : value, power = 0;
  if (f.exponent == 0)
    return static_cast<uint64_t>(value) & (f.bits < 64 ? (1ull << f.bits) - 1 : ~0ull);
  if (magnitude == 0) return float_of(f, false, 0, 0);
  while (magnitude >> (power + 1)) ++power;
  int bias = (1 << (f.exponent - 1)) - 1;
  // 3 bits are enough, but for e5m2, which gets a power of two.
  uint64_t fraction =
      f.fraction >= 3 ? static_cast<uint64_t>(magnitude - (1 << power)) << (f.fraction - power) : 0;
  return float_of(f, value < 0, bias + power, fraction);
}

inline uint64_t element(Format f, Kind kind) {
  if (kind == small_integers || (f.exponent == 0 && kind == zeros)) return small_integer(f);
  uint64_t fraction = random_bits();
  if (kind == any_bits || f.exponent == 0)
    return fraction & (f.bits < 64 ? (1ull << f.bits) - 1 : ~0ull);
  bool negative = random_below(2);
  int most = (1 << f.exponent) - 1, bias = most / 2;
  auto within = [&](int spread) {
    int exponent = bias + random_below(2 * spread + 1) - spread;
    return exponent < 0 ? 0 : exponent >= most ? most - 1 : exponent;
  };
  switch (kind) {
    case near_one:
      return float_of(f, negative, within(2), fraction);
    case all_exponents:
      return float_of(f, negative, random_below(most), fraction);
    case far_apart:
      return float_of(f, negative, within(14), random_below(2) ? fraction : 0);
    case tiny:
      return float_of(f, negative, random_below(4) * random_below(2), fraction);
    case specials:
      if (random_below(96) == 0) return float_of(f, negative, most, random_below(2) ? fraction : 0);
      return float_of(f, negative, within(3), fraction);
    default:
      return random_below(12) ? float_of(f, negative, 0, 0)
                              : float_of(f, negative, within(1), fraction);
  }
}

/// Fills memory with elements of one format.
inline void fill(void* into, std::size_t bytes, Format f, Kind kind) {
  auto* out = static_cast<unsigned char*>(into);
  std::memset(out, 0, bytes);
  for (std::size_t i = 0; i < bytes * 8; i += f.bits) {
    uint64_t value = element(f, kind);
    if (f.bits < 8)
      out[i / 8] |= static_cast<unsigned char>(value << i % 8);
    else
      std::memcpy(out + i / 8, &value, f.bits / 8);
  }
}

inline bool prints_all = false;
inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(3);
}

struct Buffer {
  explicit Buffer(std::size_t bytes) : host(bytes) { check(cudaMalloc(&device, bytes)); }
  ~Buffer() { cudaFree(device); }
  void upload() { check(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice)); }
  void download() { check(cudaMemcpy(host.data(), device, host.size(), cudaMemcpyDeviceToHost)); }
  std::vector<unsigned char> host;
  void* device = nullptr;
};

inline void report(const std::string& name, const Buffer& result, std::size_t case_bytes) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (unsigned char value : result.host) hash = (hash ^ value) * 0x100000001b3ull;
  std::printf("%s: %016llx\n", name.c_str(), static_cast<unsigned long long>(hash));
  if (!prints_all) return;
  for (std::size_t at = 0; at < std::min(result.host.size(), 32 * case_bytes); at += case_bytes) {
    std::printf("  case %zu:", at / case_bytes);
    for (std::size_t i = at; i < at + case_bytes; i += 4) {
      uint32_t word;
      std::memcpy(&word, &result.host[i], 4);
      std::printf(" %x", word);
    }
    std::printf("\n");
  }
}
