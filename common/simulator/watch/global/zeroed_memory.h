#pragma once
#include <cstddef>
#include <mutex>
#include <new>
#include <type_traits>
#include <vector>

namespace warpwise::watch {

/// Memory full of zeros for what is remembered until a launch has ended. It is taken from the
/// system in large pieces, of huge pages where there are any: to be given one small page after
/// another takes longer than to fill them. Some pieces stay for later launches, for each of which
/// the system would make all their bytes zero again: here only those are that are used.
class ZeroedMemory {
 public:
  ZeroedMemory() = default;
  ZeroedMemory(const ZeroedMemory&) = delete;
  ZeroedMemory& operator=(const ZeroedMemory&) = delete;
  ~ZeroedMemory();

  /// An array that lives as long as this does. By any host thread.
  /// @tparam T means something where all its bytes are 0; is never destroyed.
  template <class T>
  T* make(std::size_t count = 1) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(take(count * sizeof(T), true));
  }
  /// The same with anything in it.
  template <class T>
  T* make_unset(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(take(count * sizeof(T), false));
  }

 private:
  struct Piece {
    std::byte* begin;
    std::size_t bytes;
    bool is_zero;
    std::byte* end() const { return begin + bytes; }
    static Piece made(std::size_t size);
  };
  class Kept;

  void* take(std::size_t bytes, bool wants_zeros);
  void start_piece(std::size_t bytes, bool may_be_used);

  std::mutex mutex_;
  std::vector<Piece> pieces_;
  std::size_t next_piece_ = 64 << 10;  ///< a short launch needs little
  std::byte* next_ = nullptr;          ///< what is left of the last piece begins here
};

}  // namespace warpwise::watch
