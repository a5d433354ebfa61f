#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/cudart/device/preload.h"
#include "simulator/cudart/preloaded/in_front_of.h"
#include "simulator/cudart/report/loaded_file.h"

// A CUDA program that the program starts also runs on the simulator: the library is loaded into it,
// and into shells, which may start one. Compilers and other tools never meet it.

using warpwise::cudart::ElfFile;
using warpwise::cudart::Next;

namespace {

constexpr std::string_view variable = "LD_PRELOAD=";

/// In a program's environment: the program loads the library itself where it needs it.
constexpr std::string_view decides_itself = "WARPWISE_FOLLOW=no";

const std::string& own_file() {
  static const std::string path = [] {
    Dl_info self = {};
    dladdr(reinterpret_cast<void*>(&own_file), &self);
    std::error_code failed;
    return self.dli_fname == nullptr ? std::string()
                                     : std::filesystem::absolute(self.dli_fname, failed).string();
  }();
  return path;
}

/// Before the program goes to another folder: the file's name may be relative.
[[gnu::constructor]] void look_for_own_file() { own_file(); }

bool needs_runtime(const std::string& program) {
  const ElfFile file(program);
  const auto entries = file.section(".dynamic"), names = file.section(".dynstr");
  for (std::size_t at = 0; at + sizeof(Elf64_Dyn) <= entries.size(); at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry;
    std::memcpy(&entry, &entries[at], sizeof entry);
    if (entry.d_tag == DT_NEEDED &&
        warpwise::cudart::text_at(names, entry.d_un.d_val) == "libcudart.so.13")
      return true;
  }
  return false;
}

/// True for a program that does little but start others.
bool is_shell(const std::string& program) {
  constexpr std::array<std::string_view, 6> shells = {"sh",  "bash", "dash",
                                                      "zsh", "env",  "timeout"};
  const std::string name = std::filesystem::path(program).filename();
  return std::find(shells.begin(), shells.end(), name) != shells.end();
}

/// The program that reads a script; empty for a file that is not a script.
std::string interpreter_of(const std::string& file) {
  std::array<char, 256> start = {};
  const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return "";
  const ssize_t bytes = pread(opened, start.data(), start.size() - 1, 0);
  close(opened);
  std::string_view line(start.data(), bytes < 0 ? 0 : static_cast<std::size_t>(bytes));
  if (!line.starts_with("#!")) return "";
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t", 2)));
  return std::string(line.substr(0, line.find_first_of(" \t\r\n")));
}

bool runs_on_simulator(const std::string& program) {
  if (program.empty() || own_file().empty()) return false;
  const std::string interpreter = interpreter_of(program);
  return is_shell(interpreter.empty() ? program : interpreter) || needs_runtime(program);
}

/// The path that a shell would find; empty where it would not find one.
std::string find_program(const char* name) {
  if (name == nullptr) return "";
  if (std::strchr(name, '/') != nullptr) return name;
  const char* path = std::getenv("PATH");
  std::string_view list = path == nullptr ? "/bin:/usr/bin" : path;
  while (!list.empty()) {
    const std::string_view folder = list.substr(0, list.find(':'));
    list.remove_prefix(std::min(list.size(), folder.size() + 1));
    std::string file = (folder.empty() ? "." : std::string(folder)) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

/// The environment for a program: the given one, with or without this library to be loaded first.
class Environment {
 public:
  Environment(const std::string& program, char* const* given) : given_(given) {
    std::string others;
    bool follows = true;
    for (char* const* entry = given; entry != nullptr && *entry != nullptr; ++entry) {
      if (std::string_view(*entry).starts_with(variable))
        others = warpwise::cudart::without_entry(*entry + variable.size(), own_file());
      else
        entries_.push_back(*entry);
      if (*entry == decides_itself) follows = false;
    }
    preload_ = variable;
    if (follows && runs_on_simulator(program)) preload_ += own_file() + (others.empty() ? "" : ":");
    preload_ += others;
    if (preload_.size() > variable.size()) entries_.push_back(preload_.data());
    entries_.push_back(nullptr);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  char* const* entries() const { return given_ == nullptr ? given_ : entries_.data(); }

 private:
  char* const* given_;
  std::string preload_;
  std::vector<char*> entries_;
};

/// As long as one lives, the shell that the C library starts gets this library.
class ForShell {
 public:
  ForShell() {
    const std::lock_guard lock(mutex());
    if (users()++ > 0) return;
    const char* before = std::getenv("LD_PRELOAD");
    const std::string others = before == nullptr ? "" : std::string(":") + before;
    setenv("LD_PRELOAD", (own_file() + others).c_str(), 1);
  }
  ~ForShell() {
    const std::lock_guard lock(mutex());
    const char* now = std::getenv("LD_PRELOAD");
    if (--users() > 0 || now == nullptr) return;
    const std::string others = warpwise::cudart::without_entry(now, own_file());
    if (others.empty())
      unsetenv("LD_PRELOAD");
    else
      setenv("LD_PRELOAD", others.c_str(), 1);
  }
  ForShell(const ForShell&) = delete;
  ForShell& operator=(const ForShell&) = delete;

 private:
  static std::mutex& mutex() {
    static auto& only = *new std::mutex;
    return only;
  }
  static int& users() {
    static int count = 0;
    return count;
  }
};

/// The arguments from the first on, and a null after them.
std::vector<char*> listed(const char* first, va_list& rest) {
  std::vector<char*> all = {const_cast<char*>(first)};
  while (all.back() != nullptr) all.push_back(va_arg(rest, char*));
  return all;
}

}  // namespace

extern "C" {

WARPWISE_IN_FRONT_OF(execve);
int warpwise_execve(const char* file, char* const* arguments, char* const* given) {
  const Environment environment(file == nullptr ? "" : file, given);
  return next_execve(file, arguments, environment.entries());
}

WARPWISE_IN_PLACE_OF(execv);
int warpwise_execv(const char* file, char* const* arguments) {
  return warpwise_execve(file, arguments, environ);
}

WARPWISE_IN_FRONT_OF(execvpe);
int warpwise_execvpe(const char* name, char* const* arguments, char* const* given) {
  const Environment environment(find_program(name), given);
  return next_execvpe(name, arguments, environment.entries());
}

WARPWISE_IN_PLACE_OF(execvp);
int warpwise_execvp(const char* name, char* const* arguments) {
  return warpwise_execvpe(name, arguments, environ);
}

WARPWISE_IN_PLACE_OF(execl);
int warpwise_execl(const char* file, const char* first, ...) {
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> arguments = listed(first, rest);
  va_end(rest);
  return warpwise_execve(file, arguments.data(), environ);
}

WARPWISE_IN_PLACE_OF(execlp);
int warpwise_execlp(const char* name, const char* first, ...) {
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> arguments = listed(first, rest);
  va_end(rest);
  return warpwise_execvpe(name, arguments.data(), environ);
}

WARPWISE_IN_PLACE_OF(execle);
int warpwise_execle(const char* file, const char* first, ...) {
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> arguments = listed(first, rest);
  char* const* const given = va_arg(rest, char* const*);
  va_end(rest);
  return warpwise_execve(file, arguments.data(), given);
}

WARPWISE_IN_FRONT_OF(posix_spawn);
int warpwise_posix_spawn(pid_t* process, const char* file,
                         const posix_spawn_file_actions_t* actions,
                         const posix_spawnattr_t* attributes, char* const* arguments,
                         char* const* given) {
  const Environment environment(file == nullptr ? "" : file, given);
  return next_posix_spawn(process, file, actions, attributes, arguments, environment.entries());
}

WARPWISE_IN_FRONT_OF(posix_spawnp);
int warpwise_posix_spawnp(pid_t* process, const char* name,
                          const posix_spawn_file_actions_t* actions,
                          const posix_spawnattr_t* attributes, char* const* arguments,
                          char* const* given) {
  const Environment environment(find_program(name), given);
  return next_posix_spawnp(process, name, actions, attributes, arguments, environment.entries());
}

WARPWISE_IN_FRONT_OF(system);
int warpwise_system(const char* command) {
  const ForShell shell;
  return next_system(command);
}

WARPWISE_IN_FRONT_OF(popen);
FILE* warpwise_popen(const char* command, const char* mode) {
  const ForShell shell;
  return next_popen(command, mode);
}
}
