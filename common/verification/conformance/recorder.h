#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "verification/conformance/executor.h"
#include "verification/conformance/records.h"
#include "verification/conformance/variants.h"

namespace warpwise::conformance {

/// The work to record: a fixture of each variant, and the programs of the seeds 0 ... `programs` -
/// 1, made of records.palette.
struct Work {
  std::vector<Variant> variants;
  std::uint64_t programs = 0;
  /// Both together: variants first.
  std::size_t size() const { return variants.size() + programs; }
};

/// Programs that could not be run, by name, with the reason.
using Unrecorded = std::map<std::string, std::string>;

/// Runs the work from number `first` on, `last` not included, and adds what comes out to records.
Unrecorded record(Records& records, const Work& work, std::size_t first, std::size_t last,
                  Executor& executor);

/// Records all the work, each part in a process of its own: one that crashes or does not end is
/// halved until what spoils it is alone, and that is all it costs.
/// @param make the executor of a process; called there only, since a GPU's driver does not survive
/// a fork. @param at_once processes that run at a time.
Unrecorded record_in_processes(Records& records, const Work& work,
                               const std::function<std::unique_ptr<Executor>()>& make,
                               unsigned at_once, unsigned seconds_for_a_part = 60);

}  // namespace warpwise::conformance
