#include "simulator/cudart/memory/heap_blocks.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>

namespace warpwise::cudart {
namespace {

// Each grain of 16 bytes has a mark of one byte. No two blocks share a grain, because malloc aligns
// to that. Only the owner of a block writes its marks, so two threads never write the same mark.
constexpr unsigned grain_shift = 4, grain_bytes = 1u << grain_shift;
constexpr unsigned char begins = 0x80, ends = 0x40, was_given_back = 0x20;
/// The number of used bytes in the last grain of a block, minus one.
constexpr unsigned char last_bytes = grain_bytes - 1;

using Mark = std::atomic<unsigned char>;

// The marks are kept by pieces of the address space.
constexpr unsigned piece_shift = 26, address_bits = 48;
constexpr std::uint64_t grains_of_piece = 1ull << (piece_shift - grain_shift);
constexpr std::uint64_t pieces_in_all = 1ull << (address_bits - piece_shift);
std::atomic<Mark*> pieces[pieces_in_all];
/// Per piece, the index of the highest grain that ever had a mark: searches need not look above it.
std::atomic<std::uint32_t> highest_marked[pieces_in_all];

/// From this size on, malloc may take a block from the system and give it back to the system.
constexpr std::uint64_t smallest_of_system = 128 << 10;

std::uint64_t grain_of(std::uint64_t address) { return address >> grain_shift; }
std::uint64_t start_of_grain(std::uint64_t grain) { return grain << grain_shift; }

bool is_kept(std::uint64_t address) { return address >> address_bits == 0; }

/// Null where no block was ever noted down in that piece.
Mark* find_piece(std::uint64_t grain) {
  return pieces[grain / grains_of_piece].load(std::memory_order_acquire);
}

Mark* make_piece(std::uint64_t grain) {
  void* made = mmap(nullptr, grains_of_piece, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) return nullptr;
  Mark* there = nullptr;
  if (pieces[grain / grains_of_piece].compare_exchange_strong(there, static_cast<Mark*>(made)))
    return static_cast<Mark*>(made);
  munmap(made, grains_of_piece);
  return there;
}

unsigned mark_in(const Mark* piece, std::uint64_t grain) {
  return piece[grain % grains_of_piece].load(std::memory_order_acquire);
}

unsigned mark_of(std::uint64_t grain) {
  const Mark* piece = find_piece(grain);
  return piece ? mark_in(piece, grain) : 0;
}

void set_mark(std::uint64_t grain, unsigned mark) {
  Mark* piece = find_piece(grain);
  if (!piece) piece = make_piece(grain);
  std::atomic<std::uint32_t>& highest = highest_marked[grain / grains_of_piece];
  const auto place = static_cast<std::uint32_t>(grain % grains_of_piece);
  std::uint32_t known = highest.load();
  while (known < place && !highest.compare_exchange_weak(known, place)) continue;
  if (piece)
    piece[grain % grains_of_piece].store(static_cast<unsigned char>(mark),
                                         std::memory_order_release);
}

/// Eight marks at once: a large block has many that say nothing.
using EightMarks [[gnu::may_alias]] = std::uint64_t;

/// Whether one of eight marks says one of these things. @param grain of the first, a multiple of
/// eight.
bool eight_say(const Mark* piece, std::uint64_t grain, unsigned things) {
  const auto* marks = reinterpret_cast<const EightMarks*>(&piece[grain % grains_of_piece]);
  return (__atomic_load_n(marks, __ATOMIC_ACQUIRE) & (0x0101010101010101 * things)) != 0;
}

/// The first grain of a range at which a block ends.
std::optional<std::uint64_t> find_end(std::uint64_t grain, std::uint64_t last) {
  for (; grain <= last; ++grain) {
    const Mark* piece = find_piece(grain);
    const std::uint64_t first_of_piece = grain - grain % grains_of_piece;
    const std::uint64_t highest =
        std::min(last, first_of_piece + highest_marked[grain / grains_of_piece]);
    for (; piece != nullptr && grain <= highest; ++grain) {
      if (grain % 8 == 0 && !eight_say(piece, grain, ends))
        grain += 7;
      else if (mark_in(piece, grain) & ends)
        return grain;
    }
    grain = first_of_piece + grains_of_piece - 1;
  }
  return std::nullopt;
}

/// Whether a block begins there and does not end before `grain`. The block may end where it begins,
/// or another thread may have noted it down after the search passed its end. Such a block is small.
/// The search looks more than once, because other threads may give blocks back and note them down
/// meanwhile.
bool is_open(std::uint64_t beginning, std::uint64_t grain) {
  constexpr std::uint64_t most_grains = (1u << 20) >> grain_shift;
  constexpr int looks = 3;
  for (int look = 0; look < looks && beginning < grain; ++look) {
    const std::uint64_t last = std::min(grain - 1, beginning + most_grains);
    if (find_end(beginning, last) || !(mark_of(beginning) & begins)) return false;
  }
  return true;
}

/// The first grain of the block that reaches to this one.
std::optional<std::uint64_t> find_beginning(std::uint64_t grain) {
  // For an array of that size and more, an address in its middle gets no answer.
  constexpr unsigned most_empty_pieces = 256;
  unsigned empty_pieces = 0;
  for (std::uint64_t at = grain;; --at) {
    const Mark* piece = find_piece(at);
    if (!piece) {
      at -= at % grains_of_piece;
      if (++empty_pieces > most_empty_pieces) return std::nullopt;
    } else {
      const std::uint32_t highest = highest_marked[at / grains_of_piece];
      if (at % grains_of_piece > highest) at -= at % grains_of_piece - highest;
      while (at % 8 == 7 && at % grains_of_piece > 7 && !eight_say(piece, at - 7, begins | ends))
        at -= 8;
      const unsigned mark = mark_in(piece, at);
      if (mark & begins) return is_open(at, grain) ? std::optional(at) : std::nullopt;
      if (mark & ends && at != grain) return std::nullopt;
    }
    if (at == 0) return std::nullopt;
  }
}

}  // namespace

void note_block(const void* base, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(base);
  if (base == nullptr || !is_kept(address)) return;
  const std::uint64_t last = address + std::max<std::size_t>(bytes, 1) - 1;
  const unsigned end = ends | (last & last_bytes);
  // There is never a beginning without an end: a search from above would take everything for the
  // block.
  const std::uint64_t from = grain_of(address), to = grain_of(last);
  set_mark(to, from == to ? begins | end : end);
  if (from != to) set_mark(from, begins);
}

std::size_t forget_block(const void* base) {
  if (!is_block(base)) return 0;
  const std::uint64_t from = grain_of(reinterpret_cast<std::uint64_t>(base));
  const auto to = find_end(from, pieces_in_all * grains_of_piece - 1);
  if (!to) return 0;
  const std::size_t bytes = start_of_grain(*to - from) + (mark_of(*to) & last_bytes) + 1;
  set_mark(from, bytes < smallest_of_system ? was_given_back : 0);
  if (from != *to) set_mark(*to, 0);
  return bytes;
}

bool is_block(const void* base) {
  const auto address = reinterpret_cast<std::uint64_t>(base);
  return is_kept(address) && address % grain_bytes == 0 && mark_of(grain_of(address)) & begins;
}

std::optional<HeapBlock> block_at(std::uint64_t address, std::uint64_t bytes) {
  if (!is_kept(address) || !is_kept(address + bytes)) return std::nullopt;
  const auto from = find_beginning(grain_of(address));
  if (!from) return std::nullopt;
  const auto to = find_end(grain_of(address), grain_of(address + bytes));
  const std::uint64_t end =
      to ? start_of_grain(*to) + (mark_of(*to) & last_bytes) + 1 : address + bytes;
  return address < end ? std::optional(HeapBlock{start_of_grain(*from), end}) : std::nullopt;
}

bool was_block(std::uint64_t address) {
  return is_kept(address) && address % grain_bytes == 0 &&
         mark_of(grain_of(address)) == was_given_back && !block_at(address, 1).has_value();
}

}  // namespace warpwise::cudart
