#include "tutor/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/interrupt.h"

namespace warpwise::tutor {

FileLock::FileLock(const std::filesystem::path& file, const std::string& reason)
    : file_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) {
    throw Failure(status_environment,
                  fmt::format("{} cannot be written ({}): build in a checkout of your own",
                              shown(file.parent_path()), std::strerror(errno)));
  }
  constexpr int looks_before_telling = 10;
  int looks = 0;
  // By looking again, so that a request to stop ends the wait.
  while (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (++looks == looks_before_telling) fmt::print(stderr, "learn: waiting for {}\n", reason);
    usleep(50'000);
    if (stop_request().signal != 0) {
      close(file_);
      throw_if_interrupted();
    }
  }
}

FileLock::~FileLock() { close(file_); }

}  // namespace warpwise::tutor
