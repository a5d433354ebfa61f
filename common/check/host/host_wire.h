#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/host/host_call_data.h"

/// \file
/// The messages between a check of a host function and the runner: the calls, and the answers.
/// \ingroup lesson
namespace warpwise::lesson {

/// Host memory of a call, as the runner makes it.
struct WireMemory {
  std::vector<std::uint8_t> bytes;  ///< what it holds before the call.
  bool output = false;              ///< the function fills it: it is poisoned, and answered.
};

/// A call without what it has to give.
struct WireCall {
  HostType returns = HostType::nothing;
  std::vector<HostArgument>
      arguments;  ///< the bits of a pointer: 1 + its memory's number; 0: null.
  std::vector<WireMemory> memory;
};

/// All that the runner receives.
struct WireCalls {
  /// Begins each line of the runner's answers, so that lines which the learner's code writes into
  /// the same file are none. Another one each time.
  std::string mark;
  std::string symbol;  ///< of the function.
  bool on_device = false;
  std::uint64_t budget = 0;
  int gpus = 1;  ///< devices that the function finds.
  std::vector<WireCall> calls;
};

/// @throws Stop (something wrong) for a call that the check did not make, or a pointer that belongs
///   to no memory of the call.
WireCalls wire_calls(const HostSpec& spec, const std::vector<HostCall>& calls);

/// As bytes, and back.
std::string to_bytes(const WireCalls& calls);
/// @throws Stop (environment) for bytes that do not form calls.
WireCalls parse_calls(const std::string& bytes);

/// One answer of the runner: a JSON object, without the mark and the end of the line.
std::string started_line(const std::string& device, bool simulated);
std::string problem_line(const std::string& what);
std::string thrown_line(const std::string& what);
/// @param outputs the bits of the floats in each. @param reports entries in the simulator's log.
/// @param bytes_for_host that came from the device so far. @param operations of the call.
std::string returned_line(const std::vector<std::vector<std::uint32_t>>& outputs,
                          std::size_t reports, std::optional<double> returned,
                          std::uint64_t bytes_for_host = 0,
                          const std::map<std::string, double>& operations = {});
std::string done_line();

/// The runner's answers: in each line the mark and a JSON object, so that what was answered stays
/// when the code dies. Lines without the mark are passed over.
/// @throws Stop (environment) for a line that is not such a record.
HostAnswers parse_answers(const std::string& text, const std::string& mark);

}  // namespace warpwise::lesson
