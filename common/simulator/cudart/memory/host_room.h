#pragma once
#include <cstdint>
#include <string>

namespace warpwise::cudart {

/// Finds what is wrong with bytes of the program's own memory on the host: they reach past the end
/// of the array that holds the first byte, or their memory has been given back. Reported only where
/// it is certain: of blocks of malloc and new, of variables, and of frames of the calling
/// functions.
/// @return the rest of the sentence; empty where nothing is known to be wrong.
std::string wrong_with_host(std::uint64_t address, std::uint64_t bytes);

}  // namespace warpwise::cudart
