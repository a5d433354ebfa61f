/// \file
/// What the ladders moved, by the lines that moved it: bytes of the score matrix, and sectors of
/// keys and values per pair of query and key.
///
///     build/ch07_attention --only attention      # the tables follow the ladders
#include <string_view>

#include "attention_problem.h"
#include "lesson/results/results.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

constexpr double sector_bytes = 32;

/// Sectors of global loads and stores on the lines of scores.h, or of loads elsewhere.
struct Moved {
  double scores = 0, others = 0;
};

Moved moved_by(const lesson::Rung& rung) {
  Moved moved;
  for (const lesson::LineCounts& line : rung.counts.lines) {
    if (line.access != "global load" && line.access != "global store") continue;
    if (std::string_view(line.file).ends_with("scores.h"))
      moved.scores += line.sectors;
    else if (line.access == "global load")
      moved.others += line.sectors;
  }
  return moved;
}

lesson::Demonstration table_of(const lesson::LadderResult* ladder, bool causal) {
  lesson::Demonstration table{
      .title = "What the rungs of " + (ladder ? ladder->name : "attention") + " move",
      .columns = {"rung", "score bytes", "sectors of Q, K, V per pair"},
      .rows = {}};
  if (ladder == nullptr || !ladder->counted_size) return table;
  const lesson::Size& size = *ladder->counted_size;
  const Extents e = extents_of(size);
  const double pairs = e.N() * (causal ? 0.5 * e.T * (e.T + 1) : 1.0 * e.T * e.T);
  for (const lesson::Rung& rung : ladder->rungs) {
    if (rung.counts.empty()) continue;
    const Moved moved = moved_by(rung);
    // Boxes of the copy engine are not requests of a warp: nothing is counted for them.
    const bool counted = moved.others > 0;
    table.rows.push_back({rung.name, lesson::decimal(moved.scores * sector_bytes, 0),
                          counted ? lesson::decimal(moved.others / pairs, 3) : "-"});
  }
  table.note = "Counted at " + size.text() + ": " + lesson::decimal(pairs, 0) +
               " pairs of a query and a key that counts for it.";
  return table;
}

}  // namespace
}  // namespace attention

void score_tables(lesson::Run& run) {
  run.table("score_bytes", [&run] { return attention::table_of(run.result("attention"), true); });
  run.table("full_score_bytes",
            [&run] { return attention::table_of(run.result("full_attention"), false); });
}
