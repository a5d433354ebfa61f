#pragma once
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lesson/compare/compare.h"
#include "lesson/device/device_array.h"

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

  /// Device memory for the result, as many elements as the reference has numbers. A later call
  /// replaces what is compared; an earlier one stays, see select_output().
  /// @tparam T float, or a bf16 of two bytes, which is widened before it is compared.
  /// @param expected the reference, in double.
  /// @param row_length columns of a matrix, so that messages speak of rows and columns; 0: none.
  template <class T = float>
  T* output(std::string_view name, std::vector<double> expected, Tolerance tolerance,
            std::size_t row_length = 0) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 2, "float or bf16");
    return static_cast<T*>(
        output_bytes(name, std::move(expected), tolerance, row_length, sizeof(T)));
  }

  /// Slips that a wrong output is compared with. @pre the output they are about is there.
  void slips(std::vector<Slip> slips) { outputs_.back().slips = std::move(slips); }

  /// The number of the output that is compared, and the choice of another one. @pre there is one.
  std::size_t selected_output() const { return selected_; }
  void select_output(std::size_t number) { selected_ = number; }

  /// Bytes of all arrays: what a kernel moves that reads and writes each number once.
  std::size_t bytes() const;

  /// Sets every byte of the output to the poison.
  void poison() const;
  /// Lets the simulator take the output for memory that was never written: a kernel that reads it
  /// before it writes it is diagnosed.
  void forget_output() const;
  /// Compares the whole output with the reference. @pre the launch has ended.
  Comparison compare_output() const;

 private:
  void* input_bytes(std::string_view name, const void* host, std::size_t bytes);
  void* output_bytes(std::string_view name, std::vector<double> expected, Tolerance tolerance,
                     std::size_t row_length, std::size_t element_bytes);

  /// What a launch should leave.
  struct Output {
    DeviceBytes memory;
    std::size_t element_bytes = sizeof(float);  ///< 4 is float, 2 is bf16.
    std::vector<double> expected;
    Tolerance tolerance;
    std::size_t row_length = 0;
    std::vector<Slip> slips;
  };
  /// @throws Stop where there is none.
  const Output& output() const;

  std::vector<DeviceBytes> inputs_;
  std::vector<Output> outputs_;
  std::size_t selected_ = 0;
};

}  // namespace warpwise::lesson
