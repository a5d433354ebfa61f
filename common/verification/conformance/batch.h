#pragma once
#include <algorithm>
#include <functional>
#include <string>

#include "verification/conformance/executor.h"
#include "verification/conformance/fixture.h"

namespace warpwise::conformance {

constexpr std::size_t fixtures_in_module = 64, programs_in_module = 16;

/// Loads kernels many to a module, since loading costs more than running. A module that is refused
/// is halved until the kernel that spoils it is alone.
class Batch {
 public:
  using Text = std::function<std::string(std::size_t index, const std::string& name)>;
  using Run = std::function<void(std::size_t index, const std::string& name)>;
  using Refuse = std::function<void(std::size_t index, const std::string& why)>;

  Batch(Executor& executor, Text text, Run run, Refuse refuse)
      : executor_(executor),
        text_(std::move(text)),
        run_(std::move(run)),
        refuse_(std::move(refuse)) {}

  void all(std::size_t count, std::size_t in_module) {
    for (std::size_t first = 0; first < count; first += in_module)
      some(first, std::min(count, first + in_module));
  }

 private:
  void some(std::size_t first, std::size_t last) {
    std::string module = module_header;
    for (std::size_t i = first; i < last; ++i) module += text_(i, name(i));
    try {
      executor_.load(module);
    } catch (const Refused& why) {
      if (last - first == 1) return refuse_(first, why.what());
      std::size_t middle = (first + last) / 2;
      some(first, middle);
      return some(middle, last);
    }
    for (std::size_t i = first; i < last; ++i) {
      try {
        run_(i, name(i));
      } catch (const Refused& why) {
        refuse_(i, why.what());
      }
    }
  }
  static std::string name(std::size_t index) { return "k" + std::to_string(index); }

  Executor& executor_;
  Text text_;
  Run run_;
  Refuse refuse_;
};

}  // namespace warpwise::conformance
