#include "tutor/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "tutor/clean_text.h"
#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/interrupt.h"

namespace warpwise::tutor {

namespace {

// "learn docs --open": this program's command line without its folder.
std::string command_line() {
  std::ifstream words("/proc/self/cmdline", std::ios::binary);
  std::string text;
  for (std::string word; std::getline(words, word, '\0');) {
    text += text.empty() ? std::filesystem::path(word).filename().string() : " " + word;
  }
  constexpr std::size_t longest = 100;
  return clean_text(text.substr(0, longest), false);
}

std::string clock_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}", local.tm_hour, local.tm_min);
}

// " (learn docs, since 14:03)", as the holder of a lock signed it; nothing while it has not.
std::string holder_of(int file) {
  char text[200];
  const ssize_t got = ::pread(file, text, sizeof text, 0);
  if (got <= 1) return {};
  const std::string_view signature(text, static_cast<std::size_t>(got));
  return fmt::format(" ({})", clean_text(signature.substr(0, signature.find('\n')), false));
}

}  // namespace

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
    if (++looks == looks_before_telling) context.say("waiting for " + reason + holder_of(file_));
    usleep(50'000);
    try {
      throw_if_stopped(context.cancel);
    } catch (const Interrupted&) {
      close(file_);
      throw;
    }
  }
  sign();
}

void FileLock::sign() const {
  const std::string text = command_line() + ", since " + clock_time() + "\n";
  // Who waits can do without it.
  if (::ftruncate(file_, 0) != 0 || ::pwrite(file_, text.data(), text.size(), 0) < 0) return;
}

FileLock::~FileLock() { close(file_); }

}  // namespace warpwise::tutor
