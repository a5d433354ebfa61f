#include "simulator/cudart/queue/host_fault.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <new>

#include "simulator/cudart/report/report.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

/// Without the handlers of pthread_atfork, which may wait for locks that the interrupted code
/// holds.
pid_t bare_fork() {
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
  return _Fork();
#endif
#endif
  return fork();
}

/// A copy of the process has the same stack and the same files.
/// @return false when it has reported nothing within the time.
bool reported_by_copy(const char* kind, const char* message, int limit_ms) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  const pid_t copy = bare_fork();
  if (copy < 0) return false;
  if (copy == 0) {
    runtime().reporter.mistake(kind, watch::Severity::error, message, {call_site(), ""});
    const char done = 1;
    _exit(write(ends[1], &done, 1) == 1 ? 0 : 1);
  }
  close(ends[1]);
  pollfd wait = {ends[0], POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&wait, 1, limit_ms);
  } while (ready < 0 && errno == EINTR);
  char done = 0;
  const bool reported = ready > 0 && read(ends[0], &done, 1) == 1;
  if (!reported) kill(copy, SIGKILL);
  waitpid(copy, nullptr, 0);
  return reported;
}

}  // namespace

bool tell_interrupted_host(const char* kind, const char* message, int limit_ms) {
  // For ever: the process will end.
  alignas(Queue::Pause) static std::byte pause[sizeof(Queue::Pause)];
  new (pause) Queue::Pause(runtime().queue);
  return reported_by_copy(kind, message, limit_ms);
}

void tell_host_fault(const char* kind, const char* message) {
  constexpr int limit_ms = 8000;
  if (!tell_interrupted_host(kind, message, limit_ms))
    runtime().reporter.host_diagnosis(kind, message);
}

}  // namespace warpwise::cudart
