#include "simulator/watch/cells/cell_owners.h"

#include <array>
#include <bit>

#include "simulator/isa/fast_loops.h"

namespace warpwise::watch {
namespace {

/// Lanes of the mask at the cell of the lane before, which is also of the mask.
WARPWISE_FAST_LOOPS std::uint32_t again_there(const std::uint16_t* cells, std::uint32_t mask) {
  std::uint32_t again = 0;
  for (unsigned lane = 1; lane < 32; ++lane)
    again |= std::uint32_t{cells[lane] == cells[lane - 1]} << lane;
  return again & mask & mask << 1;
}

/// Lanes of the mask that are not at the cell after that of the lane before.
WARPWISE_FAST_LOOPS std::uint32_t row_starts(const std::uint16_t* cells, std::uint32_t mask) {
  std::uint32_t behind = 0;
  for (unsigned lane = 1; lane < 32; ++lane)
    behind |= std::uint32_t{cells[lane] == static_cast<std::uint16_t>(cells[lane - 1] + 1)} << lane;
  return mask & ~(behind & mask << 1);
}

/// A cell's owner after an access; `others` is 0 where the cell was not another's.
struct After {
  CellOwner owner, others;
};
template <LineAccess::Kind kind>
[[gnu::always_inline]] inline After after(CellOwner owner, CellOwner mine) {
  constexpr CellOwner nobody = CellOwners::nobody, writes = CellOwners::writes,
                      updaters = CellOwners::updaters;
  if constexpr (kind == LineAccess::read) {
    const bool is_mine = static_cast<CellOwner>(owner & ~writes) == mine;
    return {owner == nobody ? mine
            : is_mine       ? owner
                            : CellOwners::readers,
            static_cast<CellOwner>(is_mine ? 0 : owner & (writes | updaters))};
  } else if constexpr (kind == LineAccess::write) {
    return {static_cast<CellOwner>(mine | writes),
            static_cast<CellOwner>(owner == nobody ? 0 : (owner & ~writes) ^ mine)};
  } else {
    return {updaters, static_cast<CellOwner>(owner & ~updaters)};
  }
}

/// Calls what is given with the kind as a constant: vector instructions come of loops that know it.
template <class Call>
[[gnu::always_inline]] inline bool with_kind(LineAccess::Kind kind, Call call) {
  switch (kind) {
    case LineAccess::read:
      return call.template operator()<LineAccess::read>();
    case LineAccess::write:
      return call.template operator()<LineAccess::write>();
    default:
      return call.template operator()<LineAccess::strong>();
  }
}

/// So many cells are looked at by vector instructions.
constexpr unsigned many = 16;

/// So many neighbouring cells, of which each thread has 1 << shift. A number that the compiler
/// knows makes vector instructions of it.
/// @param first of the cells: how many before it are of the same row. @param thread 1 + number of
/// the first of the row. @return false where a cell is another's.
template <LineAccess::Kind kind, unsigned count>
[[gnu::always_inline]] inline bool own_cells(CellOwner* owners, unsigned first, unsigned thread,
                                             unsigned each_shift) {
  CellOwner others = 0;
  for (unsigned i = 0; i < count; ++i) {
    const After now =
        after<kind>(owners[i], static_cast<CellOwner>(thread + ((first + i) >> each_shift)));
    owners[i] = now.owner;
    others |= now.others;
  }
  return others == 0;
}

/// The same for any number.
template <LineAccess::Kind kind>
[[gnu::always_inline]] inline bool own_row(CellOwner* owners, unsigned count, unsigned thread,
                                           unsigned each_shift) {
  bool holds = true;
  unsigned done = 0;
  for (; done + many <= count; done += many)
    holds &= own_cells<kind, many>(owners + done, done, thread, each_shift);
  for (; done < count; ++done) holds &= own_cells<kind, 1>(owners + done, done, thread, each_shift);
  return holds;
}

/// By step of a column and by cell: the column's thread that has it, or none.
constexpr CellOwner none = 0xffff;
constexpr auto columns = [] {
  std::array<std::array<CellOwner, 32 * CellOwners::most_step>, CellOwners::most_step + 1> all{};
  for (unsigned step = 1; step <= CellOwners::most_step; ++step)
    for (unsigned cell = 0; cell < all[step].size(); ++cell)
      all[step][cell] = cell % step == 0 ? static_cast<CellOwner>(cell / step) : none;
  return all;
}();

/// Many neighbouring cells of a column.
template <LineAccess::Kind kind>
[[gnu::always_inline]] inline bool own_column(CellOwner* owners, const CellOwner* column,
                                              unsigned thread) {
  CellOwner others = 0;
  for (unsigned i = 0; i < many; ++i) {
    const After now = after<kind>(owners[i], static_cast<CellOwner>(thread + column[i]));
    const auto takes_part = static_cast<CellOwner>(column[i] == none ? 0 : 0xffff);
    owners[i] = static_cast<CellOwner>((owners[i] & ~takes_part) | (now.owner & takes_part));
    others |= static_cast<CellOwner>(now.others & takes_part);
  }
  return others == 0;
}

/// Lanes one after another. @param again lanes that read the cell of the lane before.
template <LineAccess::Kind kind>
bool own_lanes(CellOwner* owners, const std::uint16_t* cells, std::uint32_t mask,
               std::uint32_t again, unsigned thread) {
  CellOwner others = 0;
  for_cells(mask & ~again, [&](unsigned lane) {
    CellOwner& owner = owners[cells[lane]];
    const bool is_shared = again >> 1 >> lane & 1;
    const After now =
        after<kind>(owner, is_shared ? CellOwners::readers : static_cast<CellOwner>(thread + lane));
    owner = now.owner;
    others |= now.others;
  });
  return others == 0;
}

}  // namespace

WARPWISE_FAST_LOOPS bool CellOwners::add_row(LineAccess::Kind kind, CellOwner* owners,
                                             unsigned count, unsigned thread, unsigned each_shift) {
  return with_kind(kind, [&]<LineAccess::Kind known>() {
    return own_row<known>(owners, count, thread, each_shift);
  });
}

WARPWISE_FAST_LOOPS bool CellOwners::add_column(LineAccess::Kind kind, CellOwner* owners,
                                                unsigned threads, unsigned step, unsigned thread) {
  const CellOwner* const column = columns[step].data();
  return with_kind(kind, [&]<LineAccess::Kind known>() {
    bool holds = true;
    unsigned done = 0;
    for (; done + many <= threads * step - (step - 1); done += many)
      holds &= own_column<known>(owners + done, column + done, thread);
    for (unsigned one = (done + step - 1) / step; one < threads; ++one)
      holds &= own_cells<known, 1>(owners + one * step, 0, thread + one, 0);
    return holds;
  });
}

WARPWISE_FAST_LOOPS bool CellOwners::add_lanes(LineAccess::Kind kind, CellOwner* owners,
                                               const std::uint16_t* cells, std::uint32_t mask,
                                               unsigned thread) {
  const std::uint32_t starts = row_starts(cells, mask);
  constexpr int few_rows = 4;
  const bool are_rows = std::popcount(starts) <= few_rows;
  const std::uint64_t ends = starts | ~std::uint64_t{mask};
  const std::uint32_t again = kind == LineAccess::read && !are_rows ? again_there(cells, mask) : 0;
  return with_kind(kind, [&]<LineAccess::Kind known>() {
    if (!are_rows) return own_lanes<known>(owners, cells, mask, again, thread);
    bool holds = true;
    for_cells(starts, [&](unsigned lane) {
      const auto count = 1 + static_cast<unsigned>(std::countr_zero(ends >> (lane + 1)));
      holds &= own_row<known>(owners + cells[lane], count, thread + lane, 0);
    });
    return holds;
  });
}

}  // namespace warpwise::watch
