#include "check/host/host_call.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "check/deliver.h"
#include "check/host/host_wire.h"
#include "check/host/shared_object.h"
#include "check/verdict/signature.h"
#include "lesson/device/device.h"
#include "lesson/device/error.h"
#include "lesson/device/launch.h"
#include "lesson/device/stand_in.h"
#include "lesson/start/options.h"
#include "lesson/start/paths.h"
#include "lesson/start/process.h"

namespace warpwise::lesson {
namespace {

/// Which words a command begins with so that what follows is confined, one word per line; the tutor
/// sets it where it grades. Without it the runner has the limits of a child alone.
constexpr const char* confine_variable = "WARPWISE_CONFINE";

std::vector<std::string> confinement() {
  std::vector<std::string> words;
  const char* all = std::getenv(confine_variable);
  std::istringstream lines(all == nullptr ? "" : all);
  for (std::string word; std::getline(lines, word);) words.push_back(word);
  return words;
}

/// The entries of the simulator's log, one JSON object per line; a runner that was killed may leave
/// half a line. Nothing when something else has written into it.
std::optional<std::vector<LaunchReport>> read_log(const std::string& text) {
  std::string joined;
  std::istringstream lines(text.substr(0, text.rfind('\n') + 1));
  for (std::string line; std::getline(lines, line);) joined += (joined.empty() ? "" : ",") + line;
  try {
    return parse_report(fmt::format(R"({{"launches":[{}]}})", joined));
  } catch (const Stop&) {
    return std::nullopt;
  }
}

CheckVerdict foreign_log() {
  CheckVerdict verdict;
  verdict.verdict = "diagnosed";
  verdict.kind = "log";
  verdict.message = "the simulator's log holds what the simulator did not write";
  return verdict;
}

std::string runner_program() {
  const auto found = find_upward(program_file().parent_path(), "lesson/host_runner");
  if (found) return found->string();
  throw Stop(bad_environment,
             "the program lesson/host_runner of the build folder is missing: "
             "cmake --build build --target host_runner");
}

/// Runs the runner on a device and judges what it gave.
CheckVerdict judged_on(DeviceChoice device, const HostSpec& spec, const CheckOptions& options,
                       const std::vector<HostCall>& calls) {
  const TemporaryFile wire;
  const TemporaryFile answers;
  const TemporaryFile log;
  const WireCalls told = wire_calls(spec, calls);
  wire.write(to_bytes(told));
  std::vector<std::string> command = confinement();
  // The runner may belong to another user, who sees no folder of ours.
  for (const std::string& word :
       {runner_program(), wire.inherited_path(), answers.inherited_path(), log.inherited_path(),
        std::filesystem::absolute(options.image).string(), std::string(flag_of(device))}) {
    command.push_back(word);
  }
  if (!options.gpu.empty()) command.push_back(options.gpu);
  const ChildResult child = run_child(command, {}, spec.limit_s);
  const HostAnswers given = parse_answers(answers.inherited_text(), told.mark);
  if (!given.loaded && child.status == bad_environment) {
    throw Stop(bad_environment, environment_line(child));
  }
  const auto reports = read_log(log.inherited_text());
  if (!reports) return foreign_log();
  CheckVerdict verdict = judge_calls(spec, calls, given, child, *reports);
  verdict.device = device == DeviceChoice::gpu ? given.device : "";
  return verdict;
}

/// The declaration, read from the file: nothing of it runs before it is known to fit.
std::optional<CheckVerdict> wrong_declaration(const HostSpec& spec, const std::string& image) {
  Signature signature{spec.declaration, {}, "", "function of that name"};
  for (const std::string& symbol : exported_functions(read_file(image))) {
    if (symbol == spec.symbol) return std::nullopt;
    const std::string name = written_signature(demangled(symbol.c_str()));
    if (name.substr(0, name.find('(')) == spec.function) signature.found.push_back(name);
  }
  CheckVerdict verdict;
  verdict.verdict = "signature";
  verdict.message = signature.text();
  verdict.next = signature.next();
  return verdict;
}

bool on_gpu_too(const HostSpec& spec, const CheckOptions& options) {
  if (!spec.on_device || options.device == DeviceChoice::simulator) return false;
  if (spec.gpus > 1) return probe_gpu().count >= spec.gpus;
  return options.device == DeviceChoice::gpu || probe_gpu().usable;
}

CheckVerdict whole_verdict(const HostSpec& spec, const CheckOptions& options,
                           const std::vector<HostCall>& calls) {
  if (auto verdict = wrong_declaration(spec, options.image)) return *verdict;
  CheckVerdict verdict = judged_on(DeviceChoice::simulator, spec, options, calls);
  if (!verdict.passed() || !on_gpu_too(spec, options)) return verdict;
  HostSpec without_log = spec;
  without_log.gates.clear();
  const CheckVerdict real = judged_on(DeviceChoice::gpu, without_log, options, calls);
  verdict.device = real.device;
  if (real.passed()) return verdict;
  verdict.verdict = real.verdict;
  verdict.kind = "gpu";
  verdict.size = real.size;
  verdict.message =
      fmt::format("right on the simulator, but not on the {}:\n{}", real.device, real.message);
  return verdict;
}

}  // namespace

void name_function(HostSpec& spec, const char* function_type, const char* parameters_type) {
  const std::string type = demangled(function_type);
  spec.declaration = type.substr(0, type.find('(')) + spec.function + written_parameters(type);
  // The symbol "FviiE" is a function of two int that returns nothing: the letters in between are
  // those that a symbol has after the name.
  const std::string parameters = std::string(parameters_type).substr(2);
  spec.symbol = fmt::format("_Z{}{}{}", spec.function.size(), spec.function,
                            parameters.substr(0, parameters.size() - 1));
}

std::string written(double value) { return fmt::format("{}", value); }

std::string written(cudaError_t value) { return cudaGetErrorName(value); }

int run_host_check(int argc, char** argv, const HostSpec& wanted,
                   const std::function<std::vector<HostCall>()>& make_calls) {
  return or_exit([&] {
    const CheckOptions options = parse_check_options(argc, argv, program_name());
    if (!options.say.empty()) return say(options);
    if (options.gates) return say_gates(gates_of(wanted));
    HostSpec spec = wanted;
    if (!options.gpu.empty()) spec.limits = *occupancy::find_gpu(options.gpu);
    spec.exercise = exercise_id();
    const std::vector<HostCall> calls = make_calls();
    CheckVerdict verdict = whole_verdict(spec, options, calls);
    verdict.exercise = spec.exercise;
    verdict.lesson = spec.lesson;
    return deliver(verdict, options);
  });
}

}  // namespace warpwise::lesson
