#include "simulator/watch/global/zeroed_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "simulator/memory/large_pages.h"

namespace warpwise::watch {
namespace {

constexpr std::size_t largest_piece = 4 << 20;
/// A larger array of zeros may be used here and there only: untouched pages cost nothing where they
/// come from the system.
constexpr std::size_t largest_of_used_piece = 64 << 10;

}  // namespace

/// Pieces that are not needed just now, full of what was there.
class ZeroedMemory::Kept {
 public:
  /// Kept by the process; never destroyed, as launches may outlive what is.
  static Kept& all() {
    static auto* const kept = new Kept;
    return *kept;
  }
  /// @return false where there are enough.
  bool add(Piece piece) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (piece.bytes > largest_kept || bytes_ + piece.bytes > most_bytes) return false;
    bytes_ += piece.bytes;
    piece.is_zero = false;
    pieces_.push_back(piece);
    return true;
  }
  /// The last that was added and is large enough: the processor's caches may still hold it.
  std::optional<Piece> take(std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(pieces_.rbegin(), pieces_.rend(),
                                    [&](const Piece& piece) { return piece.bytes >= bytes; });
    if (found == pieces_.rend()) return std::nullopt;
    const Piece piece = *found;
    pieces_.erase(std::next(found).base());
    bytes_ -= piece.bytes;
    return piece;
  }

 private:
  static constexpr std::size_t largest_kept = largest_piece, most_bytes = 64 << 20;
  std::mutex mutex_;
  std::vector<Piece> pieces_;
  std::size_t bytes_ = 0;
};

ZeroedMemory::~ZeroedMemory() {
  for (const Piece& piece : pieces_)
    if (!Kept::all().add(piece)) munmap(piece.begin, piece.bytes);
}

void* ZeroedMemory::take(std::size_t bytes, bool wants_zeros) {
  constexpr std::size_t alignment = 64;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  const bool may_be_used = !wants_zeros || bytes <= largest_of_used_piece;
  bool is_zero = false;
  void* taken = nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto fits = [&] {
      return !pieces_.empty() && static_cast<std::size_t>(pieces_.back().end() - next_) >= bytes &&
             (pieces_.back().is_zero || may_be_used);
    };
    if (!fits()) start_piece(bytes, may_be_used);
    is_zero = pieces_.back().is_zero;
    taken = next_;
    next_ += bytes;
  }
  if (wants_zeros && !is_zero) std::memset(taken, 0, bytes);
  return taken;
}

/// Those after the first are each twice as large as the one before.
void ZeroedMemory::start_piece(std::size_t bytes, bool may_be_used) {
  std::optional<Piece> piece;
  if (may_be_used) piece = Kept::all().take(bytes);
  if (!piece) {
    const std::size_t size = std::max(bytes, next_piece_);
    next_piece_ = std::clamp(2 * size, memory::large_page, largest_piece);
    piece = Piece::made(size);
  }
  pieces_.push_back(*piece);
  next_ = piece->begin;
}

/// Made of large pages where it is large enough for one.
ZeroedMemory::Piece ZeroedMemory::Piece::made(std::size_t size) {
  void* at = nullptr;
  if (size >= memory::large_page) {
    size = (size + memory::large_page - 1) / memory::large_page * memory::large_page;
    at = memory::reserve_addresses(size);
    if (at == nullptr || !memory::map_own_memory(at, size)) throw std::bad_alloc();
    memory::prefer_large_pages(at, size);
  } else {
    at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
              -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
  }
  return {static_cast<std::byte*>(at), size, true};
}

}  // namespace warpwise::watch
