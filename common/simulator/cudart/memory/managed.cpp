#include "simulator/cudart/memory/managed.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "simulator/cudart/device/check_device.h"
#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

// Managed memory is where the host and every kernel see it, so advice and prefetches change
// nothing; the last advice is remembered for queries.
namespace warpwise::cudart {
namespace {

constexpr cudaMemLocation nowhere = {cudaMemLocationTypeInvalid, cudaInvalidDeviceId};

struct Advice {
  bool read_mostly = false;
  std::set<int, std::greater<>> accessed_by;  ///< the device, the host.
  cudaMemLocation preferred = nowhere;
  cudaMemLocation prefetched = nowhere;

  /// Keeps only the advice that the other also has.
  void keep_common(const Advice& other) {
    read_mostly = read_mostly && other.read_mostly;
    std::erase_if(accessed_by, [&](int user) { return !other.accessed_by.contains(user); });
    keep_same(preferred, other.preferred);
    keep_same(prefetched, other.prefetched);
  }

 private:
  static void keep_same(cudaMemLocation& one, const cudaMemLocation& other) {
    if (one.type != other.type || one.id != other.id) one = nowhere;
  }
};

std::mutex managed_mutex;

/// The advice by address: each entry holds up to the next. Before the first there is none.
std::map<std::uint64_t, Advice>& advice() {
  static auto& all = *new std::map<std::uint64_t, Advice>;
  return all;
}

/// Pages of managed memory: advice is for whole ones.
struct ManagedPages {
  std::uint64_t begin, end;
};

ManagedPages pages_of(std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t page = 4096;
  return {address / page * page, (address + bytes + page - 1) / page * page};
}

/// @throws Failure for memory that is not managed.
ManagedPages managed_pages(const void* pointer, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const memory::Allocation* found = runtime().memory.find(address);
  if (found == nullptr || found->kind != memory::Kind::managed || bytes == 0 ||
      bytes > found->end() - address) {
    throw Failure{cudaErrorInvalidValue, "the range is not managed memory"};
  }
  return pages_of(address, bytes);
}

/// Makes the entry that begins there.
std::map<std::uint64_t, Advice>::iterator split(std::uint64_t address) {
  const auto behind = advice().upper_bound(address);
  if (behind == advice().begin()) return advice().emplace_hint(behind, address, Advice{});
  const auto holder = std::prev(behind);
  return holder->first == address ? holder : advice().emplace_hint(behind, address, holder->second);
}

template <typename Change>
void change(const ManagedPages& pages, const Change& how) {
  const auto end = split(pages.end);
  for (auto at = split(pages.begin); at != end; ++at) how(at->second);
}

/// The advice that holds for all of the pages.
Advice advice_for(const ManagedPages& pages) {
  const auto behind = advice().upper_bound(pages.begin);
  Advice all = behind == advice().begin() ? Advice{} : std::prev(behind)->second;
  for (auto at = behind; at != advice().end() && at->first < pages.end; ++at)
    all.keep_common(at->second);
  return all;
}

void check_kind(const cudaMemLocation& location) {
  if (location.type <= cudaMemLocationTypeInvalid ||
      location.type > cudaMemLocationTypeHostNumaCurrent)
    throw Failure{cudaErrorInvalidValue, "the location is not a valid place"};
}

/// @param code for an unknown device.
void check_location(const cudaMemLocation& location, cudaError_t code = cudaErrorInvalidValue) {
  if (location.type == cudaMemLocationTypeDevice) check_device(location.id, code);
  check_kind(location);
}

/// The host's location has a fixed number, whatever number the program gives.
cudaMemLocation normal(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return location;
  return {location.type, cudaCpuDeviceId};
}

/// A location as the older attributes return it: a device's number, or one of two names.
int number_of(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return location.id;
  return location.type == cudaMemLocationTypeInvalid ? cudaInvalidDeviceId : cudaCpuDeviceId;
}

void advise(Advice& target, cudaMemoryAdvise what, const cudaMemLocation& location) {
  switch (what) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      target.read_mostly = what == cudaMemAdviseSetReadMostly;
      return;
    case cudaMemAdviseSetPreferredLocation:
      check_location(location);
      target.preferred = normal(location);
      return;
    case cudaMemAdviseUnsetPreferredLocation:
      target.preferred = nowhere;
      return;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
      check_location(location);
      if (what == cudaMemAdviseSetAccessedBy) {
        target.accessed_by.insert(number_of(location));
      } else {
        target.accessed_by.erase(number_of(location));
      }
      return;
  }
  throw Failure{cudaErrorInvalidValue, "unknown advice"};
}

int value_of(const Advice& from, cudaMemRangeAttribute attribute) {
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      return from.read_mostly;
    case cudaMemRangeAttributePreferredLocation:
      return number_of(from.preferred);
    case cudaMemRangeAttributeAccessedBy:
      break;  // a list
    case cudaMemRangeAttributeLastPrefetchLocation:
      return number_of(from.prefetched);
    case cudaMemRangeAttributePreferredLocationType:
      return from.preferred.type;
    case cudaMemRangeAttributePreferredLocationId:
      return from.preferred.id;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      return from.prefetched.type;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      return from.prefetched.id;
  }
  throw Failure{cudaErrorInvalidValue, "unknown attribute"};
}

void get(void* data, std::size_t bytes, cudaMemRangeAttribute attribute, const Advice& from) {
  const bool list = attribute == cudaMemRangeAttributeAccessedBy;
  const bool right_size = list ? bytes > 0 && bytes % sizeof(int) == 0 : bytes == sizeof(int);
  given(data);
  if (!right_size) throw Failure{cudaErrorInvalidValue, ""};
  std::vector<int> values = list
                                ? std::vector<int>(from.accessed_by.begin(), from.accessed_by.end())
                                : std::vector{value_of(from, attribute)};
  values.resize(bytes / sizeof(int), cudaInvalidDeviceId);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int value = values[i];
    std::memcpy(static_cast<int*>(data) + i, &value, sizeof value);
  }
}

/// The targets of a batch of ranges: from the range `first[i]` on, `locations[i]`.
struct AdvisedPlaces {
  const cudaMemLocation* locations;
  const std::size_t* first;
  std::size_t count;
};

/// The checks that batches of ranges have in common. A discarded range keeps its content, which is
/// one of the values that it may have.
void check_batch(void* const* pointers, const std::size_t* bytes, std::size_t count,
                 unsigned long long flags, cudaStream_t stream) {
  if (stream == nullptr) throw Failure{cudaErrorInvalidValue, "a batch needs a stream of its own"};
  if (flags != 0) throw Failure{cudaErrorInvalidValue, ""};
  need_device();
  forbid_in_capture(stream);
  given(pointers), given(bytes);
  if (count == 0) throw Failure{cudaErrorInvalidValue, ""};
}

void prefetch(void* const* pointers, const std::size_t* bytes, std::size_t count,
              const AdvisedPlaces& places) {
  const bool given = places.locations != nullptr && places.first != nullptr && places.count != 0 &&
                     places.count <= count;
  if (!given || places.first[0] != 0) throw Failure{cudaErrorInvalidValue, ""};
  const std::lock_guard lock(managed_mutex);
  for (std::size_t i = 0, place = 0; i < count; ++i) {
    if (place + 1 < places.count && places.first[place + 1] == i) ++place;
    check_location(places.locations[place]);
    change(managed_pages(pointers[i], bytes[i]),
           [&](Advice& of) { of.prefetched = normal(places.locations[place]); });
  }
}

}  // namespace

void forget_advice(std::uint64_t base, std::uint64_t bytes) {
  const std::lock_guard lock(managed_mutex);
  if (!advice().empty()) change(pages_of(base, bytes), [](Advice& of) { of = Advice{}; });
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
  return call_after_fault("cudaMemPrefetchAsync", [&] {
    if (flags != 0) throw Failure{cudaErrorInvalidValue, ""};
    check_kind(location);
    need_device();
    forbid_beside_capture(stream);
    // Checked first: an unknown device is also an error for memory that is not managed.
    check_location(location, cudaErrorInvalidDevice);
    const std::lock_guard lock(managed_mutex);
    change(managed_pages(pointer, bytes), [&](Advice& of) { of.prefetched = normal(location); });
  });
}

cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* bytes, size_t count,
                                      cudaMemLocation* locations, size_t* first,
                                      size_t location_count, unsigned long long flags,
                                      cudaStream_t stream) {
  return call_after_fault("cudaMemPrefetchBatchAsync", [&] {
    check_batch(pointers, bytes, count, flags, stream);
    prefetch(pointers, bytes, count, {locations, first, location_count});
  });
}

cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* bytes, size_t count,
                                     unsigned long long flags, cudaStream_t stream) {
  return call_after_fault("cudaMemDiscardBatchAsync", [&] {
    check_batch(pointers, bytes, count, flags, stream);
    const std::lock_guard lock(managed_mutex);
    for (std::size_t i = 0; i < count; ++i) managed_pages(pointers[i], bytes[i]);
  });
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* bytes, size_t count,
                                                cudaMemLocation* locations, size_t* first,
                                                size_t location_count, unsigned long long flags,
                                                cudaStream_t stream) {
  return call_after_fault("cudaMemDiscardAndPrefetchBatchAsync", [&] {
    check_batch(pointers, bytes, count, flags, stream);
    prefetch(pointers, bytes, count, {locations, first, location_count});
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise what,
                          cudaMemLocation location) {
  return call_after_fault("cudaMemAdvise", [&] {
    if (what < cudaMemAdviseSetReadMostly || what > cudaMemAdviseUnsetAccessedBy)
      throw Failure{cudaErrorInvalidValue, "unknown advice"};
    need_device();
    forbid_while_capturing();
    const std::lock_guard lock(managed_mutex);
    change(managed_pages(pointer, bytes), [&](Advice& of) { advise(of, what, location); });
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes,
                                     unsigned flags) {
  return call("cudaStreamAttachMemAsync", [&] {
    forbid_for(*find_stream(stream));
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const warpwise::memory::Allocation* found = runtime().memory.find(address);
    const bool whole =
        found != nullptr && found->base == address && (bytes == 0 || bytes == found->bytes);
    const bool single = flags == cudaMemAttachSingle;
    if (!whole || found->kind != warpwise::memory::Kind::managed ||
        (!single && flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
      throw Failure{cudaErrorInvalidValue, "only whole managed allocations can be attached"};
    }
    if (single && (stream == nullptr || stream == cudaStreamLegacy)) {
      throw Failure{cudaErrorInvalidValue, "memory cannot be attached to the default stream"};
    }
  });
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes) {
  return call_without_device("cudaMemRangeGetAttribute", [&] {
    need_old_context();
    const std::lock_guard lock(managed_mutex);
    get(data, data_bytes, attribute, advice_for(managed_pages(pointer, bytes)));
  });
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_bytes,
                                      cudaMemRangeAttribute* attributes, size_t count,
                                      const void* pointer, size_t bytes) {
  return call_without_device("cudaMemRangeGetAttributes", [&] {
    need_old_context();
    given(data), given(data_bytes), given(attributes);
    if (count == 0) throw Failure{cudaErrorInvalidValue, ""};
    const std::lock_guard lock(managed_mutex);
    const Advice from = advice_for(managed_pages(pointer, bytes));
    for (std::size_t i = 0; i < count; ++i) get(data[i], data_bytes[i], attributes[i], from);
  });
}
}
