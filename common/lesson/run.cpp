#include "lesson/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>

#include "lesson/bench.h"
#include "lesson/device/stand_in.h"
#include "lesson/exercise_comparison.h"
#include "lesson/exercise_rows.h"
#include "lesson/ladder_run.h"
#include "lesson/print/text.h"
#include "lesson/results/residency.h"
#include "lesson/start/options.h"
#include "lesson/start/paths.h"
#include "lesson/start/process.h"

namespace warpwise::lesson {
namespace {

/// Set in the child that counts for a parent on a GPU: ladders only.
constexpr const char* counts_only = "WARPWISE_COUNTS_ONLY";

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// The least time that the ladder's bytes and flops take, over the peaks of that GPU.
void set_floor(LadderResult& ladder, const occupancy::Gpu& gpu) {
  ladder.floor_of = gpu.name;
  ladder.memory_gbps = ladder.over_links ? 0 : gpu.memory_gbps;
  ladder.peak_tflops = ladder.tensor_cores ? gpu.bf16_tensor_tflops : gpu.fp32_tflops;
  ladder.floor_us =
      floor_us({ladder.bytes, ladder.flops, ladder.tensor_cores, ladder.over_links}, gpu);
}

/// One name a line, quoted already: names have commas and blanks in them.
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += "\n  " + name;
  return text;
}

std::string quoted(const std::string& name) { return fmt::format("\"{}\"", name); }

}  // namespace

struct Run::State {
  Options options;
  OwnOptions own;
  Device device;
  bool chooses_gpus = false;  ///< the chapter is about several devices, or --gpus is given.
  RunResult result;
  std::optional<Timer> timer;       ///< on a GPU.
  std::optional<RunResult> counts;  ///< of the child on the simulator.
  std::string no_counts;            ///< why that child gave none.
  bool asked_for_counts = false;
  std::vector<std::unique_ptr<LadderRun>> ladders;  ///< kept for the benchmark.
  std::vector<BenchmarkEntry> benchmarks;
  std::optional<RunResult> record;       ///< of docs/results/, read for the first ladder.
  std::vector<std::string> names;        ///< of ladders and, indented, rungs: for --only.
  bool found = false;                    ///< --only or --view named something.
  std::vector<std::string> other_sizes;  ///< what ladders want that --size does not fit.

  void begin(int argc, char** argv, const std::string& about, const Setup& setup);
  bool left_out(const Ladder& ladder);
  [[noreturn]] void refuse_size() const;
  void run_ladder(const Ladder& ladder, const std::function<void(Trial&)>& body,
                  const Sweep* sweep);
  void add_benchmarks(LadderRun& run);
  void show_table(const std::string& name, const std::function<Demonstration()>& make);
  void complete(LadderResult& ladder);
  void add_counts(LadderResult& ladder);
  void ask_for_counts();
  void show(const LadderResult& ladder);
  void show_exercises();
  std::vector<ExerciseFiles> chosen_exercises() const;
  [[noreturn]] void refuse_name(const std::string& part) const;
  void say(const std::string& text) const;
  int end();
};

void Run::State::begin(int argc, char** argv, const std::string& about, const Setup& setup) {
  own = setup.own;
  options = parse_options(argc, argv, program_name(), about, own);
  if (!options.json.empty()) check_writable(options.json);
  device = choose_device(options.device, options.gpu, argv,
                         options.gpus > 0 ? options.gpus : setup.simulated_gpus);
  chooses_gpus = setup.simulated_gpus > 1 || options.gpus > 0;
  use_gpus(device, chooses_gpus ? options.gpus : 1);
  if (device.simulated && options.bench) {
    throw Stop(bad_environment, "--bench measures time and needs a GPU; none was found");
  }
  if (!device.simulated) timer.emplace(static_cast<std::size_t>(device.real.l2_bytes));
  result.program = program_name();
  result.date = now_utc();
  result.device_kind = device.simulated ? "simulator" : "gpu";
  result.device_name = device.name;
  result.device_reason = device.reason;
  result.driver = device.driver;
  result.runtime = device.runtime;
  result.limits_of = device.limits.id.empty() ? device.name : std::string(device.limits.id);
  say(device.line() + "\n");
}

/// Prints, unless standard output is Google Benchmark's alone.
void Run::State::say(const std::string& text) const {
  if (benchmark_has_output(options)) {
    std::fwrite(text.data(), 1, text.size(), stderr);
  } else {
    print(text);
  }
}

/// Starts this program on the simulator at the small size and reads what it counted.
void Run::State::ask_for_counts() {
  asked_for_counts = true;
  try {
    const TemporaryFile file;
    const std::string gpu = device.real.id.empty() ? "h200" : std::string(device.real.id);
    std::vector<std::string> command{
        program_file().string(), "--device", "sim", "--gpu", gpu, "--json", file.path()};
    if (chooses_gpus) command.insert(command.end(), {"--gpus", std::to_string(device.gpus)});
    for (const OwnOption& option : own) {
      if (!option.value->empty()) command.insert(command.end(), {option.name, *option.value});
    }
    if (!options.only.empty()) command.insert(command.end(), {"--only", options.only});
    const ChildResult child = run_child(command, {std::string(counts_only) + "=1"});
    if (child.status == all_right || child.status == something_wrong) {
      counts = parse_result(file.text());
    } else {
      no_counts = "no counts: " + child.errors.substr(0, child.errors.find('\n'));
    }
  } catch (const Stop& stop) {
    no_counts = "no counts: " + stop.message;
  }
}

void Run::State::add_counts(LadderResult& ladder) {
  if (!asked_for_counts) ask_for_counts();
  ladder.note = no_counts;
  const LadderResult* counted = counts ? counts->find(ladder.name) : nullptr;
  if (counted == nullptr) return;
  ladder.counted_size = counted->counted_size;
  for (Rung& rung : ladder.rungs) {
    const Rung* other = counted->find(rung.name);
    if (other == nullptr) continue;
    rung.counts = other->counts;
    rung.diagnoses.insert(rung.diagnoses.end(), other->diagnoses.begin(), other->diagnoses.end());
    if (rung.verdict == Verdict::right && other->verdict != Verdict::right &&
        other->verdict != Verdict::skipped) {
      rung.verdict = other->verdict;
      rung.message = "on the simulator, " + other->message;
    }
  }
}

/// Adds what this device cannot give: counts to a GPU's run, recorded times to a simulated one.
void Run::State::complete(LadderResult& ladder) {
  if (!device.simulated) {
    if (!options.bench && !options.small) add_counts(ladder);
  } else {
    const auto file = repository() / "docs" / "results" / (result.program + ".json");
    try {
      if (!record && std::filesystem::exists(file)) record = parse_result(read_file(file));
      const Wanted wanted{device.limits, !options.gpu.empty(), options.size};
      if (record) add_record(ladder, *record, wanted);
    } catch (const Stop& stop) {
      ladder.note = fmt::format("{} is not used: {}", shown_path(file.string()), stop.message);
    }
  }
  const bool recorded = !ladder.recorded_on.empty();
  const occupancy::Gpu* recorder = recorded ? occupancy::find_gpu(record->limits_of) : nullptr;
  set_floor(ladder, recorder != nullptr ? *recorder : device.limits);
}

void Run::State::show(const LadderResult& ladder) {
  if (!options.view.empty()) {
    for (const Rung& rung : ladder.rungs) {
      if (!name_contains(rung.name, options.view)) continue;
      found = true;
      say(view_text(rung.name, ladder.counted_size ? ladder.counted_size->text() : "",
                    rung.counts));
    }
    return;
  }
  // Under --bench the benchmark is the table, unless something is wrong.
  if (!options.bench || result.anything_wrong()) say(ladder_text(ladder, device));
  if (!options.bench) say(residency_text(ladder, options.occupancy));
}

/// Ladders with another number of dimensions than --size are left out. One that --only names ends
/// the program; one that only has a rung of that name keeps its own size.
bool Run::State::left_out(const Ladder& ladder) {
  if (size_fits(ladder, options.size) || !name_contains(ladder.name, options.only)) return false;
  other_sizes.push_back(fmt::format("{} wants {}, as in {}", ladder.name, ladder.full.dimensions(),
                                    ladder.full.text()));
  if (!options.only.empty()) refuse_size();
  return true;
}

void Run::State::refuse_size() const {
  throw Stop(bad_usage, fmt::format("--size {} has another number of dimensions: {}",
                                    options.size->text(), fmt::join(other_sizes, ", ")));
}

void Run::State::run_ladder(const Ladder& ladder, const std::function<void(Trial&)>& body,
                            const Sweep* sweep) {
  if (options.compare || (options.bench && sweep != nullptr) || left_out(ladder)) return;
  if (name_contains(ladder.name, options.only) && size_fits(ladder, options.size)) {
    refuse_too_large(ladder, options.size);
  }
  LadderSettings settings;
  settings.device = &device;
  // A time of this GPU does not belong next to another one's limits.
  const bool other_limits = device.limits.id != device.real.id && !options.bench;
  const bool timed = timer && options.view.empty() && !options.small && !other_limits;
  settings.timer = timed ? &*timer : nullptr;
  settings.only = options.only;
  settings.size = options.size;
  settings.small = options.small;
  settings.keep = options.bench;
  ladders.push_back(std::make_unique<LadderRun>(ladder, settings, sweep));
  LadderRun& run = *ladders.back();
  run.run(body);
  names.push_back(quoted(ladder.name));
  for (const std::string& rung : run.names) names.push_back("  " + quoted(rung));
  if (run.result.rungs.empty()) return;
  if (options.view.empty()) found = true;
  complete(run.result);
  if (timer && other_limits) {
    run.result.no_times =
        fmt::format("none measured: the limits are of another GPU, {}", device.limits.name);
  }
  if (sweep == nullptr) {
    for (Rung& rung : run.result.rungs) {
      show_launch_of_time(rung, run.result, device.limits, run.friendly_size());
    }
  }
  result.ladders.push_back(run.result);
  show(run.result);
  if (options.bench) {
    add_benchmarks(run);
  } else {
    ladders.pop_back();
  }
}

void Run::State::add_benchmarks(LadderRun& run) {
  for (const KeptLaunch& launch : run.kept) {
    const auto measure = [this, &run, name = launch.name] {
      for (const auto& other : ladders) {
        if (other.get() != &run) other->give_up_problem();
      }
      const Rung& rung = run.time(name);
      if (!rung.time) throw Stop(something_wrong, rung.message);
      return *rung.time;
    };
    benchmarks.push_back(
        {fmt::format("{}/{}", run.result.name, launch.name), measure, run.result.bytes});
  }
  run.give_up_problem();
}

void Run::State::show_table(const std::string& name, const std::function<Demonstration()>& make) {
  if (options.compare || options.bench || !options.view.empty()) return;
  names.push_back(quoted(name));
  const bool asked = options.only.empty() ? !options.size : name_contains(name, options.only);
  if (!asked) return;
  found = true;
  Demonstration table = make();
  // A table's launches count for no rung after it; some of them fail on purpose.
  (void)take_report();
  table.name = name;
  say(demonstration_text(table));
  result.tables.push_back(std::move(table));
}

/// Those of --compare NAME, or all.
std::vector<ExerciseFiles> Run::State::chosen_exercises() const {
  const auto all = find_exercises(repository(), program_file().parent_path(), result.program);
  std::vector<ExerciseFiles> chosen;
  std::vector<std::string> known;
  for (const ExerciseFiles& files : all) {
    known.push_back(quoted(files.name));
    if (is_named(files, options.exercise)) chosen.push_back(files);
  }
  if (chosen.empty() && !options.exercise.empty()) {
    throw Stop(bad_usage, fmt::format("no exercise here is called \"{}\"; there are:{}",
                                      options.exercise, listed(known)));
  }
  return chosen;
}

void Run::State::show_exercises() {
  const bool all = options.only.empty() && options.view.empty() && !options.size &&
                   !options.bench && !options.small;
  if (!all || std::getenv(counts_only) != nullptr) return;
  const DeviceChoice choice = device.simulated ? DeviceChoice::simulator : DeviceChoice::gpu;
  result.exercises = exercise_rows(chosen_exercises(), choice, options.gpu);
  if (options.exercise.empty()) {
    say(exercises_text(result));
    return;
  }
  for (std::size_t i = 0; i + 1 < result.exercises.size(); i += 2) {
    say(comparison_text(result.exercises[i], result.exercises[i + 1]));
  }
}

/// A name after --only or --view that is not a ladder or a rung; perhaps it is an exercise.
void Run::State::refuse_name(const std::string& part) const {
  std::string text =
      fmt::format("nothing here is called \"{}\"; there are:{}", part, listed(names));
  for (const ExerciseFiles& files :
       find_exercises(repository(), program_file().parent_path(), result.program)) {
    if (!is_named(files, part)) continue;
    text += fmt::format("\nand the exercise {}: --compare {} shows it", files.name, part);
    break;
  }
  throw Stop(bad_usage, text);
}

int Run::State::end() {
  if (result.ladders.empty() && !other_sizes.empty()) refuse_size();
  const std::string& part = options.view.empty() ? options.only : options.view;
  if (!part.empty() && !found) refuse_name(part);
  show_exercises();
  const bool benchmarks_right =
      !options.bench || run_benchmarks(benchmarks, result.program, options.benchmark_flags);
  if (!options.json.empty()) write_file(options.json, to_json(result));
  return result.anything_wrong() || !benchmarks_right ? something_wrong : all_right;
}

Run::Run(int argc, char** argv, const std::string& about, const Setup& setup) : state_(new State) {
  or_exit([&] { state_->begin(argc, argv, about, setup); });
}

Run::~Run() { delete state_; }

void Run::ladder(const Ladder& ladder, const std::function<void(Trial&)>& body) {
  or_exit([&] { state_->run_ladder(ladder, body, nullptr); });
}

void Run::sweep(const Sweep& sweep, const Ladder& ladder, const std::function<void(Trial&)>& body) {
  or_exit([&] { state_->run_ladder(ladder, body, &sweep); });
}

void Run::table(const std::string& name, const std::function<Demonstration()>& make) {
  or_exit([&] { state_->show_table(name, make); });
}

const LadderResult* Run::result(const std::string& ladder) const {
  return state_->result.find(ladder);
}

int Run::gpus() const { return state_->device.gpus; }

const occupancy::Gpu& Run::limits() const { return state_->device.limits; }

int Run::finish() {
  return or_exit([&] { return state_->end(); });
}

}  // namespace warpwise::lesson
