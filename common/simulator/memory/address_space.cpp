#include "simulator/memory/address_space.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "simulator/memory/heap_share.h"
#include "simulator/memory/large_pages.h"
#include "simulator/memory/memory_file.h"
#include "simulator/memory/pages.h"
#include "simulator/memory/touched_pages.h"

namespace warpwise::memory {
namespace {

constexpr std::uint64_t smallest_zone = 64ull << 10;
constexpr std::uint64_t largest_zone = 256ull << 20;
constexpr std::uint64_t largest_front_zone = 16ull << 30;

/// The part of the reservation that an allocation takes: its own pages and the red zone after them.
std::uint64_t range_bytes(std::uint64_t bytes) {
  return whole_pages(bytes) + whole_pages(std::clamp(bytes, smallest_zone, largest_zone));
}

bool counts_as_used(Kind kind) { return !is_host_memory(kind) && kind != Kind::heap; }

/// As C++ defines it, or, where the host can read it and no check sees that, as a GPU's driver
/// leaves fresh memory.
bool starts_as_zero(Kind kind) {
  return kind == Kind::variable || kind == Kind::constant || is_shared_with_host(kind);
}

void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

std::string Allocation::describe() const {
  const char* noun = kind == Kind::variable || kind == Kind::constant ? "variable" : "array";
  if (kind == Kind::heap)
    return fmt::format("allocation {} ({} bytes by malloc or new in a kernel)", id, bytes);
  if (name.empty()) return fmt::format("allocation {} ({} bytes)", id, bytes);
  return fmt::format("{} {} ({} bytes)", noun, name, bytes);
}

AddressSpace::AddressSpace(std::uint64_t capacity_bytes, int devices)
    : capacity_(whole_pages(capacity_bytes)), devices_(devices) {
  file_ = memfd_create("warpwise device memory", MFD_CLOEXEC);
  if (file_ < 0) {
    throw std::runtime_error(fmt::format(
        "the simulator cannot create its device memory: memfd_create: {}", std::strerror(errno)));
  }
  // Four times the capacity leaves room for red zones and for addresses that are not reused soon;
  // where an address limit (ulimit -v) forbids that, the capacity and its red zones must do.
  const std::uint64_t slack = 1ull << 30, all = capacity_ * static_cast<unsigned>(devices_);
  try {
    reserve(4 * all + slack);
  } catch (const std::runtime_error&) {
    try {
      reserve(2 * all + slack);
    } catch (const std::runtime_error&) {
      close(file_);
      throw;
    }
  }
  // An index of 32 bits that has overflowed stays below the first allocation, and does not come to
  // memory of the host.
  const std::uint64_t front =
      whole_pages(std::clamp(reserved_ / 16, smallest_zone, largest_front_zone));
  free_.start(base_, front, reserved_);
}

void AddressSpace::reserve(std::uint64_t bytes) {
  const auto refuse = [&](const char* what) {
    throw std::runtime_error(fmt::format(
        "the simulator cannot reserve {} GiB of addresses for the device's memory ({}: {}); raise "
        "the "
        "limits on address space and file size (ulimit -v unlimited; ulimit -f unlimited)",
        bytes >> 30, what, std::strerror(errno)));
  };
  if (!set_length(file_, bytes)) refuse("ftruncate");
  void* const visible = reserve_addresses(bytes);
  if (!visible) refuse("mmap");
  void* const alias = reserve_addresses(bytes);
  if (!alias || !map_shared(alias, bytes, file_)) {
    munmap(visible, bytes);
    if (alias) munmap(alias, bytes);
    refuse("mmap");
  }
  reserved_ = bytes;
  base_ = reinterpret_cast<std::uint64_t>(visible);
  void* const validity = reserve_addresses(bytes);
  has_validity_ = validity && map_shared(validity, bytes);
  if (has_validity_)
    validity_distance_ =
        static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(validity) - base_);
  else if (validity)
    munmap(validity, bytes);
  alias_distance_ = static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(alias) - base_);
}

AddressSpace::~AddressSpace() {
  munmap(host(base_), reserved_);
  if (has_validity_) munmap(validity(base_), reserved_);
  munmap(pointer(base_), reserved_);
  close(file_);
}

bool AddressSpace::open_to_host(const Allocation& allocation) {
  const std::uint64_t bytes = whole_pages(allocation.bytes);
  if (bytes == 0) return true;
  return mmap(pointer(allocation.base), bytes, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file_,
              static_cast<off_t>(allocation.base - base_)) != MAP_FAILED;
}

void AddressSpace::close_to_host(const Allocation& allocation) {
  const std::uint64_t bytes = whole_pages(allocation.bytes);
  if (bytes == 0) return;
  mmap(pointer(allocation.base), bytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/// Memory of this process alone, and of large pages where it will be filled: a walk at random
/// through an array then takes two thirds of the time. A memfd seldom has such pages. Bytes that
/// stay in it have small ones: where a program touches few, it is not to take as much again.
bool AddressSpace::take_own_pages(Allocation& allocation) {
  const std::uint64_t bytes = whole_pages(allocation.bytes);
  std::byte* const data = host(allocation.base);
  if (!map_own_memory(data, bytes)) return false;
  if (has_validity_ && !map_own_memory(validity(allocation.base), bytes)) return false;
  const std::uint64_t filled = bytes <= poisoned_bytes ? bytes : poisoned_bytes / 2;
  prefer_large_pages(data, filled);
  prefer_large_pages(data + bytes - filled, filled);
  allocation.has_own_pages = true;
  return true;
}

/// Memory of the file, as there is where nothing is allocated.
bool AddressSpace::take_shared_pages(const Allocation& allocation) {
  const std::uint64_t bytes = whole_pages(allocation.bytes);
  const auto offset = static_cast<off_t>(allocation.base - base_);
  return map_shared(host(allocation.base), bytes, file_, offset) &&
         (!has_validity_ || map_shared(validity(allocation.base), bytes));
}

/// The old content is gone, and all of it reads as never written.
/// @return false where the addresses can no longer be used.
bool AddressSpace::give_pages_back(const Allocation& allocation) {
  const std::uint64_t bytes = whole_pages(allocation.bytes);
  if (bytes == 0) return true;
  if (allocation.has_own_pages) return take_shared_pages(allocation);
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            static_cast<off_t>(allocation.base - base_), static_cast<off_t>(bytes));
  if (has_validity_) madvise(validity(allocation.base), bytes, MADV_REMOVE);
  return true;
}

void AddressSpace::fill(const Allocation& allocation) {
  if (starts_as_zero(allocation.kind)) return;
  const int value = std::to_integer<int>(poison);
  std::byte* start = host(allocation.base);
  if (allocation.bytes <= poisoned_bytes) {
    std::memset(start, value, allocation.bytes);
    return;
  }
  std::memset(start, value, poisoned_bytes / 2);
  std::memset(start + allocation.bytes - poisoned_bytes / 2, value, poisoned_bytes / 2);
}

const Allocation* AddressSpace::allocate(std::uint64_t bytes, Kind kind,
                                         std::shared_ptr<const CodeLine> made_at) {
  const std::unique_lock lock(mutex_);
  if (bytes > capacity_) return nullptr;
  Use& use = of(current_device());
  if (counts_as_used(kind) && bytes > capacity_ - use.bytes) return nullptr;
  const bool is_large = kind == Kind::device && bytes >= large_page;
  const std::uint64_t start = free_.take(range_bytes(bytes), is_large ? large_page : page_bytes());
  if (start == 0) return nullptr;

  auto record = std::make_unique<Allocation>();
  record->base = start;
  record->bytes = bytes;
  record->kind = kind;
  record->device = current_device();
  record->is_looked_at = devices_ > 1 && !is_of_all(*record);
  record->made_at = std::move(made_at);
  record->id = static_cast<std::uint32_t>(all_.size() + 1);
  if (is_shared_with_host(kind) && !open_to_host(*record)) {
    free_.give_back(start, range_bytes(bytes));
    return nullptr;
  }
  if (is_shared_with_host(kind)) shown_to_host_ += bytes;
  if (is_large && !take_own_pages(*record) && !take_shared_pages(*record)) return nullptr;
  fill(*record);
  if (counts_as_used(kind)) use.bytes += bytes;
  if (kind == Kind::heap) use.heap += heap_share(bytes).taken, use.heap_was_used = true;
  live_[start] = record.get();
  all_.push_back(std::move(record));
  return live_[start];
}

const Allocation* AddressSpace::adopt(std::uint64_t address, std::uint64_t bytes) {
  const std::unique_lock lock(mutex_);
  const auto next = live_.lower_bound(address);
  const bool reaches_next = next != live_.end() && next->first - address < bytes;
  const bool within = next != live_.begin() && std::prev(next)->second->holds(address);
  if (reaches_next || within) return nullptr;
  auto record = std::make_unique<Allocation>();
  record->base = address;
  record->bytes = bytes;
  record->kind = Kind::registered;
  record->device = current_device();
  record->id = static_cast<std::uint32_t>(all_.size() + 1);
  live_[address] = record.get();
  all_.push_back(std::move(record));
  ++registered_;
  shown_to_host_ += bytes;
  return live_[address];
}

bool AddressSpace::release(std::uint64_t base) {
  const std::unique_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry == live_.end()) return false;
  Allocation& allocation = *entry->second;
  live_.erase(entry);
  allocation.live = false;
  if (allocation.kind == Kind::registered) {
    --registered_;
    return true;
  }
  allocation.ended_with_derived =
      allocation.is_tracked && find_derived(allocation.base, allocation.bytes);
  if (is_shared_with_host(allocation.kind)) close_to_host(allocation);
  Use& use = of(allocation.device);
  if (counts_as_used(allocation.kind)) use.bytes -= allocation.bytes;
  if (allocation.kind == Kind::heap) use.heap -= heap_share(allocation.bytes).taken;
  if (give_pages_back(allocation)) free_.give_back(base, range_bytes(allocation.bytes));
  return true;
}

void AddressSpace::track(std::uint64_t base) {
  const std::unique_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry == live_.end() || !has_validity_) return;
  entry->second->is_tracked = true;
}

void AddressSpace::track_declared(std::uint64_t base) {
  const std::unique_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry == live_.end() || !has_validity_) return;
  entry->second->is_tracked = entry->second->zero_counts = true;
}

void AddressSpace::set_elsewhere(std::uint64_t base, int device) {
  const std::unique_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry == live_.end()) return;
  entry->second->zero_counts = false;
  entry->second->set_on = device;
}

void AddressSpace::forget(std::uint64_t base) {
  const std::unique_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry == live_.end() || !has_validity_) return;
  entry->second->is_tracked = true;
  std::memset(validity(base), static_cast<int>(Validity::never_written), entry->second->bytes);
}

void AddressSpace::leave_in_arrival_order(std::uint64_t base) {
  const std::unique_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry != live_.end()) entry->second->is_in_arrival_order = true;
}

void AddressSpace::written(const std::byte* to, const std::byte* from, std::uint64_t bytes) {
  const auto device_address = [&](const std::byte* at) {
    return reinterpret_cast<std::uint64_t>(at) - static_cast<std::uint64_t>(alias_distance_);
  };
  const std::uint64_t address = device_address(to);
  if (!contains(address) || bytes == 0) return;
  const std::unique_lock lock(mutex_);
  const auto live_at = [&](std::uint64_t where) -> Allocation* {
    auto entry = live_.upper_bound(where);
    if (entry == live_.begin()) return nullptr;
    Allocation* allocation = std::prev(entry)->second;
    return allocation->holds(where) ? allocation : nullptr;
  };
  Allocation* allocation = live_at(address);
  if (!allocation) return;
  const Allocation* source =
      from && contains(device_address(from)) ? live_at(device_address(from)) : nullptr;
  const bool stays = bytes < allocation->bytes && allocation->is_in_arrival_order;
  allocation->is_in_arrival_order = stays || (source && source->is_in_arrival_order);
  if (!allocation->is_tracked) return;
  if (source && source->has_all_writes())
    std::memmove(validity(address), validity(device_address(from)), bytes);
  else if (bytes == allocation->bytes)
    allocation->is_tracked = false;  // all of it: nothing more to look for
  else
    std::memset(validity(address), static_cast<int>(Validity::defined), bytes);
}

bool AddressSpace::find_derived(std::uint64_t address, std::uint64_t bytes) const {
  return has_derived_.load(std::memory_order_relaxed) &&
         std::memchr(validity(address), static_cast<int>(Validity::derived), bytes) != nullptr;
}

bool AddressSpace::read_derived(std::uint64_t address, std::uint64_t bytes) const {
  if (!find_derived(address, bytes)) return false;
  std::replace(validity(address), validity(address) + bytes,
               static_cast<std::uint8_t>(Validity::derived),
               static_cast<std::uint8_t>(Validity::defined));
  return true;
}

bool AddressSpace::holds_derived(std::uint32_t id) const {
  const std::shared_lock lock(mutex_);
  const auto found = std::find_if(all_.begin(), all_.end(),
                                  [&](const auto& allocation) { return allocation->id == id; });
  if (found == all_.end()) return false;
  const Allocation& allocation = **found;
  return allocation.live ? allocation.is_tracked && find_derived(allocation.base, allocation.bytes)
                         : allocation.ended_with_derived;
}

void AddressSpace::define_pages_of_host(const Allocation& allocation, std::uint64_t address) const {
  constexpr std::uint64_t most_pages = 512;  // at once: the next ones are asked for soon
  const std::uint64_t page = page_bytes(), first = page_start(address),
                      pages = std::min(most_pages, whole_pages(allocation.end() - first) / page);
  const std::vector<bool> touched = touched_pages(first, pages);
  for (std::uint64_t i = 0; i < pages; ++i) {
    if (!touched[i]) continue;
    const std::uint64_t begin = first + i * page, end = std::min(begin + page, allocation.end());
    std::memset(validity(begin), static_cast<int>(Validity::defined), end - begin);
  }
}

void AddressSpace::set_idle(std::uint64_t base, bool is_idle) {
  const std::unique_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry != live_.end()) entry->second->is_idle = is_idle;
}

void AddressSpace::grant(std::uint64_t base, std::uint8_t granted) {
  const std::unique_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry == live_.end()) return;
  entry->second->is_of_pool = true;
  entry->second->granted = granted;
}

void AddressSpace::name(std::uint64_t base, std::string name) {
  const std::unique_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry != live_.end()) entry->second->name = std::move(name);
}

void AddressSpace::divide(std::uint64_t base, std::uint64_t row_bytes, std::uint64_t pitch) {
  const std::unique_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry == live_.end()) return;
  entry->second->row_bytes = row_bytes;
  entry->second->pitch = pitch;
  entry->second->is_looked_at = true;
}

bool AddressSpace::make_managed(std::uint64_t base) {
  const std::unique_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry == live_.end() || entry->second->kind != Kind::variable) return false;
  entry->second->kind = Kind::managed;
  entry->second->is_variable = true;
  entry->second->is_looked_at = false;
  return open_to_host(*entry->second);
}

void AddressSpace::set_host_access(std::uint64_t base, bool accessible) {
  const std::shared_lock lock(mutex_);
  const auto entry = live_.find(base);
  if (entry == live_.end() || !is_shared_with_host(entry->second->kind)) return;
  const std::uint64_t bytes = whole_pages(entry->second->bytes);
  if (bytes > 0) mprotect(pointer(base), bytes, accessible ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void AddressSpace::open_page(std::uint64_t address) const {
  mprotect(pointer(page_start(address)), page_bytes(), PROT_READ | PROT_WRITE);
}

const Allocation* AddressSpace::find(std::uint64_t address) const {
  const std::shared_lock lock(mutex_);
  auto entry = live_.upper_bound(address);
  if (entry == live_.begin()) return nullptr;
  const Allocation* allocation = std::prev(entry)->second;
  return allocation->holds(address) ? allocation : nullptr;
}

const Allocation* AddressSpace::nearest(std::uint64_t address) const {
  const std::shared_lock lock(mutex_);
  const Allocation* best = nullptr;
  std::uint64_t best_distance = 0;
  for (const auto& candidate : all_) {
    std::uint64_t distance = 0;
    if (address < candidate->base) distance = candidate->base - address;
    if (address >= candidate->end()) distance = address - candidate->end() + 1;
    // At equal distance a live record wins over a freed one, and a later one over an earlier one.
    const bool better = best == nullptr || distance < best_distance ||
                        (distance == best_distance && (candidate->live || !best->live));
    if (!better) continue;
    best = candidate.get();
    best_distance = distance;
  }
  return best;
}

std::uint64_t AddressSpace::used_bytes() const {
  const std::shared_lock lock(mutex_);
  return here().bytes;
}

std::uint64_t AddressSpace::heap_bytes() const {
  const std::shared_lock lock(mutex_);
  return (here().heap + HeapShare::parts_of_a_byte - 1) / HeapShare::parts_of_a_byte;
}

std::vector<const Allocation*> AddressSpace::live() const {
  const std::shared_lock lock(mutex_);
  std::vector<const Allocation*> result;
  result.reserve(live_.size());
  for (const auto& entry : live_) result.push_back(entry.second);
  return result;
}

}  // namespace warpwise::memory
