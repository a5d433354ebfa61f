#pragma once
#include <cstdint>
#include <string>

#include "simulator/memory/address_space.h"

namespace warpwise::machine {

/// Says what is wrong with an access to memory of another device that this one may not use, and
/// what is to be done: the rest of a sentence.
/// @param device that the kernel runs on.
std::string refused_peer_text(const memory::AddressSpace& memory, int device,
                              const memory::Allocation& allocation, std::uint64_t address);

}  // namespace warpwise::machine
