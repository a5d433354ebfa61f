#pragma once
#include <cstdint>
#include <cstring>

namespace warpwise::watch {

/// Stands for a value where blocks are compared. Never 0.
inline std::uint16_t short_hash(std::uint32_t value) {
  const auto hash = static_cast<std::uint16_t>(value * 0x9e3779b1u >> 16);
  return hash ? hash : std::uint16_t{1};
}

/// The values that a store is about to write, and those that the memory holds before it.
struct StoredValues {
  const std::byte* data[8] = {};        ///< registers of 32 lanes, for each element of a vector
  std::uint8_t register_bytes[8] = {};  ///< bytes from lane to lane
  unsigned element_bytes = 4;           ///< in memory
  std::uint64_t distance = 0;           ///< from an address to where the host sees it
  bool are_hashes = false;              ///< of cells of 4 bytes already, as words

  /// A cell of what the lane stores.
  /// @param offset of the cell from the lane's address. @param bytes of the cell, 1 or 4.
  std::uint32_t stored(unsigned lane, std::uint64_t offset, unsigned bytes) const {
    std::uint32_t value = 0;
    if (bytes == 4 && element_bytes == 4) {
      const std::uint64_t element = offset / 4;
      std::memcpy(&value, data[element] + std::size_t{lane} * register_bytes[element], 4);
      return value;
    }
    const unsigned step = bytes < element_bytes ? bytes : element_bytes;
    for (unsigned done = 0; done < bytes; done += step) {
      const std::uint64_t element = (offset + done) / element_bytes;
      std::uint32_t part = 0;
      std::memcpy(&part,
                  data[element] + std::size_t{lane} * register_bytes[element] +
                      (offset + done) % element_bytes,
                  step);
      value |= part << 8 * done;
    }
    return value;
  }
  /// The hash of one of these cells.
  std::uint16_t hash(std::uint32_t cell) const {
    return are_hashes ? static_cast<std::uint16_t>(cell) : short_hash(cell);
  }
  /// True where the lanes store so many words each, and a register holds nothing else.
  bool are_words(unsigned count) const {
    bool are = element_bytes == 4;
    for (unsigned element = 0; element < count; ++element) are &= register_bytes[element] == 4;
    return are;
  }
  /// One word of all lanes, where they are words.
  const std::uint32_t* words(unsigned element) const {
    return reinterpret_cast<const std::uint32_t*>(data[element]);
  }
  std::uint32_t in_memory(std::uint64_t address, unsigned bytes) const {
    std::uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const std::byte*>(address + distance), bytes);
    return value;
  }
};

}  // namespace warpwise::watch
