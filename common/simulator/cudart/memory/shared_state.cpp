#include "simulator/cudart/memory/shared_state.h"

#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <new>

#include "simulator/cudart/report/error.h"

namespace warpwise::cudart {
namespace {

std::uint64_t fresh_name() {
  static std::atomic<std::uint64_t> count{0};
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return static_cast<std::uint64_t>(now) * 1024 + ++count % 1024;
}

}  // namespace

int open_file_of(std::uint32_t process, int file) {
  const std::string path = fmt::format("/proc/{}/fd/{}", process, file);
  return ::open(path.c_str(), O_RDWR | O_CLOEXEC);
}

bool SharedFile::map() {
  void* const found =
      mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  state_ = found == MAP_FAILED ? nullptr : static_cast<SharedState*>(found);
  return state_ != nullptr;
}

SharedFile::SharedFile() : file_(memfd_create("warpwise shared state", MFD_CLOEXEC)) {
  if (file_ < 0 || ftruncate(file_, sizeof(SharedState)) != 0 || !map()) {
    if (file_ >= 0) ::close(file_);
    throw Failure{cudaErrorMemoryAllocation, "the system gives no memory for what is shared"};
  }
  new (state_) SharedState{};
  state_->name = fresh_name();
}

SharedFile::SharedFile(int file) : file_(file) {}

SharedFile::~SharedFile() {
  if (state_ != nullptr) munmap(state_, sizeof(SharedState));
  ::close(file_);
}

std::shared_ptr<SharedFile> SharedFile::open(const Ticket& ticket) {
  const int file = open_file_of(ticket.process, ticket.file);
  if (file < 0) return nullptr;
  std::shared_ptr<SharedFile> found(new SharedFile(file));
  const bool is_one = lseek(file, 0, SEEK_END) == sizeof(SharedState) && found->map();
  return is_one && found->state_->name == ticket.name ? found : nullptr;
}

Ticket SharedFile::ticket(Ticket::Of what) const {
  return {what, static_cast<std::uint32_t>(getpid()), state_->name, file_};
}

}  // namespace warpwise::cudart
