#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>
#include <utility>

#include "base/lean_headers.h"
#include "base/preload.h"
#include "occupancy/gpu_table.h"
#include "tutor/attempt/compile.h"
#include "tutor/attempt/compiler_error.h"
#include "tutor/command.h"
#include "tutor/commands/sim_report.h"
#include "tutor/commands/sim_view.h"
#include "tutor/course/program_file.h"
#include "tutor/reading/page.h"
#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {

namespace fs = std::filesystem;

namespace {

// The time that a program has to end after the simulator's own limit has struck.
constexpr std::chrono::seconds grace(5);
// The simulator's limit is of time in which the program had a processor: on a busy machine it may
// take so many times as long.
constexpr int starved = 4;

constexpr const char *report_name = "report.jsonl", *trace_name = "trace.json";

// The file that a shell would start; also one in this folder without "./".
fs::path find_program(const std::string& word) {
  std::error_code ignored;
  if (word.find('/') != std::string::npos || fs::exists(word, ignored)) return fs::absolute(word);
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / word;
    if (access(candidate.c_str(), X_OK) == 0) return fs::absolute(candidate);
  }
  throw Failure(status_usage, fmt::format("found no program '{}' here or in PATH", word));
}

using Flags = std::vector<std::string>;

// A GPU before sm_90 runs no PTX of sm_90: the program needs its own.
Flags code_flags(const Context& context, const std::string& gpu) {
  Flags flags = context.code_flags;
  const occupancy::Gpu* row = gpu.empty() ? nullptr : occupancy::find_gpu(gpu);
  if (row == nullptr || row->compute_capability >= 90) return flags;
  const std::string flag =
      fmt::format("arch=compute_{0},code=[compute_{0},sm_{0}]", row->compute_capability);
  if (std::find(flags.begin(), flags.end(), flag) == flags.end()) {
    flags.insert(flags.end(), {"-gencode", flag});
  }
  return flags;
}

Outcome compile(const Context& context, const Flags& flags, const fs::path& source,
                const fs::path& program) {
  // Lines of device code, and of host code.
  Command command{.words = {context.nvcc.string(), "-std=c++20", "-lineinfo", "-Xcompiler", "-g1",
                            "--cudart", "shared"},
                  .environment = compiler_environment,
                  .limit = std::chrono::minutes(10)};
  command.words.insert(command.words.end(), flags.begin(), flags.end());
  base::leave_headers_out(command.words, read_file(source));
  for (const auto& word : {std::string("-o"), program.string(), source.string()}) {
    command.words.push_back(word);
  }
  return run_captured(command);
}

/// Changes the flags where nvcc has said that the source wants others than most do.
/// @return false where it has not.
bool adapt(Flags& flags, const Outcome& outcome) {
  const auto says = [&](const char* words) { return outcome.err.find(words) != std::string::npos; };
  const std::string separately = "-rdc=true";
  Flags adapted = flags;
  // Instructions that only Hopper has, such as wgmma, need code for it alone.
  if (says("not supported on .target 'sm_90'")) {
    std::erase_if(adapted, [&](const std::string& flag) { return flag != separately; });
    adapted.insert(adapted.end(), {"-gencode", "arch=compute_90a,code=[compute_90a,sm_90a]"});
  }
  // Kernels that launch kernels.
  if (says("requires separate compilation mode")) adapted.push_back(separately);
  return outcome.status != 0 && std::exchange(flags, adapted) != adapted;
}

fs::path compile_program(const Context& context, Flags flags, const fs::path& source,
                         const fs::path& program) {
  Outcome outcome = compile(context, flags, source, program);
  for (int again = 0; again < 2 && adapt(flags, outcome); ++again)
    outcome = compile(context, flags, source, program);
  if (outcome.status == 0) return program;
  throw Failure(status_wrong,
                fmt::format("{} does not compile:\n{}", shown(source),
                            to_text(first_compiler_error(outcome.out + outcome.err, context.root),
                                    page_width())));
}

void refuse_what_cannot_run(const fs::path& program, const std::string& name) {
  if (const std::string why = refusal(read_program(program)); !why.empty()) {
    throw Failure(status_environment, fmt::format("{}: {}", name, why));
  }
  if (access(program.c_str(), X_OK) != 0) {
    throw Failure(status_environment,
                  fmt::format("{} may not be executed: chmod +x {}", name, name));
  }
}

/// AddressSanitizer wants to be the first library of all, but also works after ours.
std::string sanitizer_options() {
  const char* before = std::getenv("ASAN_OPTIONS");
  const std::string ours = "verify_asan_link_order=0";
  return before == nullptr || *before == '\0' ? ours : before + (":" + ours);
}

/// The warp that `learn sim --trace` follows, as it is given; empty where no trace is wanted.
std::vector<std::pair<std::string, std::string>> trace_settings(const SimOptions& options,
                                                                const fs::path& trace) {
  if (options.trace_file.empty()) return {};
  return {{"WARPWISE_TRACE", trace.string()},
          {"WARPWISE_TRACE_KERNEL", options.kernel},
          {"WARPWISE_TRACE_BLOCK", std::to_string(options.block)},
          {"WARPWISE_TRACE_WARP", std::to_string(options.warp)},
          {"WARPWISE_TRACE_STEPS", std::to_string(options.steps)}};
}

/// Hands on the trace that the program left.
void take_trace(const SimOptions& options, const fs::path& trace) {
  std::error_code ignored;
  if (!fs::exists(trace, ignored)) {
    throw Failure(status_wrong,
                  fmt::format("no trace: no launch of {} had block {} with a warp {}; --kernel, "
                              "--block and --warp choose",
                              options.kernel.empty() ? "a kernel"
                                                     : fmt::format("a kernel '{}'", options.kernel),
                              options.block, options.warp));
  }
  write_atomically(options.trace_file, read_file(trace));
}

Command simulated(const Context& context, const SimOptions& options, const fs::path& folder) {
  Command command{.words = {}, .limit = {}};
  // WARPWISE_LAUNCHED tells a chapter's program that the choice of device has been made.
  command.environment = {{"LD_PRELOAD", base::preload_list(context.simulator())},
                         {"ASAN_OPTIONS", sanitizer_options()},
                         {"WARPWISE_REPORT", (folder / report_name).string()},
                         {"WARPWISE_LAUNCHED", "1"}};
  for (auto& setting : trace_settings(options, folder / trace_name)) {
    command.environment.push_back(std::move(setting));
  }
  if (!options.gpu.empty()) command.environment.emplace_back("WARPWISE_GPU", options.gpu);
  if (options.gpus) {
    command.environment.emplace_back("WARPWISE_GPUS", std::to_string(*options.gpus));
  }
  if (!options.peers.empty()) command.environment.emplace_back("WARPWISE_PEERS", options.peers);
  if (options.threads) {
    command.environment.emplace_back("WARPWISE_THREADS", std::to_string(*options.threads));
  }
  if (options.limit_s) {
    command.environment.emplace_back("WARPWISE_LIMIT", fmt::format("{}", *options.limit_s));
    command.limit =
        std::chrono::milliseconds(static_cast<std::int64_t>(*options.limit_s * 1000)) * starved +
        grace;
  }
  return command;
}

}  // namespace

int sim_command(const Context& context, const SimOptions& options,
                const std::vector<std::string>& words) {
  if (words.empty()) {
    throw Failure(status_usage, "which program? ./learn sim -- PROGRAM ARGS, or sim FILE.cu ARGS");
  }
  if (!options.gpu.empty() && occupancy::find_gpu(options.gpu) == nullptr) {
    throw Failure(status_usage, fmt::format("the table has no GPU '{}'; it has {}", options.gpu,
                                            occupancy::gpu_ids()));
  }
  const TemporaryFolder folder;
  const bool source = words[0].ends_with(".cu");
  std::error_code ignored;
  if (source && !fs::exists(words[0], ignored)) {
    throw Failure(status_usage, fmt::format("{}: no such file", words[0]));
  }
  // Before anything runs: a report that cannot be kept should not cost a run.
  for (const std::string& file : {options.json_file, options.trace_file}) {
    if (!file.empty()) require_writable(file);
  }
  const fs::path program =
      source ? compile_program(context, code_flags(context, options.gpu), words[0],
                               folder.path() / fs::path(words[0]).stem())
             : find_program(words[0]);
  refuse_what_cannot_run(program, words[0]);
  context.make(context, {"simulator/libcudart.so.13"});

  Command command = simulated(context, options, folder.path());
  command.words = words;
  command.words[0] = program.string();
  const Outcome outcome = run_attached(command);
  const SimReport report = read_sim_report(folder.path() / report_name);
  const int status = outcome.timed_out ? status_wrong : sim_status(report, outcome.status);
  if (outcome.timed_out) {
    fmt::print(stderr, "learn: {} did not end in {:g} s: killed\n", words[0],
               std::chrono::duration<double>(command.limit).count());
  } else if (outcome.signal != 0) {
    fmt::print(stderr, "learn: {} was ended by signal {} ({})\n", words[0], outcome.signal,
               strsignal(outcome.signal));
  }
  if (options.view) fmt::print(stderr, "{}", sim_view(report));
  if (!options.json_file.empty()) {
    write_atomically(options.json_file, sim_json(report, words[0], outcome.status, status));
  }
  if (!options.trace_file.empty()) take_trace(options, folder.path() / trace_name);
  return status;
}

}  // namespace warpwise::tutor
