#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "simulator/code/program.h"
#include "simulator/machine/copies/tensor_map.h"

namespace warpwise::machine {

/// A box of a tensor: where its rows are in global memory, and where in shared memory.
class TensorBox {
 public:
  /// Unit of a copy in shared memory, and of its rows where a swizzle separates them.
  static constexpr unsigned chunk_bytes = 16;

  /// The part of a row that is inside the tensor.
  struct Row {
    std::uint32_t offset;   ///< of the part in the box, whose rows follow each other
    std::uint32_t bytes;    ///< of the part
    std::uint64_t address;  ///< in global memory

    /// The bytes that a store writes: to the end of the last chunk, even past the end of the
    /// tensor's row (measured on an H100).
    std::uint32_t stored_bytes() const {
      return (bytes + chunk_bytes - 1) / chunk_bytes * chunk_bytes;
    }
  };

  using Position = std::array<std::int64_t, TensorMap::most_dimensions>;

  /// @param at coordinates of the box's first element.
  /// @param offsets of im2col: added to the coordinates of each pixel.
  TensorBox(const TensorMap& map, const Position& at, const Position& offsets = {});

  const TensorMap& map() const { return map_; }
  std::uint32_t row_bytes() const { return row_bytes_; }
  std::uint32_t bytes() const { return rows_ * row_bytes_; }
  /// Calls visit(Row) for all rows of which a part is inside the tensor.
  template <class Visit>
  void for_rows(Visit visit) const;
  /// Pieces of shared memory that hold the box, as offsets from its address.
  std::vector<code::Piece> pieces(std::uint64_t address) const;
  /// The bytes that a store reads: those inside the tensor.
  std::vector<code::Piece> stored_pieces(std::uint64_t address) const;
  /// Calls visit(offset in the box, offset from its address in shared memory) for each chunk.
  template <class Visit>
  void for_chunks(std::uint64_t address, Visit visit) const;
  /// Likewise for the chunks that a store reads.
  template <class Visit>
  void for_stored_chunks(std::uint64_t address, Visit visit) const;

 private:
  std::uint32_t place_of(std::uint64_t address, std::uint32_t row, std::uint32_t at) const;
  std::uint64_t swizzled(std::uint64_t address) const;
  void move_on(Position& at) const;

  TensorMap map_;
  Position at_, offsets_;
  Position first_{}, last_{};  ///< of the rows, by dimension
  std::uint32_t row_bytes_;
  std::uint32_t pitch_;  ///< from row to row in shared memory
  std::uint32_t rows_ = 1;
};

/// To the next row.
inline void TensorBox::move_on(Position& at) const {
  for (unsigned i = 1; i < map_.rank; ++i) {
    at[i] += map_.steps[i];
    if (at[i] <= last_[i]) return;
    at[i] = first_[i];
  }
}

template <class Visit>
void TensorBox::for_rows(Visit visit) const {
  const auto element = static_cast<std::int64_t>(map_.strides[0]);
  const std::int64_t x = at_[0];
  const std::int64_t from = std::max<std::int64_t>(0, -x),
                     to = std::min<std::int64_t>(map_.box[0],
                                                 static_cast<std::int64_t>(map_.dims[0]) - x);
  if (from >= to) return;
  Position row_at = at_;
  for (std::uint32_t row = 0; row < rows_; ++row, move_on(row_at)) {
    std::uint64_t address = map_.address + static_cast<std::uint64_t>((x + from) * element);
    bool is_inside = true;
    for (unsigned i = 1; i < map_.rank; ++i) {
      const std::int64_t at = row_at[i] + offsets_[i];
      is_inside = is_inside && at >= 0 && at < static_cast<std::int64_t>(map_.dims[i]);
      address += static_cast<std::uint64_t>(at) * map_.strides[i];
    }
    if (is_inside)
      visit(Row{row * row_bytes_ + static_cast<std::uint32_t>(from * element),
                static_cast<std::uint32_t>((to - from) * element), address});
  }
}

template <class Visit>
void TensorBox::for_chunks(std::uint64_t address, Visit visit) const {
  for (std::uint32_t row = 0; row < rows_; ++row)
    for (std::uint32_t at = 0; at < row_bytes_; at += chunk_bytes)
      visit(row * row_bytes_ + at, place_of(address, row, at));
}

template <class Visit>
void TensorBox::for_stored_chunks(std::uint64_t address, Visit visit) const {
  for_rows([&](const Row& part) {
    const std::uint32_t row = part.offset / row_bytes_, from = part.offset % row_bytes_;
    for (std::uint32_t at = from; at < from + part.bytes; at += chunk_bytes)
      visit(row * row_bytes_ + at, place_of(address, row, at));
  });
}

}  // namespace warpwise::machine
