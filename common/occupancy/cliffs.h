#pragma once
#include <cstdint>
#include <optional>

#include "occupancy/occupancy.h"

/// \file
/// The next cliff: the smallest change of a kernel that changes how much of it is resident.
/// \ingroup occupancy
namespace warpwise::occupancy {

/// One change of one amount, everything else as it is.
struct Cliff {
  std::int64_t change = 0;  ///< signed: -3 is three fewer.
  std::int64_t amount = 0;  ///< afterwards: registers per thread, bytes or threads per block.
  int blocks = 0;           ///< resident on one SM afterwards.
  int warps = 0;            ///< resident on one SM afterwards.
};

/// Registers and shared memory that tie: neither helps alone, both together do.
struct JointCliff {
  std::int64_t registers_change = 0;  ///< negative.
  std::int64_t shared_change = 0;     ///< negative.
  int blocks = 0;                     ///< resident after both changes.
  int warps = 0;
};

/// An absent value does not exist: no change of that amount alone, in that direction, has the
/// effect. Bytes are static plus dynamic ones. For threads the amounts are whole warps, and a gain
/// is one of warps, not blocks: smaller blocks are always more, but not always better.
struct Cliffs {
  std::optional<Cliff> fewer_registers;  ///< least decrease that admits more blocks.
  std::optional<Cliff> more_registers;   ///< least increase that costs a block (or the launch: 0).
  std::optional<Cliff> less_shared;      ///< least decrease that admits more blocks.
  std::optional<Cliff> more_shared;      ///< least increase that costs a block (or the launch: 0).
  std::optional<Cliff> fewer_threads;    ///< nearest smaller block with more resident warps.
  std::optional<Cliff> more_threads;     ///< nearest larger block with more resident warps.
  std::optional<JointCliff> registers_and_shared;
};

/// For a kernel that does not fit, the gains are what makes it launch. For an impossible kernel (no
/// threads, negative amounts) all are absent.
Cliffs cliffs(const Gpu& gpu, const Kernel& kernel);

}  // namespace warpwise::occupancy
