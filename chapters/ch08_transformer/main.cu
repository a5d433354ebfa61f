/// \file
/// Chapter 8: a whole model. `./learn run ch08_transformer`, or build/ch08_transformer --help.
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "lesson/run.h"

/// The ladder of forward.cu.
void forward_ladder(warpwise::lesson::Run& run);
/// The tables of checks.cu: activations, the prefix test, the debug state.
void model_checks(warpwise::lesson::Run& run);
/// The tables of picture.cu: operations with their shares, by rung.
void model_picture(warpwise::lesson::Run& run);
/// The table of continuation.cu: what the model writes.
void continuation_table(warpwise::lesson::Run& run);

/// Takes this chapter's own flags out of the arguments. Their values go on in variables, because
/// the program may start itself again on the simulator.
void take_own_flags(int& argc, char** argv) {
  constexpr std::pair<std::string_view, const char*> own[] = {
      {"--checkpoint", "WARPWISE_CHECKPOINT"},
      {"--tokenizer", "WARPWISE_TOKENIZER"},
      {"--debug-state", "WARPWISE_DEBUG_STATE"},
      {"--prompt", "WARPWISE_PROMPT"}};
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const char* variable = nullptr;
    for (const auto& [flag, name] : own) {
      if (flag == argv[i] && i + 1 < argc) variable = name;
    }
    if (std::string_view(argv[i]) == "--help") {
      std::puts(
          "--checkpoint FILE, --tokenizer FILE, --debug-state FILE: a model in llm.c's format\n"
          "--prompt TEXT: what the table `continuation` goes on from\n");
    }
    if (variable != nullptr) {
      ::setenv(variable, argv[++i], 1);
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  argv[argc] = nullptr;
}

int main(int argc, char** argv) {
  take_own_flags(argc, argv);
  warpwise::lesson::Run run(argc, argv, "Chapter 8: which of a whole model's launches costs what?");
  model_picture(run);
  model_checks(run);
  forward_ladder(run);
  continuation_table(run);
  return run.finish();
}
