#include "lesson/compare/workspace.h"

#include <cstdint>

#include "lesson/device/error.h"
#include "lesson/device/stand_in.h"

namespace warpwise::lesson {

void* Workspace::input_bytes(std::string_view name, const void* host, std::size_t bytes) {
  inputs_.emplace_back(bytes, name);
  inputs_.back().copy_from(host, bytes);
  return inputs_.back().get();
}

void* Workspace::output_bytes(std::string_view name, std::vector<double> expected,
                              Tolerance tolerance, std::size_t row_length,
                              std::size_t element_bytes) {
  DeviceBytes memory(expected.size() * element_bytes, name);
  selected_ = outputs_.size();
  outputs_.push_back(
      {std::move(memory), element_bytes, std::move(expected), tolerance, row_length, {}});
  return outputs_.back().memory.get();
}

std::size_t Workspace::bytes() const {
  std::size_t sum = 0;
  for (const Output& output : outputs_) sum += output.memory.bytes();
  for (const DeviceBytes& input : inputs_) sum += input.bytes();
  return sum;
}

const Workspace::Output& Workspace::output() const {
  if (outputs_.empty()) {
    throw Stop(something_wrong, "a kernel is launched before the problem has an output");
  }
  return outputs_[selected_];
}

void Workspace::poison() const { output().memory.fill(poison_byte); }

void Workspace::forget_output() const { forget_contents(output().memory.get()); }

Comparison Workspace::compare_output() const {
  const Output& made = output();
  std::vector<float> got;
  if (made.element_bytes == sizeof(float)) {
    got.resize(made.memory.bytes() / sizeof(float));
    made.memory.copy_to(got.data(), made.memory.bytes());
  } else {
    std::vector<std::uint16_t> halves(made.memory.bytes() / sizeof(std::uint16_t));
    made.memory.copy_to(halves.data(), made.memory.bytes());
    got = widened_bf16(halves);
  }
  return compare(made.expected, got, made.tolerance, made.row_length, made.slips);
}

}  // namespace warpwise::lesson
