#pragma once
#include <cstdint>

/// How many pieces the hardware cuts a warp's access into. Pure arithmetic on addresses.
namespace warpwise::watch {

constexpr unsigned sector_bytes = 32;
constexpr unsigned bank_count = 32;

/// Different 32-byte sectors that the lanes of the mask touch.
/// @param addresses of 32 lanes; those outside the mask are not read.
/// @param bytes per lane.
unsigned sectors(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes);

struct AtomicSectors {
  unsigned count;
  /// False where the hardware may send one or two more: of many sectors in which lanes share an
  /// address, and others update neighbours of each other. 158 of 460 random requests on an H200
  /// were such; 27 of these needed more, none of the others.
  bool is_known;
};
/// Sectors as the L2 cache gets them from an atomic or a reduction: lanes that update the same
/// address come one after another, and each time the sector is sent (found by measuring an H200;
/// common/verification/recorded/atomic_patterns.json).
AtomicSectors atomic_sectors(const std::uint64_t* addresses, std::uint32_t mask);

/// Sectors that cp.async.cg counts: pairs of a sector of shared memory written and a line of 128
/// bytes read, where of lanes that write the same 16 bytes the last counts (measured, as above).
unsigned bypassing_sectors(const std::uint64_t* from, const std::uint64_t* to, std::uint32_t mask);

/// Wavefronts of a shared access: 8-byte accesses go by half-warps, 16-byte ones by quarter-warps;
/// in each part a bank gives one 4-byte word at a time, and lanes that want the same word share it.
/// A load of 8 or 16 bytes takes two parts at a time where every lane shares its address with the
/// next to it or the next but one (found by measuring an H200;
/// common/verification/recorded/access_patterns.json).
unsigned wavefronts(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes,
                    bool is_load);

/// Wavefronts of a shared load of 8 or 16 bytes by Nsight Compute's counter `smsp__sass_*`, whose
/// own code works them out from the addresses: where lanes share addresses they are not always
/// those of the hardware, as they are for all other accesses (found by measuring an H200;
/// common/verification/recorded/wide_patterns.json).
/// @return 0 where they are not known: of loads of 16 bytes by a part of a warp, unless all lanes
/// share one address, or they are the first lanes and each shares with the next lane or the next
/// but one or with none, or no lanes share and no two parts could be joined.
unsigned counted_wavefronts(const std::uint64_t* addresses, std::uint32_t mask, unsigned bytes);

/// Loads of a warp that adds to 4-byte words of shared memory by a loop: load, add, swap if no
/// other lane was faster.
struct UpdateLoop {
  unsigned loads = 0;
  unsigned wavefronts = 0;  ///< of all loads
};

/// The loop of a warp that no other disturbs: each round the first lane of every bank succeeds
/// (found by measuring an H200; common/verification/recorded/atomic_patterns.json).
UpdateLoop update_loop(const std::uint64_t* addresses, std::uint32_t mask);

/// Wavefronts of the same access without any bank conflict.
unsigned ideal_wavefronts(std::uint32_t mask, unsigned bytes);

}  // namespace warpwise::watch
