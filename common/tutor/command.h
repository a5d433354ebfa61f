#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tutor/system/context.h"

/// The `learn` program: it finds lessons on disk, builds them, runs them and shows what they say.
/// It knows them only through their command line, exit status and JSON.
namespace warpwise::tutor {

/// `learn run NAME [flags]`: a chapter's program, or one exercise to its verdict.
/// @param flags for the chapter's program or the exercise's check.
/// @return the exit status; for a chapter it does not return, the program takes over.
int run_command(const Context& context, const std::string& name,
                const std::vector<std::string>& flags);

/// `learn test`: builds and runs the tests of the product. Reads no learner's file.
/// @param all also those whose programs take longest to compile.
int test_command(Context context, bool all);

/// `learn check`: the author's check of every exercise.
/// @param only an exercise or a chapter by name; empty: all.
int check_command(const Context& context, const std::string& only);

/// `learn list`: chapters and exercises with their state.
int list_command(const Context& context);

/// The text that list_command prints.
std::string list_text(const Context& context);

/// `learn list --json`: the same as JSON on stdout.
int list_json_command(const Context& context);

/// The text that list_json_command prints.
std::string list_json(const Context& context);

/// The options that `learn sim` passes on to the simulator.
struct SimOptions {
  std::string json_file;            ///< where the report goes; empty: nowhere.
  std::string gpu;                  ///< whose limits count; empty: the simulator's choice.
  std::optional<unsigned> gpus;     ///< simulated devices; none: one.
  std::string peers;                ///< which of them can be peers; empty: all.
  std::optional<double> limit_s;    ///< wall time in seconds.
  std::optional<unsigned> threads;  ///< host threads.
  std::string trace_file;  ///< where a trace goes of one warp, step by step; empty: nowhere.
  std::string kernel;      ///< of the trace: part of the name of the kernel to follow.
  std::uint64_t block = 0, warp = 0;  ///< of the trace: linear indices.
  std::uint64_t steps = 400;          ///< of the trace: at most so many instructions.
  bool view = false;                  ///< afterwards, which lines touched memory and what it cost.
};

/// `learn sim -- PROGRAM ARGS` or `learn sim FILE.cu ARGS`: runs a program on the simulator.
/// @param words the program and its arguments.
int sim_command(const Context& context, const SimOptions& options,
                const std::vector<std::string>& words);

/// `learn sim --isa`: the instructions that the simulator has, and what is recorded of them on
/// hardware.
int isa_command(const Context& context);

}  // namespace warpwise::tutor
