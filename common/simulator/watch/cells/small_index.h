#pragma once
#include <cstdint>

namespace warpwise::watch {

/// Numbers the different keys among those of a warp's lanes, in the order in which they come.
/// @tparam most different keys.
template <unsigned most>
class SmallIndex {
 public:
  unsigned size() const { return count_; }
  /// The number of the key; size() before the call where it is new.
  unsigned at(std::uint64_t key) {
    if (count_ && keys_[last_] == key) return last_;
    for (std::uint64_t slot = key * 0x9e3779b97f4a7c15ull >> 57;; slot = (slot + 1) % slots) {
      if (slots_[slot] == 0) {
        keys_[count_] = key;
        slots_[slot] = static_cast<std::uint8_t>(++count_);
        return last_ = count_ - 1;
      }
      if (keys_[slots_[slot] - 1] == key) return last_ = slots_[slot] - 1u;
    }
  }

 private:
  static constexpr unsigned slots = 128;
  static_assert(most <= slots / 2);
  unsigned count_ = 0, last_ = 0;
  std::uint8_t slots_[slots] = {};  ///< open addressing: 1 + number of a key, 0: free
  std::uint64_t keys_[most];
};

}  // namespace warpwise::watch
