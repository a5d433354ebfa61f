#pragma once
#include <algorithm>

namespace warpwise::watch {

/// Exponential backoff, when a first look is not worth it: where it was not enough, the next turns
/// are likely to be the same, and twice as many each time.
class Backoff {
 public:
  /// @param most turns without a first look.
  explicit Backoff(unsigned most) : most_(most) {}
  /// A turn starts. @return true where it is to be looked at closely at once.
  bool start() {
    if (left_ == 0) return false;
    --left_;
    return true;
  }
  /// A first look was not enough.
  void add() {
    left_ = next_;
    next_ = std::min(2 * next_, most_);
  }

 private:
  unsigned most_, left_ = 0, next_ = 1;
};

}  // namespace warpwise::watch
