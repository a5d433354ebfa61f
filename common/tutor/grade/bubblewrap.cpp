#include "tutor/grade/bubblewrap.h"

#include <algorithm>
#include <string>

namespace warpwise::tutor {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

fs::path real(const fs::path& path) {
  std::error_code error;
  const fs::path result = fs::weakly_canonical(path, error);
  return error ? path : result;
}

namespace {

constexpr unsigned long long bytes_per_megabyte = 1 << 20;

void add_words(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// The parents of a place in the sandbox, which every user may pass.
void make_parents(Words& words, const fs::path& path) {
  fs::path parent;
  for (const fs::path& part : path.parent_path()) {
    parent /= part;
    if (parent != "/" && parent != "/tmp") {
      add_words(words, {"--perms", "0755", "--dir", parent.string()});
    }
  }
}

void show_in_place(Words& words, const char* how, const fs::path& path) {
  make_parents(words, path);
  add_words(words, {how, path.string(), path.string()});
}

void show_link(Words& words, const fs::path& target, const fs::path& path) {
  make_parents(words, path);
  add_words(words, {"--symlink", target.string(), path.string()});
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

// The folder that is the CUDA toolkit, empty where nvcc is a script somewhere else: its parent may
// be a home.
fs::path toolkit_of(const Context& context) {
  const fs::path folder = real(context.nvcc).parent_path().parent_path();
  std::error_code ignored;
  return fs::exists(folder / "bin/nvcc.profile", ignored) ? folder : fs::path();
}

void show_toolkit(Words& words, const Context& context) {
  const fs::path toolkit = toolkit_of(context);
  if (!toolkit.has_relative_path()) return;
  if (!lies_in(toolkit, "/usr")) show_in_place(words, "--ro-bind", toolkit);
  // Where nvcc is called by another name, that is all there is of its folder.
  if (lies_in(context.nvcc, "/usr") || lies_in(context.nvcc, toolkit)) return;
  const fs::path named = context.nvcc.parent_path().parent_path();
  const bool folder = real(named) == toolkit;
  show_link(words, folder ? toolkit : real(context.nvcc), folder ? named : context.nvcc);
}

// Hidden from every submission, wherever it is: the course with its solutions and their history,
// and the exercises of the instructor's own.
std::vector<fs::path> secrets(const Context& context) {
  std::vector<fs::path> all{context.root, context.root / "private", context.build};
  for (const char* link :
       {"chapters", "solutions", "exercises", "private/solutions", "private/chapters", ".git"}) {
    all.push_back(context.root / link);
  }
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const fs::path& path : all) {
    const fs::path folder = real(path);
    if (fs::is_directory(folder, ignored)) folders.push_back(folder);
  }
  return folders;
}

// Covers the secrets inside a folder that is shown. An outer one comes first.
void hide_secrets(Words& words, const Context& context,
                  const std::vector<fs::path>& shown_folders) {
  std::vector<fs::path> hidden;
  for (const fs::path& secret : secrets(context)) {
    const auto holds = [&](const fs::path& folder) { return lies_in(secret, folder); };
    const bool seen = std::any_of(shown_folders.begin(), shown_folders.end(), holds);
    if (!seen || std::any_of(hidden.begin(), hidden.end(), holds)) continue;
    hidden.push_back(secret);
    add_words(words, {"--perms", "0755", "--tmpfs", secret.string()});
  }
}

// Shows what compilers and checks need to see, and nothing else of this machine.
void show_tools(Words& words, const Context& context, Purpose purpose) {
  add_words(words, {"--ro-bind", "/usr", "/usr"});
  std::vector<fs::path> shown_folders{"/usr", toolkit_of(context)};
  for (const char* top : {"/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
    std::error_code error;
    const fs::path target = fs::read_symlink(top, error);
    if (!error) {
      add_words(words, {"--symlink", target.string(), top});
    } else if (fs::exists(top, error)) {
      add_words(words, {"--ro-bind", top, top});
      shown_folders.emplace_back(top);
    }
  }
  for (const char* file : {"/etc/ld.so.cache", "/etc/alternatives"}) {
    add_words(words, {"--ro-bind-try", file, file});
  }
  add_words(words, {"--dev", "/dev", "--proc", "/proc", "--perms", "1777", "--size",
                    std::to_string(256 * bytes_per_megabyte), "--tmpfs", "/tmp"});
  show_toolkit(words, context);
  if (shown_folders[1].empty()) shown_folders.erase(shown_folders.begin() + 1);
  hide_secrets(words, context, shown_folders);
  std::vector<fs::path> parts{context.simulator(), context.runner()};
  // The headers of ours that the flags include.
  if (purpose == Purpose::compiling) parts = {context.build / "image_flags"};
  // A check holds the reference: never in one sandbox with an answer's own code.
  if (purpose == Purpose::checking) parts.push_back(context.build / "checks");
  std::error_code ignored;
  for (const fs::path& part : parts) {
    if (fs::exists(part, ignored)) show_in_place(words, "--ro-bind", part);
  }
}

}  // namespace

Words bubblewrap(const Context& context, const fs::path& folder, Purpose purpose,
                 bool user_namespace) {
  Words words{"bwrap",         "--unshare-ipc",     "--unshare-pid",        "--unshare-net",
              "--unshare-uts", "--die-with-parent", "--unshare-cgroup-try", "--new-session"};
  if (user_namespace) add_words(words, {"--unshare-user", "--uid", "65534", "--gid", "65534"});
  show_tools(words, context, purpose);
  show_in_place(words, purpose == Purpose::running ? "--ro-bind" : "--bind", folder);
  add_words(words, {"--chdir", "/tmp", "--cap-drop", "ALL"});
  if (!user_namespace) {
    // To become the cell's user, who has none of them.
    for (const char* capability : {"CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"}) {
      add_words(words, {"--cap-add", capability});
    }
  }
  return words;
}

}  // namespace warpwise::tutor
