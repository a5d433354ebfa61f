#pragma once
#include <cstddef>

namespace warpwise::watch {

/// How much may be kept of accesses to memory: a little, or as much as the memory takes that they
/// touch.
class KeptLimit {
 public:
  /// @param small bytes that are never too many. @param sharers of what is touched, which keep as
  /// much each.
  explicit KeptLimit(std::size_t small, unsigned sharers = 1)
      : small_(small), sharers_(sharers), most_(small) {}

  /// @param kept bytes. @param touched() is how many bytes of memory are touched: asked only where
  /// more is kept than was touched when it was asked last.
  template <class Touched>
  bool is_passed(std::size_t kept, Touched touched) {
    if (kept > most_) most_ = small_ + touched() / sharers_;
    return kept > most_;
  }
  /// Bytes, by what had been touched.
  std::size_t most() const { return most_; }
  /// Nothing is touched.
  void clear() { most_ = small_; }

 private:
  std::size_t small_;
  unsigned sharers_;
  std::size_t most_;
};

}  // namespace warpwise::watch
