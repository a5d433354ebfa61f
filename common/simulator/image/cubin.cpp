#include "simulator/image/cubin.h"

#include <optional>

#include "simulator/image/bytes.h"
#include "simulator/image/elf.h"
#include "simulator/image/line_program.h"
#include "simulator/image/loads_in_flight.h"
#include "simulator/image/parted_code.h"
#include "simulator/image/sass.h"

namespace warpwise::image {
namespace {

/// Attributes of the sections .nv.info and .nv.info.KERNEL that matter here.
enum Attribute : unsigned {
  kMaxThreads = 0x05,      // x, y, z
  kFrameSize = 0x11,       // symbol, bytes
  kLeastStack = 0x12,      // symbol, bytes
  kParameterBytes = 0x19,  // in the attribute's own head
  kRegisters = 0x2f,       // symbol, registers
};
/// How an attribute's value is kept: in its head, or in as many bytes as the head says.
constexpr unsigned kSized = 4;

/// From sm_90 on, every kernel's shared memory starts with bytes that the system keeps for itself.
constexpr unsigned kReserving = 90;
constexpr std::uint64_t kReservedShared = 1024;

/// Calls visit(attribute, value in the head, reader of the other bytes) for each attribute.
template <class Visit>
void for_each_attribute(const Section& section, Visit visit) {
  Reader in(section.bytes, "table of attributes");
  while (!in.at_end()) {
    const unsigned format = in.number<std::uint8_t>();
    const unsigned attribute = in.number<std::uint8_t>();
    const unsigned value = in.number<std::uint16_t>();
    Reader body(format == kSized ? in.take(value) : in.take(0), "table of attributes");
    visit(attribute, value, body);
  }
}

/// The facts in .nv.info about all kernels, by symbol.
struct Resources {
  unsigned registers = 0;
  unsigned frame_bytes = 0;
  std::optional<unsigned> stack_bytes;
};

std::vector<Resources> read_resources(const Elf& elf) {
  std::vector<Resources> resources(elf.symbols.size());
  const Section* section = elf.find(".nv.info");
  if (section == nullptr) return resources;
  for_each_attribute(*section, [&](unsigned attribute, unsigned, Reader& body) {
    if (attribute != kRegisters && attribute != kFrameSize && attribute != kLeastStack) return;
    const auto symbol = body.number<std::uint32_t>();
    const auto value = body.number<std::uint32_t>();
    if (symbol >= resources.size()) body.fail();
    if (attribute == kRegisters) resources[symbol].registers = value;
    if (attribute == kFrameSize) resources[symbol].frame_bytes = value;
    constexpr std::uint32_t unknown = ~0u;
    if (attribute == kLeastStack && value != unknown) resources[symbol].stack_bytes = value;
  });
  return resources;
}

void read_kernel_attributes(const Section& section, KernelFacts& facts) {
  for_each_attribute(section, [&](unsigned attribute, unsigned value, Reader& body) {
    if (attribute == kParameterBytes) facts.parameter_bytes = value;
    if (attribute != kMaxThreads) return;
    facts.max_threads = 1;
    for (int axis = 0; axis < 3; ++axis) facts.max_threads *= body.number<std::uint32_t>();
  });
}

unsigned static_shared_bytes(const Elf& elf, const std::string& kernel) {
  const Section* section = elf.find(".nv.shared." + kernel);
  if (section == nullptr) return 0;
  const std::uint64_t reserved = elf.architecture >= kReserving ? kReservedShared : 0;
  return section->size < reserved ? 0 : static_cast<unsigned>(section->size - reserved);
}

std::vector<MemoryInstruction> read_memory(const Elf& elf, std::size_t section,
                                           const LineTable& lines) {
  std::vector<MemoryInstruction> memory;
  const auto code = elf.sections[section].bytes;
  const std::vector<bool> for_parted_lanes = code_for_parted_lanes(code);
  for (std::size_t at = 0; at + kInstructionBytes <= code.size(); at += kInstructionBytes) {
    const auto operation =
        decode_memory_operation(code.subspan(at).first<kInstructionBytes>(), elf.architecture);
    if (!operation) continue;
    const auto location = lines.find(section, at);
    memory.push_back({operation->space, operation->access, operation->width_bytes,
                      static_cast<std::uint32_t>(at), std::string(location.file), location.line,
                      operation->is_guarded});
    memory.back().is_for_parted_lanes = for_parted_lanes[at / kInstructionBytes];
    if (operation->access == MemoryInstruction::Access::atomic ||
        operation->access == MemoryInstruction::Access::reduction)
      memory.back().acting = acting_lanes(code, at);
  }
  count_loads_in_flight(code, memory);
  return memory;
}

/// The frames of functions within a kernel's code, "$KERNEL$NAME", and of separately compiled ones.
std::map<std::string, std::uint32_t> read_frames(const Elf& elf, const std::string& kernel) {
  std::map<std::string, std::uint32_t> frames;
  const std::string within = "$" + kernel + "$";
  for (const Symbol& symbol : elf.symbols) {
    if (!symbol.function || symbol.kernel || symbol.section >= elf.sections.size()) continue;
    const Section& section = elf.sections[symbol.section];
    std::string_view name = symbol.name;
    if (section.name == ".text." + kernel && name.starts_with(within))
      name.remove_prefix(within.size());
    else if (section.name != ".text." + std::string(name))
      continue;
    const std::size_t size = section.bytes.size();
    if (symbol.value > size || symbol.size > size - symbol.value) continue;
    frames[std::string(name)] = stack_frame_bytes(section.bytes.subspan(symbol.value, symbol.size));
  }
  return frames;
}

}  // namespace

std::map<std::string, KernelFacts> read_cubin(std::span<const std::byte> bytes) {
  const Elf elf = read_elf(bytes);
  const LineTable lines = read_line_table(elf);
  const std::vector<Resources> resources = read_resources(elf);
  std::map<std::string, KernelFacts> kernels;
  for (std::size_t i = 0; i < elf.symbols.size(); ++i) {
    const Symbol& symbol = elf.symbols[i];
    const std::string name(symbol.name);
    if (!symbol.kernel || symbol.section >= elf.sections.size()) continue;
    if (elf.sections[symbol.section].name != ".text." + name || kernels.contains(name)) continue;
    KernelFacts facts;
    facts.registers = resources[i].registers;
    facts.local_bytes = resources[i].frame_bytes;
    facts.stack_bytes = resources[i].stack_bytes;
    facts.static_shared_bytes = static_shared_bytes(elf, name);
    if (const Section* own = elf.find(".nv.info." + name)) read_kernel_attributes(*own, facts);
    facts.memory = read_memory(elf, symbol.section, lines);
    facts.yields_and_calls = yields_and_calls(elf.sections[symbol.section].bytes);
    facts.frame_bytes = read_frames(elf, name);
    kernels[name] = std::move(facts);
  }
  return kernels;
}

}  // namespace warpwise::image
