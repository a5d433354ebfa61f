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
  expected_ = std::move(expected);
  tolerance_ = tolerance;
  row_length_ = row_length;
  slips_.clear();
  if (output_.bytes() > 0) inputs_.push_back(std::move(output_));
  output_ = DeviceBytes(expected_.size() * element_bytes, name);
  element_bytes_ = element_bytes;
  return output_.get();
}

std::size_t Workspace::bytes() const {
  std::size_t sum = output_.bytes();
  for (const DeviceBytes& input : inputs_) sum += input.bytes();
  return sum;
}

void Workspace::poison() const {
  if (output_.bytes() == 0) {
    throw Stop(something_wrong, "a kernel is launched before the problem has an output");
  }
  output_.fill(poison_byte);
}

void Workspace::forget_output() const { forget_contents(output_.get()); }

Comparison Workspace::compare_output() const {
  std::vector<float> got;
  if (element_bytes_ == sizeof(float)) {
    got.resize(output_.bytes() / sizeof(float));
    output_.copy_to(got.data(), output_.bytes());
  } else {
    std::vector<std::uint16_t> halves(output_.bytes() / sizeof(std::uint16_t));
    output_.copy_to(halves.data(), output_.bytes());
    got = widened_bf16(halves);
  }
  return compare(expected_, got, tolerance_, row_length_, slips_);
}

}  // namespace warpwise::lesson
