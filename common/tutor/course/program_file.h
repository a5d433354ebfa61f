#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace warpwise::tutor {

/// The facts that an executable states about itself before it runs.
struct ProgramFile {
  bool elf = false;                 ///< an ELF file of 64 bits for this machine's processor.
  bool complete = true;             ///< false: its tables point outside the file.
  bool program = false;             ///< can be started, as opposed to an object file or a library.
  bool device_code = false;         ///< holds what nvcc embeds.
  bool ptx = false;                 ///< ... and among it PTX, which the simulator runs.
  bool machine_code = false;        ///< ... and among it SASS, which it cannot run.
  std::string damage;               ///< what is wrong with the embedded code; empty: nothing.
  std::vector<std::string> needed;  ///< libraries it is linked with, by their file names.
};

/// Reads the headers and the embedded device code; never runs anything.
/// @throws Failure when there is nothing to read: status 2 for a missing file or a folder, 3 when
///   permission is missing.
ProgramFile read_program(const std::filesystem::path& path);

/// @return why the simulator cannot run this program and what fixes it, as one sentence; empty when
///   it can.
std::string refusal(const ProgramFile& program);

}  // namespace warpwise::tutor
