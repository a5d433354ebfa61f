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

FileLock::FileLock(const Context& context, const std::string& file, const std::string& reason)
    : file_(open((context.build / file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) {
    throw Failure(status_environment,
                  fmt::format("{} cannot be written ({}): build in a checkout of your own",
                              shown(context.build), std::strerror(errno)));
  }
  constexpr int looks_before_telling = 10;
  int looks = 0;
  // By looking again, so that a request to stop ends the wait.
  while (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (++looks == looks_before_telling) context.say("waiting for " + reason);
    usleep(50'000);
    try {
      throw_if_stopped(context.cancel);
    } catch (const Interrupted&) {
      close(file_);
      throw;
    }
  }
}

FileLock::~FileLock() { close(file_); }

}  // namespace warpwise::tutor
