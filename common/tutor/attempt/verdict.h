#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tutor/course/course.h"
#include "tutor/system/context.h"
#include "tutor/system/failure.h"

namespace warpwise::tutor {

/// One gate of a check: a count, and what it must be.
struct Gate {
  std::string name, saw, wanted;
  std::string what;  ///< is counted, for people: "sectors loaded for each row".
  bool met = false;
  std::string mistake;  ///< the stored mistake that typically misses it; empty: none.
  std::string file;     ///< of the line that causes it, if known.
  unsigned line = 0;
};

/// The resources that a launch asks of an SM, and how much of it an SM holds.
struct Footprint {
  std::string gpu;                       ///< whose limits: "NVIDIA H200".
  int registers = 0;                     ///< of a thread.
  std::size_t static_shared_bytes = 0;   ///< of a block.
  std::size_t dynamic_shared_bytes = 0;  ///< of a block.
  int threads = 0;                       ///< of a block.
  int blocks = 0;                        ///< resident on an SM.
  int warps = 0;                         ///< resident on an SM.
  int most_warps = 0;                    ///< that an SM can hold.
};

/// The answer of a check program about one image.
struct Verdict {
  std::string verdict;  ///< "pass", "signature", "diagnosed", "wrong result", "gate".
  std::string kind;     ///< of the diagnosis that is shown.
  std::string message;
  std::string file;
  unsigned line = 0;
  std::vector<Gate> gates;
  std::map<std::string, double> counters;  ///< of the last launch, by the simulator's names.
  std::string counted_size;                ///< of the problem of that launch: "128x256".
  std::string author_test;             ///< sizes at which a program with a bug to find is right.
  std::optional<Footprint> footprint;  ///< of that launch.
  std::string device;                  ///< the GPU that agreed; empty without one.
  std::optional<double> time_us;       ///< on it.
  std::string json;                    ///< all that the check said.
  std::string text;                    ///< what the program printed, for people.
};

/// The check ended with status 3: what it needs is not here, such as a GPU.
struct CannotRunHere : Failure {
  using Failure::Failure;
};

/// Runs the check of an exercise on an image.
/// @param flags for the check program, such as {"--device", "sim"}.
/// @throws CannotRunHere as its text says; Failure (status 3) when the check cannot judge: it is
/// not
///   built, crashes, takes longer than its limit or its answer makes no sense.
Verdict judge(const Context& context, const Exercise& exercise, const std::filesystem::path& image,
              const std::vector<std::string>& flags = {});

/// @throws Failure (status 3) when the text is not a verdict.
Verdict parse_verdict(const std::string& json);

/// Writes what parse_verdict reads, without what the check printed.
std::string to_json(const Verdict& verdict);

}  // namespace warpwise::tutor
