#pragma once
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tutor/author/check_item.h"
#include "tutor/author/pasting/pasting.h"
#include "tutor/author/pasting/rungs.h"
#include "tutor/course/course.h"
#include "tutor/system/context.h"

namespace warpwise::tutor {

/// The fate of a rung in an exercise, the further it got the greater.
enum class Fate {
  does_not_fit,      ///< something that it wants is not among the exercise's parameters.
  does_not_compile,  ///< with any way to hand over the parameters.
  signature,
  diagnosed,
  wrong_result,
  gate,
  not_judged,  ///< the check said nothing: a failure of ours.
  passes,      ///< a failure of the exercise's.
};

/// Every rung of a chapter pasted into every exercise of it, as by a learner who takes the
/// chapter's kernel for the answer. All of it must be rejected: an exercise is not a rung.
class PastedRungs {
 public:
  /// @param exercises some of the chapter.
  void add(const Chapter& chapter, const std::vector<Exercise>& exercises);
  /// Compiles and judges all that fits, on all cores, below build/pasted/.
  /// @pre the exercises' checks are built.
  /// @param tell is called after each file, by one thread at a time, with how many are done of all.
  /// @throws Interrupted.
  void look(const Context& context,
            const std::function<void(std::size_t done, std::size_t all)>& tell);

  /// One item an exercise and one a chapter, each with its finding ready.
  std::vector<CheckItem> items() const;
  /// How each rung died in each exercise, a letter each, and the sums. For people; empty without
  /// exercises.
  std::string matrix() const;
  /// Pairs of a rung and an exercise that were added.
  std::size_t pairs() const;

 private:
  struct Cell {
    Fate fate = Fate::does_not_fit;
    std::string why;  ///< of the worst fate.
  };
  struct Row {
    Exercise exercise;
    std::vector<Cell> cells;  ///< one for each rung.
    std::string problem;      ///< the exercise cannot be read.
  };
  struct Table {
    Chapter chapter;
    std::vector<Rung> rungs;
    std::vector<Row> rows;
    std::vector<std::vector<PastedFile>> files;  ///< of each rung; exercises are rows.
    std::string problem;                         ///< the chapter cannot be read.
  };

  static Finding finding(const Table& table, const Row& row);
  static Finding finding(const Table& table);
  std::vector<Table> tables_;
};

}  // namespace warpwise::tutor
