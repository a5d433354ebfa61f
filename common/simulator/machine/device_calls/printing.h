#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "simulator/machine/checks/uninitialized.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

struct Printed;

/// printf and assert of kernels.
class Printing {
 public:
  Printing(RunnerState& here, Uninitialized& uninitialized)
      : here_(here), uninitialized_(uninitialized) {}

  void print(const code::Instruction& instruction, std::uint32_t mask);
  [[noreturn]] void assert_fail(const code::Instruction& instruction, std::uint32_t mask);
  /// The output, by block.
  const std::map<std::uint64_t, std::string>& output() const { return output_; }

 private:
  std::string device_string(std::uint64_t address, unsigned lane, bool must_end = true);
  void report_endless(std::size_t bytes, unsigned lane);
  Printed printed(const std::string& format, std::uint64_t& arguments, unsigned lane);
  std::uint64_t bytes_passed(std::uint64_t array, unsigned lane) const;
  template <class TextOf>
  void note(unsigned lane, TextOf text_of);
  void note_more_passed(std::uint64_t passed, std::uint64_t taken, unsigned lane);
  void note_unknown_conversion(const std::string& unknown, unsigned lane);
  const std::byte* readable(std::uint64_t address, unsigned lane, std::uint64_t bytes);

  RunnerState& here_;
  Uninitialized& uninitialized_;
  std::map<std::uint64_t, std::string> output_;
  std::uint64_t output_bytes_ = 0;
};

}  // namespace warpwise::machine
