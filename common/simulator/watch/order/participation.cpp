#include "simulator/watch/order/participation.h"

#include <algorithm>
#include <bit>

namespace warpwise::watch {
namespace {

constexpr const char* access_names[] = {"global load", "global store", "global atomic"};

ArrayCounts counts_of(const std::vector<std::uint32_t>& accesses) {
  constexpr std::size_t lanes = 32;
  ArrayCounts counts;
  for (std::size_t warp = 0; warp < accesses.size(); warp += lanes) {
    bool takes_part = false;
    for (std::size_t i = warp; i < std::min(warp + lanes, accesses.size()); ++i) {
      counts.threads += accesses[i] != 0;
      counts.most_of_thread = std::max<double>(counts.most_of_thread, accesses[i]);
      takes_part |= accesses[i] != 0;
    }
    counts.warps += takes_part;
  }
  return counts;
}

}  // namespace

Participation::Participation(std::vector<Array> arrays, std::uint64_t threads)
    : arrays_(std::move(arrays)), threads_(threads), seen_(arrays_.size() + 1) {}

Participation::Kind Participation::kind_of(const AccessEvent& event) {
  return event.is_atomic ? atomic : event.is_store ? store : load;
}

std::size_t Participation::array_at(std::uint64_t address) const {
  return static_cast<std::size_t>(
      std::find_if(arrays_.begin(), arrays_.end(),
                   [&](const Array& one) { return address >= one.begin && address < one.end; }) -
      arrays_.begin());
}

void Participation::access(const AccessEvent& event, const Cost& cost, std::uint64_t first_thread) {
  add_cost(event, cost);
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    Seen& seen = seen_[array_at(event.addresses[lane])][kind_of(event)];
    if (seen.accesses.empty()) seen.accesses.resize(threads_);
    if (first_thread + lane < threads_) seen.accesses[first_thread + lane] += event.times;
  }
}

void Participation::add_cost(const AccessEvent& event, const Cost& cost) {
  const std::size_t array = array_at(event.addresses[std::countr_zero(event.mask)]);
  Cost& all = seen_[array][kind_of(event)].cost;
  all.requests += cost.requests;
  all.sectors += cost.sectors;
}

void Participation::add(const Participation& other) {
  for (std::size_t array = 0; array < seen_.size(); ++array) {
    for (int kind = 0; kind < kinds; ++kind) {
      Seen& own = seen_[array][kind];
      const Seen& more = other.seen_[array][kind];
      own.cost.requests += more.cost.requests;
      own.cost.sectors += more.cost.sectors;
      if (more.accesses.empty()) continue;
      own.accesses.resize(threads_);
      for (std::size_t i = 0; i < more.accesses.size(); ++i) own.accesses[i] += more.accesses[i];
    }
  }
}

void Participation::write(LaunchReport& report) const {
  for (std::size_t array = 0; array < seen_.size(); ++array) {
    for (int kind = 0; kind < kinds; ++kind) {
      const Seen& seen = seen_[array][kind];
      if (seen.accesses.empty() && seen.cost.requests == 0) continue;
      ArrayCounts counts = counts_of(seen.accesses);
      counts.array = array < arrays_.size() ? arrays_[array].name : "";
      counts.access = access_names[kind];
      counts.requests = seen.cost.requests;
      counts.sectors = seen.cost.sectors;
      report.counts.arrays.push_back(std::move(counts));
    }
  }
}

}  // namespace warpwise::watch
