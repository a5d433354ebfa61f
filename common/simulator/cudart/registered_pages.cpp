#include "simulator/cudart/registered_pages.h"

#include <sys/mman.h>

#include <atomic>
#include <iterator>
#include <map>
#include <mutex>

#include "simulator/memory/pages.h"

namespace warpwise::cudart {
namespace {

struct Pages {
  std::mutex mutex;
  unsigned running = 0;                         ///< pieces of work
  std::map<std::uint64_t, std::size_t> closed;  ///< bytes, by the first page
  std::atomic<std::size_t> closed_count = 0;
};
Pages& pages() {
  static auto& all = *new Pages;
  return all;
}

void protect(std::uint64_t begin, std::size_t bytes, int access) {
  mprotect(reinterpret_cast<void*>(begin), bytes, access);
}

/// With the mutex held.
void open_entry(std::map<std::uint64_t, std::size_t>::iterator entry) {
  protect(entry->first, entry->second, PROT_READ | PROT_WRITE);
  pages().closed.erase(entry);
  pages().closed_count = pages().closed.size();
}

}  // namespace

void close_registered(const memory::Allocation& allocation) {
  // Of pages at both ends other data may have a part.
  const std::uint64_t begin = memory::whole_pages(allocation.base);
  const std::uint64_t end = memory::page_start(allocation.end());
  if (begin >= end) return;
  const std::lock_guard lock(pages().mutex);
  if (pages().running > 0) return;
  protect(begin, end - begin, PROT_NONE);
  pages().closed[begin] = end - begin;
  pages().closed_count = pages().closed.size();
}

void open_registered(std::uint64_t base) {
  const std::lock_guard lock(pages().mutex);
  const auto entry = pages().closed.find(memory::whole_pages(base));
  if (entry != pages().closed.end()) open_entry(entry);
}

bool has_closed_registered() { return pages().closed_count > 0; }

bool is_closed_registered(std::uint64_t address) {
  const std::lock_guard lock(pages().mutex);
  const auto& closed = pages().closed;
  const auto behind = closed.upper_bound(address);
  return behind != closed.begin() && address - std::prev(behind)->first < std::prev(behind)->second;
}

OpenForDevice::OpenForDevice() {
  const std::lock_guard lock(pages().mutex);
  ++pages().running;
  while (!pages().closed.empty()) open_entry(pages().closed.begin());
}

OpenForDevice::~OpenForDevice() {
  const std::lock_guard lock(pages().mutex);
  --pages().running;
}

}  // namespace warpwise::cudart
