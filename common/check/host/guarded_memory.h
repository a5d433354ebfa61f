#pragma once
#include <cstddef>

/// \file
/// Memory for the arrays of a host function.
/// \ingroup lesson
namespace warpwise::lesson {

/// Host memory whose end is followed by a page that may not be touched: an access past the
/// end stops the program.
class GuardedMemory {
 public:
  explicit GuardedMemory(std::size_t bytes);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  void* get() const { return start_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  void* start_ = nullptr;
};

}  // namespace warpwise::lesson
