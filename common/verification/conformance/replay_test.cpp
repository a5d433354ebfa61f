#include "verification/conformance/replay.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "verification/conformance/table.h"

// The records of hardware in common/verification/recorded/conformance, run again under the
// simulator.
namespace warpwise::conformance {
namespace {

const Records& records() {
  static const Records read =
      read_records(WARPWISE_SOURCE_DIR "/common/verification/recorded/conformance");
  return read;
}

/// How often each outcome was met, after a line for each that should not be.
void judge(const std::vector<Outcome>& outcomes) {
  std::set<std::string> differing;
  for (const Outcome& outcome : outcomes) {
    const auto* known = records().known_difference(outcome.name);
    bool equal = outcome.kind == Outcome::Kind::equal;
    if (!known && !equal) FAIL_CHECK(outcome.name << ": " << outcome.text);
    if (known && equal)
      FAIL_CHECK(outcome.name << " is equal now: take it out of not_modelled.txt (" << known->first
                              << ": " << known->second << ")");
    if (known) differing.insert(known->first);
  }
  for (const auto& [name, reason] : records().not_modelled)
    if (!name.starts_with("program") && !outcomes[0].name.starts_with("program"))
      CHECK_MESSAGE(differing.count(name) == 1,
                    "not_modelled.txt names nothing recorded: " << name);
}

TEST_CASE("every recorded variant gives what hardware gave") {
  if (records().device.empty()) {
    MESSAGE("0 variants are recorded: run `conformance record` on a GPU");
    return;
  }
  CHECK(records().device != "simulator");
  REQUIRE(records().variants.size() >= 1500);
  judge(replay_variants(records(), *simulator()));
}

TEST_CASE("every recorded random program gives what hardware gave") {
  if (records().device.empty()) {
    MESSAGE("0 programs are recorded: run `conformance record` on a GPU");
    return;
  }
  REQUIRE(records().programs.size() >= 2000);
  judge(replay_programs(records(), *simulator()));
}

TEST_CASE("the table names every row with what is known of it") {
  std::string table = table_of_rows(records());
  for (const isa::Row& row : isa::rows())
    if (!row.syntax.starts_with('_'))
      CHECK_MESSAGE(table.find(row.syntax) != std::string::npos, row.syntax);
}

TEST_CASE("the table counts what is recorded, what differs and what needs a newer GPU") {
  Records made;
  made.device = "a GPU";
  made.variants = {{"copysign.f32", 0, {}}, {"copysign.f64", 0, {}}};
  made.not_modelled = {{"copysign.f64", "for reasons"}};
  made.rejected = {{"dp4a.u32.u32", "requires .target sm_100"}, {"dp4a.s32.u32", "other"}};
  std::string table = table_of_rows(made);
  CHECK(table.find("       2        2         1           -        -  copysign.") != table.npos);
  CHECK(table.find("       2        -         -           1        -  dp4a.") != table.npos);
  CHECK(table.find("(a GPU), 1 of them equal there") != table.npos);
  CHECK(table.find("  copysign.f64: for reasons") != table.npos);
}

}  // namespace
}  // namespace warpwise::conformance
