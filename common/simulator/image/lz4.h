#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace warpwise::image {

/// Decompresses one raw LZ4 block (no frame around it).
/// @param block the compressed bytes, all of them.
/// @param size how many bytes come out, exactly.
/// @throws ImageError when the block is damaged or gives another size.
std::vector<std::byte> decompress_lz4(std::span<const std::byte> block, std::size_t size);

}  // namespace warpwise::image
