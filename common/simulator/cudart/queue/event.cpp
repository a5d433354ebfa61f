#include "simulator/cudart/queue/event.h"

#include <map>
#include <mutex>
#include <utility>

#include "simulator/cudart/report/error.h"

namespace warpwise::cudart {
namespace {

std::mutex events_mutex;

std::map<cudaEvent_t, EventPtr>& events() {
  static auto& all = *new std::map<cudaEvent_t, EventPtr>;
  return all;
}

}  // namespace

cudaEvent_t keep_event(EventPtr event) {
  const auto handle = reinterpret_cast<cudaEvent_t>(event.get());
  const std::lock_guard lock(events_mutex);
  events()[handle] = std::move(event);
  return handle;
}

void forget_event(cudaEvent_t event) {
  const std::lock_guard lock(events_mutex);
  events().erase(event);
}

EventPtr find_event(cudaEvent_t handle) {
  const std::lock_guard lock(events_mutex);
  const auto entry = events().find(handle);
  if (entry == events().end()) {
    throw Failure{cudaErrorInvalidResourceHandle, "the event was not created, or is destroyed"};
  }
  if (has_lost(entry->second->device)) throw Failure{cudaErrorContextIsDestroyed, ""};
  return entry->second;
}

}  // namespace warpwise::cudart
