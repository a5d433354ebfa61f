#include "simulator/watch/cell_owners.h"

#include <bit>

#include "simulator/isa/fast_loops.h"

namespace warpwise::watch {
namespace {

/// Lanes of the mask at the cell of the lane before, which is of the mask, too.
WARPWISE_FAST_LOOPS std::uint32_t again_there(const std::uint16_t* cells, std::uint32_t mask) {
  std::uint32_t again = 0;
  for (unsigned lane = 1; lane < 32; ++lane)
    again |= std::uint32_t{cells[lane] == cells[lane - 1]} << lane;
  return again & mask & mask << 1;
}

/// Lanes of the mask that are not at the cell behind that of the lane before.
WARPWISE_FAST_LOOPS std::uint32_t row_starts(const std::uint16_t* cells, std::uint32_t mask) {
  std::uint32_t behind = 0;
  for (unsigned lane = 1; lane < 32; ++lane)
    behind |= std::uint32_t{cells[lane] == static_cast<std::uint16_t>(cells[lane - 1] + 1)} << lane;
  return mask & ~(behind & mask << 1);
}

/// So many neighbouring cells, of which each thread has 1 << shift. A number that the compiler
/// knows makes vector instructions of it.
/// @param first of the cells: how many before it are of the same row. @param thread 1 + number of
/// the first of the row. @return false where a cell is another's.
template <unsigned count>
[[gnu::always_inline]] inline bool own_cells(Contact::Kind kind, CellOwner* owners, unsigned first,
                                             unsigned thread, unsigned each_shift) {
  CellOwner others = 0;
  if (kind == Contact::read) {
    for (unsigned i = 0; i < count; ++i) {
      const auto mine = static_cast<CellOwner>(thread + ((first + i) >> each_shift));
      const CellOwner owner = owners[i];
      const bool is_mine = static_cast<CellOwner>(owner & ~CellOwners::writes) == mine;
      others |=
          static_cast<CellOwner>(is_mine ? 0 : owner & (CellOwners::writes | CellOwners::updaters));
      owners[i] = owner == CellOwners::nobody ? mine : is_mine ? owner : CellOwners::readers;
    }
  } else if (kind == Contact::write) {
    for (unsigned i = 0; i < count; ++i) {
      const auto mine = static_cast<CellOwner>(thread + ((first + i) >> each_shift));
      const CellOwner owner = owners[i];
      others |= static_cast<CellOwner>(
          owner == CellOwners::nobody ? 0 : (owner & ~CellOwners::writes) ^ mine);
      owners[i] = mine | CellOwners::writes;
    }
  } else {
    for (unsigned i = 0; i < count; ++i) {
      others |= static_cast<CellOwner>(owners[i] & ~CellOwners::updaters);
      owners[i] = CellOwners::updaters;
    }
  }
  return others == 0;
}

}  // namespace

/// The same for any number.
WARPWISE_FAST_LOOPS bool CellOwners::add_row(Contact::Kind kind, CellOwner* owners, unsigned count,
                                             unsigned thread, unsigned each_shift) {
  constexpr unsigned many = 16;
  bool holds = true;
  unsigned done = 0;
  for (; done + many <= count; done += many)
    holds &= own_cells<many>(kind, owners + done, done, thread, each_shift);
  for (; done < count; ++done) holds &= own_cells<1>(kind, owners + done, done, thread, each_shift);
  return holds;
}

bool CellOwners::add_lanes(Contact::Kind kind, CellOwner* owners, const std::uint16_t* cells,
                           std::uint32_t mask, unsigned thread) {
  const std::uint32_t starts = row_starts(cells, mask);
  constexpr int few_rows = 4;
  if (std::popcount(starts) <= few_rows) {
    const std::uint64_t ends = starts | ~std::uint64_t{mask};
    bool holds = true;
    for_cells(starts, [&](unsigned lane) {
      const auto count = 1 + static_cast<unsigned>(std::countr_zero(ends >> (lane + 1)));
      holds &= add_row(kind, owners + cells[lane], count, thread + lane, 0);
    });
    return holds;
  }
  CellOwner others = 0;
  if (kind == Contact::read) {
    const std::uint32_t again = again_there(cells, mask);
    for_cells(mask & ~again, [&](unsigned lane) {
      CellOwner& owner = owners[cells[lane]];
      const auto mine = static_cast<CellOwner>(thread + lane);
      const bool is_mine = static_cast<CellOwner>(owner & ~writes) == mine;
      if (again >> 1 >> lane & 1) {  // the next lanes read it, too
        others |= static_cast<CellOwner>(owner & (writes | updaters));
        owner = readers;
        return;
      }
      others |= static_cast<CellOwner>(is_mine ? 0 : owner & (writes | updaters));
      owner = owner == nobody ? mine : is_mine ? owner : readers;
    });
  } else if (kind == Contact::write) {
    for_cells(mask, [&](unsigned lane) {
      CellOwner& owner = owners[cells[lane]];
      const auto mine = static_cast<CellOwner>(thread + lane);
      others |= static_cast<CellOwner>(owner == nobody ? 0 : (owner & ~writes) ^ mine);
      owner = mine | writes;
    });
  } else {
    for_cells(mask, [&](unsigned lane) {
      others |= static_cast<CellOwner>(owners[cells[lane]] & ~updaters);
      owners[cells[lane]] = updaters;
    });
  }
  return others == 0;
}

}  // namespace warpwise::watch
