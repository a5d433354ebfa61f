#pragma once
// For tests only: compiles kernels with nvcc and translates them.

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulator/code/compile.h"
#include "simulator/image/compile_fixture.h"

namespace warpwise::code::test {

/// PTX and facts of one source text. Kernels are `extern "C"`.
class Source {
 public:
  explicit Source(const std::string& text, const std::string& architecture = "90",
                  const std::string& flags = "-lineinfo") {
    for (const image::Entry& entry : image::read_container(image::test::compile(
             "-fatbin -std=c++20 " + flags + " -gencode 'arch=compute_" + architecture +
                 ",code=[compute_" + architecture + ",sm_" + architecture + "]'",
             text))) {
      if (entry.kind == image::Entry::Kind::ptx) module_ = ptx::parse(entry.ptx_text());
      if (entry.kind == image::Entry::Kind::cubin) facts_ = image::read_cubin(entry.payload);
    }
  }

  const ptx::Function& function(const std::string& kernel) const {
    const ptx::Function* found = module_.find(kernel);
    REQUIRE_MESSAGE(found != nullptr, kernel);
    return *found;
  }

  std::shared_ptr<const Program> program(const std::string& kernel, bool with_facts = true) const {
    auto facts = facts_.find(kernel);
    REQUIRE(facts != facts_.end());
    return compile(
        module_, function(kernel), [](const std::string&) { return 4096ull; },
        with_facts ? &facts->second : nullptr);
  }

 private:
  ptx::Module module_;
  std::map<std::string, image::KernelFacts> facts_;
};

}  // namespace warpwise::code::test
