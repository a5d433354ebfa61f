#include "tutor/system/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tutor/system/clean_text.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/interrupt.h"

namespace warpwise::tutor {
namespace {

constexpr const char* wish_file = "learn.wish";
constexpr useconds_t between_looks_us = 50'000;

int open_lock(const Context& context, const std::string& file) {
  const int opened = open((context.build / file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (opened >= 0) return opened;
  throw Failure(status_environment,
                fmt::format("{} cannot be written ({}): build in a checkout of your own",
                            shown(context.build), std::strerror(errno)));
}

// Each byte of the file of wishes is for one urgency: those from this one on.
struct flock bytes_from(Urgency urgency, short kind) {
  struct flock bytes {};
  bytes.l_type = kind;
  bytes.l_whence = SEEK_SET;
  bytes.l_start = static_cast<off_t>(urgency);
  return bytes;
}

Holder holder_of(int file) {
  std::array<char, 1024> text{};
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  return read_holder({text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))});
}

}  // namespace

std::string to_text(const Holder& holder) {
  return fmt::format("process {}\nsince {}\ndoing {}\n", holder.process,
                     std::chrono::system_clock::to_time_t(holder.since),
                     holder.doing.substr(0, 200));
}

Holder read_holder(std::string_view text) {
  std::istringstream lines{std::string(text)};
  Holder holder;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name == "process") words >> holder.process;
    if (std::time_t since = 0; name == "since" && words >> since) {
      holder.since = std::chrono::system_clock::from_time_t(since);
    }
    if (name == "doing" && line.size() > 6) holder.doing = clean_text(line.substr(6), false);
  }
  return holder;
}

std::string typed_command(int process) {
  if (process <= 0) return {};
  std::ifstream file(fmt::format("/proc/{}/cmdline", process), std::ios::binary);
  std::string words{std::istreambuf_iterator<char>(file), {}};
  while (!words.empty() && words.back() == '\0') words.pop_back();
  std::replace(words.begin(), words.end(), '\0', ' ');
  words = clean_text(words, false);
  // The script of this name becomes the program, or is run by a shell.
  const auto program = words.substr(0, words.find(' '));
  if (program.ends_with("/learn")) return "./learn" + words.substr(program.size());
  const auto script = words.find("/learn");
  if (program.ends_with("bash") && script != std::string::npos) {
    return "./learn" + words.substr(script + std::strlen("/learn"));
  }
  return words;
}

std::string waiting_line(const Holder& holder, int process,
                         std::chrono::system_clock::time_point now) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - holder.since).count();
  const std::string command = typed_command(holder.process);
  std::string who = "another build";
  if (!command.empty()) who = fmt::format("{} (process {})", command, holder.process);
  if (holder.process == process) who = "the build ahead of this watcher";
  std::string line = "waiting for " + who;
  if (!holder.doing.empty()) line += ": " + holder.doing;
  if (holder.process > 0 && seconds >= 0) line += fmt::format(", {} s", seconds);
  return line;
}

void Ticker::tell(const std::string& line) {
  constexpr std::chrono::seconds between(4);
  if (line == told_) return;
  const auto now = std::chrono::steady_clock::now();
  if (!context_.on_progress && now < next_) return;
  next_ = now + between;
  told_ = line;
  context_.say(line);
}

FileLock::FileLock(const Context& context, const std::string& file, const std::string& reason)
    : file_(open_lock(context, file)) {
  try {
    wait(context, reason);
  } catch (...) {
    close(file_);
    throw;
  }
  since_ = std::chrono::system_clock::now();
  says("");
}

// By looking again, so that a request to stop ends the wait.
void FileLock::wait(const Context& context, const std::string& reason) const {
  constexpr int looks_before_telling = 10;
  Ticker ticker(context);
  for (int looks = 1; flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++looks) {
    if (looks >= looks_before_telling) {
      const Holder holder = holder_of(file_);
      ticker.tell(holder.process == 0
                      ? "waiting for " + reason
                      : waiting_line(holder, getpid(), std::chrono::system_clock::now()));
    }
    usleep(between_looks_us);
    throw_if_stopped(context.cancel);
  }
}

FileLock::~FileLock() {
  [[maybe_unused]] const int emptied = ftruncate(file_, 0);
  close(file_);
}

void FileLock::says(const std::string& doing) {
  const std::string text = to_text({getpid(), since_, doing});
  // No work depends on it: a failure to write it is not reported.
  [[maybe_unused]] const auto written = pwrite(file_, text.data(), text.size(), 0);
  [[maybe_unused]] const int cut = ftruncate(file_, static_cast<off_t>(text.size()));
}

Wish::Wish(const Context& context) : file_(open_lock(context, wish_file)) {
  struct flock mine = bytes_from(context.urgency, F_RDLCK);
  mine.l_len = 1;
  // No process ever has the bytes for itself: this does not wait.
  [[maybe_unused]] const int locked = fcntl(file_, F_OFD_SETLK, &mine);
}

Wish::~Wish() { close(file_); }

bool Wish::is_there(const Context& context) {
  const int file = open_lock(context, wish_file);
  struct flock others = bytes_from(context.urgency, F_WRLCK);
  ++others.l_start;
  const bool is = fcntl(file, F_OFD_GETLK, &others) == 0 && others.l_type != F_UNLCK;
  close(file);
  return is;
}

void Wish::wait_for_none(const Context& context) {
  Ticker ticker(context);
  while (is_there(context)) {
    ticker.tell("waiting for what is more urgent");
    usleep(between_looks_us);
    throw_if_stopped(context.cancel);
  }
}

}  // namespace warpwise::tutor
