#pragma once
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/preload.h"

/// For tests of code that ends a process or stays for its whole life: they run in processes of
/// their own.
namespace warpwise::cudart {

struct Ending {
  int status;        ///< exit status, or 256 + signal.
  std::string text;  ///< stdout and stderr.

  bool says(const std::string& part) const { return text.find(part) != std::string::npos; }
};

/// Runs a shell command.
inline Ending run_command(const std::string& command) {
  // One descriptor for both, so that their order shows.
  std::FILE* pipe = popen(("( " + command + " ) 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  Ending ending{0, ""};
  std::array<char, 4096> buffer;
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    ending.text.append(buffer.data(), n);
  }
  const int status = pclose(pipe);
  ending.status = WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
  return ending;
}

/// A word that the shell leaves as it is, whatever letters it has.
inline std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char letter : word)
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

/// Runs a program with the library loaded, for a minute at most.
/// @param arguments of the program, as a shell reads them.
/// @param environment "NAME=VALUE ..." put before the command.
inline Ending run_simulated(const std::string& program, const std::string& arguments = "",
                            const std::string& environment = "") {
  const std::string library = base::preloadable(WARPWISE_BUILD_DIR "/simulator/libcudart.so.13");
  return run_command("exec timeout 200 env LD_PRELOAD=" + library + " " + environment + " " +
                     quoted(program) + " " + arguments);
}

/// Runs one test case of this program, which is decorated with doctest::skip(), in a new process.
/// @param environment "NAME=VALUE ..." put before the command.
inline Ending run_case(const std::string& name, const std::string& environment = "") {
  std::array<char, 4096> self = {};
  REQUIRE(readlink("/proc/self/exe", self.data(), self.size() - 1) > 0);
  return run_command(environment + " exec timeout 200 " + quoted(self.data()) + " --no-skip -tc='" +
                     name + "'");
}

}  // namespace warpwise::cudart
