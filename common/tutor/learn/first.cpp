/// \file
/// The program `learn`: what a first verdict needs, so that a new clone is built soon. Every other
/// command is in the program learn_commands, which is built when it is first asked for.
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tutor/command.h"
#include "tutor/live/watch.h"
#include "tutor/reading/explain.h"
#include "tutor/reading/hint.h"
#include "tutor/system/guarded.h"
#include "tutor/system/interrupt.h"
#include "tutor/system/process.h"
#include "tutor/system/this_context.h"

namespace warpwise::tutor {
namespace {

using Words = std::vector<std::string>;

/// Whether it is `COMMAND` with as many words as said after it, and no option among the first two.
bool is_plain(const Words& words, const std::string& command, std::size_t least, std::size_t most) {
  return words[0] == command && words.size() > least && words.size() - 1 <= most &&
         (words.size() < 2 || !words[1].starts_with('-'));
}

[[noreturn]] void become_all_commands(const Context& context, const Words& words) {
  const std::filesystem::path program = context.build / "tutor/learn_commands";
  // ./learn itself keeps it up to date once it is there. A linker makes its file executable last.
  if (access(program.c_str(), X_OK) != 0) context.make(context, {"learn_commands"});
  Words command{program.string()};
  command.insert(command.end(), words.begin(), words.end());
  become(command);
}

int dispatch(const Words& words) {
  const Context context = this_context();
  require_own_checkout(context, "learn");
  if (words.empty()) return watch_command(context);
  if (is_plain(words, "run", 1, words.size())) {
    return run_command(context, words[1], {words.begin() + 2, words.end()});
  }
  if (is_plain(words, "list", 0, 0)) return list_command(context);
  const std::string name = words.size() > 1 ? words[1] : "";
  if (is_plain(words, "hint", 0, 1)) return hint_command(context, name);
  if (is_plain(words, "explain", 0, 1)) return explain_command(context, name);
  become_all_commands(context, words);
}

}  // namespace
}  // namespace warpwise::tutor

int main(int argc, char** argv) {
  warpwise::tutor::catch_stop_requests();
  const std::vector<std::string> words(argv + 1, argv + argc);
  return warpwise::tutor::guarded([&] { return warpwise::tutor::dispatch(words); });
}
