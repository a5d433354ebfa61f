#pragma once
#include <cstring>
#include <span>

#include "simulator/machine/machine_fixture.h"

/// The common part of tests of PTX text: a kernel of one warp whose lanes give a number each.
namespace warpwise::machine::test {

inline const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// One text with a kernel `k(out)`, run by one warp; out gets a u32 of each lane.
struct Text {
  explicit Text(const std::string& ptx) : memory(64ull << 20) {
    image::Entry entry{};
    entry.kind = image::Entry::Kind::ptx;
    entry.architecture = 90;
    auto bytes = std::as_bytes(std::span(ptx));
    entry.payload.assign(bytes.begin(), bytes.end());
    module = load({entry}, 90, memory);
  }

  std::vector<unsigned> run() {
    const memory::Allocation* out = memory.allocate(128, memory::Kind::device);
    Launch launch;
    launch.kernel = "k";
    launch.block = {32, 1, 1};
    launch.parameters.resize(8);
    std::memcpy(launch.parameters.data(), &out->base, 8);
    Options options;
    options.threads = 1;
    options.budget = 1'000'000;
    report = module->run(launch, options);
    std::vector<unsigned> values(32);
    std::memcpy(values.data(), memory.host(out->base), 128);
    return values;
  }

  std::vector<unsigned> run_clean() {
    auto values = run();
    Device::check_clean(report);
    return values;
  }

  memory::AddressSpace memory;
  std::unique_ptr<Module> module;
  watch::LaunchReport report;
};

/// The body puts its result into %r0; %r1 is the lane.
inline std::string kernel(const std::string& before, const std::string& body) {
  return head + before + R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<8>; .reg .b16 %rs<8>; .reg .f64 %fd<4>;
  mov.u32 %r1, %laneid;
)" + body +
         R"(
$end:
  ld.param.u64 %rd0, [out];
  mad.wide.u32 %rd0, %r1, 4, %rd0;
  st.global.u32 [%rd0], %r0;
  ret;
})";
}

}  // namespace warpwise::machine::test
