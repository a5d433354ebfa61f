#include "lesson/order_table.h"

#include <cmath>

namespace warpwise::lesson {

void order_table(Run& run, const std::string& ladder, const std::vector<const char*>& keys,
                 const std::vector<std::string>& heads) {
  const LadderResult* result = run.result(ladder);
  if (result == nullptr) return;
  run.table(ladder + "_order", [&] {
    Demonstration table;
    table.title = ladder + ": the order that is enforced, counted by the simulator";
    table.columns = {"rung"};
    table.columns.insert(table.columns.end(), heads.begin(), heads.end());
    for (const Rung& rung : result->rungs) {
      if (rung.verdict == Verdict::skipped) continue;
      std::vector<std::string> row = {rung.name};
      for (const char* key : keys) {
        const bool known = rung.counts.counters.count(key) != 0;
        row.push_back(known ? std::to_string(std::llround(rung.counts.value(key))) : "-");
      }
      table.rows.push_back(std::move(row));
    }
    table.note =
        "A chain is a sequence of operations of which each has to wait for the one before. A copy "
        "that may overlap need not wait for some kernel, which need not wait for it.";
    return table;
  });
}

}  // namespace warpwise::lesson
