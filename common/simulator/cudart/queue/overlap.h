#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/cudart/launch/work.h"
#include "simulator/cudart/queue/queue.h"
#include "simulator/machine/launch/module.h"
#include "simulator/watch/launches/footprint.h"

/// Finds work of different streams that touches the same memory without being ordered.
namespace warpwise::cudart {

/// The memory that an operation touched, and the operation's name.
struct Touched {
  std::string what;  ///< "kernel scale(float*)"
  const char* made;  ///< what the call did: "launched", "called"
  CallSite from;
  std::shared_ptr<const watch::Footprint> footprint;
  const char* does = nullptr;  ///< null: it reads or writes, as the footprint says
  /// Of a launch that may begin before the previous one has ended.
  bool may_begin_early = false;
  bool waits_too_late = false;  ///< the same, and it waits for that one afterwards
  int device = memory::current_device();
};

/// "offset 8 of allocation 3 (4096 bytes)"
std::string memory_text(std::uint64_t address);

/// By the launch that runs: compares the bytes that it touched.
/// @return where it is in conflict with other work, one for each pair of calls and sites.
std::vector<machine::Neighbours::Conflict> compare_launch(
    const Launched& launch, std::shared_ptr<const watch::Footprint> footprint);

/// By a launch that may have begun before the previous one has ended: compares what it touched
/// until it waited for that one.
/// @return where it is in conflict with that one, or with the one before that.
std::vector<machine::Neighbours::Conflict> compare_with_launches_in_front(
    const Launched& launch, const std::shared_ptr<const watch::Footprint>& footprint);

/// By a copy or fill, before it runs: reports its conflicts; a copy may be in conflict with itself.
/// @param from where the call is.
void compare_copy(const Copy& copy, const CallSite& from);
void compare_fill(const Fill& fill, const CallSite& from);

/// Where a stream has reached an allocation: reports work that uses the memory and does not come
/// after it.
void compare_allocation(std::uint64_t base, std::uint64_t bytes, const CallSite& from);
/// The same where it has reached the end of one: reports work that uses it and does not come before
/// that.
/// @param by the call that ends it.
void compare_release(std::uint64_t base, std::uint64_t bytes, const CallSite& from,
                     const char* by = "cudaFreeAsync");

}  // namespace warpwise::cudart
