#include <cstring>
#include <span>

#include "simulator/machine/launch/module.h"
#include "verification/conformance/executor.h"

namespace warpwise::conformance {
namespace {

class Simulator : public Executor {
 public:
  Simulator() : memory_(256ull << 20) {}

  void load(const std::string& ptx) override {
    image::Entry entry{};
    entry.kind = image::Entry::Kind::ptx;
    entry.architecture = 90;
    auto bytes = std::as_bytes(std::span(ptx));
    entry.payload.assign(bytes.begin(), bytes.end());
    try {
      module_ = machine::load({entry}, 90, memory_);
    } catch (const std::exception& error) {
      throw Refused(error.what());
    }
  }

  Bytes run(const Launch& launch) override {
    Array input(memory_, launch.input->size()), output(memory_, launch.output_bytes);
    std::memcpy(input.bytes, launch.input->data(), launch.input->size());
    std::memset(output.bytes, 0, launch.output_bytes);
    machine::Launch wanted;
    wanted.kernel = launch.kernel;
    wanted.grid = {launch.blocks, 1, 1};
    wanted.block = {launch.threads, 1, 1};
    wanted.parameters.resize(16);
    std::memcpy(wanted.parameters.data(), &input.address, 8);
    std::memcpy(wanted.parameters.data() + 8, &output.address, 8);
    machine::Options options;
    options.threads = 1;
    options.budget = 50'000'000;
    watch::LaunchReport report = module_->run(wanted, options);
    if (!report.unsupported.empty()) throw Refused(report.unsupported);
    if (!report.diagnoses.empty()) throw Refused(watch::to_text(report.diagnoses[0]));
    return {output.bytes, output.bytes + launch.output_bytes};
  }

  std::string name() const override { return "simulator"; }

 private:
  struct Array {
    Array(memory::AddressSpace& space, std::size_t size) : memory(space) {
      const memory::Allocation* made = memory.allocate(size, memory::Kind::device);
      if (!made) throw Refused("the simulated device is out of memory");
      address = made->base;
      bytes = memory.host(address);
    }
    ~Array() { memory.release(address); }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    memory::AddressSpace& memory;
    std::uint64_t address;
    std::byte* bytes;
  };

  memory::AddressSpace memory_;
  std::unique_ptr<machine::Module> module_;
};

}  // namespace

std::unique_ptr<Executor> simulator() { return std::make_unique<Simulator>(); }

}  // namespace warpwise::conformance
