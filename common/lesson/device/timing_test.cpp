#include "lesson/device/timing.h"

#include <doctest/doctest.h>

using namespace warpwise::lesson;

TEST_CASE("median and quartiles, whatever the order") {
  const Timing timing = summarise({5, 1, 4, 2, 3});
  CHECK(timing.median_us == 3);
  CHECK(timing.q1_us == 2);
  CHECK(timing.q3_us == 4);
  CHECK(timing.runs == 5);
  CHECK(summarise({7}).q3_us == 7);
  CHECK(summarise({1, 2}).median_us == 1.5);
}

TEST_CASE("the pilot decides the number of runs within limits") {
  CHECK(runs_for(1) == 201);
  CHECK(runs_for(1e6) == 11);
  CHECK(runs_for(2000) == 101);
  CHECK(runs_for(0) == 201);
  CHECK(runs_for(-1) == 201);
}

TEST_CASE("of short work more turns are taken") {
  CHECK(turns_for(1) == 251);
  CHECK(turns_for(3000) == 101);
  CHECK(turns_for(1e6) == 11);
  CHECK(turns_for(0) == 251);
}

TEST_CASE("neither the place of a run nor a clock that falls decides a ratio") {
  int place = 0;
  // Every other run is slower, and all become slower.
  const auto timed = [&place](double us) {
    ++place;
    return us + 4 * (place % 2) + 0.5 * place;
  };
  Turns turns;
  for (int i = 0; i < 3; ++i) {
    take_turn(
        turns, [&] { return timed(100); }, [&] { return timed(80); });
  }
  REQUIRE(turns.rung_us.size() == 3);
  for (int i = 0; i < 3; ++i) CHECK(turns.baseline_us[i] - turns.rung_us[i] == 20);
  CHECK(place == 12);
}

TEST_CASE("the ratio of turns is the median of pairs, not the ratio of medians") {
  // The clock falls from pair to pair; rung and baseline feel it alike.
  const Timing timing = timing_of_turns({{10, 20, 40}, {20, 40, 80}, 1500});
  CHECK(timing.of_baseline == 0.5);
  CHECK(timing.median_us == 40);
  CHECK(timing.runs == 3);
  CHECK(timing.sm_mhz == 1500);
  // Pair by pair 1/2, 3 and 1; of the medians 3/2.
  CHECK(timing_of_turns({{1, 6, 3}, {2, 2, 3}}).of_baseline == 1);
}

TEST_CASE("a time budget ends") {
  CHECK_FALSE(TimeBudget(100).is_over());
  CHECK(TimeBudget(0).is_over());
  CHECK(TimeBudget(-1).is_over());
}
