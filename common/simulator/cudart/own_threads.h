#pragma once
#include <cstddef>
#include <optional>

/// Which threads of the process are this library's and which the program's.
namespace warpwise::cudart {

/// Gives the calling thread a name by which it is known as the library's.
/// @param what it does, in up to six letters.
void name_own_thread(const char* what);

/// Threads of the program; nothing where the system does not tell.
std::optional<std::size_t> program_threads();

}  // namespace warpwise::cudart
