#include "simulator/cudart/queue/own_threads.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <system_error>

namespace warpwise::cudart {
namespace {

const std::string prefix = "warpwise ";

/// Waits for a futex without a time limit.
bool is_asleep(const std::filesystem::path& task, bool& is_known) {
  // "running", or the number of a system call and its arguments.
  std::ifstream file(task / "syscall");
  std::string first;
  file >> first;
  is_known = !first.empty();
  if (first != std::to_string(SYS_futex)) return false;
  std::string address, operation, value, time_limit;
  file >> address >> operation >> value >> time_limit;
  const auto command = std::strtoul(operation.c_str(), nullptr, 16) & FUTEX_CMD_MASK;
  return (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) && time_limit == "0x0";
}

std::uint64_t stops_of(const std::filesystem::path& task) {
  const std::string sign = "voluntary_ctxt_switches:";
  std::ifstream file(task / "status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(sign)) return std::strtoull(line.c_str() + sign.size(), nullptr, 10);
  return 0;
}

/// The state of a thread of the program, as the system reports it; nothing for the library's own.
std::optional<char> state_of(const std::filesystem::path& task) {
  // "number (name) state ...", where the name may hold anything.
  std::ifstream file(task / "stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name = line.find('('), end = line.rfind(") ");
  if (end == std::string::npos || line.compare(name + 1, prefix.size(), prefix) == 0)
    return std::nullopt;
  return line[end + 2];
}

}  // namespace

void name_own_thread(const char* what) {
  pthread_setname_np(pthread_self(), (prefix + what).c_str());
}

std::optional<ProgramThreads> program_threads() {
  std::error_code error;
  std::filesystem::directory_iterator tasks("/proc/self/task", error);
  if (error) return std::nullopt;
  ProgramThreads threads;
  while (tasks != std::filesystem::directory_iterator()) {
    const std::filesystem::path task = tasks->path();
    std::string name;
    std::getline(std::ifstream(task / "comm"), name);
    if (name.rfind(prefix, 0) != 0) {
      bool is_known = true;
      ++threads.all;
      threads.asleep += is_asleep(task, is_known) ? 1 : 0;
      threads.stops += stops_of(task);
      threads.sleep_is_known = threads.sleep_is_known && is_known;
    }
    tasks.increment(error);
    if (error) return std::nullopt;
  }
  return threads;
}

std::optional<std::size_t> count_program_threads() {
  static std::mutex mutex;
  static nlink_t counted_links = 0;
  static std::size_t count = 0;
  // The folder has a link for each thread.
  const auto links = []() -> nlink_t {
    struct stat tasks {};
    return stat("/proc/self/task", &tasks) == 0 ? tasks.st_nlink : 0;
  };
  const std::lock_guard lock(mutex);
  const nlink_t before = links();
  if (before != 0 && before == counted_links) return count;
  const std::optional<ProgramThreads> threads = program_threads();
  if (!threads) return std::nullopt;
  count = threads->all;
  counted_links = links() == before ? before : 0;
  return count;
}

bool program_is_ready() {
  constexpr char running = 'R', at_disk = 'D';
  std::error_code error;
  std::filesystem::directory_iterator tasks("/proc/self/task", error);
  for (; !error && tasks != std::filesystem::directory_iterator(); tasks.increment(error)) {
    const std::optional<char> state = state_of(tasks->path());
    if (state == running || state == at_disk) return true;
  }
  return false;
}

}  // namespace warpwise::cudart
