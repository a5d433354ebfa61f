#include "simulator/memory/texel_objects.h"

#include <mutex>
#include <utility>

namespace warpwise::memory {

std::uint64_t TexelObjects::create(TexelObject object) {
  const std::lock_guard lock(mutex_);
  all_.push_back(std::make_unique<TexelObject>(std::move(object)));
  return all_.size();
}

bool TexelObjects::destroy(std::uint64_t handle, bool is_surface) {
  const std::lock_guard lock(mutex_);
  if (handle - 1 >= all_.size()) return false;
  TexelObject& object = *all_[handle - 1];
  if (!object.is_live || object.is_surface != is_surface) return false;
  object.is_live = false;
  return true;
}

const TexelObject* TexelObjects::find(std::uint64_t handle) const {
  const std::shared_lock lock(mutex_);
  return handle - 1 < all_.size() ? all_[handle - 1].get() : nullptr;
}

}  // namespace warpwise::memory
