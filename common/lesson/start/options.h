#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/start/size.h"

/// \file
/// The command lines: of every chapter, and of every exercise's check.
/// \ingroup lesson
namespace warpwise::lesson {

/// The choice of `--device`.
enum class DeviceChoice { automatic, gpu, simulator };

/// Devices that one program can use.
constexpr int most_gpus = 8;

/// The flags of a chapter's program.
struct Options {
  DeviceChoice device = DeviceChoice::automatic;
  std::string gpu;           ///< empty: the one found, else h200.
  int gpus = 0;              ///< devices to use; 0: as many as the chapter wants.
  std::string only;          ///< empty: everything.
  std::optional<Size> size;  ///< empty: the ladder's own.
  bool small = false;        ///< only the ladders' small sizes, each rung once, not timed.
  bool compare = false;      ///< only the exercises.
  std::string exercise;      ///< of these, the ones whose name contains this; empty: all.
  bool occupancy = false;    ///< the derivation of every rung, not only of the best.
  std::string view;          ///< empty: no picture.
  bool bench = false;
  std::string json;                          ///< empty: none.
  std::vector<std::string> benchmark_flags;  ///< "--benchmark_filter=...": for Google Benchmark.
};

/// A flag of one chapter's program alone. Its value is empty where it was not given.
struct OwnOption {
  std::string name, value_name, help;  ///< "--prompt", "TEXT", one line.
  std::string* value = nullptr;
};
using OwnOptions = std::vector<OwnOption>;

/// The flags of a check program.
struct CheckOptions {
  std::string image;  ///< a fat binary.
  std::string say;    ///< in its place: the file of a verdict that is only to be printed.
  std::string json;   ///< empty: none.
  DeviceChoice device = DeviceChoice::automatic;
  std::string gpu;
  bool quiet = false;
  bool gates = false;  ///< instead of all else: prints the task's line about the gates.
  bool view = false;   ///< prints the picture of the accesses instead of the verdict.
};

/// @param program its name, @param about one line for --help.
/// @param own the chapter's own flags, whose values are set.
/// @throws Stop: 0 with the help, 2 with what is wrong.
Options parse_options(int argc, const char* const* argv, const std::string& program,
                      const std::string& about, const OwnOptions& own = {});
CheckOptions parse_check_options(int argc, const char* const* argv, const std::string& program);

/// Whether Google Benchmark alone writes to standard output: its format was asked for.
bool benchmark_has_output(const Options& options);

/// "auto", "gpu" or "sim", as the flag spells it.
std::string_view flag_of(DeviceChoice choice);

}  // namespace warpwise::lesson
