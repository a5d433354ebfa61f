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

BuildLock::BuildLock(const std::filesystem::path& build)
    : file_(open((build / "learn.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) {
    throw Failure(status_environment,
                  fmt::format("{} cannot be written ({}): build in a checkout of your own",
                              shown(build), std::strerror(errno)));
  }
  bool told = false;
  // By looking again, so that a request to stop ends the wait.
  while (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (!told) fmt::print(stderr, "learn: waiting for another build\n");
    told = true;
    usleep(50'000);
    if (stop_request().signal != 0) {
      close(file_);
      throw_if_interrupted();
    }
  }
}

BuildLock::~BuildLock() { close(file_); }

}  // namespace warpwise::tutor
