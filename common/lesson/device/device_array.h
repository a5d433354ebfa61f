#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Memory of the device with an owner.
/// \ingroup lesson
namespace warpwise::lesson {

/// Bytes of device memory, freed with the object.
class DeviceBytes {
 public:
  DeviceBytes() = default;
  /// @param name what diagnoses call it.
  /// @throws Stop (environment) when there is not enough memory.
  explicit DeviceBytes(std::size_t bytes, std::string_view name = {});
  ~DeviceBytes();
  DeviceBytes(DeviceBytes&& other) noexcept { swap(other); }
  DeviceBytes& operator=(DeviceBytes&& other) noexcept {
    swap(other);
    return *this;
  }

  void* get() const { return pointer_; }
  std::size_t bytes() const { return bytes_; }
  const std::string& name() const { return name_; }
  /// Sets every byte; returns at once, in stream order.
  void fill(unsigned char byte) const;
  /// @pre `bytes` is at most bytes(). @param host host memory.
  void copy_from(const void* host, std::size_t bytes) const;
  void copy_to(void* host, std::size_t bytes) const;

 private:
  void swap(DeviceBytes& other) noexcept {
    std::swap(pointer_, other.pointer_);
    std::swap(bytes_, other.bytes_);
    std::swap(name_, other.name_);
  }
  void* pointer_ = nullptr;
  std::size_t bytes_ = 0;
  std::string name_;
};

/// An array in device memory: `DeviceArray<float> x(n, "x");`. Converts to the pointer a kernel
/// takes.
template <class T>
class DeviceArray {
 public:
  /// `count` elements, not set.
  explicit DeviceArray(std::size_t count, std::string_view name = {})
      : memory_(count * sizeof(T), name) {}
  /// A copy of host values.
  explicit DeviceArray(std::span<const T> host, std::string_view name = {})
      : DeviceArray(host.size(), name) {
    memory_.copy_from(host.data(), host.size_bytes());
  }

  operator T*() const { return static_cast<T*>(memory_.get()); }
  std::size_t size() const { return memory_.bytes() / sizeof(T); }
  /// All elements, on the host; waits for the work before.
  std::vector<T> to_host() const {
    std::vector<T> host(size());
    memory_.copy_to(host.data(), memory_.bytes());
    return host;
  }

 private:
  DeviceBytes memory_;
};

}  // namespace warpwise::lesson
