#include "tutor/course/program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>

#include "simulator/image/elf.h"
#include "simulator/image/fatbin.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"

namespace warpwise::tutor {
namespace {

#if defined(__x86_64__)
constexpr unsigned this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned this_machine = EM_AARCH64;
#else
#error "the tutor runs on x86-64 and arm64"
#endif

constexpr std::uint32_t container_magic = 0xBA55ED50;
constexpr std::size_t container_header_bytes = 16;

// Reads parts of a file; a place outside of it is an error, not a crash.
class File {
 public:
  explicit File(const std::filesystem::path& path)
      : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    struct stat status {};
    if (number_ < 0 || fstat(number_, &status) != 0) {
      const int reason = errno;
      throw Failure(reason == ENOENT || reason == ENOTDIR ? status_usage : status_environment,
                    fmt::format("{}: {}", shown(path), std::strerror(reason)));
    }
    if (!S_ISREG(status.st_mode)) {
      close(number_);
      throw Failure(status_usage, fmt::format("{} is not a program but {}", shown(path),
                                              S_ISDIR(status.st_mode) ? "a folder" : "a device"));
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(number_); }

  struct Outside {};

  void read(std::uint64_t offset, void* to, std::uint64_t bytes) const {
    auto* out = static_cast<char*>(to);
    while (bytes > 0) {
      const ssize_t got = pread(number_, out, bytes, static_cast<off_t>(offset));
      if (got <= 0) throw Outside{};
      out += got;
      offset += static_cast<std::uint64_t>(got);
      bytes -= static_cast<std::uint64_t>(got);
    }
  }

  template <typename Record>
  Record record(std::uint64_t offset) const {
    Record result;
    read(offset, &result, sizeof result);
    return result;
  }

  std::vector<std::byte> bytes(std::uint64_t offset, std::uint64_t count) const {
    if (offset > size_ || count > size_ - offset) throw Outside{};
    std::vector<std::byte> result(count);
    read(offset, result.data(), count);
    return result;
  }

 private:
  int number_;
  std::uint64_t size_ = 0;
};

std::string text_at(const std::vector<std::byte>& table, std::uint64_t offset) {
  if (offset >= table.size()) throw File::Outside{};
  const char* begin = reinterpret_cast<const char*>(table.data()) + offset;
  return {begin, strnlen(begin, table.size() - offset)};
}

struct Sections {
  std::vector<Elf64_Shdr> headers;
  std::vector<std::byte> names;
};

Sections read_sections(const File& file, const Elf64_Ehdr& header) {
  Sections result;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    result.headers.push_back(
        file.record<Elf64_Shdr>(header.e_shoff + std::uint64_t{i} * header.e_shentsize));
  }
  if (header.e_shstrndx < result.headers.size()) {
    const Elf64_Shdr& names = result.headers[header.e_shstrndx];
    result.names = file.bytes(names.sh_offset, names.sh_size);
  }
  return result;
}

std::vector<std::string> needed_libraries(const File& file, const Sections& sections,
                                          const Elf64_Shdr& dynamic) {
  if (dynamic.sh_link >= sections.headers.size()) throw File::Outside{};
  const Elf64_Shdr& texts = sections.headers[dynamic.sh_link];
  const std::vector<std::byte> table = file.bytes(texts.sh_offset, texts.sh_size);
  std::vector<std::string> result;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.sh_size; at += sizeof(Elf64_Dyn)) {
    const auto entry = file.record<Elf64_Dyn>(dynamic.sh_offset + at);
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) result.push_back(text_at(table, entry.d_un.d_val));
  }
  return result;
}

// nvcc embeds a cubin even in a program without kernels.
bool holds_kernel(const image::Entry& cubin) {
  const image::Elf elf = image::read_elf(cubin.payload);
  return std::any_of(elf.symbols.begin(), elf.symbols.end(),
                     [](const image::Symbol& symbol) { return symbol.kernel; });
}

// With -rdc=true the PTX of each translation unit is next to the linked machine code.
bool holds_device_code(std::string_view section) {
  return section == ".nv_fatbin" || section == "__nv_relfatbin";
}

// Such a section holds the containers of all translation units one after the other, padded to 8.
void read_device_code(std::span<const std::byte> bytes, ProgramFile& program) {
  while (bytes.size() >= container_header_bytes && !program.ptx) {
    std::uint32_t magic = 0;
    std::uint64_t size = 0;
    std::memcpy(&magic, bytes.data(), sizeof magic);
    std::memcpy(&size, bytes.data() + 8, sizeof size);
    if (magic != container_magic) {
      bytes = bytes.subspan(8);
      continue;
    }
    for (const image::Entry& entry : image::read_container(bytes)) {
      program.ptx |= entry.kind == image::Entry::Kind::ptx;
      program.machine_code |= entry.kind == image::Entry::Kind::cubin && holds_kernel(entry);
    }
    const std::uint64_t padded = (container_header_bytes + size + 7) / 8 * 8;
    bytes = bytes.subspan(std::min<std::uint64_t>(padded, bytes.size()));
  }
}

void read_elf(const File& file, const Elf64_Ehdr& header, ProgramFile& program) {
  bool interpreter = false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment =
        file.record<Elf64_Phdr>(header.e_phoff + std::uint64_t{i} * header.e_phentsize);
    interpreter |= segment.p_type == PT_INTERP;
  }
  program.program = header.e_type == ET_EXEC || (header.e_type == ET_DYN && interpreter);
  const Sections sections = read_sections(file, header);
  for (const Elf64_Shdr& section : sections.headers) {
    if (section.sh_type == SHT_DYNAMIC) program.needed = needed_libraries(file, sections, section);
    if (section.sh_type != SHT_PROGBITS) continue;
    if (!holds_device_code(text_at(sections.names, section.sh_name))) continue;
    program.device_code = true;
    try {
      read_device_code(file.bytes(section.sh_offset, section.sh_size), program);
    } catch (const image::ImageError& error) {
      program.damage = error.message;
    }
  }
}

bool for_this_machine(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_machine == this_machine;
}

// Libraries that talk to the driver or to a GPU's machine code by themselves.
std::string closed_library(const ProgramFile& program) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 13> closed{{
      {"libcuda.so", "the driver interface (libcuda)"},
      {"libcublas", "cuBLAS"},
      {"libcufft", "cuFFT"},
      {"libcudnn", "cuDNN"},
      {"libcusparse", "cuSPARSE"},
      {"libcusolver", "cuSOLVER"},
      {"libcurand", "cuRAND"},
      {"libnccl", "NCCL"},
      {"libnvrtc", "NVRTC"},
      {"libnpp", "NPP"},
      {"libnvjpeg", "nvJPEG"},
      {"libnvJitLink", "nvJitLink"},
      {"libcupti", "CUPTI"},
  }};
  for (const std::string& library : program.needed) {
    for (const auto& [file, name] : closed) {
      if (library.starts_with(file)) return std::string(name);
    }
  }
  return {};
}

// Device code may be in a library that the program is linked with; these are known to have none.
bool needs_only_the_system(const ProgramFile& program) {
  constexpr std::array<std::string_view, 8> system{
      "libc.", "libm.", "libstdc++.", "libgcc_s.", "libdl.", "libpthread.", "librt.", "ld-linux"};
  return std::all_of(program.needed.begin(), program.needed.end(), [&](const std::string& library) {
    return std::any_of(system.begin(), system.end(),
                       [&](std::string_view name) { return library.starts_with(name); });
  });
}

}  // namespace

ProgramFile read_program(const std::filesystem::path& path) {
  const File file(path);
  ProgramFile program;
  try {
    const auto header = file.record<Elf64_Ehdr>(0);
    program.elf = for_this_machine(header);
    if (program.elf) read_elf(file, header, program);
  } catch (const File::Outside&) {
    program.complete = false;
  }
  return program;
}

std::string refusal(const ProgramFile& program) {
  if (!program.elf) return "it is not a program of this machine: give one that nvcc built here";
  if (!program.complete) return "it is cut off or damaged: build it again";
  if (!program.program) {
    return "it is an object file or a library, not a program: link it with nvcc --cudart shared";
  }
  if (const std::string library = closed_library(program); !library.empty()) {
    return fmt::format("it uses {}, which needs a GPU: only the CUDA runtime is simulated",
                       library);
  }
  std::string runtime;
  for (const std::string& library : program.needed) {
    if (library.starts_with("libcudart.so")) runtime = library;
  }
  if (runtime.empty() && !program.device_code) {
    if (!needs_only_the_system(program)) return {};
    return "it holds no device code: give a program that nvcc built from a .cu file";
  }
  if (runtime.empty()) {
    return "the CUDA runtime is linked into it: rebuild with nvcc --cudart shared";
  }
  if (runtime != "libcudart.so.13") {
    return fmt::format("it needs {}: rebuild with a CUDA 13 toolkit", runtime);
  }
  if (!program.damage.empty()) return program.damage;
  if (program.machine_code && !program.ptx) {
    return "it holds only SASS, the simulator runs PTX: rebuild with "
           "-gencode arch=compute_90,code=[compute_90,sm_90]";
  }
  return {};
}

}  // namespace warpwise::tutor
