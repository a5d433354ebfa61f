#include "lesson/start/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "lesson/device/error.h"
#include "lesson/start/paths.h"

namespace warpwise::lesson {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// This process's environment without the names that are set again. A program of a lesson loads the
/// simulator where it wants it: the runner of plain C++ must not get it from a parent that has it.
std::vector<std::string> environment_with(std::vector<std::string> variables) {
  variables.emplace_back("WARPWISE_FOLLOW=no");
  std::vector<std::string> all = variables;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string entry = *at;
    const std::string name = entry.substr(0, entry.find('=') + 1);
    bool replaced = false;
    for (const std::string& variable : variables) replaced |= variable.rfind(name, 0) == 0;
    if (!replaced) all.push_back(entry);
  }
  return all;
}

/// Waits until the child ends, or kills it at its limit. Sets status and timed_out.
void wait_for(pid_t child, double limit_s, ChildResult& result) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(limit_s);
  int status = 0;
  pid_t ended = 0;
  while (ended != child) {
    ended = ::waitpid(child, &status, limit_s > 0 && !result.timed_out ? WNOHANG : 0);
    if (ended < 0 && errno != EINTR) {
      result.status = 127;
      return;
    }
    if (ended != 0) continue;
    if (Clock::now() >= deadline) {
      result.timed_out = true;
      ::kill(child, SIGKILL);
    } else {
      ::usleep(1000);
    }
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command,
                      const std::vector<std::string>& variables, double limit_s) {
  std::fflush(nullptr);
  const TemporaryFile output;
  const TemporaryFile errors;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
  std::vector<std::string> arguments = command;
  std::vector<std::string> environment = environment_with(variables);
  pid_t child = 0;
  const int failure =
      ::posix_spawnp(&child, command.at(0).c_str(), &actions, nullptr,
                     pointers_to(arguments).data(), pointers_to(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    throw Stop(bad_environment,
               fmt::format("cannot start {}: {}", command[0], std::strerror(failure)));
  }
  ChildResult result;
  wait_for(child, limit_s, result);
  result.output = output.text();
  result.errors = errors.text();
  return result;
}

TemporaryFile::TemporaryFile() {
  std::error_code ignored;
  path_ = (std::filesystem::temp_directory_path(ignored) / "warpwise-XXXXXX").string();
  descriptor_ = ::mkostemp(path_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    throw Stop(bad_environment,
               fmt::format("cannot make a temporary file {}: {}", path_, std::strerror(errno)));
  }
}

TemporaryFile::~TemporaryFile() {
  ::close(descriptor_);
  ::unlink(path_.c_str());
}

std::string TemporaryFile::text() const { return read_file(path_); }

std::string TemporaryFile::inherited_text() const {
  std::string text;
  char buffer[65536];
  for (ssize_t got;
       (got = ::pread(descriptor_, buffer, sizeof buffer, static_cast<off_t>(text.size()))) != 0;) {
    if (got < 0 && errno != EINTR) {
      throw Stop(bad_environment, fmt::format("cannot read {}: {}", path_, std::strerror(errno)));
    }
    text.append(buffer, got > 0 ? static_cast<std::size_t>(got) : 0);
  }
  return text;
}

void TemporaryFile::write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t put = ::write(descriptor_, text.data(), text.size());
    if (put < 0 && errno != EINTR) {
      throw Stop(bad_environment, fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
    }
    if (put > 0) text.remove_prefix(static_cast<std::size_t>(put));
  }
}

std::string TemporaryFile::inherited_path() const {
  (void)::fchmod(descriptor_, 0666);
  (void)::fcntl(descriptor_, F_SETFD, 0);
  return fmt::format("/proc/self/fd/{}", descriptor_);
}

StdoutCapture::StdoutCapture() {
  std::fflush(stdout);
  original_ = ::dup(STDOUT_FILENO);
  ::dup2(file_.descriptor(), STDOUT_FILENO);
}

StdoutCapture::~StdoutCapture() {
  if (original_ >= 0) finish();
}

std::string StdoutCapture::finish() {
  std::fflush(stdout);
  ::dup2(original_, STDOUT_FILENO);
  ::close(original_);
  original_ = -1;
  return file_.text();
}

}  // namespace warpwise::lesson
