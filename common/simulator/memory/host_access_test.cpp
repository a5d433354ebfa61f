#include "simulator/memory/host_access.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>

namespace warpwise::memory {
namespace {

struct Ending {
  int status;
  std::string text;
};

void to_stderr(const char* kind, const char* message) {
  const std::string line = std::string(kind) + ": " + message + "\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
}

// Runs the action in a child process and collects what it wrote to stderr.
Ending in_child(const std::function<void()>& action) {
  int pipe_ends[2];
  REQUIRE(pipe(pipe_ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    for (const int signal : {SIGSEGV, SIGABRT}) ::signal(signal, SIG_DFL);  // without doctest's own
    dup2(pipe_ends[1], STDERR_FILENO);
    action();
    _exit(0);
  }
  close(pipe_ends[1]);
  std::string text;
  char buffer[256];
  for (ssize_t n = 0; (n = read(pipe_ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return {status, text};
}

volatile std::byte sink;

[[gnu::noinline]] void touch(std::uint64_t address) {
  sink = *reinterpret_cast<volatile std::byte*>(address);
}

bool says(const Ending& ending, const char* text) {
  return ending.text.find(text) != std::string::npos;
}

TEST_CASE("a host access to device memory names the allocation and what to do") {
  AddressSpace memory(1 << 24);
  const Allocation* x = memory.allocate(4096, Kind::device);
  memory.name(x->base, "x");
  const Ending ending = in_child([&] {
    explain_host_accesses(memory, to_stderr);
    touch(x->base + 8);
  });
  CHECK(WIFEXITED(ending.status));
  CHECK(WEXITSTATUS(ending.status) == 1);
  CHECK(says(ending, "device-pointer-on-host: the host "));
  CHECK(says(ending, "byte 8 of array x (4096 bytes of device memory)"));
  CHECK(says(ending, "cudaMemcpy"));
}

#if defined(__x86_64__)
TEST_CASE("reads and writes are distinguished") {
  AddressSpace memory(1 << 24);
  const Allocation* x = memory.allocate(4096, Kind::device);
  const Ending write_ending = in_child([&] {
    explain_host_accesses(memory, to_stderr);
    *reinterpret_cast<volatile int*>(x->base) = 1;
  });
  CHECK(says(write_ending, "the host wrote byte 0 of allocation 1"));
  const Ending read_ending = in_child([&] {
    explain_host_accesses(memory, to_stderr);
    touch(x->base);
  });
  CHECK(says(read_ending, "the host read byte 0 of allocation 1"));
}
#endif

TEST_CASE("free() of a device pointer is explained, even inside malloc") {
  AddressSpace memory(1 << 24);
  const Allocation* x = memory.allocate(4096, Kind::device);
  const Ending ending = in_child([&] {
    explain_host_accesses(memory, to_stderr);
    free(reinterpret_cast<void*>(x->base));
  });
  CHECK(WIFEXITED(ending.status));
  CHECK(says(ending, "8 bytes before allocation 1"));
  CHECK(says(ending, "invalid-free: the host "));
  CHECK(says(ending, "cudaFree frees what cudaMalloc and"));
}

TEST_CASE("freed memory is called freed") {
  AddressSpace memory(1 << 24);
  const Allocation* x = memory.allocate(4096, Kind::pinned);
  memory.release(x->base);
  const Ending ending = in_child([&] {
    explain_host_accesses(memory, to_stderr);
    touch(x->base);
  });
  CHECK(says(ending, "freed allocation 1 (4096 bytes of pinned host memory); it was freed before"));
}

// Byte 8 is another's, byte 16 a kernel uses; anything else may go on.
const AddressSpace* judged_memory = nullptr;
HostAccess judge(std::uint64_t address, bool wrote) {
  const std::uint64_t offset = address - judged_memory->find(address)->base;
  if (offset == 8 || wrote) return HostAccess::wrong;
  if (offset == 16) return HostAccess::during_kernel;
  judged_memory->open_page(address);
  return HostAccess::right;
}

TEST_CASE("an access that is judged right goes on; the words for the others say why") {
  AddressSpace memory(1 << 24);
  judged_memory = &memory;
  const Allocation* x = memory.allocate(8192, Kind::pinned);
  const auto read_at = [&](std::uint64_t offset) {
    return in_child([&, offset] {
      explain_host_accesses(memory, to_stderr, judge);
      memory.set_host_access(x->base, false);
      touch(x->base + offset);
    });
  };
  CHECK(read_at(0).status == 0);
  CHECK(read_at(4096).text.empty());
  CHECK(says(read_at(8), "missing-sync: the host read byte 8 of"));
  CHECK(says(read_at(8), "a copy by cudaMemcpyAsync may still be using it"));
  CHECK(says(read_at(16), "a kernel may still be using it"));
  // One page was opened, and the other stays closed.
  const Ending two = in_child([&] {
    explain_host_accesses(memory, to_stderr, judge);
    memory.set_host_access(x->base, false);
    touch(x->base);
    *reinterpret_cast<volatile char*>(x->base) = 1;
    *reinterpret_cast<volatile char*>(x->base + 4096) = 1;
  });
  CHECK(says(two, "the host wrote byte 4096 of"));
}

TEST_CASE("managed memory is closed between a launch and the next synchronisation") {
  AddressSpace memory(1 << 24);
  const Allocation* x = memory.allocate(4096, Kind::managed);
  const Ending closed = in_child([&] {
    explain_host_accesses(memory, to_stderr);
    memory.set_host_access(x->base, false);
    touch(x->base);
  });
  CHECK(WEXITSTATUS(closed.status) == 1);
  CHECK(says(closed, "missing-sync: "));
  CHECK(says(closed, "cudaDeviceSynchronize"));
  const Ending open = in_child([&] {
    explain_host_accesses(memory, to_stderr);
    memory.set_host_access(x->base, false);
    memory.set_host_access(x->base + 512, true);
    touch(memory.allocate(16, Kind::managed)->base);
    memory.set_host_access(x->base, true);
    touch(x->base);
  });
  CHECK(open.status == 0);
  CHECK(open.text.empty());
}

TEST_CASE("other faults stay what they were") {
  AddressSpace memory(1 << 24);
  const Ending plain = in_child([&] {
    explain_host_accesses(memory, to_stderr);
    touch(16);
  });
  CHECK(WIFSIGNALED(plain.status));
  CHECK(WTERMSIG(plain.status) == SIGSEGV);
  CHECK(plain.text.empty());
  const Ending sent = in_child([&] {
    explain_host_accesses(memory, to_stderr);
    raise(SIGSEGV);
  });
  CHECK(WIFSIGNALED(sent.status));
  const Ending chained = in_child([&] {
    signal(SIGSEGV, [](int) { _exit(77); });
    explain_host_accesses(memory, to_stderr);
    touch(16);
  });
  CHECK(WEXITSTATUS(chained.status) == 77);
}

struct WithTable {
  virtual int answer() { return 42; }
  virtual ~WithTable() = default;
};

TEST_CASE("constants of the host are string literals and tables of virtual functions") {
  const auto at = [](const volatile void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
  };
  WithTable object;
  std::uint64_t table = 0;
  std::memcpy(&table, static_cast<const void*>(&object), sizeof table);
  CHECK(is_constant_of_host(table));
  CHECK(is_constant_of_host(at("a literal")));
  CHECK_FALSE(is_constant_of_host(at(&object)));
  CHECK_FALSE(is_constant_of_host(at(&sink)));
  CHECK_FALSE(is_constant_of_host(at(std::make_unique<int>(1).get())));
}

TEST_CASE("the host's bytes under the name of a device variable are known, and none next to them") {
  static char table[24], other[8];
  const auto at = [](const char* pointer) { return reinterpret_cast<std::uint64_t>(pointer); };
  CHECK_FALSE(shadow_at(at(table)));
  add_shadow(table, sizeof table, "table");
  add_shadow(other, sizeof other, "other");
  CHECK(shadow_at(at(table)) == "table");
  CHECK(shadow_at(at(table) + 23) == "table");
  CHECK(shadow_at(at(other) + 7) == "other");
  CHECK(shadow_at(at(table) - 1) != "table");
  CHECK(shadow_at(at(table) + 24) != "table");
}

TEST_CASE("a call of address 0 is reported, an access to it is not") {
  AddressSpace memory(1 << 24);
  const auto watch = [&] {
    explain_host_accesses(memory, to_stderr);
    explain_null_calls([] { _exit(78); });
  };
  const Ending called = in_child([&] {
    watch();
    void (*volatile function)() = nullptr;
    function();
  });
  CHECK(WEXITSTATUS(called.status) == 78);
  const Ending read = in_child([&] {
    watch();
    touch(0);
  });
  CHECK(WIFSIGNALED(read.status));
}

}  // namespace
}  // namespace warpwise::memory
