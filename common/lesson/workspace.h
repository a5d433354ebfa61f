#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "lesson/compare.h"
#include "lesson/device_array.h"

/// \file
/// The arrays of one problem: inputs, the output, and what the output should be.
/// \ingroup lesson
namespace warpwise::lesson {

/// Owns the device memory of one problem. Pointers it returns are valid as long as it lives.
class Workspace {
 public:
  /// A copy of host values in device memory. @param name what diagnoses call it.
  template <class T>
  T* input(std::string_view name, const std::vector<T>& host) {
    return static_cast<T*>(input_bytes(name, host.data(), host.size() * sizeof(T)));
  }

  /// Device memory for the result, as many floats as the reference has numbers. A later call
  /// replaces what is compared; the memory of an earlier one stays.
  /// @param expected the reference, in double.
  /// @param row_length columns of a matrix, so that messages speak of rows and columns; 0: none.
  float* output(std::string_view name, std::vector<double> expected, Tolerance tolerance,
                std::size_t row_length = 0);

  /// Sets every byte of the output to the poison.
  void poison() const;
  /// Lets the simulator take the output for memory that nobody has written: a kernel that reads it
  /// before it writes it is diagnosed.
  void forget_output() const;
  /// Compares the whole output with the reference. @pre the launch has ended.
  Comparison compare_output() const;

 private:
  void* input_bytes(std::string_view name, const void* host, std::size_t bytes);

  std::vector<DeviceBytes> inputs_;  ///< and earlier outputs.
  DeviceBytes output_;
  std::vector<double> expected_;
  Tolerance tolerance_;
  std::size_t row_length_ = 0;
};

}  // namespace warpwise::lesson
