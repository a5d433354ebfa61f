// Undefined values that pass through memory: which bytes were never written, and where that is
// noticed.

#include "simulator/machine/checks/uninitialized.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "simulator/isa/fast_loops.h"
#include "simulator/machine/access/addresses.h"
#include "simulator/machine/checks/validity.h"
#include "simulator/machine/warp/lanes.h"
#include "simulator/memory/pages.h"

namespace warpwise::machine {
namespace {

using code::Space;

/// Where a Validity of each byte of a space is. The space has no place 0: a pointer to its Validity
/// would point outside of its array.
class ValidityBytes {
 public:
  /// @param of_place the Validity of a place that there is.
  ValidityBytes(std::uint8_t* of_place, std::uint64_t place)
      : of_place_0_(reinterpret_cast<std::uint64_t>(of_place) - place) {}
  std::uint8_t* at(std::uint64_t place) const {
    return reinterpret_cast<std::uint8_t*>(of_place_0_ + place);
  }

 private:
  std::uint64_t of_place_0_;
};

bool all_defined(const std::uint8_t* valid, std::size_t bytes) {
  std::uint8_t difference = 0;
  for (std::size_t i = 0; i < bytes; ++i) difference |= valid[i] ^ defined;
  return difference == 0;
}

void define(std::uint8_t* valid, unsigned bytes) {
  constexpr std::uint32_t word = 0x01010101u * defined;
  if (bytes == 4)
    std::memcpy(valid, &word, 4);
  else
    std::memset(valid, defined, bytes);
}

template <class Word>
bool are_defined(ValidityBytes validity, std::uint32_t mask, const std::uint64_t* addresses,
                 unsigned words) {
  Word all;
  std::memset(&all, defined, sizeof all);
  Word difference = 0;
  auto look = [&](unsigned lane) {
    for (unsigned word = 0; word < words; ++word) {
      Word valid;
      std::memcpy(&valid, validity.at(addresses[lane]) + word * sizeof valid, sizeof valid);
      difference |= valid ^ all;
    }
  };
  if (mask == ~0u)
    for (unsigned lane = 0; lane < 32; ++lane) look(lane);
  else
    for_lanes(mask, look);
  return difference == 0;
}

/// True where all that the lanes read is defined: nearly always.
bool are_defined(ValidityBytes validity, std::uint32_t mask, const std::uint64_t* addresses,
                 const code::Access& access) {
  switch (const unsigned bytes = access.bytes()) {
    case 1:
      return are_defined<std::uint8_t>(validity, mask, addresses, 1);
    case 2:
      return are_defined<std::uint16_t>(validity, mask, addresses, 1);
    case 4:
      return are_defined<std::uint32_t>(validity, mask, addresses, 1);
    default:
      return are_defined<std::uint64_t>(validity, mask, addresses, bytes / 8);
  }
}

/// A value of which any byte is defined counts as defined: padding is copied with what it pads.
bool is_undefined(const std::uint8_t* valid, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    if (valid[i] == defined) return false;
  return true;
}

/// Among lanes that exchange the word at an address, the first finds what was there before; each of
/// the others finds what the lane before it has stored.
std::uint32_t first_of_each(std::uint32_t lanes, const std::uint64_t* addresses) {
  std::uint32_t firsts = 0;
  for_lanes(lanes, [&](unsigned lane) {
    bool is_first = true;
    for_lanes(firsts, [&](unsigned other) { is_first &= addresses[other] != addresses[lane]; });
    firsts |= static_cast<std::uint32_t>(is_first) << lane;
  });
  return firsts;
}

}  // namespace

/// @param places of 32 lanes: the addresses, but for local memory, of which each thread has its
/// own.
WARPWISE_FAST_LOOPS void Uninitialized::follow_validity(const code::Access& access, Space space,
                                                        std::uint32_t mask,
                                                        const std::uint64_t* addresses,
                                                        bool is_consecutive,
                                                        const std::uint64_t* places) {
  const unsigned bytes = access.bytes();
  const bool is_plain_store = access.is_store && !access.is_atomic;
  // Compilers put away in local memory what products go on writing, and order the two.
  if (access.is_store && space != Space::local && here_.warp_->undefined().any())
    for (const code::Slot data : access.data)
      if (here_.warp_->undefined().in_flight(data)) report_in_flight(data, mask);
  if (is_plain_store && space == Space::global && here_.warp_->undefined().any())
    for (unsigned e = 0; e < access.elements; ++e)
      if (const auto load = loads_.find(here_.warp_->undefined().origin(access.data[e]));
          load != loads_.end()) {
        const std::uint32_t computed = here_.warp_->undefined().computed(access.data[e]);
        std::uint32_t marked = 0;
        for_lanes(mask & computed, [&](unsigned lane) {
          marked |= std::uint32_t{is_marked(load->second, addresses[lane])} << lane;
        });
        use_value(access.data[e], mask & computed & ~marked, goes_into_result);
        use_value(access.data[e], marked, goes_into_device_memory);
        note_copied(access, load->second,
                    mask & here_.warp_->undefined().lanes(access.data[e]) & ~computed);
      }
  ValidityBytes validity(nullptr, 0);
  if (space == Space::local) {
    validity = {here_.warp_->local_validity(0, 0), 0};
  } else if (space == Space::shared) {
    validity = {here_.owner().shared_validity.data(), code::shared_base};
  } else if (space == Space::global) {
    if (here_.several_allocations_) {
      std::uint32_t tracked = 0;
      for_lanes(mask, [&](unsigned lane) {
        const memory::Allocation* allocation = here_.grid_.memory.find(addresses[lane]);
        if (allocation && allocation->is_tracked) tracked |= 1u << lane;
      });
      mask = tracked;
      is_consecutive = is_consecutive && mask == ~0u;
    }
    if (mask == 0 || (!here_.several_allocations_ && !here_.cached_[access.site]->is_tracked))
      return;
    validity = {here_.grid_.memory.validity(0), 0};
  }
  // The common cases, quickly.
  const std::size_t whole = std::size_t{32} * bytes;
  if (is_consecutive && is_plain_store && !here_.warp_->undefined().any())
    return void(std::memset(validity.at(places[0]), defined, whole));
  if (is_consecutive && !is_plain_store && all_defined(validity.at(places[0]), whole)) return;
  if (is_plain_store && !here_.warp_->undefined().any())
    return for_lanes(mask, [&](unsigned lane) { define(validity.at(places[lane]), bytes); });
  if (!is_plain_store && are_defined(validity, mask, places, access)) return;
  if (!is_plain_store && space == Space::global && ask_host(access, mask, addresses) &&
      are_defined(validity, mask, places, access))
    return;
  if (!is_plain_store && space == Space::global && read_derived(mask, addresses, bytes) &&
      are_defined(validity, mask, places, access))
    return;
  std::uint8_t* valid[32];
  for_lanes(mask, [&](unsigned lane) { valid[lane] = validity.at(places[lane]); });
  if (!is_plain_store && space == Space::global && here_.grid_.memory.devices() > 1) {
    const std::uint32_t zeros = lanes_that_read_zero(access, mask, addresses);
    if (access.is_atomic) for_lanes(zeros, [&](unsigned lane) { define(valid[lane], bytes); });
    mask &= ~zeros;
    if (mask == 0) return;
  }
  if (is_plain_store && here_.warp_->undefined().any())
    return store_validity(access, space, mask, addresses, valid);
  if (is_plain_store) return for_lanes(mask, [&](unsigned lane) { define(valid[lane], bytes); });
  for (unsigned e = 0; e < access.elements; ++e) {
    std::uint32_t lanes = 0, computed = 0;
    for_lanes(mask, [&](unsigned lane) {
      const std::uint8_t* at = valid[lane] + std::size_t{e} * access.element_bytes;
      if (*at == defined || !is_undefined(at, access.element_bytes)) return;
      lanes |= 1u << lane;
      if (*at == derived) computed |= 1u << lane;
    });
    if (lanes) read_undefined(access, e, space, lanes, computed, addresses);
  }
  if (access.is_atomic) for_lanes(mask, [&](unsigned lane) { define(valid[lane], bytes); });
}

/// Whether a result of such values that is stored there is marked as derived: memory of the device,
/// which only kernels and copies read, and a value that was read in global memory.
bool Uninitialized::is_marked(const UndefinedLoad& load, std::uint64_t address) const {
  if (!here_.grid_.options.marks_derived) return false;
  if (load.sources[std::countr_zero(load.lanes)].space != Space::global) return false;
  const memory::Allocation* to = here_.grid_.memory.find(address);
  return to && to->is_tracked && to->kind == memory::Kind::device;
}

bool Uninitialized::read_derived(std::uint64_t address, unsigned bytes) {
  if (!here_.grid_.memory.read_derived(address, bytes)) return false;
  derived_.read_from.insert(here_.grid_.memory.find(address)->id);
  return true;
}

bool Uninitialized::read_derived(std::uint32_t mask, const std::uint64_t* addresses,
                                 unsigned bytes) {
  bool any = false;
  for_lanes(mask, [&](unsigned lane) { any |= read_derived(addresses[lane], bytes); });
  return any;
}

/// Those lanes that read a variable which holds the zero that it was declared with.
std::uint32_t Uninitialized::lanes_that_read_zero(const code::Access& access, std::uint32_t mask,
                                                  const std::uint64_t* addresses) const {
  std::uint32_t zeros = 0;
  for_lanes(mask, [&](unsigned lane) {
    const memory::Allocation* allocation = here_.several_allocations_
                                               ? here_.grid_.memory.find(addresses[lane])
                                               : here_.cached_[access.site];
    if (allocation && allocation->zero_counts) zeros |= 1u << lane;
  });
  return zeros;
}

/// Managed memory that seems not to have been written may be the host's.
/// @return false where no lane reads such memory.
bool Uninitialized::ask_host(const code::Access& access, std::uint32_t mask,
                             const std::uint64_t* addresses) const {
  bool is_any_managed = false;
  std::uint64_t asked = ~0ull;
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t page = addresses[lane] / memory::page_bytes();
    if (page == asked || all_defined(here_.grid_.memory.validity(addresses[lane]), access.bytes()))
      return;
    const memory::Allocation& allocation = here_.several_allocations_
                                               ? *here_.grid_.memory.find(addresses[lane])
                                               : *here_.cached_[access.site];
    if (allocation.kind != memory::Kind::managed) return;
    is_any_managed = true;
    asked = page;
    here_.grid_.memory.define_pages_of_host(allocation, addresses[lane]);
  });
  return is_any_managed;
}

/// True where the value was read in managed memory. Fresh, that holds zeros on GPUs, so that what
/// follows from it is right there.
bool Uninitialized::is_of_managed(const UndefinedSource& source) const {
  if (source.space != Space::global) return false;
  const memory::Allocation* allocation = here_.grid_.memory.find(source.address);
  return allocation && allocation->kind == memory::Kind::managed;
}

/// Remembers where the values came from, for the case that they matter.
/// @param computed those of the lanes that read what was computed from such values.
void Uninitialized::read_undefined(const code::Access& access, unsigned element, Space space,
                                   std::uint32_t lanes, std::uint32_t computed,
                                   const std::uint64_t* addresses) {
  // A copy in bulk updates with instructions of its own making.
  const auto origin = static_cast<std::uint32_t>(here_.current_ - here_.program_.code.data());
  UndefinedLoad& load = loads_[origin];
  load.lanes = lanes;
  const std::uint32_t called_at =
      here_.user_call(origin, static_cast<unsigned>(std::countr_zero(lanes)));
  for_lanes(lanes, [&](unsigned lane) {
    const std::uint64_t address = addresses[lane] + std::size_t{element} * access.element_bytes;
    load.sources[lane] = {origin, here_.warp_index_ * 32 + lane, space, address, called_at};
    if (space == Space::global) return;
    const auto from = here_.owner().derived_from.find(
        space == Space::shared ? address
                               : Block::local_place(here_.warp_index_ * 32 + lane, address));
    if (from != here_.owner().derived_from.end()) load.sources[lane] = from->second;
  });
  const bool exchanges = access.is_atomic && access.atomic == code::AtomicOp::exchange;
  if (exchanges) lanes = first_of_each(lanes, addresses);
  if (!access.is_atomic || (exchanges && access.data[element] != code::no_slot))
    here_.warp_->undefined().set(access.data[element], lanes, origin, computed);
  else if (!exchanges && !code::is_of_mbarrier(access.atomic))
    report_uninitialized(load, lanes, "is updated");
}

/// Undefined values stay so in memory. Computed ones were reported already, but those that go to
/// local memory, and to shared memory if memory is where they came from.
/// @param valid by lane: of its address.
void Uninitialized::store_validity(const code::Access& access, Space space, std::uint32_t mask,
                                   const std::uint64_t* addresses, std::uint8_t* const* valid) {
  for (unsigned e = 0; e < access.elements; ++e) {
    const UndefinedValues& values = here_.warp_->undefined();
    std::uint32_t lanes = values.lanes(access.data[e]);
    std::uint32_t computed = values.computed(access.data[e]);
    const std::size_t offset = std::size_t{e} * access.element_bytes;
    const auto load = loads_.find(values.origin(access.data[e]));
    const bool is_reported =
        space == Space::global || (space == Space::shared && load == loads_.end());
    const auto is_zero = [&](unsigned lane) {
      return space == Space::global && load != loads_.end() &&
             is_of_managed(source_of(load->second, lane));
    };
    const auto marks = [&](unsigned lane) {
      return load != loads_.end() && is_marked(load->second, addresses[lane]);
    };
    for_lanes(mask, [&](unsigned lane) {
      std::uint8_t state = !(lanes >> lane & 1)          ? defined
                           : is_zero(lane)               ? defined
                           : !(computed >> lane & 1)     ? never_written
                           : is_reported && !marks(lane) ? defined
                                                         : derived;
      std::memset(valid[lane] + offset, state, access.element_bytes);
      if (space != Space::global || state != derived) return;
      here_.grid_.memory.expect_derived();
      derived_.stored_in.insert(here_.grid_.memory.find(addresses[lane])->id);
    });
    if (space == Space::global) continue;
    for_lanes(mask & lanes, [&](unsigned lane) {
      const std::uint64_t address = addresses[lane] + offset;
      const std::uint64_t place = space == Space::shared
                                      ? address
                                      : Block::local_place(here_.warp_index_ * 32 + lane, address);
      if (load == loads_.end())
        here_.owner().derived_from.erase(place);
      else
        here_.owner().derived_from[place] = source_of(load->second, lane);
      if (space == Space::local && load == loads_.end())
        here_.block_->made_from_nothing[place] = values.origin(access.data[e]);
    });
  }
}

/// Shared memory that a lane copies in bulk, or adds to memory. The copied bytes are not looked at,
/// so that a tile may be filled in part.
/// @param address where the tile begins. @param valid of what is taken from it.
void Uninitialized::check_bulk_source(std::uint64_t address, std::span<const std::uint8_t> valid,
                                      unsigned lane, bool updates) {
  constexpr unsigned word = 4;
  std::size_t unwritten = 0;
  for (std::size_t at = 0; at + word <= valid.size(); at += word)
    unwritten += !all_defined(&valid[at], word) && is_undefined(&valid[at], word) ? word : 0;
  if (unwritten == 0) return;
  watch::Finding found = here_.finding("uninitialized", {}, lane);
  found.severity = updates ? watch::Severity::error : watch::Severity::note;
  found.memory = watch::Finding::Memory::shared;
  if (here_.diagnoses_.count_only(found)) return;
  found.message = fmt::format(
      "thread {} {} {} bytes in bulk from {} on, of which nothing has written {}. Write them "
      "first, and put a fence.proxy.async and a __syncthreads() in between.",
      here_.thread_text(found.thread), updates ? "adds up" : "copies", valid.size(),
      here_.shared_text(static_cast<std::uint32_t>(address)), unwritten);
  here_.diagnoses_.report(std::move(found));
}

/// An argument of printf, which is in the lane's local memory.
void Uninitialized::check_printed(std::uint64_t argument, unsigned lane, unsigned bytes) {
  if (argument < code::local_window || argument >= code::parameter_window) return;
  const unsigned thread = here_.warp_index_ * 32 + lane;
  const std::uint64_t offset = argument - code::local_start(here_.block_->index, thread);
  if (!is_undefined(here_.warp_->local_validity(lane, offset), bytes)) return;
  const std::uint64_t place = Block::local_place(thread, offset);
  UndefinedLoad load;
  load.lanes = 1u << lane;
  if (const auto from = here_.block_->derived_from.find(place);
      from != here_.block_->derived_from.end()) {
    load.sources[lane] = from->second;
    return report_uninitialized(load, load.lanes, "is printed");
  }
  const auto made = here_.block_->made_from_nothing.find(place);
  if (made == here_.block_->made_from_nothing.end()) return;
  if (const auto found = findings_.find(made->second); found != findings_.end()) {
    used_shuffles_.insert(made->second);
    here_.diagnoses_.report(found->second);
  } else
    report_unset(made->second, load.lanes, "is printed");
}

/// The read that gave a lane its value: its own, or after a shuffle that of another lane.
const UndefinedSource& Uninitialized::source_of(const UndefinedLoad& load, unsigned lane) {
  return load
      .sources[load.lanes >> lane & 1 ? lane : static_cast<unsigned>(std::countr_zero(load.lanes))];
}

void Uninitialized::note_source(unsigned lane, const UndefinedSource& source) {
  UndefinedLoad& load = loads_[source.instruction];
  load.lanes |= 1u << lane;
  load.sources[lane] = source;
}

}  // namespace warpwise::machine
