#include "tutor/system/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "tutor/system/failure.h"
#include "tutor/system/interrupt.h"

extern char** environ;

namespace warpwise::tutor {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  int get() const { return number_; }

 private:
  int number_;
};

struct Pipe {
  Descriptor read, write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Failure(status_environment, fmt::format("no pipe: {}", std::strerror(errno)));
  }
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> merged_environment(const Command& command) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : command.environment) {
      replaced |= text.substr(0, text.find('=')) == name;
    }
    if (!replaced) result.emplace_back(text);
  }
  for (const auto& [name, value] : command.environment) result.push_back(name + "=" + value);
  return result;
}

// Everything the new process needs, prepared before the fork: after it, in a program with threads,
// only async-signal-safe calls are allowed.
struct Start {
  std::vector<std::string> words, environment;
  std::string folder;
  bool attached = false;
  std::size_t memory_bytes = 0;
  int out = -1, err = -1, failed = -1;
};

[[noreturn]] void run_in_child(Start& start, char** words, char** environment) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The program does not inherit the signals that this thread blocks.
  sigset_t none_blocked;
  sigemptyset(&none_blocked);
  sigprocmask(SIG_SETMASK, &none_blocked, nullptr);
  if (!start.attached) {
    // Without a controlling terminal: what a program does to /dev/tty would be seen by the user.
    setsid();
    const int empty = open("/dev/null", O_RDONLY);
    dup2(empty, STDIN_FILENO);
    dup2(start.out, STDOUT_FILENO);
    dup2(start.err, STDERR_FILENO);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
  }
  if (start.memory_bytes > 0) {
    const rlimit most{start.memory_bytes, start.memory_bytes};
    setrlimit(RLIMIT_AS, &most);
  }
  if (start.folder.empty() || chdir(start.folder.c_str()) == 0) {
    execvpe(words[0], words, environment);
  }
  const int reason = errno;
  [[maybe_unused]] const auto written = write(start.failed, &reason, sizeof reason);
  _exit(127);
}

pid_t start_child(Start& start, Pipe& failed) {
  start.failed = failed.write.get();
  std::vector<char*> words = pointers(start.words);
  std::vector<char*> environment = pointers(start.environment);
  const pid_t child = fork();
  if (child < 0) {
    throw Failure(status_environment,
                  fmt::format("cannot start {}: {}", start.words[0], std::strerror(errno)));
  }
  if (child == 0) run_in_child(start, words.data(), environment.data());
  failed.write.close();
  int reason = 0;
  // Ends when the program has begun: from then on its group exists.
  if (read(failed.read.get(), &reason, sizeof reason) == sizeof reason) {
    waitpid(child, nullptr, 0);
    throw Failure(status_environment,
                  fmt::format("cannot start {}: {}", start.words[0], std::strerror(reason)));
  }
  return child;
}

Start prepare(const Command& command) {
  Start start;
  start.words = command.words;
  start.environment = merged_environment(command);
  start.folder = command.folder.string();
  start.memory_bytes = command.memory_bytes;
  return start;
}

void set_status(Outcome& outcome, int wait_status) {
  outcome.signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
  outcome.status = outcome.signal != 0 ? 128 + outcome.signal : WEXITSTATUS(wait_status);
}

// A running child: waits for output, its end, its limit and requests to stop.
class Child {
 public:
  Child(pid_t pid, const Command& command, bool own_group)
      : pid_(pid),
        command_(command),
        own_group_(own_group),
        handle_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {
    if (command.limit.count() > 0) deadline_ = Clock::now() + command.limit;
  }
  ~Child() {
    if (!ended_) {
      kill_all(SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }

  void kill_all(int number) const { ::kill(own_group_ ? -pid_ : pid_, number); }

  bool has_ended(Outcome& outcome) {
    siginfo_t info{};
    if (ended_ || waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != pid_) {
      return ended_;
    }
    // Before it is reaped: until then no other process can get the number of its group.
    if (own_group_) kill_all(SIGKILL);
    int wait_status = 0;
    waitpid(pid_, &wait_status, 0);
    set_status(outcome, wait_status);
    return ended_ = true;
  }

  bool past_deadline() const { return deadline_ && Clock::now() >= *deadline_; }

  // Until there is something to do; without pidfd (an old kernel) by looking every few
  // milliseconds.
  void wait(std::array<pollfd, 5>& events) const {
    events[2] = {handle_.get(), POLLIN, 0};
    events[3] = {stop_event(), POLLIN, 0};
    events[4] = {command_.cancel == nullptr ? -1 : command_.cancel->event(), POLLIN, 0};
    milliseconds longest = handle_.get() < 0 ? milliseconds(5) : milliseconds(60'000);
    if (deadline_) {
      const auto left = std::chrono::ceil<milliseconds>(*deadline_ - Clock::now());
      longest = std::clamp(left, milliseconds(0), longest);
    }
    poll(events.data(), events.size(), static_cast<int>(longest.count()));
  }

  // After a request to stop: the same signal, time to tidy up, the end.
  void end_after(int number, Outcome& outcome) {
    kill_all(number);
    for (int slice = 0; slice < 100 && !has_ended(outcome); ++slice) usleep(20'000);
  }

 private:
  pid_t pid_;
  const Command& command_;
  bool own_group_;
  bool ended_ = false;
  Descriptor handle_;
  std::optional<Clock::time_point> deadline_;
};

// One stream of the child. Reads what is there; false at its end.
bool drain(Descriptor& from, const Command& command, std::string& kept, bool& truncated) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(from.get(), buffer.data(), buffer.size());
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) return false;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
  if (command.on_output) {
    command.on_output(text);
    return true;
  }
  const std::size_t room = command.output_bytes - std::min(kept.size(), command.output_bytes);
  kept += text.substr(0, room);
  truncated |= text.size() > room;
  return true;
}

struct Stream {
  Descriptor from;
  std::string* kept;
};

void read_streams(std::array<Stream, 2>& streams, const std::array<pollfd, 5>& events,
                  const Command& command, Outcome& outcome) {
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (events[i].fd < 0 || events[i].revents == 0) continue;
    if (!drain(streams[i].from, command, *streams[i].kept, outcome.truncated)) {
      streams[i].from.close();
    }
  }
}

// Reads what an ended child left in its pipes: at most what a pipe holds, never waiting for others
// that may still have it open.
void read_the_rest(std::array<Stream, 2>& streams, const Command& command, Outcome& outcome) {
  for (Stream& stream : streams) {
    if (stream.from.get() < 0) continue;
    fcntl(stream.from.get(), F_SETFL, O_NONBLOCK);
    for (int slice = 0; slice < 64; ++slice) {
      pollfd ready{stream.from.get(), POLLIN, 0};
      if (poll(&ready, 1, 0) <= 0) break;
      if (!drain(stream.from, command, *stream.kept, outcome.truncated)) break;
    }
  }
}

}  // namespace

Outcome run_captured(const Command& command) {
  throw_if_stopped(command.cancel);
  Pipe out = make_pipe(), err = make_pipe(), failed = make_pipe();
  Start start = prepare(command);
  start.out = out.write.get();
  start.err = err.write.get();
  Child child(start_child(start, failed), command, true);
  out.write.close();
  err.write.close();

  Outcome outcome;
  std::array<Stream, 2> streams{
      {{std::move(out.read), &outcome.out}, {std::move(err.read), &outcome.err}}};
  while (!child.has_ended(outcome)) {
    std::array<pollfd, 5> events{};
    for (std::size_t i = 0; i < 2; ++i) events[i] = {streams[i].from.get(), POLLIN, 0};
    child.wait(events);
    if (const StopRequest request = stop_request(); request.signal != 0) {
      child.end_after(request.signal, outcome);
      throw Interrupted(request.signal);
    }
    if (command.cancel != nullptr && command.cancel->requested()) {
      child.end_after(SIGTERM, outcome);
      throw Interrupted(SIGTERM);
    }
    if (!outcome.timed_out && child.past_deadline()) {
      outcome.timed_out = true;
      child.kill_all(SIGKILL);
    }
    read_streams(streams, events, command, outcome);
  }
  read_the_rest(streams, command, outcome);
  return outcome;
}

Outcome run_attached(const Command& command) {
  Pipe failed = make_pipe();
  Start start = prepare(command);
  start.attached = true;
  Child child(start_child(start, failed), command, false);
  Outcome outcome;
  while (!child.has_ended(outcome)) {
    std::array<pollfd, 5> events{};
    events[0].fd = events[1].fd = -1;
    child.wait(events);
    if (const StopRequest request = stop_request(); request.signal != 0) {
      // A signal typed at the terminal reached the program by itself.
      if (request.from_process) child.kill_all(request.signal);
      clear_stop_request();
    }
    if (!outcome.timed_out && child.past_deadline()) {
      outcome.timed_out = true;
      child.kill_all(SIGKILL);
    }
  }
  return outcome;
}

void become(const std::vector<std::string>& words) {
  std::vector<std::string> copy = words;
  execvp(copy[0].c_str(), pointers(copy).data());
  throw Failure(status_environment,
                fmt::format("cannot start {}: {}", words[0], std::strerror(errno)));
}

}  // namespace warpwise::tutor
