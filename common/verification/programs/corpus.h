#pragma once
#include <map>
#include <string>
#include <vector>

/// \file
/// The corpus of CUDA programs as the test sees it: what there is, what is expected of each, and
/// what came out under the stand-in.
namespace warpwise::programs {

/// A diagnosis that a comment "// expect: KIND" declares for its line, or that was made there.
struct Mark {
  std::string kind;
  unsigned line = 0;  ///< 0 where it is not known.
  bool error = true;  ///< what was diagnosed is an error, not a note.
  std::string message;
  std::string file = "";  ///< of what was diagnosed; empty where it is not known.
};

/// One executable of the corpus.
struct Program {
  std::string name;      ///< of the executable: the source's, perhaps with ".VARIANT".
  std::string source;    ///< path of the .cu file.
  bool mistake = false;  ///< it is in mistakes/.
  std::vector<Mark> expected;
  std::string gpus = "";  ///< devices that it wants, as a line "// gpus: N" says; empty: one.

  /// The source's name: variants are judged by the same record.
  std::string stem() const { return name.substr(0, name.find('.')); }
  /// A GPU's output: expected/NAME.txt next to the source; perhaps it is missing.
  std::string record_file() const;
};

/// The counts of a launch.
struct Counted {
  std::string kernel;  ///< mangled.
  std::map<std::string, double> counters;
};

/// How a program ended under the stand-in.
struct Outcome {
  std::string record;  ///< standard output, then "[exit status N]": as records are kept.
  std::string errors;  ///< standard error.
  std::vector<Mark> found;
  std::vector<Counted> launches = {};  ///< of kernels that ran, in order.
  std::string unsupported;             ///< what the simulator cannot do, in its own words.
};

/// Every program of the source folder that has been built, and its variants.
/// @param sources the folder of programs/ and mistakes/.  @param built the folder of the
/// executables.
/// @throws std::runtime_error when a source has no executable.
std::vector<Program> find_programs(const std::string& sources, const std::string& built);

/// Reads "NAME: REASON" lines; lines that begin with # say nothing.
std::map<std::string, std::string> read_reasons(const std::string& file);

/// The text of a file; empty where there is none.
std::string read_text(const std::string& file);

/// Runs the programs, several at a time.
/// @param library the stand-in.  @param jobs how many at once.
/// @return outcomes in the order of the programs.
std::vector<Outcome> run_all(const std::vector<Program>& programs, const std::string& built,
                             const std::string& library, unsigned jobs);

/// Says what is wrong with an outcome, for a person to read; empty where all is right.
/// @param record the GPU's record; empty means that nothing was recorded and output is not
/// compared.
std::string judge(const Program& program, const Outcome& outcome, const std::string& record);

/// The first lines in which two texts differ; empty for equal ones.
std::string difference(const std::string& want, const std::string& got);

}  // namespace warpwise::programs
