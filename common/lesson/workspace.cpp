#include "lesson/workspace.h"

#include "lesson/error.h"
#include "lesson/report.h"

namespace warpwise::lesson {

void* Workspace::input_bytes(std::string_view name, const void* host, std::size_t bytes) {
  inputs_.emplace_back(bytes, name);
  inputs_.back().copy_from(host, bytes);
  return inputs_.back().get();
}

float* Workspace::output(std::string_view name, std::vector<double> expected, Tolerance tolerance,
                         std::size_t row_length) {
  expected_ = std::move(expected);
  tolerance_ = tolerance;
  row_length_ = row_length;
  if (output_.bytes() > 0) inputs_.push_back(std::move(output_));
  output_ = DeviceBytes(expected_.size() * sizeof(float), name);
  return static_cast<float*>(output_.get());
}

void Workspace::poison() const {
  if (output_.bytes() == 0) {
    throw Stop(something_wrong, "a kernel is launched before the problem has an output");
  }
  output_.fill(poison_byte);
}

void Workspace::forget_output() const { forget_contents(output_.get()); }

Comparison Workspace::compare_output() const {
  std::vector<float> got(output_.bytes() / sizeof(float));
  output_.copy_to(got.data(), output_.bytes());
  return compare(expected_, got, tolerance_, row_length_);
}

}  // namespace warpwise::lesson
