#pragma once
#include <algorithm>
#include <cstdint>

namespace warpwise::watch {

/// Lines come in tiles of 32.
constexpr unsigned lines_per_tile = 32;

/// A set of cells for each line of a tile. An operation changes all lines at once: the compiler
/// makes a few vector instructions of it.
struct TileCells {
  std::uint32_t of[lines_per_tile];  ///< by line

  std::uint32_t& operator[](unsigned line) { return of[line]; }
  std::uint32_t operator[](unsigned line) const { return of[line]; }
  void clear() { std::fill(std::begin(of), std::end(of), 0); }
  bool any() const {
    std::uint32_t any = 0;
    for (std::uint32_t cells : of) any |= cells;
    return any != 0;
  }
  bool meets(const TileCells& other) const {
    std::uint32_t any = 0;
    for (unsigned line = 0; line < lines_per_tile; ++line) any |= of[line] & other.of[line];
    return any != 0;
  }
  /// The lines that have cells of both.
  std::uint32_t common_lines(const TileCells& other) const {
    std::uint32_t lines = 0;
    for (unsigned line = 0; line < lines_per_tile; ++line)
      lines |= static_cast<std::uint32_t>((of[line] & other.of[line]) != 0) << line;
    return lines;
  }
  void add(const TileCells& other) { add(of, other.of); }
  void remove(const TileCells& other) { remove(of, other.of); }

 private:
  static void add(std::uint32_t* __restrict of, const std::uint32_t* __restrict other) {
    for (unsigned line = 0; line < lines_per_tile; ++line) of[line] |= other[line];
  }
  static void remove(std::uint32_t* __restrict of, const std::uint32_t* __restrict other) {
    for (unsigned line = 0; line < lines_per_tile; ++line) of[line] &= ~other[line];
  }
};

}  // namespace warpwise::watch
