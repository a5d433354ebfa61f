#pragma once
#include <array>
#include <cstddef>

#include "simulator/memory/current_device.h"

namespace warpwise::cudart {

/// A value per device.
template <typename Value>
class PerDevice {
 public:
  /// The value of the device that this thread works for.
  Value& here() { return of(memory::current_device()); }
  const Value& here() const { return of(memory::current_device()); }
  Value& of(int device) { return all_[static_cast<std::size_t>(device)]; }
  const Value& of(int device) const { return all_[static_cast<std::size_t>(device)]; }

  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  std::array<Value, memory::most_devices> all_ = {};
};

}  // namespace warpwise::cudart
