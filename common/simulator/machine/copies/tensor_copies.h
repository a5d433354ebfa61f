#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "simulator/machine/copies/async_copies.h"
#include "simulator/machine/copies/tensor_box.h"
#include "simulator/machine/copies/tensor_tile.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Copies of boxes of tensors: like those in bulk, but a tensor map says where the bytes are.
class TensorCopies {
 public:
  struct Parts {
    Bounds& bounds;
    Uninitialized& uninitialized;
    Accesses& accesses;
    AsyncCopies& async_copies;
  };
  TensorCopies(RunnerState& here, const Parts& parts) : here_(here), parts_(parts) {}

  /// cp.async.bulk.tensor, its reduction and its prefetch. Faults where the hardware refuses the
  /// map, the box or an address.
  void execute(const code::Instruction& instruction, const code::Operation& operation,
               std::uint32_t mask);

 private:
  void load(const code::Instruction& instruction, const code::Operation& operation, unsigned lane,
            const TensorBox& box, std::uint64_t target, std::uint64_t barrier);
  void fill_shared(const code::Access& to, unsigned lane, const TensorBox& box,
                   const TensorTile& tile, std::uint64_t target);
  TensorTile shared_tile(const code::Access& from, unsigned lane, const TensorBox& box,
                         std::uint64_t address, std::span<const code::Piece> pieces);
  void store(const code::Instruction& instruction, const code::Operation& operation, unsigned lane,
             const TensorBox& box);
  void store_row(const code::Access& to, unsigned lane, const TensorTile& tile,
                 const TensorBox::Row& row);
  void reduce_row(const code::Instruction& instruction, const code::Operation& operation,
                  unsigned lane, TensorMap::Element element, const TensorTile& tile,
                  const TensorBox::Row& row);
  // tensor_checks.cpp
  void check_tile_address(unsigned lane, std::uint64_t address);
  std::uint32_t check_row(const code::Access& access, unsigned lane, const TensorBox::Row& row);
  TensorBox box_of(const code::TensorCopy& copy, unsigned lane, std::uint64_t address);
  void check_copy(const code::TensorCopy& copy, const TensorMap& map, unsigned lane);
  void check_place(const code::TensorCopy& copy, const TensorMap& map,
                   const TensorBox::Position& at, unsigned lane);
  TensorMap map_at(const code::TensorCopy& copy, unsigned lane, std::uint64_t address);
  [[noreturn]] void refuse_copy(unsigned lane, const char* kind, const std::string& rest);

  RunnerState& here_;
  Parts parts_;
};

}  // namespace warpwise::machine
