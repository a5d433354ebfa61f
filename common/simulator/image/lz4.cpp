#include "simulator/image/lz4.h"

#include <cstdint>

#include "simulator/image/bytes.h"

namespace warpwise::image {
namespace {

/// A length starts in four bits of the token; 15 means that more bytes are to be added.
std::size_t read_length(Reader& in, unsigned nibble) {
  std::size_t length = nibble;
  if (nibble < 15) return length;
  std::uint8_t more = 255;
  while (more == 255) {
    more = in.number<std::uint8_t>();
    length += more;
  }
  return length;
}

[[noreturn]] void fail() {
  throw ImageError("the GPU code is damaged: its LZ4 block is malformed; build the program again");
}

}  // namespace

std::vector<std::byte> decompress_lz4(std::span<const std::byte> block, std::size_t size) {
  Reader in(block, "LZ4 block");
  std::vector<std::byte> out;
  out.reserve(size);
  for (;;) {
    const auto token = in.number<std::uint8_t>();
    const auto literals = in.take(read_length(in, token >> 4));
    if (literals.size() > size - out.size()) fail();
    out.insert(out.end(), literals.begin(), literals.end());
    // The last sequence of a block has literals only.
    if (in.at_end()) break;

    const auto distance = in.number<std::uint16_t>();
    const std::size_t length = read_length(in, token & 15) + 4;
    if (distance == 0 || distance > out.size() || length > size - out.size()) fail();
    // Byte by byte: a match may overlap what it writes, which repeats a pattern.
    for (std::size_t i = 0; i < length; ++i) out.push_back(out[out.size() - distance]);
  }
  if (out.size() != size) fail();
  return out;
}

}  // namespace warpwise::image
