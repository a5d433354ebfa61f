#include "simulator/watch/global/inter_block_races.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "simulator/memory/prefetch.h"

namespace warpwise::watch {
namespace {

bool conflict(LineAccess::Kind a, LineAccess::Kind b) {
  return a != b || a == LineAccess::write;  // all of reads or all of atomics agree
}

constexpr LineAccess::Kind kinds[] = {LineAccess::read, LineAccess::write, LineAccess::strong};

/// Where at least so many lines of a chunk were raced for, a sample of them tells of all.
constexpr std::size_t many_lines = 64;

/// One line in 32 tells of all. Steps of any size meet as many of them.
/// @param tile of a chunk. @return lines of it.
std::uint32_t sample(std::uint64_t tile) {
  std::uint32_t chosen = 0;
  for (unsigned line = 0; line < lines_per_tile; ++line) {
    const std::uint64_t mixed = (tile * lines_per_tile + line) * 0x9e3779b97f4a7c15ull >> 40;
    if (mixed % 32 == 0) chosen |= 1u << line;
  }
  return chosen;
}

}  // namespace

InterBlockRaces::Chunk& InterBlockRaces::chunk(std::uint64_t number) {
  const std::unique_lock<std::mutex> lock = locked(mutex_);
  std::unique_ptr<Chunk>& chunk = chunks_[number];
  if (!chunk) chunk = std::make_unique<Chunk>(memory_);
  return *chunk;
}

void InterBlockRaces::add(std::uint64_t block, const GlobalRaces& races) {
  for (LineAccess::Kind kind : kinds) noted_[kind].add(block, races.noted(kind));
  // Lines may be anywhere in memory: they are asked for a few tiles ahead, until then they have
  // come.
  constexpr std::size_t ahead = 4;
  struct Ahead {
    const TouchedTile* tile = nullptr;
    Chunk* chunk = nullptr;
    std::uint32_t lines = 0;
  } queue[ahead];
  std::size_t count = 0;
  Chunk* held = nullptr;
  std::unique_lock<std::mutex> lock;
  auto add_next = [&](const Ahead& next) {
    if (next.chunk != held) {
      if (lock.owns_lock()) lock.unlock();
      held = next.chunk;
      lock = locked(held->mutex);
    }
    const std::size_t before = held->accesses.size();
    add_tile(*held, block, races, *next.tile, next.lines);
    const std::size_t added = held->accesses.size() - before;
    if (added) recorded_.fetch_add(added, std::memory_order_relaxed);
    if (is_full()) held->leave_all_but_sample(next.tile->number % tiles_per_chunk);
  };
  std::uint64_t number = ~0ull;
  Chunk* chunk = nullptr;
  races.for_tiles([&](const TouchedTile& tile) {
    Ahead& place = queue[count++ % ahead];
    if (place.tile) add_next(place);
    if (tile.number / tiles_per_chunk != number) {
      number = tile.number / tiles_per_chunk;
      chunk = &this->chunk(number);
    }
    place = {&tile, chunk, tile.touched()};
    for_cells(place.lines, [&](unsigned i) {
      memory::prefetch_for_update(&chunk->lines[tile.line_number(i) % lines_per_chunk]);
    });
  });
  for (std::size_t i = 0; i < std::min(count, ahead); ++i)
    add_next(queue[(count + i) % std::min(count, ahead)]);
}

/// @param touched lines of the tile that the block has touched.
void InterBlockRaces::add_tile(Chunk& chunk, std::uint64_t block, const GlobalRaces& races,
                               const TouchedTile& tile, std::uint32_t touched) {
  const std::uint64_t number = tile.number % tiles_per_chunk;
  std::uint32_t& raced = chunk.raced[number];
  const std::uint32_t kept = ~chunk.left[number];
  if ((touched & kept) == 0) return;
  Line* const lines = chunk.lines + number * lines_per_tile;
  races.for_line_accesses(
      tile, [&](unsigned line, const LineAccess& access, const LineLanes& lanes) {
        const bool is_raced =
            (kept >> line & 1) &&
            chunk.insert(lines[line], static_cast<std::uint32_t>(block), access, lanes);
        chunk.raced_lines += is_raced && !(raced >> line & 1);
        raced |= static_cast<std::uint32_t>(is_raced) << line;
      });
  for_cells(touched & kept, [&](unsigned line) {
    chunk.compare_values(number * lines_per_tile + line,
                         tile.first_touched[LineAccess::write][line], tile.values(line));
  });
}

/// @param stored cells that a block has stored to. @param theirs hashes of what it stored, by cell.
void InterBlockRaces::Chunk::compare_values(std::uint64_t line, std::uint32_t stored,
                                            const std::uint16_t* theirs) {
  if (stored == 0) return;
  if (!values) values = memory.make<Values>(lines_per_chunk);
  Line& at = lines[line];
  std::uint16_t* first = values[line].of;
  if (at.written == 0) {
    std::copy(theirs, theirs + cells_per_line, first);
    at.written = stored;
    return;
  }
  for_cells(stored & at.written, [&](unsigned cell) {
    if (first[cell] != theirs[cell]) at.differs |= 1u << cell;
  });
  for_cells(stored & ~at.written, [&](unsigned cell) { first[cell] = theirs[cell]; });
  at.written |= stored;
}

/// Keeps of each cell and kind the two lowest blocks. Blocks mostly come in order, and then what is
/// there already is all lower.
/// @return true where it may race with another block.
bool InterBlockRaces::Chunk::insert(Line& line, std::uint32_t block, const LineAccess& by,
                                    const LineLanes& lanes) {
  if (block < line.highest) {
    const bool meets = meets_other(line, block, by);
    insert_among(line, block, by, lanes);
    return meets;
  }
  if (block > line.highest) {
    line.highest = block;
    std::copy(std::begin(line.one), std::end(line.one), line.of_others);
  }
  const bool meets = (line.in_conflict_of_highest(by.kind) & by.cells) != 0;
  const std::uint32_t cells = by.cells & ~line.two[by.kind];
  if (cells == 0) return meets;
  line.two[by.kind] |= line.one[by.kind] & cells;
  line.one[by.kind] |= cells;
  record(line, block, by, cells, lanes);
  return meets;
}

/// True where another block is in conflict with the access.
bool InterBlockRaces::Chunk::meets_other(const Line& line, std::uint32_t block,
                                         const LineAccess& access) const {
  bool meets = false;
  for_recorded(line, [&](const RecordedAccess& other) {
    meets |=
        other.block != block && (other.cells & access.cells) && conflict(other.kind, access.kind);
  });
  return meets;
}

/// Adds the access where some of the blocks that are there are higher.
void InterBlockRaces::Chunk::insert_among(Line& line, std::uint32_t block, const LineAccess& by,
                                          const LineLanes& lanes) {
  LineAccess access = by;
  line.of_others[by.kind] |= by.cells;
  bool is_last = true;
  std::uint32_t one = 0, two = 0;  // cells with one lower block, with two
  for_recorded(line, [&](const RecordedAccess& other) {
    if (!(other.cells & access.cells) || other.kind != access.kind || other.block == block) return;
    if (other.block > block) {
      is_last = false;
    } else {
      two |= one & other.cells;
      one |= other.cells;
    }
  });
  access.cells &= ~two;
  if (access.cells == 0) return;
  line.two[access.kind] |= line.one[access.kind] & access.cells;
  line.one[access.kind] |= access.cells;
  if (!is_last) drop_higher(line, block, access);
  record(line, block, access, access.cells, lanes);
}

/// A higher block is dropped where there is also another below it.
void InterBlockRaces::Chunk::drop_higher(Line& line, std::uint32_t block,
                                         const LineAccess& access) {
  for_recorded(line, [&](RecordedAccess& other) {
    if (other.kind != access.kind || other.block <= block) return;
    std::uint32_t lower = 0;
    for_recorded(line, [&](const RecordedAccess& third) {
      if (third.kind == other.kind && third.block < other.block && third.block != block)
        lower |= third.cells;
    });
    other.cells &= ~(lower & access.cells);
  });
  for (std::uint32_t* link = &line.first; *link;) {
    const std::uint32_t at = *link;
    RecordedAccess& recorded = accesses[at - 1];
    if (recorded.cells) {
      link = &recorded.next;
    } else {
      *link = recorded.next;
      recorded.next = free;
      free = at;
    }
  }
}

/// Forgets the lines of the tile that were raced for, where there are many in the chunk, but for
/// the sample.
void InterBlockRaces::Chunk::leave_all_but_sample(std::uint64_t tile) {
  const std::uint32_t kept = raced[tile] & ~left[tile];
  if (kept == 0 || raced_lines < many_lines) return;
  const std::uint32_t going = kept & ~sample(tile);
  left[tile] |= going;
  for_cells(going, [&](unsigned at) {
    Line& line = lines[tile * lines_per_tile + at];
    for (std::uint32_t next = line.first; next;) {
      const std::uint32_t gone = next;
      next = std::exchange(accesses[gone - 1].next, free);
      free = gone;
    }
    line = {};
  });
}

/// @param cells of the access that are to be kept.
void InterBlockRaces::Chunk::record(Line& line, std::uint32_t block, const LineAccess& by,
                                    std::uint32_t cells, const LineLanes& of) {
  std::uint32_t at = free;
  if (at) {
    free = accesses[at - 1].next;
  } else {
    accesses.add(memory);
    at = accesses.size();
  }
  RecordedAccess& recorded = accesses[at - 1];
  recorded.cells = cells;
  recorded.site = by.site;
  recorded.warp = by.warp;
  recorded.kind = by.kind;
  recorded.block = block;
  recorded.row = of.row();
  recorded.is_row = !of.has_table();
  recorded.next = line.first;
  line.first = at;
  if (recorded.is_row) return;
  if (recorded.lanes == 0) {
    lanes.emplace_back();
    recorded.lanes = static_cast<std::uint32_t>(lanes.size());
  }
  lanes[recorded.lanes - 1] = of;
}

/// Adds whose accesses of the kind to the cell were only noted down. The two lowest blocks stay.
void InterBlockRaces::join(std::vector<RecordedAccess>& all, LineAccess::Kind kind,
                           const std::vector<FirstAccessors::BlockAccess>& noted, unsigned cell) {
  const std::uint32_t cells = 1u << cell;
  std::set<std::uint32_t> blocks;
  for (const RecordedAccess& recorded : all)
    if (recorded.kind == kind && (recorded.cells & cells)) blocks.insert(recorded.block);
  for (const FirstAccessors::BlockAccess& access : noted) {
    if (!blocks.insert(access.block).second) continue;
    RecordedAccess& recorded = all.emplace_back();
    static_cast<LineAccess&>(recorded) = {cells, access.site,
                                          static_cast<std::uint16_t>(access.thread / 32), kind};
    recorded.block = access.block;
    recorded.row = LaneRow::of_one(access.thread % 32);
  }
  if (blocks.size() <= 2) return;
  const std::uint32_t second = *std::next(blocks.begin());
  for (RecordedAccess& recorded : all)
    if (recorded.kind == kind && recorded.block > second) recorded.cells &= ~cells;
}

/// The cells of a line to which different blocks stored different values.
/// @param chunk null: no block has lists of it. @param line in memory.
std::uint32_t InterBlockRaces::differing(const Chunk* chunk, std::uint64_t line) const {
  const FirstAccessors& writers = noted_[LineAccess::write];
  std::uint32_t differs = writers.differing(line);
  if (!chunk) return differs;
  const std::uint64_t in_chunk = line % lines_per_chunk;
  const Line& at = chunk->lines[in_chunk];
  differs |= at.differs;
  for_cells(at.written & writers.cells(line), [&](unsigned cell) {
    if (chunk->values[in_chunk].of[cell] != writers.value(line, cell)) differs |= 1u << cell;
  });
  return differs;
}

/// @param chunk null: no block has lists of it. @param line in memory.
void InterBlockRaces::races_in(const Chunk* chunk, std::uint64_t line,
                               std::vector<Race>& races) const {
  const Line none{}, &at = chunk ? chunk->lines[line % lines_per_chunk] : none;
  std::uint32_t noted[] = {0, noted_[LineAccess::write].cells(line),
                           noted_[LineAccess::strong].cells(line)};  // cells, by kind
  const std::uint32_t stored = at.one[LineAccess::write] | at.one[LineAccess::strong] |
                               noted[LineAccess::write] | noted[LineAccess::strong];
  if (stored == 0) return;
  // A block that only noted a read down has not stored there itself: another block has.
  noted[LineAccess::read] = stored & noted_[LineAccess::read].cells(line);
  const std::uint32_t differs = differing(chunk, line);
  const std::uint32_t met =
      noted[LineAccess::read] | (noted[LineAccess::strong] & at.in_conflict(LineAccess::strong)) |
      (noted[LineAccess::write] &
       (at.in_conflict(LineAccess::write) | noted[LineAccess::strong] | differs));
  if (!(chunk && chunk->has_raced(line % lines_per_chunk)) && !met) return;
  std::vector<RecordedAccess> all;
  if (chunk)
    chunk->for_recorded(at, [&](const RecordedAccess& recorded) { all.push_back(recorded); });
  for (LineAccess::Kind kind : kinds)
    for_cells(noted[kind],
              [&](unsigned cell) { join(all, kind, noted_[kind].accesses(line, cell), cell); });
  std::sort(all.begin(), all.end(), [](const RecordedAccess& a, const RecordedAccess& b) {
    return std::tie(a.block, a.kind, a.cells, a.site) < std::tie(b.block, b.kind, b.cells, b.site);
  });
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const RecordedAccess &lower = all[i], &higher = all[j];
      if (lower.block == higher.block || !conflict(lower.kind, higher.kind)) continue;
      std::uint32_t cells = lower.cells & higher.cells;
      if (lower.kind == LineAccess::write && higher.kind == LineAccess::write) cells &= differs;
      if (cells == 0) continue;
      const auto cell = static_cast<unsigned>(std::countr_zero(cells));
      races.push_back({{lower.block, thread(chunk, lower, cell), lower.site, lower.kind},
                       {higher.block, thread(chunk, higher, cell), higher.site, higher.kind},
                       (line * cells_per_line + cell) << shift_,
                       static_cast<unsigned>(std::popcount(cells))});
    }
}

/// Numbers of the chunks, in their order.
std::vector<std::uint64_t> InterBlockRaces::numbers(bool only_raced) const {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, chunk] : chunks_)
    if (chunk->raced_lines || !only_raced) numbers.push_back(number);
  for (LineAccess::Kind kind : {LineAccess::write, LineAccess::strong})
    noted_[kind].for_lines([&](std::uint64_t line) {
      const std::uint64_t number = line / lines_per_chunk;
      if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
    });
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// Numbers of the chunks in which there may be races.
std::vector<std::uint64_t> InterBlockRaces::numbers_with_races() const {
  const bool any_noted = std::any_of(std::begin(noted_), std::end(noted_),
                                     [](const FirstAccessors& noted) { return !noted.empty(); });
  return numbers(!any_noted);
}

/// The chunk, as it is left in the end: no block is to come. Null: no block has lists of it.
const InterBlockRaces::Chunk* InterBlockRaces::settled(std::uint64_t number) {
  const auto chunk = chunks_.find(number);
  if (chunk == chunks_.end()) return nullptr;
  for (std::uint64_t tile = 0; is_full() && tile < tiles_per_chunk; ++tile)
    chunk->second->leave_all_but_sample(tile);
  return chunk->second.get();
}

Footprint InterBlockRaces::footprint() const {
  Footprint result(1u << shift_);
  for (std::uint64_t number : numbers(false)) {
    const auto chunk = chunks_.find(number);
    if (chunk == chunks_.end()) continue;
    for (std::uint64_t line = 0; line < lines_per_chunk; ++line)
      add_pieces(*chunk->second, number, line, result);
  }
  for (LineAccess::Kind kind : kinds) add_noted(kind, result);
  return result;
}

/// The lowest block's accesses represent all that were only noted down.
void InterBlockRaces::add_noted(LineAccess::Kind kind, Footprint& to) const {
  const FirstAccessors& noted = noted_[kind];
  noted.for_runs([&](std::uint64_t cell, std::uint64_t count,
                     const FirstAccessors::BlockAccess& access, unsigned last_thread) {
    std::vector<std::uint16_t> hashes;
    for (std::uint64_t at = cell; kind == LineAccess::write && at < cell + count; ++at)
      hashes.push_back(noted.value(at / cells_per_line, at % cells_per_line));
    to.add(kind,
           {cell * 4, (cell + count) * 4, access.site, access.block,
            static_cast<std::uint16_t>(access.thread), static_cast<std::uint16_t>(last_thread),
            Footprint::Piece::none},
           hashes.empty() ? nullptr : hashes.data());
  });
}

void InterBlockRaces::add_pieces(Chunk& chunk, std::uint64_t number, std::uint64_t line,
                                 Footprint& to) const {
  chunk.for_recorded(chunk.lines[line], [&](const RecordedAccess& recorded) {
    for (std::uint32_t cells = recorded.cells; cells != 0;) {
      const auto first = static_cast<unsigned>(std::countr_zero(cells));
      const auto count = static_cast<unsigned>(std::countr_one(cells >> first));
      const unsigned last = first + count - 1;
      cells = last + 1 == cells_per_line ? 0 : cells >> (last + 1) << (last + 1);
      const std::uint64_t begin = ((number * lines_per_chunk + line) * cells_per_line + first)
                                  << shift_;
      const bool stores = recorded.kind == LineAccess::write && chunk.values;
      to.add(recorded.kind,
             {begin, begin + (std::uint64_t{count} << shift_), recorded.site, recorded.block,
              static_cast<std::uint16_t>(chunk.thread(recorded, first)),
              static_cast<std::uint16_t>(chunk.thread(recorded, last)), Footprint::Piece::none},
             stores ? chunk.values[line].of + first : nullptr);
    }
  });
}

}  // namespace warpwise::watch
