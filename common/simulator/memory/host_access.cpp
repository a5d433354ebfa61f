#include "simulator/memory/host_access.h"

#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "simulator/memory/pages.h"

namespace warpwise::memory {
namespace {

const AddressSpace* watched = nullptr;
HostAccessSink report = nullptr;
HostAccessJudge judge_access = nullptr;
std::atomic<NullCallSink> report_null_call = nullptr;
struct sigaction earlier = {};

enum class Did { read, wrote, touched };

// "touched" where the machine does not tell.
Did what_it_did([[maybe_unused]] void* context) {
#if defined(__x86_64__)
  constexpr greg_t write_bit = 2;
  const auto* machine = static_cast<const ucontext_t*>(context);
  return (machine->uc_mcontext.gregs[REG_ERR] & write_bit) != 0 ? Did::wrote : Did::read;
#else
  return Did::touched;
#endif
}

// False where the machine does not tell.
bool is_at_null([[maybe_unused]] void* context) {
#if defined(__x86_64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP] == 0;
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc == 0;
#else
  return false;
#endif
}

const char* verb(Did did) {
  return did == Did::wrote ? "wrote" : did == Did::read ? "read" : "touched";
}

const char* advice(const Allocation& allocation, bool inside, bool is_header, HostAccess access) {
  if (!allocation.live) return "it was freed before: use it before the free, or allocate again";
  if (is_header)
    return "free() and delete look there: cudaFree frees what cudaMalloc and "
           "cudaMallocManaged gave, cudaFreeHost what cudaMallocHost gave";
  if (!inside) return "host code must stay inside its own arrays";
  if (allocation.kind == Kind::managed || access == HostAccess::during_kernel) {
    return "a kernel may still be using it: call cudaDeviceSynchronize() between the launch and "
           "this access";
  }
  if (is_host_memory(allocation.kind)) {
    return "a copy by cudaMemcpyAsync may still be using it: call cudaStreamSynchronize() between "
           "the copy and this access";
  }
  if (allocation.kind == Kind::variable || allocation.kind == Kind::constant) {
    return "host code reaches a device variable through cudaMemcpyToSymbol and "
           "cudaMemcpyFromSymbol";
  }
  return "host code cannot use device memory: copy it to a host array with cudaMemcpy first";
}

// No std::string here: the fault may have happened inside malloc.
void describe(char* text, std::size_t size, const Allocation& allocation) {
  const char* state = allocation.live ? "" : "freed ";
  const char* where = allocation.kind == Kind::managed      ? "managed memory"
                      : allocation.kind == Kind::pinned     ? "pinned host memory"
                      : allocation.kind == Kind::mapped     ? "mapped host memory"
                      : allocation.kind == Kind::registered ? "registered host memory"
                                                            : "device memory";
  if (allocation.name.empty()) {
    std::snprintf(text, size, "%sallocation %u (%llu bytes of %s)", state, allocation.id,
                  static_cast<unsigned long long>(allocation.bytes), where);
  } else {
    std::snprintf(text, size, "%sarray %s (%llu bytes of %s)", state, allocation.name.c_str(),
                  static_cast<unsigned long long>(allocation.bytes), where);
  }
}

void explain(std::uint64_t address, const char* did, HostAccess access) {
  const Allocation* allocation = watched->nearest(address);
  char text[512] = "";
  if (allocation == nullptr) {
    std::snprintf(text, sizeof text, "the host %s %#llx, a device address that was never allocated",
                  did, static_cast<unsigned long long>(address));
    report("device-pointer-on-host", text);
    return;
  }
  const bool inside = allocation->holds(address);
  // Where the C library keeps the size of a piece of its own.
  constexpr std::uint64_t header_bytes = 16;
  const bool is_header = address < allocation->base && allocation->base - address <= header_bytes;
  const bool is_for_host = allocation->kind == Kind::managed || is_host_memory(allocation->kind);
  const bool missing_sync = inside && allocation->live && is_for_host;
  char name[160] = "";
  describe(name, sizeof name, *allocation);
  char where[64] = "";
  if (address < allocation->base) {
    std::snprintf(where, sizeof where, "%llu bytes before",
                  static_cast<unsigned long long>(allocation->base - address));
  } else if (!inside) {
    std::snprintf(where, sizeof where, "%llu bytes past the end of",
                  static_cast<unsigned long long>(address - allocation->end()));
  } else {
    std::snprintf(where, sizeof where, "byte %llu of",
                  static_cast<unsigned long long>(address - allocation->base));
  }
  std::snprintf(text, sizeof text, "the host %s %s %s; %s", did, where, name,
                advice(*allocation, inside, is_header, access));
  const bool is_beside = !inside && allocation->live && is_for_host;
  report(missing_sync ? "missing-sync"
         : is_header  ? "invalid-free"
         : is_beside  ? "out-of-bounds"
                      : "device-pointer-on-host",
         text);
}

[[noreturn]] void explain_and_end(std::uint64_t address, const char* did, HostAccess access) {
  static std::atomic_flag explained;
  if (explained.test_and_set()) {
    while (true) pause();  // Another thread is explaining and will end the process.
  }
  explain(address, did, access);
  _exit(1);
}

void pass_on(int signal, siginfo_t* info, void* context) {
  if ((earlier.sa_flags & SA_SIGINFO) != 0 && earlier.sa_sigaction != nullptr) {
    earlier.sa_sigaction(signal, info, context);
  } else if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) {
    earlier.sa_handler(signal);
  } else {
    // Back in the faulting instruction the default action ends the process as it would have.
    struct sigaction ordinary = {};
    ordinary.sa_handler = SIG_DFL;
    sigaction(SIGSEGV, &ordinary, nullptr);
    if (info->si_code <= 0) raise(signal);  // A signal that was sent would not come again.
  }
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  // A signal that was sent (kill) has no address; si_code tells it from a fault.
  const bool is_fault = info->si_code > 0;
  const Did did = what_it_did(context);
  HostAccess access = HostAccess::elsewhere;
  if (is_fault && judge_access != nullptr &&
      (watched->contains(address) || watched->has_registered()))
    access = judge_access(address, did == Did::wrote);
  else if (is_fault && watched->contains(address))
    access = HostAccess::wrong;
  if (access == HostAccess::elsewhere) {
    const NullCallSink tell = report_null_call;
    if (is_fault && tell != nullptr && is_at_null(context)) tell();
    return pass_on(signal, info, context);
  }
  if (access == HostAccess::right) return;
  explain_and_end(address, verb(did), access);
}

bool has_constant(const dl_phdr_info& object, std::uint64_t address) {
  for (const ElfW(Phdr)* part = object.dlpi_phdr; part != object.dlpi_phdr + object.dlpi_phnum;
       ++part) {
    const bool is_constant =
        part->p_type == PT_GNU_RELRO || (part->p_type == PT_LOAD && part->p_flags == PF_R);
    const std::uint64_t start = object.dlpi_addr + part->p_vaddr;
    if (is_constant && address >= start && address - start < part->p_memsz) return true;
  }
  return false;
}

struct Shadow {
  std::size_t bytes;
  std::string name;
};
struct Shadows {
  std::mutex mutex;
  std::map<std::uint64_t, Shadow> all;  ///< by address
};
Shadows& shadows() {
  static auto& shadows = *new Shadows;
  return shadows;
}

}  // namespace

void add_shadow(const void* host, std::size_t bytes, std::string name) {
  const std::lock_guard lock(shadows().mutex);
  shadows().all[reinterpret_cast<std::uint64_t>(host)] = {bytes, std::move(name)};
}

std::optional<std::string> shadow_at(std::uint64_t address) {
  const std::lock_guard lock(shadows().mutex);
  const auto next = shadows().all.upper_bound(address);
  if (next == shadows().all.begin()) return std::nullopt;
  const auto& [begin, shadow] = *std::prev(next);
  return address - begin < shadow.bytes ? std::optional(shadow.name) : std::nullopt;
}

bool is_constant_of_host(std::uint64_t address) {
  return dl_iterate_phdr(
             [](dl_phdr_info* object, std::size_t, void* wanted) -> int {
               return has_constant(*object, *static_cast<std::uint64_t*>(wanted));
             },
             &address) != 0;
}

bool is_host_memory(std::uint64_t address) {
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(page_start(address)), 1, &resident) == 0;
}

bool is_readable_by_host(std::uint64_t address) {
  char byte = 0;
  const iovec here{&byte, 1}, there{reinterpret_cast<void*>(address), 1};
  if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1) return true;
  return errno != EFAULT && is_host_memory(address);
}

void explain_host_accesses(const AddressSpace& memory, HostAccessSink sink, HostAccessJudge judge) {
  const bool first = watched == nullptr;
  watched = &memory;
  report = sink;
  judge_access = judge;
  if (!first) return;
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &earlier);
}

void explain_null_calls(NullCallSink sink) { report_null_call = sink; }

void end_with_explanation(std::uint64_t address, bool wrote, HostAccess access) {
  explain_and_end(address, verb(wrote ? Did::wrote : Did::read), access);
}

}  // namespace warpwise::memory
