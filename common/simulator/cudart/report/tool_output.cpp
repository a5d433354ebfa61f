#include "simulator/cudart/report/tool_output.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace warpwise::cudart {
namespace {

using Clock = std::chrono::steady_clock;

class Pipe {
 public:
  Pipe() : open_(pipe2(ends_.data(), O_CLOEXEC) == 0) {}
  ~Pipe() {
    close_writer();
    if (open_) ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool is_open() const { return open_; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() {
    if (open_ && ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
  bool open_;
};

/// @return 0, or the error.
int start(const std::vector<std::string>& words, int writer, pid_t& child) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const char* path = std::getenv("PATH");
  std::string search = std::string("PATH=") + (path == nullptr ? "/usr/bin:/bin" : path);
  std::string language = "LC_ALL=C";
  const std::array<char*, 3> environment = {search.data(), language.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, writer, STDOUT_FILENO);
  const int error =
      posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&files);
  return error;
}

/// @return false when the limit was passed.
bool read_all(int reader, Clock::time_point end, std::string& text) {
  std::array<char, 4096> piece;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd wait = {reader, POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::max<long>(0, left.count())));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t got = read(reader, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

ToolOutput output_of(const std::vector<std::string>& words, std::chrono::milliseconds limit) {
  ToolOutput output;
  Pipe pipe;
  pid_t child = 0;
  const int error = pipe.is_open() ? start(words, pipe.writer(), child) : errno;
  output.failed = error != 0;
  output.missing = pipe.is_open() && error == ENOENT;
  if (output.failed) return output;
  pipe.close_writer();
  output.failed = !read_all(pipe.reader(), Clock::now() + limit, output.text);
  if (output.failed) {
    output.text.clear();
    kill(child, SIGKILL);
  }
  // The program may wait for all children, or for none: then this one is gone already.
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return output;
}

}  // namespace warpwise::cudart
