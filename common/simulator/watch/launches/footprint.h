#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "simulator/watch/global/touched_tile.h"

namespace warpwise::watch {

/// The memory that one piece of work of a device touched, to be compared with other work that
/// nothing orders: a launch, whose accesses have sites and threads, or a copy.
class Footprint {
 public:
  /// Neighbouring bytes that one instruction of one warp touched.
  struct Piece {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t site = none;
    std::uint32_t block = 0;
    std::uint16_t first_thread = 0, last_thread = 0;  ///< of the block, at both ends
    std::uint32_t first_hash = none;                  ///< of the cells' values; of stores
    static constexpr std::uint32_t none = ~0u;
  };

  /// @param cell_bytes of the values that are compared; 0: none are.
  explicit Footprint(unsigned cell_bytes = 0) : cell_bytes_(cell_bytes) {}

  /// @param hashes of what was stored, one for each cell of the piece; null: not known.
  void add(LineAccess::Kind kind, Piece piece, const std::uint16_t* hashes = nullptr);
  /// To be called once, after the last piece.
  /// @param lines of the source, by site.
  void complete(std::vector<unsigned> lines = {});
  /// Where the work ran, and at which sites it has atomics that are ones for that device alone.
  void set_device(int device, std::vector<bool> is_of_device) {
    device_ = device;
    is_of_device_ = std::move(is_of_device);
  }
  /// True where it was too much to be kept; then nothing is.
  bool is_too_large() const { return is_too_large_; }
  /// The source line of a piece; 0: not known.
  unsigned line(const Piece& piece) const {
    return piece.site < lines_.size() ? lines_[piece.site] : 0;
  }
  const std::vector<Piece>& pieces(LineAccess::Kind kind) const { return pieces_[kind]; }

  /// Where two touched the same, and not both only read, or both by atomics that are ones for both,
  /// or stored the same.
  struct Overlap {
    Piece mine, theirs;
    LineAccess::Kind my_kind, their_kind;
    std::uint64_t address;
    std::uint64_t bytes = 0;  ///< in all, of the same two sites
    /// The thread that touched the address.
    std::uint32_t thread() const;
  };
  /// One for each pair of sites, by address.
  std::vector<Overlap> overlaps(const Footprint& theirs) const;

 private:
  static constexpr std::size_t most_pieces = 4 << 20;

  bool are_atomic_together(const Piece& mine, const Footprint& theirs, const Piece& other) const;
  void find(const Footprint& theirs, LineAccess::Kind mine, LineAccess::Kind their_kind,
            std::vector<Overlap>& found) const;
  bool stored_same(const Piece& mine, const Footprint& theirs, const Piece& their_piece) const;

  unsigned cell_bytes_;
  bool is_too_large_ = false;
  std::array<std::vector<Piece>, 3> pieces_;  ///< by kind; sorted by begin once complete
  std::array<std::uint64_t, 3> longest_{};
  std::vector<std::uint16_t> hashes_;
  std::vector<unsigned> lines_;
  int device_ = 0;
  std::vector<bool> is_of_device_;  ///< by site; empty: no atomic is one for its device alone
};

/// "reads", "writes" or "updates".
const char* verb(LineAccess::Kind kind);

}  // namespace warpwise::watch
