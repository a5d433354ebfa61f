#include "simulator/memory/large_pages.h"

#include <sys/mman.h>

namespace warpwise::memory {

void* reserve_addresses(std::uint64_t bytes) {
  void* const found = mmap(nullptr, bytes + large_page, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<std::uint64_t>(found);
  const std::uint64_t before = (0 - begin) % large_page, behind = large_page - before;
  if (before > 0) munmap(found, before);
  if (behind > 0) munmap(reinterpret_cast<void*>(begin + before + bytes), behind);
  return reinterpret_cast<void*>(begin + before);
}

bool map_own_memory(void* address, std::uint64_t bytes) {
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(address, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) return false;
  madvise(address, bytes, MADV_DONTDUMP);
  // Many systems, Debian too, give large pages to all who do not decline them.
  madvise(address, bytes, MADV_NOHUGEPAGE);
  return true;
}

void prefer_large_pages(void* address, std::uint64_t bytes) {
  madvise(address, bytes, MADV_HUGEPAGE);
}

}  // namespace warpwise::memory
