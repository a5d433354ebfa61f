#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "simulator/cudart/launch/work.h"
#include "simulator/cudart/memory/block_users.h"
#include "simulator/cudart/memory/host_memory.h"
#include "simulator/cudart/report/call_site.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {

/// One end of a copy.
struct CopyEnd {
  const char* role;  ///< "source", "destination"
  std::uint64_t address;
  const memory::Allocation* allocation;             ///< null: the program's own memory
  std::shared_ptr<const BlockUser> user = nullptr;  ///< where malloc or new gave it to the host

  bool on_device() const { return allocation != nullptr && !is_host_memory(allocation->kind); }
  bool device_only() const { return on_device() && allocation->kind != memory::Kind::managed; }
  std::byte* bytes() const {
    return allocation != nullptr ? runtime().memory.host(address)
                                 : reinterpret_cast<std::byte*>(address);
  }
};

struct CopyEnds {
  CopyEnd to, from;
};

/// Checks what a GPU's runtime checks before the device and the pointers: the direction, and the
/// distance of rows. @throws Failure cudaErrorInvalidMemcpyDirection, cudaErrorInvalidPitchValue.
void check_form(const Copy& request);

/// Both ends of a copy, checked against its sizes and its direction.
/// @throws Failure cudaErrorInvalidValue, cudaErrorInvalidMemcpyDirection,
/// cudaErrorInvalidPitchValue.
CopyEnds ends_of(const Copy& request);

/// The target of a fill, checked. @throws Failure cudaErrorInvalidValue.
CopyEnd target_of(const Fill& request);

/// True for memory of the host that is not page-locked: neither by the runtime nor by the system.
bool is_pageable(const CopyEnd& end);

/// True where one of a copy's ends is such memory.
bool touches_pageable(const Copy& request);

/// False where the memory existed when the copy was asked for and is gone now.
bool is_there(const CopyEnd& end, std::uint64_t bytes);

/// Reports that a copy's end is gone. @param from the call that asked for the copy.
void tell_gone(const CopyEnd& end, const CallSite& from);

}  // namespace warpwise::cudart
