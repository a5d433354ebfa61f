#pragma once
#include <cstdint>
#include <string_view>

/// Instructions compared with what a GPU gave: fixtures of single instructions and random programs,
/// made from the rows of isa/, with records of hardware in
/// common/verification/recorded/conformance.
namespace warpwise::conformance {

/// FNV-1a of bytes, going on from `hash`: names a text or an output in a record.
inline std::uint64_t hash_of(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325ull) {
  for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ull;
  return hash;
}

/// Numbers that follow from a seed alone, the same on every machine and with every compiler: what
/// is recorded rests on them (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// 0 ... n - 1.
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class Range>
  const auto& pick(const Range& range) {
    return range[below(std::size(range))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace warpwise::conformance
