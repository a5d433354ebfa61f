#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "simulator/image/image_error.h"

namespace warpwise::image {

static_assert(std::endian::native == std::endian::little, "images are read as they are in memory");

/// Walks over bytes that may be damaged: every step is checked and throws ImageError at the end.
class Reader {
 public:
  /// @param what names the bytes in an error, such as "line table".
  Reader(std::span<const std::byte> bytes, std::string what)
      : bytes_(bytes), what_(std::move(what)) {}

  std::size_t offset() const { return offset_; }
  std::size_t left() const { return bytes_.size() - offset_; }
  bool at_end() const { return left() == 0; }

  /// Goes to an offset from the start.
  void seek(std::uint64_t offset) {
    if (offset > bytes_.size()) fail();
    offset_ = static_cast<std::size_t>(offset);
  }

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > left()) fail();
    const auto part = bytes_.subspan(offset_, static_cast<std::size_t>(count));
    offset_ += part.size();
    return part;
  }

  template <class T>
  T number() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  /// Text up to its NUL, which is passed over.
  std::string_view text() {
    const auto rest = bytes_.subspan(offset_);
    const void* end = rest.empty() ? nullptr : std::memchr(rest.data(), 0, rest.size());
    if (end == nullptr) fail();
    const auto size = static_cast<std::size_t>(static_cast<const std::byte*>(end) - rest.data());
    offset_ += size + 1;
    return {reinterpret_cast<const char*>(rest.data()), size};
  }

  /// An unsigned LEB128 number; bits beyond 64 are dropped.
  std::uint64_t unsigned_leb() { return leb().value; }

  /// A signed LEB128 number; bits beyond 64 are dropped.
  std::int64_t signed_leb() {
    const Leb read = leb();
    const bool extend = read.negative && read.bits < 64;
    return static_cast<std::int64_t>(extend ? read.value | ~std::uint64_t{0} << read.bits
                                            : read.value);
  }

  [[noreturn]] void fail() const {
    throw ImageError("the GPU code is damaged: its " + what_ +
                     " ends too early; build the program again");
  }

 private:
  struct Leb {
    std::uint64_t value;
    unsigned bits;
    bool negative;
  };

  Leb leb() {
    Leb result{0, 0, false};
    for (;;) {
      const auto byte = number<std::uint8_t>();
      if (result.bits < 64) result.value |= std::uint64_t{byte & 0x7fu} << result.bits;
      result.bits += 7;
      result.negative = (byte & 0x40) != 0;
      if ((byte & 0x80) == 0) return result;
    }
  }

  std::span<const std::byte> bytes_;
  std::string what_;
  std::size_t offset_ = 0;
};

}  // namespace warpwise::image
