#include "tutor/grade/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "tutor/grade/bubblewrap.h"
#include "tutor/system/failure.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

constexpr unsigned long long megabyte = 1 << 20;

void add(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

bool is_root() { return ::geteuid() == 0; }

// Another user, no capabilities and no way to get them back.
Words as_user(unsigned user) {
  return {"setpriv",
          fmt::format("--reuid={}", user),
          fmt::format("--regid={}", user),
          "--clear-groups",
          "--inh-caps=-all",
          "--bounding-set=-all",
          "--no-new-privs"};
}

// The limits of one process; the wall time is limited by the process that starts it.
Words limits() { return {"prlimit", "--core=0", fmt::format("--data={}", 6144 * megabyte)}; }

// Nothing is inherited from our environment: it may hold secrets, and it must not change what is
// judged.
Words limited(bool counts_processes) {
  Words words = limits();
  // The number is of all processes of the user: useless where that is the one who grades.
  if (counts_processes) words.push_back("--nproc=256");
  add(words, {"--", "env", "-i", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/tmp", "TMPDIR=/tmp"});
  return words;
}

// The processes that a submission left in the background are then this one's children.
void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

// Ends them; the children of one that ends come next.
void end_orphans() {
  constexpr int most_rounds = 1000;
  for (int round = 0; round < most_rounds; ++round) {
    std::ifstream children(fmt::format("/proc/self/task/{}/children", ::getpid()));
    bool any = false;
    for (pid_t child = 0; children >> child; any = true) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    if (!any) break;
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}

// The first line of what a program said.
std::string reason(const Outcome& outcome) {
  const std::string text = outcome.err + outcome.out;
  return text.empty() ? fmt::format("status {}", outcome.status) : text.substr(0, text.find('\n'));
}

Outcome run(Words words) {
  return run_captured({.words = std::move(words), .limit = std::chrono::seconds(60)});
}

}  // namespace

UserRange::UserRange() {
  if (!is_root()) return;
  // The numbers that systemd keeps for users that come and go.
  constexpr unsigned lowest = 61184, ranges = 16;
  for (unsigned range = 0; range < ranges && lock_ < 0; ++range) {
    const fs::path file = fs::temp_directory_path() / fmt::format("warpwise_users_{}.lock", range);
    lock_ = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    first_ = lowest + range * static_cast<unsigned>(size);
    if (lock_ >= 0 && ::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
      ::close(lock_);
      lock_ = -1;
    }
  }
  if (lock_ < 0) throw Failure(status_environment, "too many programs grade at the same time");
}

UserRange::~UserRange() {
  if (lock_ >= 0) ::close(lock_);
}

fs::path Sandbox::cell_folder(std::size_t number) const {
  return folder_.path() / fmt::format("cell{}", number);
}

Words Sandbox::words(const Way& way, std::size_t number, Purpose purpose) const {
  Words words;
  if (way.isolation == Isolation::namespaces) {
    words = bubblewrap(context_, cell_folder(number), purpose, way.user_namespace);
    if (!way.user_namespace) add(words, as_user(users_.user(number)));
  } else if (way.isolation == Isolation::user) {
    if (way.own_network) {
      words = {"unshare", "--net", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"};
    }
    add(words, as_user(users_.user(number)));
  }
  add(words, limited(way.isolation != Isolation::none));
  return words;
}

void Sandbox::end_cell(std::size_t number) const {
  if (way_.isolation != Isolation::user) return;
  // Nothing else runs as this user: a job has left all that it owns.
  const unsigned user = users_.user(number);
  Words words = as_user(user);
  add(words,
      {"sh", "-c",
       fmt::format("kill -9 -1; find /tmp /var/tmp /dev/shm -xdev -depth -user {} -delete", user)});
  run(words);
}

Sandbox::~Sandbox() {
  try {
    for (std::size_t cell = 0; cell < cells_; ++cell) end_cell(cell);
  } catch (const std::exception&) {
    // The rest belongs to a user number without an account.
  }
  if (way_.isolation == Isolation::none) end_orphans();
}

Confinement Sandbox::fresh_cell(std::size_t number) const {
  end_cell(number);
  std::error_code error;
  const fs::path folder = cell_folder(number);
  fs::remove_all(folder, error);
  make_folder(folder);
  if (is_root() && way_.isolation != Isolation::none) {
    const unsigned user = users_.user(number);
    if (::chown(folder.c_str(), user, user) != 0) {
      throw Failure(status_environment,
                    fmt::format("{} cannot be given to another user", shown(folder)));
    }
  }
  ::chmod(folder.c_str(), 0700);
  // The simulator's device memory is a large file with holes: only the compiler has a limit on
  // files here, and the runner gives itself one before it loads anything.
  Words compiling = words(way_, number, Purpose::compiling);
  // Processor time, so that a busy machine does not refuse an answer.
  add(compiling, {"prlimit", "--cpu=15", fmt::format("--fsize={}", 64 * megabyte), "--"});
  return {.compiling = compiling,
          .checking = words(way_, number, Purpose::checking),
          .running = words(way_, number, Purpose::running),
          .outside = limits(),
          .folder = folder};
}

std::string Sandbox::why_not(const Way& way) const {
  try {
    // The needs of every job: the compiler, the runner, a folder to write to.
    const std::string folder = fresh_cell(0).folder.string();
    const struct {
      Purpose purpose;
      Words trial;
    } trials[]{{Purpose::compiling, {"test", "-x", context_.nvcc.string()}},
               {Purpose::running, {"test", "-x", context_.runner().string()}},
               {Purpose::compiling, {"touch", folder + "/trial"}}};
    for (const auto& [purpose, trial] : trials) {
      Words all = words(way, 0, purpose);
      add(all, trial);
      const Outcome outcome = run(all);
      if (outcome.status == 0) continue;
      const bool says_why = !outcome.err.empty();
      return says_why ? reason(outcome) : fmt::format("{} cannot be used there", trial.back());
    }
  } catch (const Failure& failure) {
    return failure.message;
  }
  return {};
}

Sandbox::Sandbox(const Context& context, std::string_view wanted, std::size_t cells)
    : context_(context), cells_(cells) {
  const Words known{"auto", "namespaces", "user", "none"};
  if (std::find(known.begin(), known.end(), wanted) == known.end()) {
    throw Failure(status_usage,
                  fmt::format("--isolation {} is not one of {}", wanted, fmt::join(known, ", ")));
  }
  // Others pass through to their cell, and see no names.
  ::chmod(folder_.path().c_str(), 0711);
  std::vector<Way> ways;
  if (wanted == "auto" || wanted == "namespaces") {
    ways.push_back({Isolation::namespaces, !is_root(), false});
  }
  if ((wanted == "auto" || wanted == "user") && is_root()) {
    ways.push_back({Isolation::user, false, true});
    ways.push_back({Isolation::user, false, false});
  }
  if (wanted == "none") ways.push_back({});
  std::string reasons;
  for (const Way& way : ways) {
    way_ = way;
    const std::string why = why_not(way);
    if (why.empty()) {
      if (way.isolation == Isolation::none) adopt_orphans();
      for (std::size_t cell = 1; cell < cells; ++cell) fresh_cell(cell);
      return;
    }
    reasons += fmt::format("\n  {}: {}", description(), why);
  }
  throw Failure(status_environment,
                fmt::format("submissions cannot be isolated from this machine:{}\n"
                            "install bubblewrap (sudo apt-get install bubblewrap), or run as root "
                            "in a container, or say --isolation none",
                            reasons.empty() ? " another user needs root" : reasons));
}

std::string Sandbox::description() const {
  switch (way_.isolation) {
    case Isolation::namespaces:
      return "namespaces (bubblewrap): another user, no network, only the tools to be seen";
    case Isolation::user:
      return way_.own_network ? "another user without privileges, no network"
                              : "another user without privileges";
    case Isolation::none:
      break;
  }
  return "limits on time, memory and output alone";
}

bool Sandbox::can_read(const fs::path& folder) const {
  for (const Purpose purpose : {Purpose::compiling, Purpose::checking, Purpose::running}) {
    Words trial = words(way_, 0, purpose);
    // A folder that is hidden may be there, and empty.
    add(trial, {"sh", "-c", "ls -A \"$1\" 2>/dev/null | grep -q .", "sh", folder.string()});
    if (run(trial).status == 0) return true;
  }
  return false;
}

std::vector<std::string> Sandbox::gaps() const {
  if (way_.isolation == Isolation::none) {
    return {"submissions run as you: they can read and change your files, and use the network"};
  }
  std::vector<std::string> gaps;
  const bool hides = way_.isolation == Isolation::namespaces;
  if (!hides && !way_.own_network) gaps.push_back("submissions can use the network");
  std::error_code ignored;
  for (const char* secret : {"solutions", "private", ".git"}) {
    const fs::path folder = context_.root / secret;
    if (!fs::exists(folder, ignored) || (!can_read(folder) && !can_read(real(folder)))) continue;
    gaps.push_back(fmt::format("submissions can read {0}: {1}", shown(folder),
                               hides ? "move the course out of the folders of the system"
                                     : fmt::format("chmod -R go= {}", shown(folder))));
  }
  return gaps;
}

}  // namespace warpwise::tutor
