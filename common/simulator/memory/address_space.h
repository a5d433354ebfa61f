#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "simulator/memory/free_ranges.h"
#include "simulator/memory/peers.h"
#include "simulator/memory/texel_objects.h"

/// Addresses, allocations, red zones: the memory of the devices as programs see it.
namespace warpwise::memory {

enum class Kind {
  device,
  pinned,
  mapped,
  managed,
  variable,
  constant,
  heap,        ///< by malloc or new in a kernel
  registered,  ///< the program's own, which kernels may reach
};

/// True for memory of the host.
inline bool is_host_memory(Kind kind) {
  return kind == Kind::pinned || kind == Kind::mapped || kind == Kind::registered;
}

/// True for memory of the address space that the host also works on.
inline bool is_shared_with_host(Kind kind) {
  return kind == Kind::pinned || kind == Kind::mapped || kind == Kind::managed;
}

/// The content of a byte of memory, for a program that reads it.
enum class Validity : std::uint8_t {
  never_written,
  defined,
  derived,  ///< computed from values that were never written
};

/// A line of device code.
struct CodeLine {
  std::string file;
  unsigned line = 0;    ///< 0: not known
  unsigned column = 0;  ///< 0: not known
};

/// One allocation. Records are never destroyed, so that a use after free can name what it hit.
struct Allocation {
  std::uint64_t base = 0;   ///< device address.
  std::uint64_t bytes = 0;  ///< as asked for.
  Kind kind = Kind::device;
  std::uint32_t id = 0;  ///< 1, 2, ... in order of allocation.
  int device = 0;        ///< that it belongs to; of what the host works on: that asked for it.
  bool live = true;
  bool is_tracked = false;  ///< validity is kept for each byte; else all counts as defined
  /// For a variable: a word that was never written holds the zero that it was declared with, and
  /// counts.
  bool zero_counts = false;
  int set_on = -1;  ///< of a variable: another device, on which the host has set it.
  /// False where bytes that are kept as never written may have been, by the host, or count as zero.
  bool has_all_writes() const { return is_tracked && kind != Kind::managed && !zero_counts; }
  bool is_variable = false;    ///< of the program: it lives as long as its module
  bool has_own_pages = false;  ///< its content is not part of the file that the host may be shown
  bool is_idle = false;        ///< of a graph, which has freed it and may take it again
  bool is_of_pool = false;     ///< other devices may use it where `granted` says so
  std::uint8_t granted = 0;    ///< of a pool: a bit for each other device that may use it
  /// Kernels have each access looked at: it has padding, or is memory of one of several devices.
  bool is_looked_at = false;
  /// A launch has left values in it whose places or owners follow from which thread came first.
  bool is_in_arrival_order = false;
  bool ended_with_derived = false;  ///< it was freed while some of its bytes were Validity::derived
  std::shared_ptr<const CodeLine> made_at;  ///< of the heap: where a kernel asked for it
  std::string name;  ///< "x" where the program or a lesson named it; else empty.

  /// Where it was asked for by rows: bytes of a row, and from one to the next; 0: it was not.
  std::uint64_t row_bytes = 0, pitch = 0;

  /// True for the bytes after a row and before the next one.
  bool is_padding(std::uint64_t address) const {
    return pitch != 0 && (address - base) % pitch >= row_bytes;
  }
  std::uint64_t end() const { return base + bytes; }
  bool holds(std::uint64_t address) const { return address >= base && address < end(); }
  /// "array x (4096 bytes)" or "allocation 3 (4096 bytes)", for messages.
  std::string describe() const;
};

/// Device memory is a memfd mapped twice. The address that programs see is inaccessible to the host
/// (a host access faults and is explained); the simulator works through a private alias at a fixed
/// distance. Pinned, mapped and managed memory is accessible at the program's address too. After
/// the alias of a large array that only the device sees comes memory of its own, of large pages.
///
/// All devices have their memory here, each as much; an allocation belongs to current_device().
///
/// Every allocation starts on a page of its own and is followed by a red zone as long as itself (64
/// KiB to 256 MiB): addresses cost nothing here, and a wide zone catches an index that is wrong by
/// a row. Freed addresses come back only after the whole reservation was handed out once, so that a
/// use after free can be named. All functions may be called from several threads.
class AddressSpace {
 public:
  static constexpr std::uint64_t alignment = 512;
  static constexpr std::uint64_t red_zone = 512;  ///< at least this many bytes between allocations.
  /// The value of every byte of fresh memory: -4.3e8 as float, negative and huge as an index.
  static constexpr std::byte poison{0xCD};
  /// Only the first and the last half of this many bytes of a larger allocation are poisoned,
  /// because touching a page takes real memory; the middle reads as zero.
  static constexpr std::uint64_t poisoned_bytes = 64ull << 20;

  /// @param capacity_bytes what cudaMemGetInfo calls total memory, of each device.
  /// @throws std::runtime_error, one sentence for people, when the system refuses the address
  /// range.
  explicit AddressSpace(std::uint64_t capacity_bytes, int devices = 1);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// @return the new allocation, or null when the device's capacity is exhausted. Contents are
  /// undefined for the program: `poison`, so that nothing works by luck. Variables and constants
  /// are zero instead, as C++ defines them, and so is what the host can read, as it is on a GPU: a
  /// read that comes too early could not be reported. Pinned and mapped memory does not count as
  /// used.
  /// @param made_at where a kernel asked for it.
  const Allocation* allocate(std::uint64_t bytes, Kind kind,
                             std::shared_ptr<const CodeLine> made_at = nullptr);
  /// Lets kernels reach memory of the host, until release(). @return null where some of it can be
  /// reached already.
  const Allocation* adopt(std::uint64_t address, std::uint64_t bytes);
  /// Ends an allocation and gives its pages back to the system.
  /// @return false when no live allocation starts at the address.
  bool release(std::uint64_t base);
  /// From now on it is kept which bytes of the live allocation have been written; none have. Not
  /// while a launch runs that knows the allocation.
  void track(std::uint64_t base);
  /// The same for a variable of several devices' code that was declared without a value: what was
  /// not written counts as zero, until set_elsewhere().
  void track_declared(std::uint64_t base);
  /// The host has set the variable on another device. Bytes that were not written here are missing.
  void set_elsewhere(std::uint64_t base, int device);
  /// The live allocation is as track() leaves a fresh one: none of its bytes counts as written. Not
  /// while a launch runs that knows the allocation.
  void forget(std::uint64_t base);
  /// A launch has left values in the live allocation by the order in which its threads came. Not
  /// while a launch runs that knows the allocation.
  void leave_in_arrival_order(std::uint64_t base);
  /// The host wrote bytes, through host(). All of an allocation, and it is in no arrival order but
  /// that of what was copied.
  /// @param from where they were copied from, by host() if that is device memory; null for a fill.
  void written(const std::byte* to, const std::byte* from, std::uint64_t bytes);
  /// A Validity for each byte from the address on, which is in a tracked allocation.
  std::uint8_t* validity(std::uint64_t address) const {
    return reinterpret_cast<std::uint8_t*>(address +
                                           static_cast<std::uint64_t>(validity_distance_));
  }
  /// A launch stores values that it has computed from bytes which were never written: it marks them
  /// as derived.
  void expect_derived() { has_derived_.store(true, std::memory_order_relaxed); }
  /// Something reads the bytes, which are in a tracked allocation. Derived ones count as defined
  /// from now on. @return whether there were any.
  bool read_derived(std::uint64_t address, std::uint64_t bytes) const;
  /// True where bytes of the allocation are derived, or were when it was freed: neither read nor
  /// overwritten. @param id of Allocation.
  bool holds_derived(std::uint32_t id) const;
  /// The host may write managed memory by itself. Pages that it has touched count as written from
  /// now on. Looked at are some pages, from that of the address on.
  void define_pages_of_host(const Allocation& allocation, std::uint64_t address) const;
  /// Kernels and copies may use the live allocation that starts at the address, or not for now.
  void set_idle(std::uint64_t base, bool is_idle);
  /// The live allocation is of a pool: its device may use it, and those with a bit in `granted`.
  void grant(std::uint64_t base, std::uint8_t granted);
  /// True where kernels of the device may use the allocation.
  bool reaches(int device, const Allocation& allocation) const {
    return allocation.device == device || is_of_all(allocation) ||
           (allocation.is_of_pool ? (allocation.granted >> device & 1) != 0
                                  : peers_.may(device, allocation.device));
  }
  /// True for what all devices may use.
  static bool is_of_all(const Allocation& allocation) {
    return is_host_memory(allocation.kind) || allocation.kind == Kind::managed;
  }
  Peers& peers() { return peers_; }
  const Peers& peers() const { return peers_; }
  int devices() const { return devices_; }
  /// Names the live allocation that starts at the address, if there is one. Not while a launch
  /// runs.
  void name(std::uint64_t base, std::string name);
  /// The live allocation that starts at the address consists of rows. Not while a launch runs that
  /// may use it.
  void divide(std::uint64_t base, std::uint64_t row_bytes, std::uint64_t pitch);

  /// Turns the live variable at `base` into a managed one, accessible to the host (a __managed__
  /// variable). @return false when there is none or the system refuses.
  bool make_managed(std::uint64_t base);
  /// Opens or closes an allocation that the host shares: closed from a launch that may use it until
  /// the host has waited for it, so that a missing synchronisation is caught. Does nothing where
  /// no such allocation starts at the address.
  void set_host_access(std::uint64_t base, bool accessible);
  /// Opens the host's page at an address of such an allocation.
  void open_page(std::uint64_t address) const;

  /// The live allocation that holds the byte, or null. Cheap: machine/ calls it when its cache
  /// misses.
  const Allocation* find(std::uint64_t address) const;
  /// For messages: the allocation nearest to the address, freed ones included; null when there is
  /// none.
  const Allocation* nearest(std::uint64_t address) const;
  /// True for any address of the reserved range, allocated or not.
  bool contains(std::uint64_t address) const { return address - base_ < reserved_; }

  /// The reserved range.
  std::uint64_t base() const { return base_; }
  std::uint64_t reserved_bytes() const { return reserved_; }

  /// The simulator's own pointer to a device address. Valid for addresses inside live allocations.
  std::byte* host(std::uint64_t address) const {
    return reinterpret_cast<std::byte*>(contains(address) ? address + alias_distance() : address);
  }
  /// The distance that host() adds to every address that contains() knows.
  std::uint64_t alias_distance() const { return static_cast<std::uint64_t>(alias_distance_); }
  /// True where there is memory that contains() does not know.
  bool has_registered() const { return registered_ > 0; }

  std::uint64_t capacity_bytes() const { return capacity_; }
  std::uint64_t used_bytes() const;  ///< of the current device
  /// The bytes of the heap that blocks held by kernels of the current device take (heap_share.h).
  /// It does not count as used.
  std::uint64_t heap_bytes() const;
  /// True once a kernel of the current device has had memory of its heap.
  bool heap_was_used() const { return here().heap_was_used; }
  /// How often the search for addresses has started over. As long as it has not, none that was
  /// given back is given out again.
  unsigned laps() const { return free_.laps(); }
  std::vector<const Allocation*> live() const;
  /// Bytes that were allocated so far, freed or not, which the host can read without a copy.
  std::uint64_t shown_to_host() const { return shown_to_host_; }

  /// Texture and surface objects, most of which show memory of this space.
  TexelObjects& texel_objects() { return texel_objects_; }
  const TexelObjects& texel_objects() const { return texel_objects_; }

 private:
  void reserve(std::uint64_t bytes);
  bool open_to_host(const Allocation& allocation);
  void close_to_host(const Allocation& allocation);
  bool take_own_pages(Allocation& allocation);
  bool take_shared_pages(const Allocation& allocation);
  bool give_pages_back(const Allocation& allocation);
  void fill(const Allocation& allocation);
  bool find_derived(std::uint64_t address, std::uint64_t bytes) const;

  /// The uses of a device's memory.
  struct Use {
    std::uint64_t bytes = 0;
    std::uint64_t heap = 0;  ///< of kernels, in parts (heap_share.h)
    std::atomic<bool> heap_was_used = false;
  };
  Use& of(int device) { return use_[static_cast<std::size_t>(device)]; }
  const Use& here() const { return use_[static_cast<std::size_t>(current_device())]; }

  std::uint64_t capacity_;
  int devices_;
  std::uint64_t reserved_ = 0;
  std::uint64_t base_ = 0;
  std::int64_t alias_distance_ = 0;
  std::int64_t validity_distance_ = 0;
  bool has_validity_ = false;  ///< false where the system refuses so many addresses
  int file_ = -1;
  mutable std::shared_mutex mutex_;
  std::map<std::uint64_t, Allocation*> live_;
  std::vector<std::unique_ptr<Allocation>> all_;
  FreeRanges free_;
  std::array<Use, most_devices> use_ = {};
  Peers peers_;
  std::atomic<unsigned> registered_ = 0;
  std::atomic<std::uint64_t> shown_to_host_ = 0;
  std::atomic<bool> has_derived_ = false;
  TexelObjects texel_objects_;
};

}  // namespace warpwise::memory
