#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace warpwise::machine {

/// Sizes and addresses of bulk copies are multiples of this many bytes.
constexpr unsigned bulk_unit = 16;

/// Asynchronous copies from and to a block's shared memory, and reads of it by products of
/// matrices, that have been started and not been waited for: until then what they write is neither
/// old nor new, and what they read must stay.
class CopiesInFlight {
 public:
  static constexpr std::uint32_t no_barrier = ~0u;
  /// The kind of work that is waited for together. Products are a warpgroup's, and belong to its
  /// first warp.
  enum class Of : std::uint8_t { copies, bulk, products };
  /// A copy by the lanes of a warp, or by one thread.
  struct Copy {
    std::uint32_t site = 0;   ///< of its access to the block's shared memory
    unsigned warp = 0;        ///< that began it
    std::uint32_t lanes = 0;  ///< that have not waited
    std::uint32_t bytes = 0;  ///< of each lane
    Of of = Of::copies;
    bool only_reads = false;  ///< the shared memory is its source
    bool updates = false;     ///< by atomic operations: in no other's way
    /// Address of the mbarrier whose phase ends with the copy.
    std::uint32_t barrier = no_barrier;
    bool phase = false;
    std::array<std::uint32_t, 32> at{};  ///< addresses in shared memory, by lane
    /// By lane; of products, whose groups the caller counts, the number in all.
    std::array<std::uint32_t, 32> groups{};
  };
  struct Hit {
    unsigned lane;  ///< of the access
    const Copy* copy;
  };
  using Landed = std::function<void(const Copy& copy, std::uint32_t lanes)>;

  /// @param base address of the first byte.
  CopiesInFlight(std::uint32_t base, std::uint32_t bytes, unsigned warps);

  void start_block();
  bool any() const { return count_ > 0; }
  /// True while shared memory is filled for a lane of the warp, which has begun it and not waited.
  bool fill_for(unsigned warp) const { return filling_[warp] > 0; }
  /// The same for any warp that is not one of these.
  bool fill_for_others(std::uint32_t warps) const { return (filling_warps_ & ~warps) != 0; }
  void add(const Copy& copy);

  /// The lanes' copies since the last time become a group.
  void commit(unsigned warp, std::uint32_t lanes, Of of);
  /// Lanes wait until at most so many of their groups are in flight.
  void wait(unsigned warp, std::uint32_t lanes, std::uint32_t groups, Of of, const Landed& landed);
  /// All groups of the warpgroup's products up to this one have ended.
  void end_products(unsigned first_warp, std::uint32_t group);
  /// Lanes wait for all their copies that are not in bulk, committed or not.
  void wait_all(unsigned warp, std::uint32_t lanes, const Landed& landed);
  /// The lanes' copies end with a phase of the mbarrier.
  void bind(unsigned warp, std::uint32_t lanes, std::uint32_t barrier, bool phase);
  /// A thread has seen that the phase ended.
  void phase_ended(std::uint32_t barrier, bool phase, const Landed& landed);

  /// A copy that an access must not meet; copy null where there is none.
  /// @param lowest, highest of the addresses, which are all in the block's memory.
  Hit in_the_way(std::uint32_t mask, const std::uint64_t* addresses, unsigned bytes, bool is_store,
                 std::uint64_t lowest, std::uint64_t highest) const;

 private:
  using Bits = std::vector<std::uint32_t>;
  struct Counts {
    std::array<std::uint32_t, 32> of[2] = {};
    std::array<std::uint32_t, 32>& operator[](Of which) { return of[static_cast<int>(which)]; }
  };
  /// A warp's copies, in the order in which they were begun.
  struct Begun {
    Copy copy;
    std::uint64_t number;
  };
  /// Takes lanes out of a warp's copies: which(copy) says those that have landed.
  template <class Which>
  void land(unsigned warp, Which which, const Landed& landed);
  void mark(const Copy& copy, std::uint32_t lanes, bool on);
  void keep(const Copy& copy);
  /// One copy more, or less, into the block's memory is in flight for the warp.
  void count_filling(unsigned warp, int more);
  /// An earlier copy of the same lanes to the same places ends before this one does: an access that
  /// does not meet this one does not meet that one. A loop that never waits would keep more and
  /// more.
  void forget_same_place(const Copy& copy);
  bool marked(const Bits& bits, std::uint64_t first, std::uint64_t last) const;
  const Copy* copy_at(std::uint64_t address, unsigned bytes, bool is_store) const;

  std::uint32_t base_, bytes_;
  Bits written_, read_;                     ///< a bit a word; empty until there is a copy
  std::vector<std::vector<Begun>> copies_;  ///< by warp
  std::size_t count_ = 0;                   ///< of all warps
  std::uint64_t next_number_ = 0;
  std::vector<Counts> committed_;    ///< by warp
  std::vector<unsigned> filling_;    ///< copies into the block's memory that go on, by warp
  std::uint32_t filling_warps_ = 0;  ///< those that have any
};

}  // namespace warpwise::machine
