#pragma once
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Other programs, started and waited for; temporary files; standard output, caught.
/// \ingroup lesson
namespace warpwise::lesson {

/// How a child ended and what it wrote.
struct ChildResult {
  int status = 0;          ///< of exit; 128 + the signal's number after a signal.
  std::string output;      ///< standard output.
  std::string errors;      ///< standard error.
  bool timed_out = false;  ///< killed at its limit.
};

/// Runs a program to its end.
/// @param command the program, looked up in PATH if its name has no slash, and its arguments.
/// @param variables "NAME=value", added to the environment.
/// @param limit_s wall time in seconds, then it is killed; 0: none.
/// @throws Stop (environment) when it cannot be started.
ChildResult run_child(const std::vector<std::string>& command,
                      const std::vector<std::string>& variables = {}, double limit_s = 0);

/// A file of its own in the temporary folder, removed with the object.
class TemporaryFile {
 public:
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// Hands it to the programs that are started from now on, under whatever user: its name for them.
  std::string inherited_path() const;
  /// The text of the file with its name: a program that was given path() may have replaced the
  /// file.
  std::string text() const;
  /// The text of this very file, whatever has become of its name meanwhile: for inherited_path().
  std::string inherited_text() const;
  /// Appends.
  /// @throws Stop (environment) when the disk is full.
  void write(std::string_view text) const;

 private:
  std::string path_;
  int descriptor_ = -1;
};

/// Catches what this process writes to standard output, by whatever means, until it ends.
class StdoutCapture {
 public:
  StdoutCapture();
  ~StdoutCapture();
  StdoutCapture(const StdoutCapture&) = delete;
  StdoutCapture& operator=(const StdoutCapture&) = delete;
  /// Ends the capture and returns what was written.
  std::string finish();

 private:
  TemporaryFile file_;
  int original_ = -1;
};

}  // namespace warpwise::lesson
