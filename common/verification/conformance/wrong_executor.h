#pragma once
#include <memory>
#include <string>

#include "verification/conformance/executor.h"

namespace warpwise::conformance {

/// For tests: an executor that runs a wrong program wherever it sees popc.
class WrongExecutor : public Executor {
 public:
  void load(const std::string& ptx) override {
    std::string text = ptx;
    for (std::size_t at = 0; (at = text.find("popc.b32", at)) != std::string::npos;)
      text.replace(at, 8, "brev.b32");
    machine_->load(text);
  }
  Bytes run(const Launch& launch) override { return machine_->run(launch); }
  std::string name() const override { return "wrong"; }

 private:
  std::unique_ptr<Executor> machine_ = simulator();
};

}  // namespace warpwise::conformance
