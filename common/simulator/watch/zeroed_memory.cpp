#include "simulator/watch/zeroed_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

namespace warpwise::watch {
namespace {

constexpr std::size_t largest_piece = 16 << 20;
constexpr std::size_t huge_page = 2 << 20;

}  // namespace

ZeroedMemory::~ZeroedMemory() {
  for (const Piece& piece : pieces_) munmap(piece.mapped, piece.bytes);
}

void* ZeroedMemory::take(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (static_cast<std::size_t>(end_ - next_) < bytes) map(bytes);
  void* const taken = next_;
  next_ += bytes;
  return taken;
}

/// Maps a piece. Those after the first are of huge pages, each twice as large as the one before.
void ZeroedMemory::map(std::size_t bytes) {
  const std::size_t size = std::max(bytes, next_piece_);
  next_piece_ = std::clamp(2 * size, huge_page, largest_piece);
  const bool is_huge = size >= huge_page;
  // A huge page lies at a multiple of its size.
  const std::size_t mapped = is_huge ? size + huge_page : size;
  void* const at = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  pieces_.push_back({static_cast<std::byte*>(at), mapped});
  next_ = pieces_.back().mapped;
  if (is_huge) {
    next_ += (0 - reinterpret_cast<std::uintptr_t>(next_)) % huge_page;
    madvise(next_, size, MADV_HUGEPAGE);
  }
  end_ = next_ + size;
}

}  // namespace warpwise::watch
