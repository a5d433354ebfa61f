#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/function.h"
#include "lesson/device/device.h"
#include "lesson/device/stand_in.h"
#include "lesson/device/timing.h"
#include "lesson/ladder.h"
#include "lesson/results/results.h"

/// \file
/// How a ladder is run: which sizes, in which order, and what is done with each rung.
/// \ingroup lesson
namespace warpwise::lesson {

/// The settings of a run of a ladder.
struct LadderSettings {
  const Device* device = nullptr;
  Timer* timer = nullptr;    ///< null where nothing is timed.
  std::string only;          ///< part of a rung's or the ladder's name; empty: all.
  std::optional<Size> size;  ///< replaces the friendly size.
  bool small = false;        ///< only the small size; with no timer.
  bool keep = false;         ///< leave the timing to benchmarks of the launches that are kept.
};

/// A right rung whose problem is kept.
struct KeptLaunch {
  std::string name;  ///< "warp per row".
  Work work;
  std::function<void()> collect;  ///< as of Trial::work.
  std::size_t output = 0;         ///< of its problem, which may have several.
};

/// Whether `part` occurs in `name`, whatever the case; an empty part occurs everywhere.
bool name_contains(std::string_view name, std::string_view part);

/// Whether a ladder's problem has as many dimensions as `size`; no size fits all.
bool size_fits(const Ladder& ladder, const std::optional<Size>& size);

/// The most that the arrays of a size that was asked for may have together.
inline constexpr double most_bytes = 17'179'869'184;

/// @throws Stop (usage) where the arrays of that size are larger.
void refuse_too_large(const Ladder& ladder, const std::optional<Size>& size);

/// Runs one ladder and gathers its results.
class LadderRun {
 public:
  /// @throws Stop (usage) when the size given has other dimensions than the ladder's.
  /// @param sweep null for a ladder that is not a sweep.
  LadderRun(const Ladder& ladder, const LadderSettings& settings, const Sweep* sweep = nullptr);

  /// Awkward sizes, then the friendly one, for each value of a sweep; after a fault nothing more.
  void run(const std::function<void(Trial&)>& body);

  /// Whether the size at hand is the one that is timed and counted.
  bool friendly() const { return friendly_; }

  /// That size.
  const Size& friendly_size() const { return *settings_.size; }

  /// Gives up the arrays of the launches kept. So one ladder's are there at a time, as for a table:
  /// where in memory they lie moves small kernels by 5 %.
  void give_up_problem();

  /// Measures the launch kept by that name; makes its problem again where it was given up.
  /// @return the rung, with no time where a result was wrong.
  const Rung& time(std::string_view name);

  LadderResult result;
  std::vector<KeptLaunch> kept;    ///< of the friendly size; their problem lives as long as this.
  std::vector<std::string> names;  ///< of all rungs, selected or not.

 private:
  friend class Trial;
  /// The baseline of the rungs kept: the one called `limit`, else a copy.
  void choose_baseline();
  /// The times of all launches kept, and of the baseline; gives up their problem.
  void time_all();
  /// In turns with the baseline; the result is taken again behind that. The comparison on the host
  /// is also the rest between two rungs: at the cap of its power a GPU's clock depends on it.
  const Rung& time(const KeptLaunch& launch);
  /// The median of all turns so far. @pre there is a baseline.
  Timing time_of_baseline();
  /// Takes the result again, behind the runs that were timed: a rung with a race may be right in
  /// its first run alone.
  void validate_again(const KeptLaunch& launch, Rung& rung);
  void run_value(int value);
  /// The body at the size that is timed and counted.
  void run_friendly(int value);
  /// @param kernel null for work that is not one kernel: then it has no residency.
  void attempt(const Trial& trial, std::string_view name, const void* kernel, const Shape& shape,
               const std::function<void()>& launch, const std::function<void()>& prepare = {},
               const std::function<void()>& collect = {});
  void skip(const Trial& trial, std::string_view name, std::string_view reason);
  void validate(const Trial& trial, Rung& rung, const std::function<void()>& launch,
                const std::function<void()>& collect);
  void begin_operations() const;
  OperationCounts take_rung_operations() const;
  /// Counts and diagnoses of the launches just made. @return whether the simulator found errors.
  bool take_launch(Rung& rung);
  /// Ends a rung with the first error that was found, or with other words where none was.
  static void diagnosed(Rung& rung, const std::string& at, bool errors,
                        const std::string& otherwise);
  void describe(Rung& rung, const void* kernel, const Shape& shape) const;
  bool selected(std::string_view name) const;
  void remember(std::string_view name);
  /// The rung of that name; in a sweep the series of that name at the trial's value.
  Rung& rung_named(std::string_view name, int value);

  const Ladder ladder_;
  const Sweep* sweep_ = nullptr;
  std::function<void(Trial&)> body_;
  LadderSettings settings_;
  Work baseline_;                    ///< of the launches kept; empty where there is none.
  std::vector<double> baseline_us_;  ///< of all turns so far.
  std::unique_ptr<Trial> trial_;     ///< the problem at hand; the friendly one stays.
  bool friendly_ = false;
  bool faulted_ = false;  ///< the device refuses everything after a fault.
};

/// The sentence, the place in the source, block and thread: several lines.
std::string diagnosis_text(const Diagnosis& diagnosis);
/// The same without the place.
std::string diagnosis_sentence(const Diagnosis& diagnosis);

}  // namespace warpwise::lesson
