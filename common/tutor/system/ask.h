#pragma once
#include <optional>
#include <string>

namespace warpwise::tutor {

/// Whether a user can be asked: stdin and stdout are a terminal.
bool can_ask();

/// Reads a line of stdin, a terminal or a pipe, and nothing after it.
/// @return the line without its end; nothing at the end of the input.
/// @throws Interrupted when this process is asked to stop.
std::optional<std::string> read_line();

/// Asks on the terminal and waits for a line.
/// @param question without the "[y/N]" after it.
/// @return whether the answer begins with y; an empty line and the end of input are a no.
/// @throws Interrupted when this process is asked to stop.
bool ask(const std::string& question);

}  // namespace warpwise::tutor
