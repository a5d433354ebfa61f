#include "simulator/memory/address_space.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "simulator/memory/large_pages.h"
#include "simulator/memory/pages.h"
#include "simulator/memory/touched_pages.h"

namespace warpwise::memory {
namespace {

constexpr std::uint64_t mebibyte = 1ull << 20;

// Physical memory of this whole process, in bytes.
std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * page_bytes();
}

TEST_CASE("an allocation is found by every byte of it and by no other") {
  AddressSpace memory(64 * mebibyte);
  const Allocation* x = memory.allocate(1000, Kind::device);
  REQUIRE(x != nullptr);
  CHECK(x->base % AddressSpace::alignment == 0);
  CHECK(x->id == 1);
  CHECK(memory.find(x->base) == x);
  CHECK(memory.find(x->base + 999) == x);
  CHECK(memory.find(x->base + 1000) == nullptr);
  CHECK(memory.find(x->base - 1) == nullptr);
  CHECK(memory.contains(x->base + 1000));
  CHECK_FALSE(memory.contains(reinterpret_cast<std::uint64_t>(&memory)));
  CHECK(memory.find(0) == nullptr);
  CHECK(memory.find(~0ull) == nullptr);
}

TEST_CASE("each device has its own capacity, and access has one direction") {
  AddressSpace memory(64 * mebibyte, 2);
  const Allocation* first = memory.allocate(60 * mebibyte, Kind::device);
  REQUIRE(first != nullptr);
  CHECK(memory.allocate(8 * mebibyte, Kind::device) == nullptr);
  const OnDevice there(1);
  CHECK(memory.used_bytes() == 0);
  const Allocation* second = memory.allocate(60 * mebibyte, Kind::device);
  REQUIRE(second != nullptr);
  CHECK(second->device == 1);
  CHECK(memory.reaches(1, *second));
  CHECK_FALSE(memory.reaches(1, *first));
  memory.peers().set(1, 0, true);
  CHECK(memory.reaches(1, *first));
  CHECK_FALSE(memory.reaches(0, *second));
  memory.grant(first->base, 0);
  CHECK_FALSE(memory.reaches(1, *first));
  memory.grant(first->base, 1 << 1);
  CHECK(memory.reaches(1, *first));
  CHECK(memory.reaches(0, *memory.allocate(1000, Kind::managed)));
  CHECK(memory.reaches(0, *memory.allocate(1000, Kind::pinned)));
}

TEST_CASE("red zones are as long as the allocation before them") {
  AddressSpace memory(64 * mebibyte);
  const Allocation* x = memory.allocate(mebibyte, Kind::device);
  const Allocation* y = memory.allocate(4, Kind::device);
  const Allocation* z = memory.allocate(4, Kind::device);
  REQUIRE(z != nullptr);
  CHECK(y->base >= x->end() + mebibyte);
  CHECK(z->base >= y->end() + AddressSpace::red_zone);
}

TEST_CASE("managed memory counts as written on pages that the host has touched") {
  AddressSpace memory(64 * mebibyte);
  const std::uint64_t page = page_bytes();
  const Allocation* managed = memory.allocate(40 * page, Kind::managed);
  REQUIRE(managed != nullptr);
  memory.track(managed->base);
  CHECK_FALSE(managed->has_all_writes());
  *reinterpret_cast<int*>(managed->base + page) = 1;
  std::memset(memory.host(managed->base + 2 * page), 0, page);  // not by the program
  memory.define_pages_of_host(*managed, managed->base);
  const auto state = [&](std::uint64_t offset) {
    return Validity{*memory.validity(managed->base + offset)};
  };
  CHECK(state(page - 1) == Validity::never_written);
  CHECK(state(page) == Validity::defined);
  CHECK(state(2 * page - 1) == Validity::defined);
  CHECK(state(2 * page) == Validity::never_written);
  // Closed to the host while a kernel runs.
  memory.set_host_access(managed->base, false);
  CHECK(touched_pages(managed->base, 3) == std::vector<bool>{false, true, false});
  // Bytes that are copied from there may be the host's.
  const Allocation* copy = memory.allocate(4 * page, Kind::device);
  memory.track(copy->base);
  memory.written(memory.host(copy->base), memory.host(managed->base), page);
  CHECK(Validity{*memory.validity(copy->base)} == Validity::defined);
}

TEST_CASE("an arrival order goes with copies and ends where all is written again") {
  AddressSpace memory(64 * mebibyte);
  const Allocation* queue = memory.allocate(400, Kind::device);
  const Allocation* copy = memory.allocate(400, Kind::device);
  REQUIRE(copy != nullptr);
  std::byte* at = memory.host(queue->base);
  std::byte* to = memory.host(copy->base);
  CHECK_FALSE(queue->is_in_arrival_order);
  memory.leave_in_arrival_order(queue->base);
  CHECK(queue->is_in_arrival_order);
  memory.written(to, at, 100);
  CHECK(copy->is_in_arrival_order);
  memory.written(at, nullptr, 396);
  CHECK(queue->is_in_arrival_order);
  memory.written(at, nullptr, 400);
  CHECK_FALSE(queue->is_in_arrival_order);
  memory.written(to + 100, at, 300);
  CHECK(copy->is_in_arrival_order);
  memory.written(to, at, 400);
  CHECK_FALSE(copy->is_in_arrival_order);
}

TEST_CASE("fresh memory is poisoned, variables and what the host can read are zero") {
  AddressSpace memory(64 * mebibyte);
  const Allocation* x = memory.allocate(4096, Kind::device);
  const Allocation* v = memory.allocate(4096, Kind::variable);
  const Allocation* c = memory.allocate(4096, Kind::constant);
  for (const std::uint64_t i : {0, 1, 4095}) {
    CHECK(memory.host(x->base)[i] == AddressSpace::poison);
    CHECK(memory.host(v->base)[i] == std::byte{0});
    CHECK(memory.host(c->base)[i] == std::byte{0});
    for (const Kind kind : {Kind::managed, Kind::pinned, Kind::mapped}) {
      CHECK(memory.host(memory.allocate(4096, kind)->base)[i] == std::byte{0});
    }
  }
}

TEST_CASE("a large allocation is poisoned at both ends and takes little real memory") {
  AddressSpace memory(20ull << 30);
  const std::uint64_t before = resident_bytes();
  const Allocation* x = memory.allocate(10ull << 30, Kind::device);
  REQUIRE(x != nullptr);
  CHECK(memory.host(x->base)[0] == AddressSpace::poison);
  CHECK(memory.host(x->end() - 1)[0] == AddressSpace::poison);
  CHECK(resident_bytes() - before < 2 * AddressSpace::poisoned_bytes);
}

TEST_CASE("capacity is enforced and comes back") {
  AddressSpace memory(16 * mebibyte);
  CHECK(memory.allocate(16 * mebibyte + 1, Kind::device) == nullptr);
  CHECK(memory.allocate(~0ull, Kind::device) == nullptr);
  CHECK(memory.allocate(~0ull - 4096, Kind::pinned) == nullptr);
  const Allocation* x = memory.allocate(10 * mebibyte, Kind::device);
  REQUIRE(x != nullptr);
  CHECK(memory.used_bytes() == 10 * mebibyte);
  CHECK(memory.allocate(7 * mebibyte, Kind::device) == nullptr);
  CHECK(memory.allocate(7 * mebibyte, Kind::pinned) != nullptr);  // host memory is not the device's
  CHECK(memory.release(x->base));
  CHECK(memory.used_bytes() == 0);
  CHECK(memory.allocate(16 * mebibyte, Kind::managed) != nullptr);
}

TEST_CASE("release refuses what it does not own") {
  AddressSpace memory(16 * mebibyte);
  const Allocation* x = memory.allocate(4096, Kind::device);
  CHECK_FALSE(memory.release(0));
  CHECK_FALSE(memory.release(x->base + 512));
  CHECK(memory.release(x->base));
  CHECK_FALSE(memory.release(x->base));
}

TEST_CASE("a freed address is not reused soon and keeps its record") {
  AddressSpace memory(16 * mebibyte);
  const Allocation* x = memory.allocate(4096, Kind::device);
  memory.name(x->base, "x");
  const std::uint64_t address = x->base;
  memory.release(address);
  for (int i = 0; i < 100; ++i) {
    const Allocation* y = memory.allocate(4096, Kind::device);
    REQUIRE(y != nullptr);
    CHECK(y->base != address);
    memory.release(y->base);
  }
  CHECK(memory.find(address) == nullptr);
  REQUIRE(memory.nearest(address) != nullptr);
  CHECK(memory.nearest(address)->describe() == "array x (4096 bytes)");
  CHECK_FALSE(memory.nearest(address)->live);
}

TEST_CASE("endless allocating and freeing wraps around and poisons again") {
  AddressSpace memory(16 * mebibyte);
  std::set<std::uint64_t> seen;
  bool reused = false;
  for (int i = 0; i < 4000 && !reused; ++i) {
    const Allocation* x = memory.allocate(8 * mebibyte, Kind::device);
    REQUIRE(x != nullptr);
    REQUIRE(memory.host(x->base)[0] == AddressSpace::poison);
    memory.host(x->base)[0] = std::byte{1};
    reused = !seen.insert(x->base).second;
    // The live one of all records of a reused address is meant.
    REQUIRE(memory.nearest(x->base + 1) == x);
    REQUIRE(memory.release(x->base));
  }
  CHECK(reused);
  CHECK(seen.size() > 50);
}

TEST_CASE("small free ranges grow together again") {
  AddressSpace memory(mebibyte);
  std::vector<std::uint64_t> small;
  while (const Allocation* x = memory.allocate(4, Kind::device)) small.push_back(x->base);
  REQUIRE(small.size() > 1000);
  CHECK(memory.used_bytes() < mebibyte / 2);  // Addresses ran out, not capacity.
  // Odd ones first, so that ranges meet on their left, on their right and on both sides.
  for (std::size_t i = 1; i < small.size(); i += 2) REQUIRE(memory.release(small[i]));
  for (std::size_t i = 0; i < small.size(); i += 2) REQUIRE(memory.release(small[i]));
  CHECK(memory.allocate(mebibyte, Kind::device) != nullptr);
}

TEST_CASE("a reused range is zero for a variable") {
  AddressSpace memory(mebibyte);
  for (int i = 0; i < 20000; ++i) {
    const Allocation* x = memory.allocate(mebibyte / 2, i % 2 == 0 ? Kind::device : Kind::variable);
    REQUIRE(x != nullptr);
    if (i % 2 == 1) REQUIRE(memory.host(x->base)[7] == std::byte{0});
    memory.release(x->base);
    if (i > 5000) break;
  }
}

TEST_CASE("freed memory goes back to the system") {
  AddressSpace memory(256 * mebibyte);
  const Allocation* x = memory.allocate(64 * mebibyte, Kind::device);
  const std::uint64_t full = resident_bytes();
  memory.release(x->base);
  CHECK(resident_bytes() + 60 * mebibyte < full);
}

TEST_CASE("what is kept of the bytes of large arrays takes little where few are written") {
  AddressSpace memory(1ull << 30);
  constexpr std::uint64_t arrays = 3, bytes = AddressSpace::poisoned_bytes;
  const std::uint64_t before = resident_bytes();
  for (std::uint64_t i = 0; i < arrays; ++i) {
    const Allocation* x = memory.allocate(bytes, Kind::device);
    REQUIRE(x != nullptr);
    for (std::uint64_t at = 0; at < bytes; at += 64 * page_bytes())
      *memory.validity(x->base + at) = static_cast<std::uint8_t>(Validity::defined);
  }
  CHECK(resident_bytes() - before < arrays * bytes + 16 * mebibyte);
}

// The system's entry for the mapping that starts at the address: a line of flags of two letters.
std::string mapping_flags(const void* start) {
  std::ifstream mappings("/proc/self/smaps");
  const std::string wanted = fmt::format("{:x}-", reinterpret_cast<std::uintptr_t>(start));
  bool is_here = false;
  for (std::string line; std::getline(mappings, line);) {
    is_here |= line.starts_with(wanted);
    if (is_here && line.starts_with("VmFlags:")) return line + " ";
  }
  return "";
}

TEST_CASE("a large array has large pages, as far as it is filled") {
  AddressSpace memory(256 * mebibyte);
  REQUIRE(memory.allocate(4, Kind::device) != nullptr);
  const Allocation* x = memory.allocate(2 * large_page + 4, Kind::device);
  REQUIRE(x != nullptr);
  const Allocation* larger = memory.allocate(2 * AddressSpace::poisoned_bytes, Kind::device);
  REQUIRE(larger != nullptr);
  const bool has_large_pages = std::filesystem::exists("/sys/kernel/mm/transparent_hugepage");
  const auto has_flag = [](const void* start, const char* flag) {
    return mapping_flags(start).find(flag) != std::string::npos;
  };
  const auto is_large = [&](const void* start) { return has_flag(start, " hg "); };
  const auto is_small = [&](const void* start) { return has_flag(start, " nh "); };
  for (const Allocation* array : {x, larger}) {
    CHECK(reinterpret_cast<std::uintptr_t>(memory.host(array->base)) % large_page == 0);
    CHECK(is_large(memory.host(array->base)) == has_large_pages);
    CHECK(is_small(memory.validity(array->base)) == has_large_pages);
  }
  const std::byte* middle = memory.host(larger->base) + AddressSpace::poisoned_bytes / 2;
  CHECK(mapping_flags(middle).find(" rd ") != std::string::npos);
  CHECK(is_small(middle) == has_large_pages);
}

TEST_CASE("where a large array was, the host can be shown memory again, and nothing is written") {
  AddressSpace memory(16 * mebibyte);
  std::set<std::uint64_t> of_arrays;
  int shown_again = 0;
  for (int i = 0; i < 4000 && shown_again < 3; ++i) {
    const Allocation* array = memory.allocate((1 + i % 3) * large_page, Kind::device);
    REQUIRE(array != nullptr);
    std::memset(memory.host(array->base), 7, array->bytes);
    *memory.validity(array->base) = static_cast<std::uint8_t>(Validity::defined);
    of_arrays.insert(array->base);
    REQUIRE(memory.release(array->base));
    const Allocation* managed = memory.allocate(large_page, Kind::managed);
    REQUIRE(managed != nullptr);
    REQUIRE(*memory.host(managed->base) == std::byte{0});
    REQUIRE(Validity{*memory.validity(managed->base)} == Validity::never_written);
    *reinterpret_cast<int*>(managed->base) = i;
    REQUIRE(std::memcmp(memory.host(managed->base), &i, sizeof i) == 0);
    const auto behind = of_arrays.upper_bound(managed->base);
    shown_again += behind != of_arrays.begin() && managed->base - *std::prev(behind) < large_page;
    REQUIRE(memory.release(managed->base));
  }
  CHECK(shown_again == 3);
}

TEST_CASE("nearest names the closest allocation on either side") {
  AddressSpace memory(64 * mebibyte);
  CHECK(memory.nearest(123) == nullptr);
  const Allocation* x = memory.allocate(4096, Kind::device);
  const Allocation* y = memory.allocate(4096, Kind::device);
  CHECK(memory.nearest(x->end() + 4) == x);
  CHECK(memory.nearest(y->base - 4) == y);
  CHECK(memory.nearest(y->base + 5) == y);
}

TEST_CASE("pinned, mapped and managed memory has one address for host and device") {
  AddressSpace memory(64 * mebibyte);
  for (const Kind kind : {Kind::pinned, Kind::mapped, Kind::managed}) {
    const Allocation* x = memory.allocate(10000, kind);
    REQUIRE(x != nullptr);
    auto* visible = reinterpret_cast<std::byte*>(x->base);
    visible[9999] = std::byte{42};
    CHECK(memory.host(x->base)[9999] == std::byte{42});
    memory.host(x->base)[0] = std::byte{7};
    CHECK(visible[0] == std::byte{7});
  }
}

TEST_CASE("a variable becomes managed and keeps its value") {
  AddressSpace memory(64 * mebibyte);
  const Allocation* v = memory.allocate(16, Kind::variable);
  memory.host(v->base)[3] = std::byte{9};
  CHECK(memory.make_managed(v->base));
  CHECK(reinterpret_cast<std::byte*>(v->base)[3] == std::byte{9});
  CHECK_FALSE(memory.make_managed(v->base + 512));
  const Allocation* pinned = memory.allocate(16, Kind::pinned);
  CHECK_FALSE(memory.make_managed(pinned->base));
}

TEST_CASE("live lists what is live, in order of address") {
  AddressSpace memory(64 * mebibyte);
  const Allocation* x = memory.allocate(4, Kind::device);
  const Allocation* y = memory.allocate(4, Kind::device);
  memory.release(x->base);
  REQUIRE(memory.live().size() == 1);
  CHECK(memory.live()[0] == y);
  CHECK(y->describe() == "allocation 2 (4 bytes)");
}

TEST_CASE("an empty allocation holds nothing") {
  AddressSpace memory(mebibyte);
  const Allocation* x = memory.allocate(0, Kind::device);
  REQUIRE(x != nullptr);
  CHECK(memory.find(x->base) == nullptr);
  CHECK(memory.release(x->base));
}

TEST_CASE("threads may allocate, find and free at once") {
  AddressSpace memory(256 * mebibyte);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        const Allocation* x = memory.allocate(4096, Kind::device);
        if (x == nullptr || memory.find(x->base + 5) != x || !memory.release(x->base)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(memory.used_bytes() == 0);
}

TEST_CASE("a limit on addresses or on the length of files is explained, not crashed on") {
  for (const auto& [what, name] :
       {std::pair{RLIMIT_AS, "ulimit -v"}, {RLIMIT_FSIZE, "ulimit -f"}}) {
    CAPTURE(name);
    const pid_t child = fork();
    if (child == 0) {
      const rlimit limit{2ull << 30, 2ull << 30};
      setrlimit(what, &limit);
      try {
        AddressSpace memory(64ull << 30);
        _exit(1);
      } catch (const std::runtime_error& error) {
        _exit(std::strstr(error.what(), name) != nullptr ? 42 : 2);
      }
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 42);
  }
}

TEST_CASE("where a process may have no more data, a large array is like any other") {
  const pid_t child = fork();
  if (child == 0) {
    AddressSpace memory(64 * mebibyte);
    const rlimit limit{mebibyte, mebibyte};
    setrlimit(RLIMIT_DATA, &limit);
    const Allocation* x = memory.allocate(32 * mebibyte, Kind::device);
    const bool is_usable = x != nullptr && !x->has_own_pages &&
                           memory.host(x->end() - 1)[0] == AddressSpace::poison &&
                           *memory.validity(x->base) == 0 && memory.release(x->base);
    _exit(is_usable ? 42 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 42);
}

}  // namespace
}  // namespace warpwise::memory
