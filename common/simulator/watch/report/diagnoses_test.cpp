// One finding is kept per kind and instruction: that of the lowest block and thread.

#include "simulator/watch/report/diagnoses.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace warpwise;
using namespace warpwise::watch;

namespace {

Finding finding(std::string kind, std::uint32_t instruction, std::uint64_t block,
                std::uint32_t thread, std::uint64_t count = 1) {
  Finding result;
  result.kind = std::move(kind);
  result.message = "by thread " + std::to_string(thread);
  result.instruction = instruction;
  result.block = block;
  result.thread = thread;
  result.count = count;
  return result;
}

/// A program of four instructions at lines 10, 20, 30 and 20; the third inlined from a library.
std::vector<Diagnosis> written(const Diagnoses& diagnoses) {
  code::Program program;
  program.places = {
      {"a.cu", 10, {}, 0}, {"a.cu", 20, {}, 0}, {"a.cu", 30, "lib.cuh", 7}, {"a.cu", 20, {}, 0}};
  program.code.resize(4);
  for (std::uint32_t i = 0; i < 4; ++i) program.code[i].place = i;
  LaunchReport report;
  report.grid = {4, 3, 2};
  report.block = {8, 4, 2};
  diagnoses.write(report, program);
  return report.diagnoses;
}

}  // namespace

TEST_CASE("of a kind without lines three are written, and the first counts what is left out") {
  Diagnoses diagnoses;
  for (std::uint32_t i = 0; i < 5; ++i) diagnoses.report(finding("race", i, 0, 9 - i, 10));
  diagnoses.report(finding("misaligned", 0, 0, 0));
  code::Program program;
  program.places = {{}};
  program.code.resize(5);
  LaunchReport report;
  report.grid = report.block = {16, 1, 1};
  diagnoses.write(report, program);
  REQUIRE(report.diagnoses.size() == 4);
  CHECK(report.diagnoses[0].kind == "misaligned");
  CHECK(report.diagnoses[1].count == 30);
  CHECK(report.diagnoses[1].message == "by thread 5");
  CHECK(report.diagnoses[3].count == 10);
}

TEST_CASE("races of the same two lines are one, by the lowest thread; others are separate") {
  const auto race = [](std::uint32_t instruction, std::uint32_t thread, unsigned other_line) {
    Finding made = finding("race", instruction, 0, thread, 5);
    made.other_line = other_line;
    return made;
  };
  Diagnoses diagnoses;
  diagnoses.report(race(1, 40, 10));
  diagnoses.report(race(3, 7, 10));
  auto all = written(diagnoses);
  REQUIRE(all.size() == 1);
  CHECK(all[0].count == 10);
  CHECK(all[0].message == "by thread 7");
  CHECK(all[0].line == 20);
  diagnoses.report(race(0, 3, 10));
  diagnoses.report(finding("misaligned", 1, 0, 0));
  diagnoses.report(finding("misaligned", 3, 0, 0));
  CHECK(written(diagnoses).size() == 4);
  Diagnoses apart;
  apart.report(race(1, 40, 10));
  apart.report(race(3, 7, 30));
  CHECK(written(apart).size() == 2);
}

TEST_CASE("values without content that one line reads are one, by the lowest thread") {
  Diagnoses diagnoses;
  diagnoses.report(finding("uninitialized", 1, 0, 7, 30));
  diagnoses.report(finding("uninitialized", 3, 0, 5, 20));
  diagnoses.report(finding("uninitialized", 0, 0, 6, 10));
  const std::vector<Diagnosis> found = written(diagnoses);
  REQUIRE(found.size() == 2);
  CHECK(found[0].line == 10);
  CHECK(found[1].line == 20);
  CHECK(found[1].message == "by thread 5");
  CHECK(found[1].count == 30);
}

TEST_CASE("what may have led to the rest is reported first") {
  for (const bool misleads : {false, true}) {
    Diagnoses diagnoses;
    diagnoses.report(finding("out-of-bounds", 0, 0, 3));
    Finding unset = finding("uninitialized", 1, 0, 5);
    unset.misleads = misleads;
    diagnoses.report(unset);
    CHECK(written(diagnoses)[0].kind == (misleads ? "uninitialized" : "out-of-bounds"));
  }
}

TEST_CASE("after races of the same memory nothing is reported about what was not written there") {
  using enum Finding::Memory;
  using enum Severity;
  struct Case {
    Finding::Memory race, unset;
    Severity severity;
    bool is_reported;
  };
  for (const auto& [in, at, severity, is_reported] : {Case{shared, shared, error, false},
                                                      {shared, global, error, true},
                                                      {global, shared, error, true},
                                                      {global, global, error, false},
                                                      {any, global, error, false},
                                                      {shared, any, error, false},
                                                      {shared, shared, note, true}}) {
    Diagnoses diagnoses;
    Finding race = finding("race", 0, 0, 3), unset = finding("uninitialized", 1, 0, 5);
    race.memory = in;
    race.severity = severity;
    unset.memory = at;
    unset.misleads = true;
    diagnoses.report(race);
    diagnoses.report(unset);
    const auto all = written(diagnoses);
    CHECK(all.size() == 1u + is_reported);
    CHECK((all[0].kind == "race") == (severity == error));
  }
}

TEST_CASE("the lowest block and thread is kept, counts add up") {
  Diagnoses diagnoses;
  diagnoses.report(finding("race", 1, 5, 40, 2));
  diagnoses.report(finding("race", 1, 5, 41, 3));
  diagnoses.report(finding("race", 1, 4, 50, 10));
  diagnoses.report(finding("race", 1, 6, 0));
  diagnoses.report(finding("race", 2, 9, 1));
  diagnoses.report(finding("misaligned", 1, 0, 0));
  auto all = written(diagnoses);
  REQUIRE(all.size() == 3);
  CHECK(all[1].kind == "race");
  CHECK(all[1].count == 16);
  CHECK(all[1].message == "by thread 50");
  CHECK(all[1].line == 20);
  CHECK(all[1].block == Index3{0, 1, 0});
  CHECK(all[1].thread == Index3{2, 2, 1});
  CHECK(all[2].line == 30);
  CHECK(all[2].library_file == "lib.cuh");
  CHECK(all[2].library_line == 7);
}

TEST_CASE("what is known already is only counted") {
  Diagnoses diagnoses;
  CHECK_FALSE(diagnoses.count_only(finding("race", 1, 5, 40)));
  CHECK(diagnoses.empty());
  diagnoses.report(finding("race", 1, 5, 40));
  CHECK(diagnoses.count_only(finding("race", 1, 5, 41, 4)));
  CHECK(diagnoses.count_only(finding("race", 1, 7, 0)));
  CHECK_FALSE(diagnoses.count_only(finding("race", 1, 5, 39)));
  CHECK_FALSE(diagnoses.count_only(finding("race", 2, 5, 41)));
  CHECK(written(diagnoses).at(0).count == 6);
}

TEST_CASE("a note hides no error of the same kind at the same line") {
  for (const bool note_first : {true, false}) {
    Diagnoses diagnoses;
    Finding note = finding("race", 1, 0, 0), error = finding("race", 1, 0, 7);
    note.severity = Severity::note;
    diagnoses.report(note_first ? note : error);
    CHECK_FALSE(diagnoses.count_only(note_first ? error : note));
    diagnoses.report(note_first ? error : note);
    const auto all = written(diagnoses);
    REQUIRE(all.size() == 1);
    CHECK(all[0].severity == Severity::error);
    CHECK(all[0].message == "by thread 7");
  }
}

TEST_CASE("findings of several host threads join to the same in any order") {
  Diagnoses a, b;
  a.report(finding("race", 1, 2, 3, 5));
  a.report(finding("race", 2, 0, 0, 1));
  b.report(finding("race", 1, 1, 9, 7));
  Diagnoses ab = a, ba = b;
  ab.add(b);
  ba.add(a);
  for (const Diagnoses* joined : {&ab, &ba}) {
    auto all = written(*joined);
    REQUIRE(all.size() == 2);
    CHECK(all[0].count == 12);
    CHECK(all[0].message == "by thread 9");
  }
}

TEST_CASE("blocks after a fault did not run: neither findings nor counts of them stay") {
  Diagnoses diagnoses;
  diagnoses.report(finding("race", 1, 2, 3, 5));
  diagnoses.report(finding("race", 1, 3, 3, 6));
  diagnoses.report(finding("race", 1, 4, 3, 7));
  diagnoses.report(finding("trap", 2, 3, 0));
  diagnoses.report(finding("race", 0, 4, 0));
  diagnoses.stop_at(3);
  auto all = written(diagnoses);
  REQUIRE(all.size() == 2);
  CHECK(all[0].count == 11);
  CHECK(all[1].kind == "trap");
}
