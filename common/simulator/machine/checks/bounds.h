#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

struct Extent;

/// Looks at the addresses of an access before it is made, and faults where one is wrong.
class Bounds {
 public:
  explicit Bounds(RunnerState& here) : here_(here) {}

  /// Faults where a lane's address is not a multiple of what the access moves.
  void check_alignment(const code::Access& access, code::Space space, std::uint32_t mask,
                       const std::uint64_t* addresses);
  /// Addresses of global memory. Remembers the allocation that they are in, for the access's site.
  void check_global(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses,
                    const watch::AddressShape& shape);
  /// The owner of the shared memory that an access names.
  enum class SharedOf { block, cluster, runtime };
  /// Addresses of shared memory, which may be in another block's.
  SharedOf check_shared(const code::Access& access, std::uint32_t mask,
                        const std::uint64_t* addresses, const watch::AddressShape& shape);
  /// Addresses of the threads' own memory.
  void check_local(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses,
                   const Extent& extent);
  /// Addresses of the kernel's parameters, which a kernel may only read.
  void check_parameters(const code::Access& access, std::uint32_t mask,
                        const std::uint64_t* addresses);

  /// The parameters that the access sees. Pointers see what is written through a pointer; the
  /// parameter's name gives the old value.
  const std::vector<std::byte>& parameters(const code::Access& access) const {
    const bool sees_writes = !written_parameters_.empty() && access.space == code::Space::generic;
    return sees_writes ? written_parameters_ : here_.grid_.launch.parameters;
  }
  /// "offset 12 of its local arrays (64 bytes)".
  std::string local_text(std::uint64_t address) const;
  /// Bytes that went to other devices' memory and came from there.
  const watch::PeerBytes& peer_bytes() const { return peer_bytes_; }

 private:
  void look_at(const memory::Allocation& allocation, const code::Access& access, std::uint32_t mask,
               const std::uint64_t* addresses);
  void count_peer_bytes(const memory::Allocation& allocation, const code::Access& access,
                        unsigned lanes);
  void note_padding(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses);
  [[noreturn]] void bad_address(const code::Access& access, unsigned first, std::uint64_t count,
                                const char* kind, const std::string& rest);
  [[noreturn]] void out_of_bounds(const code::Access& access, unsigned lane, std::uint64_t address,
                                  std::uint64_t count);
  // shared_bounds.cpp
  bool names_block(std::uint32_t lanes, const std::uint64_t* addresses) const;
  void check_array(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses,
                   const watch::AddressShape& shape);
  // local_bounds.cpp
  void check_owner(const code::Access& access, unsigned lane, std::uint64_t count,
                   std::uint64_t address);
  void check_local_array(const code::Access& access, std::uint32_t mask,
                         const std::uint64_t* addresses, const Extent& extent);

  RunnerState& here_;
  watch::PeerBytes peer_bytes_;
  std::vector<std::byte> written_parameters_;  ///< as pointers see them; empty: never written
};

}  // namespace warpwise::machine
