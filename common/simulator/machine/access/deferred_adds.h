#pragma once
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "simulator/memory/address_space.h"

namespace warpwise::machine {

/// Sums that the blocks of one host thread add to words of an allocation, kept back until a reader
/// may look at them. Host threads that add to the same words one by one wait for each other's
/// caches: two of them take longer for a histogram of a few bins than one alone.
///
/// Only for integers, whose sum does not depend on the order, and for results that are never read.
class DeferredAdds {
 public:
  /// The allocation; null: nothing is kept back.
  const memory::Allocation* of() const { return of_; }

  /// @param at the word, as the host sees it. @param of its allocation: all others' have been
  /// written.
  template <std::integral T>
  void add(const memory::Allocation* of, std::byte* at, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    if (!pays_) return write_one<T>(reinterpret_cast<std::uint64_t>(at), value);
    of_ = of;
    const std::uint64_t key = reinterpret_cast<std::uint64_t>(at) | (sizeof(T) == 8);
    Sum& sum = sums_[key / 4 % places];
    if (sum.key != key) {
      pushed_out_ += sum.key != 0;
      write(sum);
      sum = {key, 0};
    }
    sum.value += static_cast<std::make_unsigned_t<T>>(value);
    if (++adds_ % places_looked_at == 0) pays_ = pushed_out_ * 2 < adds_;
  }
  /// Writes all that was kept back.
  void write() {
    if (!of_) return;
    of_ = nullptr;
    for (Sum& sum : sums_) {
      pushed_out_ += sum.key != 0;
      write(sum);
      sum.key = 0;
    }
  }

 private:
  static constexpr std::size_t places = 512;
  static constexpr std::uint64_t places_looked_at = 8 * places;
  struct Sum {
    std::uint64_t key = 0;  ///< the word's address, odd for one of 8 bytes; 0: none
    std::uint64_t value = 0;
  };

  template <class T>
  static void write_one(std::uint64_t at, T value) {
    std::atomic_ref<T>(*reinterpret_cast<T*>(at)).fetch_add(value, std::memory_order_relaxed);
  }
  static void write(const Sum& sum) {
    if (sum.key % 2)
      write_one(sum.key - 1, sum.value);
    else if (sum.key)
      write_one(sum.key, static_cast<std::uint32_t>(sum.value));
  }

  const memory::Allocation* of_ = nullptr;
  std::array<Sum, places> sums_{};
  std::uint64_t adds_ = 0, pushed_out_ = 0;  ///< all so far, and sums that were written
  bool pays_ = true;                         ///< most adds find their word here
};

}  // namespace warpwise::machine
