#pragma once
#include <string>

namespace warpwise::tutor {

/// Whether somebody can be asked: stdin and stdout are a terminal.
bool can_ask();

/// Asks on the terminal and waits for a line.
/// @param question without the "[y/N]" behind it.
/// @return whether the answer begins with y; an empty line and the end of input are a no.
/// @throws Interrupted when this process is asked to stop.
bool ask(const std::string& question);

}  // namespace warpwise::tutor
