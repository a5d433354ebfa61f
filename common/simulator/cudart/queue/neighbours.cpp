#include "simulator/cudart/queue/neighbours.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/cudart/device/per_device.h"
#include "simulator/cudart/memory/host_visible.h"
#include "simulator/cudart/queue/overlap.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/report/source_place.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

/// Of a device, by launches that wait. One operation runs at a time, and reads and changes it.
struct DeviceUse {
  double share = 0;
  unsigned holders = 0;
};
PerDevice<DeviceUse> uses;

/// Launches that a device runs at a time, from compute capability 7.0 on except 7.2.
constexpr unsigned most_launches = 128;

/// As long as it lives, a launch holds a part of the device.
class Held {
 public:
  explicit Held(double share) : use_(uses.here()), share_(share) {
    use_.share += share_;
    ++use_.holders;
  }
  ~Held() {
    --use_.holders;
    use_.share = use_.holders == 0 ? 0 : use_.share - share_;
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  DeviceUse& use_;
  const double share_;
};

std::string listed(const std::vector<const Launched*>& launches) {
  constexpr std::size_t most_reported = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(launches.size(), most_reported); ++i) {
    const SourcePlace place = place_of(launches[i]->from);
    text += fmt::format("{}{}", i == 0 ? "" : ", ", launches[i]->kernel);
    if (runtime().memory.devices() > 1) text += fmt::format(" on device {}", launches[i]->device);
    if (place.line != 0) text += fmt::format(" (line {})", place.line);
  }
  return launches.size() > most_reported ? text + ", ..." : text;
}

}  // namespace

std::uint64_t LaunchNeighbours::room() const {
  constexpr double rounding = 1e-9;
  const DeviceUse& use = uses.here();
  if (use.holders >= most_launches) return 0;
  const double free = std::clamp(1 - use.share + rounding, 0.0, 1.0);
  return static_cast<std::uint64_t>(static_cast<double>(most_) * free);
}

bool LaunchNeighbours::wait_for_room(std::uint64_t blocks) {
  while (room() < std::min(blocks, most_)) {
    const Queue::Resumed how = runtime().queue.let_others_run({.stands = true, .for_room = true});
    if (how == Queue::Resumed::deadlock || faulted()) return false;
  }
  return true;
}

machine::Neighbours::Outlook LaunchNeighbours::let_others_run(const Waiting& waiting) {
  const Held held(static_cast<double>(waiting.resident) /
                  static_cast<double>(std::max<std::uint64_t>(most_, 1)));
  const Queue::Resumed how = runtime().queue.let_others_run(
      {waiting.has_changed, waiting.stands, waiting.host_may_help, false});
  // The helping operation may have belonged to a device that has failed.
  const bool helper_failed = any_faulted() && !faulted();
  if (how == Queue::Resumed::deadlock && !helper_failed) return Outlook::deadlock;
  gave_up_ = faulted() || how == Queue::Resumed::deadlock;
  if (gave_up_) return Outlook::given_up;
  return how == Queue::Resumed::changed ? Outlook::changed : Outlook::unchanged;
}

bool LaunchNeighbours::wants_footprint() const {
  return keeps_footprint_ || launch_.beside->has_dependent || has_to_leave_footprint(launch_) ||
         runtime().queue.has_unordered();
}

bool LaunchNeighbours::wants_host_footprint() const { return has_to_leave_footprint(launch_); }

void LaunchNeighbours::keep_host_footprint(std::shared_ptr<const watch::Footprint> footprint) {
  keep_footprint(launch_, std::move(footprint));
}

bool LaunchNeighbours::begins_early() const { return launch_.beside->in_front != nullptr; }

std::vector<machine::Neighbours::Conflict> LaunchNeighbours::compare_early(
    const std::shared_ptr<const watch::Footprint>& footprint, bool lets_begin) {
  launch_.beside->lets_begin_before_waiting = lets_begin;
  return compare_with_launches_in_front(launch_, footprint);
}

std::vector<machine::Neighbours::Conflict> LaunchNeighbours::compare(
    std::shared_ptr<const watch::Footprint> footprint) {
  was_compared_ = true;
  if (keeps_footprint_) footprint_ = footprint;
  keep_footprint(launch_, footprint);
  return compare_launch(launch_, std::move(footprint));
}

std::string LaunchNeighbours::others() const {
  std::vector<const Launched*> standing, without_room, not_begun;
  const std::vector<Queue::Other> all = runtime().queue.others_in_deadlock();
  for (const Queue::Other& other : all)
    (!other.begun     ? not_begun
     : other.for_room ? without_room
                      : standing)
        .push_back(other.launch.get());
  std::string text;
  if (!standing.empty()) text += fmt::format(" Other launches also wait: {}.", listed(standing));
  if (!without_room.empty())
    text +=
        fmt::format(" Next to the launches that wait, the GPU has no room for the blocks of {}.",
                    listed(without_room));
  if (!not_begun.empty())
    text +=
        fmt::format(" Not begun, since streams or events put them after a launch that waits: {}.",
                    listed(not_begun));
  return text;
}

}  // namespace warpwise::cudart
