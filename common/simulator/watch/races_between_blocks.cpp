#include "simulator/watch/races_between_blocks.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace warpwise::watch {
namespace {

bool conflict(Contact::Kind a, Contact::Kind b) {
  return a != b || a == Contact::write;  // all of reads or all of atomics agree
}

}  // namespace

RacesBetweenBlocks::Chunk& RacesBetweenBlocks::chunk(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Chunk>& chunk = chunks_[number];
  if (!chunk) chunk = std::make_unique<Chunk>();
  return *chunk;
}

void RacesBetweenBlocks::add(std::uint64_t block, const GlobalRaces& races) {
  Chunk* chunk = nullptr;
  std::uint64_t number = 0;
  std::unique_lock<std::mutex> lock;
  races.for_lines([&](const GlobalRaces::Line& touched) {
    if (!chunk || touched.number / lines_per_chunk != number) {
      if (lock.owns_lock()) lock.unlock();
      number = touched.number / lines_per_chunk;
      chunk = &this->chunk(number);
      lock = std::unique_lock(chunk->mutex);
    }
    if (add_to(chunk->lines[touched.number % lines_per_chunk], static_cast<std::uint32_t>(block),
               touched))
      chunk->suspicious = true;
  });
}

/// @return true where another block was there in conflict.
bool RacesBetweenBlocks::add_to(Line& line, std::uint32_t block, const GlobalRaces::Line& touched) {
  bool meets = false;
  for (const Contact& contact : touched.contacts) {
    Meeting meeting;
    static_cast<Contact&>(meeting) = contact;
    meeting.block = block;
    meets |= insert(line, meeting);
  }
  const std::uint32_t stored = touched.contacted[Contact::write];
  if (stored && line.written == 0) {
    std::copy(std::begin(touched.values), std::end(touched.values), line.values);
    line.written = stored;
    return meets;
  }
  for (std::uint32_t left = stored & line.written; left; left &= left - 1) {
    const int cell = std::countr_zero(left);
    if (line.values[cell] != touched.values[cell]) line.differs |= 1u << cell;
  }
  for (std::uint32_t left = stored & ~line.written; left; left &= left - 1) {
    const int cell = std::countr_zero(left);
    line.values[cell] = touched.values[cell];
  }
  line.written |= stored;
  return meets;
}

/// Keeps of each cell and kind the two lowest blocks.
bool RacesBetweenBlocks::insert(Line& line, Meeting meeting) {
  if (line.first[0].cells == 0 && line.first[1].cells == 0 && !line.more) {
    line.first[0] = meeting;
    return false;
  }
  bool meets = false;
  std::uint32_t one = 0, two = 0;  // cells with one lower block, with two
  auto look = [&](const Meeting& other) {
    if (!(other.cells & meeting.cells) || other.block == meeting.block) return;
    meets |= conflict(other.kind, meeting.kind);
    if (other.kind != meeting.kind || other.block > meeting.block) return;
    two |= one & other.cells;
    one |= other.cells;
  };
  for (const Meeting& other : line.first) look(other);
  if (line.more)
    for (const Meeting& other : *line.more) look(other);
  meeting.cells &= ~two;
  if (meeting.cells == 0) return meets;
  // A higher block goes where there is another below it, too.
  auto others = [&](auto visit) {
    for (Meeting& other : line.first) visit(other);
    if (line.more)
      for (Meeting& other : *line.more) visit(other);
  };
  others([&](Meeting& other) {
    if (other.kind != meeting.kind || other.block <= meeting.block || !other.cells) return;
    std::uint32_t lower = 0;
    others([&](const Meeting& third) {
      if (third.kind == other.kind && third.block < other.block && third.block != meeting.block)
        lower |= third.cells;
    });
    other.cells &= ~(lower & meeting.cells);
  });
  for (Meeting& place : line.first)
    if (place.cells == 0) {
      place = meeting;
      return meets;
    }
  if (!line.more) line.more = std::make_unique<std::vector<Meeting>>();
  std::erase_if(*line.more, [](const Meeting& other) { return other.cells == 0; });
  line.more->push_back(meeting);
  return meets;
}

void RacesBetweenBlocks::races_in(std::uint64_t number, const Line& line,
                                  std::vector<Race>& races) const {
  std::vector<Meeting> all;
  for (const Meeting& meeting : line.first)
    if (meeting.cells) all.push_back(meeting);
  if (line.more)
    for (const Meeting& meeting : *line.more)
      if (meeting.cells) all.push_back(meeting);
  std::sort(all.begin(), all.end(), [](const Meeting& a, const Meeting& b) {
    return std::tie(a.block, a.kind, a.cells) < std::tie(b.block, b.kind, b.cells);
  });
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Meeting &lower = all[i], &higher = all[j];
      if (lower.block == higher.block || !conflict(lower.kind, higher.kind)) continue;
      std::uint32_t cells = lower.cells & higher.cells;
      if (lower.kind == Contact::write && higher.kind == Contact::write) cells &= line.differs;
      if (cells == 0) continue;
      const auto cell = static_cast<unsigned>(std::countr_zero(cells));
      races.push_back({{lower.block, lower.thread(cell), lower.site, lower.kind},
                       {higher.block, higher.thread(cell), higher.site, higher.kind},
                       (number * cells_per_line + cell) << shift_,
                       static_cast<unsigned>(std::popcount(cells))});
    }
}

std::vector<RacesBetweenBlocks::Race> RacesBetweenBlocks::races() const {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, chunk] : chunks_)
    if (chunk->suspicious) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  std::vector<Race> races;
  for (std::uint64_t number : numbers)
    for (std::uint64_t i = 0; i < lines_per_chunk; ++i)
      races_in(number * lines_per_chunk + i, chunks_.at(number)->lines[i], races);
  return races;
}

}  // namespace warpwise::watch
