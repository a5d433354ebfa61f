#include "tutor/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "tutor/failure.h"
#include "tutor/process.h"

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

// The limits of one process; wall time is whoever starts it's affair. Nothing is inherited from our
// environment: it may hold secrets, and it must not change what is judged.
Words limited(bool counts_processes) {
  Words words{"prlimit", "--core=0", fmt::format("--data={}", 6144 * megabyte)};
  // The number is of all processes of the user: useless where that is the one who grades.
  if (counts_processes) words.push_back("--nproc=256");
  add(words, {"--", "env", "-i", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/tmp", "TMPDIR=/tmp"});
  return words;
}

// A place in the sandbox whose parents everybody may pass.
void bind(Words& words, const char* how, const fs::path& path) {
  fs::path parent;
  for (const fs::path& part : path.parent_path()) {
    parent /= part;
    if (parent != "/" && parent != "/tmp")
      add(words, {"--perms", "0755", "--dir", parent.string()});
  }
  add(words, {how, path.string(), path.string()});
}

// What compilers and checks need to see, and nothing else of this machine.
void show_tools(Words& words, const Context& context) {
  add(words, {"--ro-bind", "/usr", "/usr"});
  for (const char* top : {"/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
    std::error_code error;
    const fs::path target = fs::read_symlink(top, error);
    if (!error) {
      add(words, {"--symlink", target.string(), top});
    } else if (fs::exists(top, error)) {
      add(words, {"--ro-bind", top, top});
    }
  }
  for (const char* file : {"/etc/ld.so.cache", "/etc/alternatives"}) {
    add(words, {"--ro-bind-try", file, file});
  }
  add(words, {"--dev", "/dev", "--proc", "/proc", "--perms", "1777", "--size",
              std::to_string(256 * megabyte), "--tmpfs", "/tmp"});
  std::error_code ignored;
  const fs::path toolkit = fs::weakly_canonical(context.nvcc, ignored).parent_path().parent_path();
  if (!toolkit.string().starts_with("/usr/") && toolkit.has_relative_path()) {
    bind(words, "--ro-bind", toolkit);
    if (context.nvcc.parent_path().parent_path() != toolkit) {
      bind(words, "--ro-bind", context.nvcc.parent_path().parent_path());
    }
  }
  for (const fs::path& part : {context.simulator(), context.runner(), context.build / "checks",
                               context.build / "image_flags"}) {
    if (fs::exists(part, ignored)) bind(words, "--ro-bind", part);
  }
}

Words bubblewrap(const Context& context, const fs::path& folder, bool writing,
                 bool user_namespace) {
  Words words{"bwrap",         "--unshare-ipc",     "--unshare-pid",        "--unshare-net",
              "--unshare-uts", "--die-with-parent", "--unshare-cgroup-try", "--new-session"};
  if (user_namespace) add(words, {"--unshare-user", "--uid", "65534", "--gid", "65534"});
  show_tools(words, context);
  bind(words, writing ? "--bind" : "--ro-bind", folder);
  add(words, {"--chdir", "/tmp", "--cap-drop", "ALL"});
  if (!user_namespace) {
    // To become the cell's user, who has none of them.
    for (const char* capability : {"CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"}) {
      add(words, {"--cap-add", capability});
    }
  }
  return words;
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
  // What systemd keeps for users that come and go.
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

Words Sandbox::words(const Way& way, std::size_t number, bool writing) const {
  Words words;
  if (way.isolation == Isolation::namespaces) {
    words = bubblewrap(context_, cell_folder(number), writing, way.user_namespace);
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

Confinement Sandbox::fresh_cell(std::size_t number) const {
  if (way_.isolation == Isolation::user) {
    // Nothing else runs as this user: all of it is what a job left behind.
    Words words = as_user(users_.user(number));
    add(words, {"sh", "-c", "kill -9 -1"});
    run(words);
  }
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
  Words compiling = words(way_, number, true);
  // Processor time, so that a busy machine refuses nobody.
  add(compiling, {"prlimit", "--cpu=15", fmt::format("--fsize={}", 64 * megabyte), "--"});
  return {.compiling = compiling,
          .checking = words(way_, number, true),
          .running = words(way_, number, false),
          .folder = folder};
}

std::string Sandbox::why_not(const Way& way) const {
  try {
    // What every job needs: the compiler, the runner, a folder to write to.
    const std::string folder = fresh_cell(0).folder.string();
    for (const Words& trial :
         {Words{"test", "-x", context_.nvcc.string()},
          Words{"test", "-x", context_.runner().string()}, Words{"touch", folder + "/trial"}}) {
      Words all = words(way, 0, true);
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
      for (std::size_t cell = 1; cell < cells; ++cell) fresh_cell(cell);
      return;
    }
    reasons += fmt::format("\n  {}: {}", description(), why);
  }
  throw Failure(status_environment,
                fmt::format("submissions cannot be kept apart from this machine:{}\n"
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

std::vector<std::string> Sandbox::gaps() const {
  if (way_.isolation == Isolation::namespaces) return {};
  std::vector<std::string> gaps;
  if (way_.isolation == Isolation::none) {
    return {"submissions run as you: they can read and change your files, and use the network"};
  }
  if (!way_.own_network) gaps.push_back("submissions can use the network");
  Words words = this->words(way_, 0, false);
  std::error_code ignored;
  for (const char* secret : {"solutions", "private"}) {
    const fs::path folder = context_.root / secret;
    if (!fs::exists(folder, ignored)) continue;
    Words trial = words;
    add(trial, {"test", "-r", folder.string(), "-a", "-x", folder.string()});
    if (run(trial).status == 0) {
      gaps.push_back(fmt::format("submissions can read {0}: chmod -R go= {0}", shown(folder)));
    }
  }
  return gaps;
}

}  // namespace warpwise::tutor
