#include "simulator/memory/touched_pages.h"

#include <fcntl.h>
#include <unistd.h>

#include "simulator/memory/pages.h"

namespace warpwise::memory {
namespace {

/// Has a word for each page of this process: of one that was never touched, 0.
int page_map() {
  static const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  return file;
}

}  // namespace

std::vector<bool> touched_pages(std::uint64_t address, std::size_t pages) {
  constexpr std::uint64_t is_present = 1ull << 63, is_swapped = 1ull << 62;
  std::vector<bool> touched(pages, true);
  std::vector<std::uint64_t> words(pages);
  const std::size_t bytes = pages * sizeof(std::uint64_t);
  const auto at = static_cast<off_t>(address / page_bytes() * sizeof(std::uint64_t));
  if (page_map() < 0 || pread(page_map(), words.data(), bytes, at) != static_cast<ssize_t>(bytes))
    return touched;
  for (std::size_t i = 0; i < pages; ++i) touched[i] = (words[i] & (is_present | is_swapped)) != 0;
  return touched;
}

}  // namespace warpwise::memory
