#include "simulator/watch/cells/kept_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace warpwise::watch {
namespace {

/// Smaller arrays are malloc's.
constexpr std::size_t smallest = 64 << 10;
/// What all threads together keep at most.
constexpr std::size_t most_kept = 256 << 20;

/// Arrays of a launch differ by little: those of a few sizes take one another's place.
constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + smallest - 1) / smallest * smallest;
}

struct Kept {
  std::mutex mutex;
  std::unordered_map<std::size_t, std::vector<void*>> by_size;
  std::size_t bytes = 0;
};

/// Never destroyed: launches may run while the program ends.
Kept& kept() {
  static Kept& all = *new Kept;
  return all;
}

void* take_kept(std::size_t bytes) {
  const std::lock_guard lock(kept().mutex);
  const auto found = kept().by_size.find(bytes);
  if (found == kept().by_size.end() || found->second.empty()) return nullptr;
  void* const memory = found->second.back();
  found->second.pop_back();
  kept().bytes -= bytes;
  return memory;
}

bool keep(void* memory, std::size_t bytes) noexcept {
  try {
    const std::lock_guard lock(kept().mutex);
    if (kept().bytes + bytes > most_kept) return false;
    kept().by_size[bytes].push_back(memory);
    kept().bytes += bytes;
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

void* take_memory(std::size_t bytes) {
  if (bytes < smallest) return ::operator new(bytes);
  if (bytes > SIZE_MAX - smallest) throw std::bad_alloc();
  const std::size_t whole = rounded(bytes);
  if (void* const memory = take_kept(whole)) return memory;
  void* const memory =
      mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

void give_back_memory(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  if (bytes < smallest) {
    ::operator delete(memory);
    return;
  }
  const std::size_t whole = rounded(bytes);
  if (!keep(memory, whole)) munmap(memory, whole);
}

}  // namespace warpwise::watch
