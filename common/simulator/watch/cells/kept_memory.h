#pragma once
#include <cstddef>
#include <limits>
#include <new>

namespace warpwise::watch {

/// Memory for the large arrays that each launch gives back and the next one asks for again. Malloc
/// would return it to the system, which clears every page anew; and malloc's own settings are the
/// learner's program's, whose mistakes they would hide.
///
/// @return bytes of undefined values, aligned for any type. @throws std::bad_alloc
void* take_memory(std::size_t bytes);
/// @param bytes as it was taken with.
void give_back_memory(void* memory, std::size_t bytes) noexcept;

/// For vectors of such memory.
template <class T>
struct KeptAllocator {
  using value_type = T;
  KeptAllocator() = default;
  template <class Other>
  KeptAllocator(const KeptAllocator<Other>&) {}
  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(take_memory(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    give_back_memory(memory, count * sizeof(T));
  }
  bool operator==(const KeptAllocator&) const { return true; }
};

}  // namespace warpwise::watch
