#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// A fact about a number in every thread: it is `rest` more than a multiple of `modulus`.
struct LowBits {
  static constexpr std::uint32_t most = 256;  ///< more than any access needs

  std::uint32_t modulus = 1;  ///< a power of two up to `most`; 1: nothing is known
  std::uint32_t rest = 0;     ///< below the modulus

  bool operator==(const LowBits&) const = default;
};

/// The low bits of each register of a function, over all its values: from these ptxas knows which
/// neighbouring accesses begin where a wider one may.
/// @param shared the addresses of shared variables.
std::vector<LowBits> low_bits(const ptx::Function& function,
                              const std::map<std::string, std::uint32_t>& shared);

}  // namespace warpwise::code
