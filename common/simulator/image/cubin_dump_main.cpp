// Prints the facts that image/ reads from compiled code, one line per memory instruction, to be
// compared with NVIDIA's disassembler: kernel offset opcode space access width file:line.
//
//   cubin_dump FILE    a cubin, or a fat binary as `nvcc -cubin` and `nvcc -fatbin` write them

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "simulator/image/cubin.h"
#include "simulator/image/elf.h"
#include "simulator/image/fatbin.h"
#include "simulator/image/sass.h"

namespace warpwise::image {
namespace {

const char* name_of(MemoryInstruction::Space space) {
  using Space = MemoryInstruction::Space;
  switch (space) {
    case Space::global:
      return "global";
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::generic:
      return "generic";
    case Space::constant:
      return "constant";
  }
  return "?";
}

const char* name_of(MemoryInstruction::Access access) {
  using Access = MemoryInstruction::Access;
  switch (access) {
    case Access::load:
      return "load";
    case Access::store:
      return "store";
    case Access::atomic:
      return "atomic";
    case Access::reduction:
      return "reduction";
    case Access::async_copy:
      return "async_copy";
    case Access::matrix_load:
      return "matrix_load";
    case Access::matrix_store:
      return "matrix_store";
  }
  return "?";
}

void print_kernel(const std::string& name, const KernelFacts& facts, const Elf& elf) {
  std::printf(
      "# %s: sm_%u, %u registers, %u bytes shared, %u bytes stack, %u threads at most, "
      "%u bytes of parameters\n",
      name.c_str(), elf.architecture, facts.registers, facts.static_shared_bytes, facts.local_bytes,
      facts.max_threads, facts.parameter_bytes);
  const Section* code = elf.find(".text." + name);
  if (code == nullptr) return;
  for (const MemoryInstruction& access : facts.memory) {
    const auto operation = decode_memory_operation(
        code->bytes.subspan(access.offset).first<kInstructionBytes>(), elf.architecture);
    std::printf("%s %04x %s %s %s %u %s:%u\n", name.c_str(), access.offset, operation->mnemonic,
                name_of(access.space), name_of(access.access), access.width_bytes,
                access.file.empty() ? "-" : access.file.c_str(), access.line);
  }
}

void print_cubin(std::span<const std::byte> bytes) {
  const Elf elf = read_elf(bytes);
  for (const auto& [name, facts] : read_cubin(bytes)) print_kernel(name, facts, elf);
}

bool is_elf(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && std::string(reinterpret_cast<const char*>(bytes.data()), 4) ==
                                  "\x7f"
                                  "ELF";
}

int dump(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::cerr << "cannot read " << path << ": give a cubin or a fat binary\n";
    return 2;
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  if (is_elf(bytes)) {
    print_cubin(bytes);
    return 0;
  }
  for (const Entry& entry : read_container(bytes)) {
    if (entry.kind == Entry::Kind::cubin) print_cubin(entry.payload);
  }
  return 0;
}

}  // namespace
}  // namespace warpwise::image

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: cubin_dump FILE\n";
    return 2;
  }
  try {
    return warpwise::image::dump(arguments[1]);
  } catch (const warpwise::image::ImageError& error) {
    std::cerr << arguments[1] << ": " << error.what() << '\n';
    return 1;
  }
}
