#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace warpwise::base {

std::size_t cores() { return std::max(1U, std::thread::hardware_concurrency()); }

void in_parallel(std::size_t items, std::size_t workers,
                 const std::function<void(std::size_t item, std::size_t worker)>& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr first;
  std::mutex guard;
  const auto loop = [&](std::size_t worker) {
    for (std::size_t item = next++; item < items; item = next++) {
      try {
        work(item, worker);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!first) first = std::current_exception();
        next = items;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min(workers, items); ++i) threads.emplace_back(loop, i);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace warpwise::base
