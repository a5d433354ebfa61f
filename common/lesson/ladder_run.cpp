#include "lesson/ladder_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>

#include "lesson/device/error.h"
#include "lesson/results/residency.h"
#include "lesson/start/paths.h"

namespace warpwise::lesson {
namespace {

Index3 index_of(const dim3& extents) { return {extents.x, extents.y, extents.z}; }

}  // namespace

bool name_contains(std::string_view name, std::string_view part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(name.begin(), name.end(), part.begin(), part.end(), same) != name.end() ||
         part.empty();
}

std::string diagnosis_sentence(const Diagnosis& diagnosis) {
  const auto index = [](const Index3& at) {
    return fmt::format("({},{},{})", at[0], at[1], at[2]);
  };
  return fmt::format("{}: {}\nblock {}, thread {}{}", diagnosis.kind, diagnosis.message,
                     index(diagnosis.block), index(diagnosis.thread),
                     diagnosis.count > 1 ? fmt::format("; {} times in all", diagnosis.count) : "");
}

std::string diagnosis_text(const Diagnosis& diagnosis) {
  std::string text = diagnosis_sentence(diagnosis);
  if (!diagnosis.file.empty()) {
    text += fmt::format("\n{}:{}", shown_path(diagnosis.file), diagnosis.line);
  }
  return text;
}

bool size_fits(const Ladder& ladder, const std::optional<Size>& size) {
  return !size || size->dimensions() == ladder.full.dimensions();
}

void refuse_too_large(const Ladder& ladder, const std::optional<Size>& size) {
  if (!size || *size == ladder.full) return;
  const double bytes = std::max(ladder.needs(*size).bytes, 4.0 * double(size->largest_array()));
  if (bytes <= most_bytes) return;
  throw Stop(
      bad_usage,
      fmt::format("--size {}: {} would need {:.0f} GB of arrays; at most {:.0f} GB are tried",
                  size->text(), ladder.name, bytes / 1e9, most_bytes / 1e9));
}

LadderRun::LadderRun(const Ladder& ladder, const LadderSettings& settings, const Sweep* sweep)
    : ladder_(ladder), sweep_(sweep), settings_(settings) {
  // A size is for the ladders that --only names; others that contain such a rung keep their own.
  if (!size_fits(ladder, settings.size)) settings_.size.reset();
  const bool timed = settings.timer != nullptr;
  const bool asked = settings_.size.has_value();
  const Size friendly = settings_.size.value_or(timed ? ladder.full : ladder.small);
  settings_.size = friendly;
  result.name = ladder.name;
  result.title = ladder.title;
  if (sweep != nullptr) {
    result.parameter = sweep->parameter;
    result.shows = sweep->shows;
  }
  // The size that is timed here, or asked for; else that of the record.
  result.needs_size = timed || asked ? friendly : ladder.full;
  const Needs needs = ladder.needs(result.needs_size);
  result.limit = ladder.limit;
  result.bytes = needs.bytes;
  result.flops = needs.flops;
  result.tensor_cores = needs.tensor_cores;
  result.over_links = needs.over_links;
  if (timed) result.timed_size = friendly;
  if (settings.device->simulated) result.counted_size = friendly;
}

void LadderRun::run_value(int value) {
  friendly_ = false;
  // A body names all its rungs at each size. One problem is made to learn them; the next ones and
  // the full size, which takes seconds, are made for a ladder of which some rung is wanted.
  const auto nothing_wanted = [this] {
    return !names.empty() && std::none_of(names.begin(), names.end(),
                                          [this](const auto& name) { return selected(name); });
  };
  for (const Size& size : ladder_.awkward) {
    if (faulted_ || settings_.small || nothing_wanted()) break;
    trial_ = std::make_unique<Trial>(*this, size, value);
    body_(*trial_);
  }
  trial_.reset();
  if (!faulted_ && !nothing_wanted()) run_friendly(value);
}

void LadderRun::run_friendly(int value) {
  friendly_ = true;
  trial_ = std::make_unique<Trial>(*this, *settings_.size, value);
  body_(*trial_);
  // The launches that were kept want their problem.
  if (kept.empty()) trial_.reset();
}

void LadderRun::run(const std::function<void(Trial&)>& body) {
  body_ = body;
  for (int value : sweep_ != nullptr ? sweep_->values : std::vector<int>{0}) run_value(value);
  choose_baseline();
  if (!settings_.keep) time_all();
}

void LadderRun::give_up_problem() {
  kept.clear();
  baseline_ = {};
  trial_.reset();
}

const Rung& LadderRun::time(std::string_view name) {
  if (kept.empty()) {
    run_friendly(0);
    choose_baseline();
  }
  for (const KeptLaunch& launch : kept) {
    if (launch.name == name) return time(launch);
  }
  return rung_named(name, 0);
}

void LadderRun::choose_baseline() {
  const bool any_time =
      !kept.empty() || std::any_of(result.rungs.begin(), result.rungs.end(),
                                   [](const Rung& rung) { return rung.time.has_value(); });
  if (!any_time || faulted_) return;
  const auto limit = std::find_if(kept.begin(), kept.end(), [&](const KeptLaunch& launch) {
    return launch.name == result.limit;
  });
  if (limit != kept.end()) {
    baseline_ = limit->work;
  } else if (result.limit.empty() && result.bytes > 0) {
    baseline_ = Timer::copy_of(static_cast<std::size_t>(result.bytes));
  }
}

const Rung& LadderRun::time(const KeptLaunch& launch) {
  Rung& rung = rung_named(launch.name, 0);
  if (launch.name == result.limit) {
    // After a fault there is no baseline, though its launch was kept.
    if (baseline_.launch) rung.time = time_of_baseline();
    return rung;
  }
  if (baseline_.launch) {
    const Turns turns = settings_.timer->in_turns(baseline_, launch.work);
    rung.time = timing_of_turns(turns);
    baseline_us_.insert(baseline_us_.end(), turns.baseline_us.begin(), turns.baseline_us.end());
  } else {
    rung.time = settings_.timer->measure(launch.work.launch, launch.work.prepare);
  }
  validate_again(launch, rung);
  return rung;
}

Timing LadderRun::time_of_baseline() {
  // Nothing took turns with it: a sweep, or a baseline that is alone.
  if (baseline_us_.empty()) {
    baseline_us_ = settings_.timer->in_turns(baseline_, baseline_).rung_us;
  }
  Timing timing = summarise(baseline_us_);
  timing.of_baseline = 1;
  return timing;
}

void LadderRun::time_all() {
  const auto is_limit = [this](const KeptLaunch& launch) { return launch.name == result.limit; };
  // Its time is the median of all turns, which come first.
  std::stable_partition(kept.begin(), kept.end(), std::not_fn(is_limit));
  for (const KeptLaunch& launch : kept) time(launch);
  if (baseline_.launch && result.limit.empty()) result.copy = time_of_baseline();
  give_up_problem();
}

void LadderRun::validate_again(const KeptLaunch& launch, Rung& rung) {
  // As often as a third of a second allows: large results take that long to compare.
  const TimeBudget budget(0.3);
  trial_->workspace_.select_output(launch.output);
  do {
    if (launch.work.prepare) launch.work.prepare();
    validate(*trial_, rung, launch.work.launch, launch.collect);
  } while (rung.verdict == Verdict::right && !budget.is_over());
  if (rung.verdict == Verdict::right) return;
  rung.time.reset();
  rung.message += "\nThe first run was right, one of many is not: look for a race.";
}

bool LadderRun::selected(std::string_view name) const {
  return name_contains(ladder_.name, settings_.only) || name_contains(name, settings_.only);
}

void LadderRun::remember(std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

Rung& LadderRun::rung_named(std::string_view name, int value) {
  const std::string whole = sweep_ != nullptr
                                ? fmt::format("{}, {} {}", name, sweep_->parameter, value)
                                : std::string(name);
  for (Rung& rung : result.rungs) {
    if (rung.name == whole) return rung;
  }
  Rung& rung = result.rungs.emplace_back();
  rung.name = whole;
  if (sweep_ != nullptr) {
    rung.series = name;
    rung.value = value;
  }
  return rung;
}

void LadderRun::attempt(const Trial& trial, std::string_view name, const void* kernel,
                        const Shape& shape, const std::function<void()>& launch,
                        const std::function<void()>& prepare,
                        const std::function<void()>& collect) {
  remember(name);
  // Where times are taken, the baseline comes along with the rungs that are wanted.
  const bool baseline_of_others =
      settings_.timer != nullptr && name == result.limit && !result.rungs.empty();
  if (!selected(name) && !baseline_of_others) return;
  Rung& rung = rung_named(name, trial.value());
  if (faulted_) return;
  if (friendly_ && kernel != nullptr) describe(rung, kernel, shape);
  const bool failed = rung.verdict != Verdict::not_run && rung.verdict != Verdict::right &&
                      rung.verdict != Verdict::skipped;
  if (failed) return;
  if (prepare) prepare();
  validate(trial, rung, launch, collect);
  if (!friendly_ || rung.verdict != Verdict::right) return;
  if (settings_.timer == nullptr) return;
  // A sweep has a problem for each of its values, and room for one.
  if (sweep_ != nullptr) {
    rung.time = settings_.timer->measure(launch, prepare);
  } else {
    kept.push_back(
        {std::string(name), {launch, prepare}, collect, trial.workspace().selected_output()});
  }
}

void LadderRun::begin_operations() const {
  if (!ladder_.counts_operations) return;
  count_operations();
  (void)take_operations();
}

OperationCounts LadderRun::take_rung_operations() const {
  return ladder_.counts_operations && friendly_ ? take_operations() : OperationCounts{};
}

void LadderRun::validate(const Trial& trial, Rung& rung, const std::function<void()>& launch,
                         const std::function<void()>& collect) {
  const std::string at = fmt::format("at {}: ", trial.size().text());
  trial.workspace().poison();
  begin_operations();
  try {
    launch();
  } catch (const Stop& refused) {
    // The report of it is this rung's, not of the one that starts next.
    return diagnosed(rung, at, take_launch(rung), refused.message);
  }
  // Before this harness waits: that would count as the rung's own.
  const OperationCounts operations = take_rung_operations();
  const cudaError_t status = cudaDeviceSynchronize();
  const bool errors = take_launch(rung);
  for (const auto& [key, number] : operations.numbers) rung.counts.counters[key] = number;
  if (errors || status != cudaSuccess) {
    faulted_ = status != cudaSuccess;
    return diagnosed(rung, at, errors, cudaGetErrorString(status));
  }
  if (collect) collect();
  const Comparison comparison = trial.workspace().compare_output();
  rung.verdict = comparison.right() ? Verdict::right : Verdict::wrong_result;
  if (!comparison.right()) rung.message = at + comparison.text();
}

void LadderRun::diagnosed(Rung& rung, const std::string& at, bool errors,
                          const std::string& otherwise) {
  rung.verdict = Verdict::diagnosed;
  rung.message = at + otherwise;
  if (!errors) return;
  const auto first = std::find_if(rung.diagnoses.begin(), rung.diagnoses.end(),
                                  [](const Diagnosis& d) { return d.is_error(); });
  rung.message = at + diagnosis_text(*first);
}

bool LadderRun::take_launch(Rung& rung) {
  bool errors = false;
  if (friendly_) rung.counts = {};
  for (LaunchReport& launch : take_report()) {
    if (!launch.unsupported.empty()) throw Stop(bad_environment, launch.unsupported);
    // A result may become a record: it names files as the repository does, not as this machine
    // does.
    for (LineCounts& line : launch.counts.lines) line.file = repository_path(line.file);
    if (friendly_) rung.counts.add(launch.counts);
    for (Diagnosis& diagnosis : launch.diagnoses) {
      errors |= diagnosis.is_error();
      diagnosis.file = repository_path(diagnosis.file);
      rung.diagnoses.push_back(std::move(diagnosis));
    }
  }
  // A sweep shows sums only; the lines of a hundred points would fill its record.
  if (sweep_ != nullptr) rung.counts.lines.clear();
  return errors;
}

void LadderRun::describe(Rung& rung, const void* kernel, const Shape& shape) const {
  const char* symbol = nullptr;
  check(cudaFuncGetName(&symbol, kernel));
  rung.kernel = demangled(symbol);
  rung.grid = index_of(shape.grid);
  rung.block = index_of(shape.block);
  rung.shared_bytes = shape.shared_bytes;
  rung.residency = residency_of(settings_.device->limits, kernel, shape);
  // The numbers are for the table; dozens of derivations would not be read.
  if (sweep_ != nullptr) rung.residency.derivation.clear();
}

void LadderRun::skip(const Trial& trial, std::string_view name, std::string_view reason) {
  remember(name);
  if (!selected(name)) return;
  Rung& rung = rung_named(name, trial.value());
  rung.skips.push_back({trial.size(), std::string(reason)});
  // A failure at another size stays; at the friendly size "skipped" is what the table says.
  const bool open = rung.verdict == Verdict::not_run || rung.verdict == Verdict::right;
  if (friendly_ && open) rung.verdict = Verdict::skipped;
}

void Trial::run(std::string_view name, const void* kernel, const Shape& shape,
                std::function<void()> launch) {
  ladder_.attempt(*this, name, kernel, shape, launch);
}

void Trial::work(std::string_view name, const std::function<void()>& start,
                 const std::function<void()>& prepare, const std::function<void()>& collect) {
  ladder_.attempt(*this, name, nullptr, {}, start, prepare, collect);
}

void Trial::yardstick(std::string_view name, const LibraryCall& call) {
  if (call.launch) {
    ladder_.attempt(*this, name, nullptr, {}, call.launch);
  } else if (ladder_.friendly()) {
    // Absent at every size: said once.
    ladder_.skip(*this, name, call.absent);
  } else {
    ladder_.remember(name);
  }
}

void Trial::skip(std::string_view name, std::string_view reason) {
  ladder_.skip(*this, name, reason);
}

}  // namespace warpwise::lesson
