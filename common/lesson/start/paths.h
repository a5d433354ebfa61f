#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// Where things are: found from the running program upward, so that a tree can be moved.
/// \ingroup lesson
namespace warpwise::lesson {

/// The running program's file, links resolved.
std::filesystem::path program_file();

/// Its name: "ch05_warp_reduce".
std::string program_name();

/// The first folder, from `folder` upward, in which `relative` exists; that path.
std::optional<std::filesystem::path> find_upward(std::filesystem::path folder,
                                                 const std::filesystem::path& relative);

/// The simulator's stand-in for the CUDA runtime, if it is built.
std::optional<std::filesystem::path> simulator_library();

/// The folder that holds chapters/ and docs/: above the program, else the one it was built from.
std::filesystem::path repository();

/// A path as people read it: relative to the working folder or the repository where it is inside
std::string shown_path(std::string_view path);

/// A path relative to the repository where it is inside it, else as it is.
std::string repository_path(std::string_view path);

/// Bytes of a source file; a longer one is not shown.
inline constexpr std::size_t longest_source = std::size_t{1} << 20;

/// Reads a whole regular file. Never waits: a pipe or a device is refused.
/// @param most bytes; a longer file is refused before anything of it is read.
/// @throws Stop (environment) when it cannot be read.
std::string read_file(const std::filesystem::path& file, std::size_t most = std::size_t(-1));

/// Whether write_file would work, before the work whose result it writes.
/// @throws Stop (environment) when it would not.
void check_writable(const std::filesystem::path& file);

/// Writes the file so that it is either the old or the new one, never half of it.
/// @throws Stop (environment) when it cannot be written.
void write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace warpwise::lesson
