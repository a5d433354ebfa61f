#include "simulator/cudart/own_threads.h"

#include <pthread.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace warpwise::cudart {
namespace {

const std::string prefix = "warpwise ";

}  // namespace

void name_own_thread(const char* what) {
  pthread_setname_np(pthread_self(), (prefix + what).c_str());
}

std::optional<std::size_t> program_threads() {
  std::error_code error;
  std::filesystem::directory_iterator tasks("/proc/self/task", error);
  if (error) return std::nullopt;
  std::size_t count = 0;
  while (tasks != std::filesystem::directory_iterator()) {
    std::string name;
    std::getline(std::ifstream(tasks->path() / "comm"), name);
    if (name.rfind(prefix, 0) != 0) ++count;
    tasks.increment(error);
    if (error) return std::nullopt;
  }
  return count;
}

}  // namespace warpwise::cudart
