#include "verification/fuzz/targets.h"

#include <cstdint>
#include <string>

#include "simulator/code/compile.h"
#include "simulator/image/cubin.h"
#include "simulator/image/fatbin.h"
#include "simulator/ptx/module.h"

namespace warpwise::fuzz {

void fatbin(std::span<const std::byte> bytes) {
  try {
    for (const image::Entry& entry : image::read_container(bytes))
      if (entry.kind == image::Entry::Kind::cubin) cubin(entry.payload);
  } catch (const image::ImageError&) {
  }
}

void cubin(std::span<const std::byte> bytes) {
  try {
    image::read_cubin(bytes);
  } catch (const image::ImageError&) {
  }
}

void ptx(std::span<const std::byte> bytes) {
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  try {
    ptx::Module module = ptx::parse(text);
    for (const ptx::Function& function : module.functions) {
      if (function.is_declaration || !function.unsupported.empty()) continue;
      try {
        const image::KernelFacts facts;
        code::compile(
            module, function, [](const std::string&) { return std::uint64_t{0x1000}; }, &facts);
      } catch (const ptx::ParseError&) {
      }
    }
  } catch (const ptx::ParseError&) {
  }
}

}  // namespace warpwise::fuzz
