#include "verification/conformance/random/program_input.h"

#include <cstring>

#include "verification/conformance/values.h"

namespace warpwise::conformance {

using isa::Type;

Bytes program_input(std::uint64_t seed) {
  Random random(seed ^ 0x1f3d5b79);
  std::vector<std::uint64_t> entries(region_entries * regions);
  auto edge = [&](Type type) {
    auto edges = edge_values(type);
    return random.pick(edges).low;
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto two = [&](Type type) {
      std::uint64_t low = random_value(type, random).low;
      return low | random_value(type, random).low << 32;
    };
    switch (i / region_entries) {
      case 0:
        entries[i] = two(Type::u32);
        break;
      case 1:
        entries[i] = two(Type::f32);
        break;
      case 2:
        entries[i] = random.below(256) | random.below(70) << 32;
        break;
      case 3:
        entries[i] = two(Type::f16x2);
        break;
      case 4:
        entries[i] = random_value(Type::u64, random).low;
        break;
      case 5:
        entries[i] = random_value(Type::f64, random).low;
        break;
      case 6:
        entries[i] = edge(Type::u32) | edge(Type::f32) << 32;
        break;
      default:
        entries[i] = edge(Type::f64);
    }
  }
  Bytes bytes(entries.size() * 8);
  std::memcpy(bytes.data(), entries.data(), bytes.size());
  return bytes;
}

}  // namespace warpwise::conformance
