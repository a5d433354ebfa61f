#include "check/exercise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/deliver.h"
#include "check/image.h"
#include "check/recorded_time.h"
#include "check/trace_file.h"
#include "check/verdict/diagnosis_words.h"
#include "check/verdict/signature.h"
#include "check/verdict/verdict.h"
#include "check/wrong_result.h"
#include "lesson/device/device.h"
#include "lesson/device/stand_in.h"
#include "lesson/device/timing.h"
#include "lesson/print/excerpt.h"
#include "lesson/results/residency.h"
#include "lesson/start/options.h"
#include "lesson/start/paths.h"
#include "lesson/start/process.h"
#include "report/simulator_json.h"

namespace warpwise::lesson {
namespace {

std::vector<std::int64_t> extents_of(const Size& size) {
  std::vector<std::int64_t> extents;
  for (std::size_t i = 0; i < size.dimensions(); ++i) extents.push_back(size[i]);
  return extents;
}

/// "4, 1024 and 4096"; of many the first few.
std::string listed(const std::vector<std::string>& sizes) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, sizes.size()); ++i) {
    text += (i == 0 ? "" : ", ") + sizes[i];
  }
  return sizes.size() > most ? fmt::format("{} and {} more", text, sizes.size() - most) : text;
}

/// Whether a result at a larger size has a rule for what is wrong.
bool says_more(const Comparison& at_larger) {
  return !at_larger.values.says.empty() ||
         (!at_larger.pattern.says.empty() && at_larger.pattern.says != "all of them");
}

std::size_t threads_of(const Shape& shape) {
  const auto volume = [](const dim3& extents) {
    return std::size_t{extents.x} * extents.y * extents.z;
  };
  return volume(shape.grid) * volume(shape.block);
}

/// Two blocks write to one place: where the values already showed which index is wrong, nothing
/// new.
bool is_of_wrong_index(const Diagnosis& diagnosis) {
  return diagnosis.kind == "race" &&
         diagnosis.message.find("Should both write there") != std::string::npos;
}

class Check {
 public:
  Check(const ExerciseSpec& spec, const std::function<void(AttemptCore&)>& body,
        const occupancy::Gpu& limits)
      : spec_(spec), body_(body), limits_(limits) {
    verdict_.exercise = exercise_id();
    verdict_.lesson = spec.lesson;
  }

  /// The four stages on the device at hand.
  CheckVerdict on_simulator(const std::string& image_file, const char* function_type);
  /// The right results again, on a real GPU, and the time; the rest is the simulator's verdict.
  CheckVerdict on_gpu(const std::string& image_file, const char* function_type,
                      const Device& device, CheckVerdict simulated);

 private:
  /// Whether there is a size that fills a GPU.
  bool is_full() const { return spec_.full.dimensions() > 0; }
  /// Times the last launch, of an answer that is right.
  void time(const occupancy::Gpu& gpu, CheckVerdict& verdict);
  /// The sizes that are tried last.
  void go_beyond(const void* kernel);
  /// @return null where the image needs more memory than the GPU has: that is the answer's fault.
  std::unique_ptr<Image> load(const std::string& image_file);
  bool matches(const Image& image, const char* function_type);
  /// One size. @return false when it did not run clean.
  bool run(const Size& size, const void* kernel);
  bool take_diagnoses(const Size& size);
  void fail(const Size& size, const std::string& stage, const std::string& kind,
            const std::string& message);
  /// The sizes of the author's own test were right: that is what made it too kind.
  void note_author_test();
  void compare_sizes();
  void judge_gates();
  /// A number of the last launch, on the GPU whose limits apply.
  double number_of_launch(const Gate& gate) const;

  const ExerciseSpec& spec_;
  const std::function<void(AttemptCore&)>& body_;
  const occupancy::Gpu& limits_;
  CheckVerdict verdict_;
  std::string printed_;
  std::string trace_;                             ///< of the last launch, where a gate wants one.
  std::vector<std::string> right_at_, wrong_at_;  ///< sizes.
  Comparison first_wrong_, last_wrong_;           ///< at the first and the last of wrong_at_.
  std::string last_next_;                         ///< what to do next about the last one.
  bool has_explained_ = false;            ///< the first wrong result has a pattern of values.
  std::unique_ptr<AttemptCore> attempt_;  ///< of the last size.
};

void Check::fail(const Size& size, const std::string& stage, const std::string& kind,
                 const std::string& message) {
  if (!verdict_.verdict.empty()) return;
  verdict_.verdict = stage;
  verdict_.kind = kind;
  verdict_.message = message;
  verdict_.size = size.text();
}

bool Check::matches(const Image& image, const char* function_type) {
  const Signature signature{spec_.kernel + written_parameters(demangled(function_type)),
                            image.kernel_names()};
  if (signature.matches()) return true;
  verdict_.verdict = "signature";
  verdict_.message = signature.text();
  verdict_.next = signature.next();
  return false;
}

bool Check::take_diagnoses(const Size& size) {
  bool clean = true;
  for (LaunchReport& launch : take_report()) {
    if (!launch.unsupported.empty()) throw Stop(bad_environment, launch.unsupported);
    verdict_.footprint = footprint_of(limits_, launch);
    verdict_.counts = std::move(launch.counts);
    verdict_.counted_size = size.text();
    for (const Diagnosis& diagnosis : launch.diagnoses) {
      verdict_.diagnoses.push_back(diagnosis);
      if (!diagnosis.fails_exercise() || !clean) continue;
      clean = false;
      if (has_explained_ && is_of_wrong_index(diagnosis)) continue;
      // A later diagnosis outranks a wrong result at an earlier size: clean comes before right.
      verdict_.verdict.clear();
      const DiagnosisWords words = words_in_exercise(diagnosis, extents_of(size));
      fail(size, "diagnosed", diagnosis.kind, words.says);
      verdict_.next = words.next;
      verdict_.file = diagnosis.file;
      verdict_.line = diagnosis.line;
      verdict_.related = callers_of(diagnosis);
      verdict_.column = column_of_array(diagnosis, raw_source_line(diagnosis.file, diagnosis.line));
    }
  }
  return clean;
}

bool Check::run(const Size& size, const void* kernel) {
  attempt_ = std::make_unique<AttemptCore>(size, kernel);
  body_(*attempt_);
  attempt_->workspace.poison();
  attempt_->workspace.forget_output();
  const auto& beyond = spec_.beyond;
  const bool is_far = std::find(beyond.begin(), beyond.end(), size) != beyond.end();
  set_budget(is_far && spec_.far_budget > 0 ? spec_.far_budget : size.share_of(spec_.budget));
  StdoutCapture capture;
  cudaError_t status = cudaSuccess;
  std::string refused;
  try {
    attempt_->launch();
    status = cudaDeviceSynchronize();
  } catch (const Stop& stop) {
    refused = stop.message;
  }
  printed_ += capture.finish();
  note_heap_leaks();
  if (!take_diagnoses(size)) return false;
  if (!refused.empty() || status != cudaSuccess) {
    verdict_.verdict.clear();
    fail(size, "diagnosed", "launch",
         refused.empty() ? cudaGetErrorString(status) : std::move(refused));
    verdict_.next.clear();
    return false;
  }
  const Comparison comparison = attempt_->workspace.compare_output();
  if (comparison.right()) {
    right_at_.push_back(size.text());
    return true;
  }
  wrong_at_.push_back(size.text());
  if (wrong_at_.size() == 1) first_wrong_ = comparison;
  last_wrong_ = comparison;
  last_next_ = next_after(comparison, threads_of(attempt_->shape));
  if (verdict_.verdict.empty()) {
    fail(size, "wrong result", "", comparison.text());
    verdict_.next = last_next_;
    has_explained_ = !comparison.values.says.empty();
  }
  return true;
}

void Check::note_author_test() {
  verdict_.author_test = fmt::format("{}", fmt::join(right_at_, ", "));
  right_at_.clear();
}

/// Compares all sizes. The largest shows how a result is wrong better than the smallest, which is
/// shown in full.
void Check::compare_sizes() {
  if (verdict_.verdict != "wrong result" || wrong_at_.size() < 2) return;
  if (!right_at_.empty()) {
    verdict_.message +=
        fmt::format("\nRight at size {}; wrong at {}.", listed(right_at_), listed(wrong_at_));
  }
  constexpr std::size_t few = 32;
  if (first_wrong_.total >= few || !says_more(last_wrong_)) return;
  verdict_.message += fmt::format("\nAt size {}, {}", wrong_at_.back(), last_wrong_.summary());
  verdict_.next = last_next_;
}

double Check::number_of_launch(const Gate& gate) const {
  const Measure measure = gate.measure;
  if (measure == Measure::jump) return largest_jump(trace_, gate.array);
  if (measure == Measure::barriers) return verdict_.counts.value(counter::barriers);
  if (measure == Measure::matrix_products) return verdict_.counts.value(counter::matrix_products);
  const Residency held = residency_of(limits_, attempt_->kernel, attempt_->shape);
  if (measure == Measure::own_shared_bytes) return static_cast<double>(held.static_shared_bytes);
  if (measure == Measure::local_bytes) return static_cast<double>(held.local_bytes);
  return held.warps;
}

void Check::judge_gates() {
  for (const Gate& gate : with_implied(spec_.gates)) {
    verdict_.gates.push_back(is_of_launch(gate.measure)
                                 ? judge(gate, number_of_launch(gate))
                                 : judge(gate, verdict_.counts.lines, verdict_.counts.arrays));
    const GateResult& result = verdict_.gates.back();
    if (result.met || !verdict_.verdict.empty()) continue;
    fail(spec_.sizes.back(), "gate", gate.name,
         fmt::format("{}: saw {}, wants {}", gate.what, result.saw_text(), result.wanted()));
    verdict_.file = result.file;
    verdict_.line = result.line;
  }
}

void Check::go_beyond(const void* kernel) {
  // The counts shown are those of the size that the gates are about.
  Counts counts = std::move(verdict_.counts);
  const std::string counted_size = verdict_.counted_size;
  const std::optional<Footprint> footprint = verdict_.footprint;
  for (const Size& size : spec_.beyond) {
    if (verdict_.verdict.empty() && !run(size, kernel)) break;
  }
  verdict_.counts = std::move(counts);
  verdict_.counted_size = counted_size;
  verdict_.footprint = footprint;
}

std::unique_ptr<Image> Check::load(const std::string& image_file) {
  try {
    return std::make_unique<Image>(image_file);
  } catch (const Stop& stop) {
    if (stop.status != something_wrong) throw;
    fail(spec_.sizes.front(), "diagnosed", "launch", stop.message);
    verdict_.next = "Declare as many elements as the kernel uses.";
    return nullptr;
  }
}

CheckVerdict Check::on_simulator(const std::string& image_file, const char* function_type) {
  const std::unique_ptr<Image> loaded = load(image_file);
  if (loaded != nullptr && matches(*loaded, function_type)) {
    const Image& image = *loaded;
    const void* kernel = image.kernel(spec_.kernel + written_parameters(demangled(function_type)));
    bool clean = true;
    for (const Size& size : spec_.author_test) clean = clean && run(size, kernel);
    if (clean && verdict_.verdict.empty()) note_author_test();
    for (const Size& size : spec_.sizes) clean = clean && run(size, kernel);
    trace_ = take_trace();
    compare_sizes();
    if (clean && verdict_.verdict.empty()) judge_gates();
    if (verdict_.verdict.empty()) go_beyond(kernel);
    (void)take_trace();  // of the sizes beyond, which nothing asks about.
    if (verdict_.verdict.empty()) {
      verdict_.verdict = "pass";
      verdict_.size = spec_.sizes.back().text();
    }
  }
  verdict_.output = first_lines(printed_);
  return verdict_;
}

CheckVerdict Check::on_gpu(const std::string& image_file, const char* function_type,
                           const Device& device, CheckVerdict simulated) {
  const Image image(image_file);
  const void* kernel = image.kernel(spec_.kernel + written_parameters(demangled(function_type)));
  bool clean = kernel != nullptr;
  for (const Size& size : spec_.beyond) clean = clean && run(size, kernel);
  for (const Size& size : spec_.sizes) clean = clean && run(size, kernel);
  if (is_full()) clean = clean && run(spec_.full, kernel);
  if (!verdict_.verdict.empty()) {
    simulated.verdict = verdict_.verdict;
    simulated.kind = "gpu";
    simulated.size = verdict_.size;
    simulated.message = fmt::format("right on the simulator, but not on the {}:\n{}", device.name,
                                    verdict_.message);
    return simulated;
  }
  simulated.device = device.name;
  time(device.real, simulated);
  return simulated;
}

void Check::time(const occupancy::Gpu& gpu, CheckVerdict& verdict) {
  Needs needs = spec_.needs ? spec_.needs(attempt_->size) : Needs{};
  if (needs.bytes == 0) needs.bytes = static_cast<double>(attempt_->workspace.bytes());
  const std::string size = attempt_->size.text();
  verdict.timed = {size, needs.bytes, needs.flops, floor_us(needs, gpu),
                   recorded_solution_us(verdict.exercise, verdict.device, size).value_or(0)};
  Timer timer(static_cast<std::size_t>(gpu.l2_bytes));
  const StdoutCapture unseen;
  // A copy is no measure of what arithmetic limits, nor of a size that fits into the cache.
  const bool by_copy = is_full() && needs.flops == 0;
  verdict.time = by_copy ? timing_of_turns(timer.in_turns(Timer::copy_of(std::size_t(needs.bytes)),
                                                          {.launch = attempt_->launch}))
                         : timer.measure(attempt_->launch);
}

/// This program's verdict on the simulator.
CheckVerdict simulated_verdict(const CheckOptions& options) {
  const TemporaryFile file;
  std::vector<std::string> command{program_file().string(),
                                   "--image",
                                   options.image,
                                   "--json",
                                   file.path(),
                                   "--device",
                                   "sim",
                                   "--quiet"};
  if (!options.gpu.empty()) command.insert(command.end(), {"--gpu", options.gpu});
  const ChildResult child = run_child(command);
  if (child.status != all_right && child.status != something_wrong) {
    throw Stop(bad_environment, environment_line(child));
  }
  return parse_verdict(file.text());
}

}  // namespace

int run_check(int argc, char** argv, const ExerciseSpec& spec, const char* function_type,
              const std::function<void(AttemptCore&)>& body) {
  return or_exit([&] {
    const CheckOptions options = parse_check_options(argc, argv, program_name());
    if (!options.say.empty()) return say(options);
    if (options.gates) return say_gates(with_implied(spec.gates));
    const bool wants_order =
        std::any_of(spec.gates.begin(), spec.gates.end(),
                    [](const Gate& gate) { return gate.measure == Measure::jump; });
    if (wants_order) ask_for_trace();
    const Device device = choose_device(options.device, options.gpu, argv);
    count_participants();
    Check check(spec, body, device.limits);
    CheckVerdict verdict;
    if (device.simulated) {
      verdict = check.on_simulator(options.image, function_type);
    } else {
      verdict = simulated_verdict(options);
      if (verdict.passed()) verdict = check.on_gpu(options.image, function_type, device, verdict);
    }
    return deliver(verdict, options);
  });
}

}  // namespace warpwise::lesson
