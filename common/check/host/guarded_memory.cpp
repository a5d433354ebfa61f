#include "check/host/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace warpwise::lesson {
namespace {

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

GuardedMemory::GuardedMemory(std::size_t bytes) : bytes_(bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t usable = rounded_up(bytes, page);
  mapped_bytes_ = usable + page;
  mapping_ =
      ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping_ == MAP_FAILED) throw std::bad_alloc();
  auto* first = static_cast<char*>(mapping_);
  ::mprotect(first + usable, page, PROT_NONE);
  start_ = first + (usable - bytes);
}

GuardedMemory::~GuardedMemory() { ::munmap(mapping_, mapped_bytes_); }

}  // namespace warpwise::lesson
