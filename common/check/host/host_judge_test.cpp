#include <doctest/doctest.h>

#include <cmath>
#include <csignal>

#include "check/host/host_call.h"
#include "lesson/device/error.h"

using namespace warpwise::lesson;

namespace {

/// A program whose two calls have to leave {1, 2} and to return 7.
struct Fixture {
  Fixture() {
    spec.function = "f";
    spec.exercise = "ch09_try/x";
    spec.on_device = true;
    spec.gates = {{.name = "stores", .what = "sectors", .access = "global store", .at_least = 1}};
    spec.gates[0].measure = Measure::sectors;
    for (const char* size : {"1x1", "7x3"}) {
      HostCall call;
      call.size = size;
      call.text = "f";
      call.wanted = 7;
      call.write = [](double value) { return written(static_cast<int>(value)); };
      call.outputs.push_back({{1, 2}, {}, 0, nullptr});
      calls.push_back(std::move(call));
      answers.calls.push_back({7, {{1, 2}}, 1, 8 * (answers.calls.size() + 1)});
      LaunchReport launch;
      launch.kernel = "k()";
      LineCounts line;
      line.access = "global store";
      line.sectors = 1;
      line.compiled = true;
      launch.counts.lines = {line};
      log.push_back(launch);
    }
    answers.simulated = true;
    answers.loaded = true;
    answers.done = true;
  }
  CheckVerdict verdict() const { return judge_calls(spec, calls, answers, child, log); }
  void note(const std::string& kind, Severity severity, std::size_t entry) {
    Diagnosis diagnosis;
    diagnosis.kind = kind;
    diagnosis.severity = severity;
    diagnosis.message = "so";
    log.at(entry).diagnoses.push_back(diagnosis);
  }
  /// As after a death in the second call.
  void dies() {
    answers.calls.pop_back();
    answers.done = false;
  }

  HostSpec spec;
  std::vector<HostCall> calls;
  HostAnswers answers;
  ChildResult child;
  std::vector<LaunchReport> log;
};

}  // namespace

TEST_CASE("what agrees with everything passes") {
  Fixture fixture;
  CHECK(fixture.verdict().verdict == "pass");
  CHECK(fixture.verdict().size == "7x3");
  // Launches, atomics, copies, and the one that the fixture asks for.
  CHECK(fixture.verdict().gates.size() == 4);
}

TEST_CASE("a wrong return and a wrong output are wrong results, at their size") {
  Fixture fixture;
  fixture.answers.calls[1].outputs[0][1] = 3;
  CHECK(fixture.verdict().verdict == "wrong result");
  CHECK(fixture.verdict().size == "7x3");
  fixture.answers.calls[0].returned = 8;
  CHECK(fixture.verdict().message == "1 of 2 calls give a wrong result.\n   f gives 8, not 7");
  CHECK(fixture.verdict().size == "1x1");
  fixture.answers.calls[0].returned = std::nullopt;
  CHECK(fixture.verdict().verdict == "wrong result");
}

TEST_CASE("the author's calls of a bug to be found are noted where all of them are right") {
  Fixture fixture;
  CHECK(fixture.verdict().author_test.empty());
  fixture.spec.author_calls = 1;
  fixture.answers.calls[1].outputs[0][1] = 3;
  CHECK(fixture.verdict().verdict == "wrong result");
  CHECK(fixture.verdict().author_test == "1x1");
  fixture.answers.calls[0].outputs[0][1] = 3;
  CHECK(fixture.verdict().author_test.empty());
  fixture.answers.calls[0].outputs[0][1] = 2;
  fixture.note("race", Severity::error, 0);
  CHECK(fixture.verdict().author_test.empty());
  fixture.spec.author_calls = 2;
  fixture.dies();
  CHECK(fixture.verdict().author_test.empty());
}

TEST_CASE("a program that ends before it answers has not passed, whatever its status") {
  Fixture fixture;
  fixture.dies();
  CHECK(fixture.verdict().kind == "exit");
  CHECK(fixture.verdict().size == "7x3");
  fixture.child.status = 128 + SIGSEGV;
  CHECK(fixture.verdict().kind == "crash");
  fixture.child.status = 128 + SIGXFSZ;
  CHECK(fixture.verdict().kind == "output-limit");
  fixture.child.timed_out = true;
  CHECK(fixture.verdict().kind == "time-limit");
  // Answers to calls that were never made do not count.
  fixture.child = {};
  fixture.answers.thrown = "std::bad_alloc";
  CHECK(fixture.verdict().kind == "exception");
  fixture.answers.thrown = "";
  fixture.answers.done = true;
  CHECK(fixture.verdict().kind == "exit");
}

TEST_CASE("waves and resident warps are of the last launch, unless one has more than a wave") {
  Fixture fixture;
  LaunchReport& launch = fixture.log.back();
  launch.registers = 32;
  launch.block = {256, 1, 1};
  launch.grid = {1056, 2, 1};  // An H200 holds 8 blocks of 256 threads on each of 132 SMs.
  fixture.spec.gates.push_back({.name = "waves",
                                .what = "waves",
                                .measure = Measure::waves,
                                .at_least = 0.99,
                                .at_most = 1});
  CHECK(fixture.verdict().kind == "waves");
  launch.grid = {1056, 1, 1};
  CHECK(fixture.verdict().passed());
  launch.grid = {132, 1, 1};
  CHECK(fixture.verdict().kind == "waves");
  fixture.spec.gates.back() = {
      .name = "warps", .what = "w", .measure = Measure::resident_warps, .at_least = 64};
  CHECK(fixture.verdict().passed());
  launch.registers = 64;
  CHECK(fixture.verdict().kind == "warps");
}

TEST_CASE("a refused launch is not a mistake where the call is about refusals") {
  Fixture fixture;
  fixture.note("launch-configuration", Severity::error, 0);
  CHECK(fixture.verdict().kind == "launch-configuration");
  fixture.calls[1].may_be_refused = true;
  CHECK(fixture.verdict().kind == "launch-configuration");
  fixture.calls[0].may_be_refused = true;
  CHECK(fixture.verdict().passed());
  fixture.note("race", Severity::error, 0);
  CHECK(fixture.verdict().kind == "race");
}

TEST_CASE("what C++ leaves undefined is found with its line") {
  Fixture fixture;
  fixture.dies();
  fixture.child.status = 1;
  fixture.child.errors =
      "noise\nexercises/ch09_try/x.cu:7:12: runtime error: division by zero\nmore\n";
  const CheckVerdict verdict = fixture.verdict();
  CHECK(verdict.kind == "undefined-behaviour");
  CHECK(verdict.file == "exercises/ch09_try/x.cu");
  CHECK(verdict.line == 7);
  CHECK(verdict.message == "in f: division by zero");
}

TEST_CASE("errors of the log come before wrong results, with the size of their call") {
  Fixture fixture;
  fixture.answers.calls[0].returned = 8;
  fixture.note("out-of-bounds", Severity::error, 1);
  CHECK(fixture.verdict().kind == "out-of-bounds");
  CHECK(fixture.verdict().size == "7x3");
}

TEST_CASE("unchecked errors come before wrong results, leaks after them") {
  Fixture fixture;
  fixture.log.emplace_back();
  fixture.note("leak", Severity::note, 2);
  CHECK(fixture.verdict().kind == "leak");
  CHECK(fixture.verdict().size.empty());
  fixture.answers.calls[0].returned = 8;
  CHECK(fixture.verdict().verdict == "wrong result");
  fixture.note("unchecked-error", Severity::note, 2);
  CHECK(fixture.verdict().kind == "unchecked-error");
  CHECK(fixture.verdict().diagnoses.size() == 2);
}

TEST_CASE("a program that lets the host do the work misses a gate") {
  Fixture fixture;
  fixture.log[1].counts.lines.clear();
  CHECK(fixture.verdict().kind == "stores");
  fixture.answers.calls[1].reports = 0;
  fixture.log.pop_back();
  CHECK(fixture.verdict().kind == "launches");
  // A GPU has no log.
  fixture.answers.simulated = false;
  CHECK(fixture.verdict().passed());
}

TEST_CASE("a launch that only the log knows was written there by the learner's code") {
  Fixture fixture;
  fixture.log.push_back(fixture.log.back());
  CHECK(fixture.verdict().verdict == "diagnosed");
  CHECK(fixture.verdict().kind == "log");
  // The log's entry about the end has no kernel.
  fixture.log.back().kernel.clear();
  CHECK(fixture.verdict().verdict == "pass");
}

TEST_CASE("what the simulator lacks is not a verdict") {
  Fixture fixture;
  fixture.log[0].unsupported = "no row";
  CHECK_THROWS_AS(fixture.verdict(), Stop);
}

TEST_CASE("a tolerance is for what is returned, and a NaN is never right") {
  Fixture fixture;
  fixture.answers.calls[0].returned = 7.5;
  CHECK_FALSE(fixture.verdict().passed());
  fixture.calls[0].tolerance = {.relative = 0.1};
  CHECK(fixture.verdict().passed());
  fixture.answers.calls[0].returned = std::nan("");
  CHECK_FALSE(fixture.verdict().passed());
}

TEST_CASE("notes about what works by luck fail an exercise") {
  for (const char* kind : {"barrier-divergence", "invalid-shuffle", "leak"}) {
    Fixture fixture;
    fixture.note(kind, Severity::note, 0);
    CHECK(fixture.verdict().verdict == "diagnosed");
    CHECK(fixture.verdict().kind == kind);
  }
  Fixture fixture;
  fixture.note("race", Severity::note, 0);
  CHECK(fixture.verdict().passed());
}

TEST_CASE("a result that no copy brought is the host's own") {
  Fixture fixture;
  fixture.answers.calls[1].bytes_for_host = 12;
  CHECK(fixture.verdict().verdict == "gate");
  CHECK(fixture.verdict().kind == "copies");
}

TEST_CASE("a gate on what the host asks for counts the last call") {
  Fixture fixture;
  fixture.spec.gates = {
      {.name = "waits", .what = "waits", .measure = Measure::host_waits, .at_most = 1}};
  fixture.answers.calls[0].operations["host_waits"] = 5;
  fixture.answers.calls[1].operations["host_waits"] = 1;
  CHECK(fixture.verdict().passed());
  fixture.answers.calls[1].operations["host_waits"] = 2;
  CHECK(fixture.verdict().verdict == "gate");
  CHECK(fixture.verdict().kind == "waits");
  fixture.spec.gates[0].measure = Measure::allocations_in_flight;
  CHECK(fixture.verdict().passed());
  fixture.answers.calls[1].operations["peer_bytes"] = 4;
  fixture.spec.gates[0].measure = Measure::peer_bytes;
  CHECK(fixture.verdict().verdict == "gate");
  fixture.spec.gates[0].measure = Measure::staged_bytes;
  CHECK(fixture.verdict().passed());
}

TEST_CASE("a place that a program names in another file is not believed") {
  for (const char* file : {"/dev/zero", "/etc/shadow", "ch09_try/../../../etc/x.cu", "x.cu",
                           "/proc/ch09_try/x.cu", "", "exercises/ch09_try/other.cu"}) {
    CAPTURE(file);
    Fixture fixture;
    fixture.dies();
    fixture.child.errors = std::string(file) + ":1:1: runtime error: forged\n";
    CHECK(fixture.verdict().kind == "undefined-behaviour");
    CHECK(fixture.verdict().file.empty());
    CHECK(fixture.verdict().line == 0);
    // The program's own words do not hide the compiler's.
    fixture.child.errors += "exercises/ch09_try/x.cu:7:12: runtime error: division by zero\n";
    CHECK(fixture.verdict().line == 7);

    Fixture log;
    log.note("race", Severity::error, 1);
    log.log[1].diagnoses[0].file = file;
    log.log[1].diagnoses[0].line = 3;
    log.log[1].counts.lines[0].file = file;
    CHECK(log.verdict().kind == "race");
    CHECK(log.verdict().file.empty());
    CHECK(log.verdict().diagnoses.at(0).file.empty());
    CHECK(log.verdict().counts.lines.at(0).file.empty());
  }
}
