#pragma once
#include <string_view>

/// Messages of the simulator's runtime on stderr, and how it gives up.
namespace warpwise::cudart {

/// Writes the text and a newline to stderr in one piece. Async-signal-safe for texts below 4 KiB.
void say(std::string_view text);

/// As say(), unless WARPWISE_QUIET=1: for explanations that a parent process shows in its own way.
void explain(std::string_view text);

/// Reports why the program cannot go on, shows its output so far, and ends it with status 3.
[[noreturn]] void stop(std::string_view text);

/// Shows the program's output so far, before an end that would lose it.
void flush_standard_output();

}  // namespace warpwise::cudart
