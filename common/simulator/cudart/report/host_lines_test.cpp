#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "simulator/cudart/tests/child.h"

// The lines of mistakes in host code, of a program that nvcc built.
namespace warpwise::cudart {
namespace host_lines_test {

const std::string source = WARPWISE_SOURCE_DIR "/common/verification/loaded/program_under_test.cu";

Ending run_program(const std::string& program, const std::string& what,
                   const std::string& environment = "") {
  return run_simulated(program, "'" + what + "'", environment);
}

/// The number and the text of the line that says "here: MARK".
struct Marked {
  unsigned line = 0;
  std::string text;
};
Marked marked(const std::string& mark) {
  std::ifstream in(source);
  Marked found;
  while (std::getline(in, found.text)) {
    ++found.line;
    if (found.text.ends_with("// here: " + mark)) return found;
  }
  FAIL("no line is marked " << mark);
  return found;
}

/// The text that a diagnosis shows for a marked line. @param word that the caret points to.
std::string shown(const std::string& mark, const std::string& word) {
  const Marked at = marked(mark);
  const std::string text = at.text.substr(at.text.find_first_not_of(' '));
  std::string number = std::to_string(at.line);
  number.insert(0, 7 - number.size(), ' ');
  return "program_under_test.cu:" + std::to_string(at.line) + "\n" + number + " | " + text +
         "\n        | " + std::string(text.find(word), ' ') + "^\n";
}

std::size_t count(const Ending& ending, const std::string& part) {
  std::size_t n = 0;
  for (auto at = ending.text.find(part); at != std::string::npos;
       at = ending.text.find(part, at + 1)) {
    ++n;
  }
  return n;
}

TEST_CASE("a wrong call on the host is shown with its line, each time") {
  const Ending ending = run_program(WARPWISE_PROGRAM, "host mistakes");
  INFO(ending.text);
  CHECK(ending.status == 0);
  CHECK(count(ending, shown("copy", "cudaMemcpy")) == 1);
  CHECK(ending.says("not for 5000; it was allocated earlier (line " +
                    std::to_string(marked("four thousand").line) + ");"));
  CHECK(count(ending, shown("free of the middle", "cudaFree")) == 2);
  CHECK(ending.says("was freed already (line " + std::to_string(marked("first free").line) + ")"));
  CHECK_FALSE(ending.says("unknown line"));
}

TEST_CASE("a host access inside the standard library is shown where the program called it") {
  const Ending ending = run_program(WARPWISE_PROGRAM, "host touches");
  INFO(ending.text);
  CHECK(ending.status == 1);
  CHECK(count(ending, "device-pointer-on-host: the host read byte 0 of allocation 1") == 1);
  CHECK(ending.says(shown("touched", "if")));
}

TEST_CASE("notes at the end are shown where the allocation and the launch were made") {
  CHECK(run_program(WARPWISE_PROGRAM, "leak").says(shown("leak", "cudaMalloc")));
  const Ending leaks = run_program(WARPWISE_PROGRAM, "leaks");
  INFO(leaks.text);
  CHECK(leaks.says("leak: 5 allocations of 20000 bytes in all were"));
  CHECK(leaks.says(shown("leaks in a loop", "cudaMalloc")));
  CHECK(leaks.says("leak: 1 allocation of 10 bytes in all was"));
  CHECK(leaks.says(shown("managed leak", "cudaMalloc")));
  CHECK(leaks.says("leak: 2 allocations of 40 bytes"));
  // Beyond three lines, one note sums up the rest.
  CHECK(leaks.says("leak: 2 allocations of 300 bytes"));
  CHECK(count(leaks, "note: leak") == 4);
  const Ending unchecked = run_program(WARPWISE_PROGRAM, "unchecked");
  INFO(unchecked.text);
  // The refused launch, and the note that the program never asked for its error.
  CHECK(count(unchecked, shown("unchecked", "<<<")) == 2);
}

TEST_CASE("an error in a kernel is reported with the launch, a call that failed with its line") {
  const Ending ending = run_program(WARPWISE_PROGRAM, "out-of-bounds");
  INFO(ending.text);
  const std::string line = std::to_string(marked("faulting launch").line);
  CHECK(count(ending, "  launched at ") == 1);
  CHECK(ending.says("/program_under_test.cu:" + line + "\n"));
  const std::string made = std::to_string(marked("faulting launch").line - 1);
  CHECK(ending.says("/program_under_test.cu:" + made + ": cudaMalloc(&x, 4);\n"));
  const Ending failed = run_program(WARPWISE_PROGRAM, "host mistakes");
  INFO(failed.text);
  CHECK(failed.says("note: cudaMalloc returned cudaErrorMemoryAllocation"));
  CHECK(failed.says(shown("too much", "cudaMalloc")));
}

TEST_CASE(
    "what each launch of a kernel does wrong is reported once, and that it was not the only one") {
  const Ending ending = run_program(WARPWISE_PROGRAM, "same again");
  INFO(ending.text);
  CHECK(count(ending, "error: uninitialized: thread (0, 0, 0) reads offset 0 of") == 1);
  CHECK(count(ending, "error: uninitialized: the same in another launch of scale(int*, int)") == 1);
  CHECK(count(ending, "error: ") == 2);
}

TEST_CASE("what one launch does wrong at a line in two ways is reported for both") {
  const Ending ending = run_program(WARPWISE_PROGRAM, "two on a line");
  INFO(ending.text);
  CHECK(count(ending, "reads offset 124 of shared array first ") == 1);
  CHECK(count(ending, "reads offset 124 of shared array second ") == 1);
  // Repeats of that line and of the two that write.
  CHECK(count(ending, "error: race: the same in another launch of sum_of_two(int*)") == 3);
  CHECK(count(ending, "error: ") == 7);
}

TEST_CASE("the time limit tells the line that the host is at") {
  const Ending ending = run_program(WARPWISE_PROGRAM, "host loops", "WARPWISE_LIMIT=2");
  INFO(ending.text);
  CHECK(ending.status == 1);
  CHECK(ending.says("time-limit: stopped after 2 s, the limit that was set; no kernel was"));
  CHECK(ending.says("/program_under_test.cu:" + std::to_string(marked("loop").line) + "\n"));
  // Wherever the host is interrupted, also where it holds a lock of the library.
  int without_line = 0;
  for (int i = 0; i < 20; ++i) {
    const std::string limit = "WARPWISE_LIMIT=" + std::to_string(0.02 + 0.0017 * i);
    const Ending early = run_program(WARPWISE_PROGRAM, "host loops", limit.c_str());
    without_line += early.says("program_under_test.cu:") ? 0 : 1;
  }
  CHECK(without_line == 0);
}

TEST_CASE("Ctrl-C tells what a kernel was doing and what it has done wrong before") {
  const auto place = [](const char* mark) {
    return "program_under_test.cu:" + std::to_string(marked(mark).line);
  };
  const Ending ending = run_program(WARPWISE_PROGRAM, "interrupted");
  INFO(ending.text);
  CHECK(ending.says("begins\n"));
  CHECK(ending.says("error: uninitialized: "));
  CHECK(ending.says(place("used unwritten")));
  CHECK(ending.says("error: timeout: the launch was stopped, by its time limit or by Ctrl-C"));
  CHECK(ending.says(place("takes long")));
  constexpr int by_ctrl_c = 130;  // the status as a shell gives it
  CHECK(ending.status == by_ctrl_c);
  // A program that has a handler of its own means that.
  const Ending handled = run_program(WARPWISE_PROGRAM, "interrupts itself");
  CHECK(handled.status == 7);
  CHECK(handled.text.empty());
}

TEST_CASE("a report holds file and line of host code") {
  const std::string report = "/tmp/warpwise_host_lines_test." + std::to_string(getpid());
  for (const char* what : {"host touches", "leak"}) {
    run_program(WARPWISE_PROGRAM, what, "WARPWISE_REPORT=" + report);
    const Ending lines = run_command("cat " + report + "; rm " + report);
    INFO(lines.text);
    const Marked at = marked(*what == 'h' ? "touched" : "leak");
    CHECK(lines.says("program_under_test.cu\""));
    CHECK(lines.says("\"line\":" + std::to_string(at.line) + ","));
  }
  run_program(WARPWISE_PROGRAM, "out-of-bounds", "WARPWISE_REPORT=" + report);
  const Ending launch = run_command("cat " + report + "; rm " + report);
  CHECK(launch.says("\"launch_line\":" + std::to_string(marked("faulting launch").line)));
}

TEST_CASE("without debug information the mistakes are reported all the same, with advice once") {
  const std::string stripped = "/tmp/warpwise_host_lines_test.bare." + std::to_string(getpid());
  REQUIRE(
      run_command("objcopy --strip-debug " + quoted(WARPWISE_PROGRAM) + " " + stripped).status ==
      0);
  const Ending ending = run_program(stripped, "host mistakes");
  const Ending touched = run_program(stripped, "host touches");
  run_command("rm " + stripped);
  INFO(ending.text);
  CHECK(ending.status == 0);
  CHECK(count(ending, "error: invalid-free: ") == 3);
  CHECK(count(ending, "unknown line: compile with nvcc -g to see") == 1);
  CHECK(touched.status == 1);
  CHECK(count(touched, "error: device-pointer-on-host: ") == 1);
}

TEST_CASE("finding a line may take its time: no launch starts meanwhile") {
  const std::string folder = "/tmp/warpwise_host_lines_test.slow." + std::to_string(getpid());
  const std::string slow = folder + "/addr2line";
  REQUIRE(run_command("mkdir " + folder +
                      "; tool=$(command -v addr2line); printf '#!/bin/sh\\nsleep "
                      "0.5\\nexec %s \"$@\"\\n' $tool > " +
                      slow + "; chmod +x " + slow)
              .status == 0);
  const Ending ending =
      run_program(WARPWISE_PROGRAM, "wrong copy first", "PATH=" + folder + ":$PATH");
  run_command("rm -r " + folder);
  INFO(ending.text);
  const auto copy = ending.text.find("error: invalid-copy");
  const auto fault = ending.text.find("error: out-of-bounds");
  CHECK(copy != std::string::npos);
  CHECK(fault != std::string::npos);
  CHECK(copy < fault);
}

TEST_CASE("without addr2line, and where no process may be started, only the lines are lost") {
  const Ending missing = run_program(WARPWISE_PROGRAM, "host mistakes", "PATH=/no/such/folder");
  INFO(missing.text);
  CHECK(missing.status == 0);
  CHECK(count(missing, "error: invalid-free: ") == 3);
  CHECK(count(missing, "install addr2line") == 1);
  const Ending confined = run_program(WARPWISE_PROGRAM, "host mistakes", "FORBID_CHILDREN=1");
  INFO(confined.text);
  CHECK(confined.status == 0);
  CHECK(count(confined, "error: invalid-free: ") == 3);
  CHECK_FALSE(confined.says("unknown line"));
  CHECK_FALSE(confined.says("program_under_test.cu"));
  const Ending touched = run_program(WARPWISE_PROGRAM, "host touches", "FORBID_CHILDREN=1");
  CHECK(touched.status == 1);
  CHECK(count(touched, "error: device-pointer-on-host: ") == 1);
}

}  // namespace host_lines_test
}  // namespace warpwise::cudart
