#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "simulator/cudart/tests/child.h"

// The library as programs meet it: loaded into executables that nvcc built.
namespace warpwise::cudart {
namespace program_test {

const std::string library = WARPWISE_BUILD_DIR "/simulator/libcudart.so.13";

Ending run_program(const std::string& what, const std::string& environment = "") {
  return run_simulated(WARPWISE_PROGRAM, what, environment);
}

std::set<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::set<std::string> names_of(const std::string& file, const std::string& which = "") {
  const Ending listed = run_command("nm -D --defined-only " + file + " | awk '$2 != \"A\" " +
                                    which + " {sub(/@.*/, \"\", $3); print $3}'");
  return words(listed.text);
}

/// Those that have the library's version.
std::set<std::string> exports_of(const std::string& file) { return names_of(file, "&& /@@/"); }

std::set<std::string> expected_exports() {
  std::ifstream list(WARPWISE_SOURCE_DIR "/common/simulator/cudart/exports.txt");
  return {std::istream_iterator<std::string>(list), {}};
}

TEST_CASE("the library exports the real library's names and nine more") {
  std::set<std::string> expected = expected_exports();
  REQUIRE(expected.size() > 400);
  expected.insert({"warpwise_bytes_for_host", "warpwise_count_operations",
                   "warpwise_count_participants", "warpwise_take_operations",
                   "warpwise_forget_contents", "warpwise_name_array", "warpwise_note_heap_leaks",
                   "warpwise_set_budget", "warpwise_take_report"});
  CHECK(exports_of(quoted(library)) == expected);
  const Ending versions = run_command("nm -D --defined-only " + quoted(library) +
                                      " | awk '{sub(/.*@@/, \"\"); print}' | sort -u");
  CHECK(words(versions.text).contains("libcudart.so.13"));
  const Ending name = run_command("readelf -d " + quoted(library) + " | grep SONAME");
  CHECK(name.says("[libcudart.so.13]"));
}

TEST_CASE("what the library exports without a version comes before the C library's own") {
  const std::set<std::string> in_front = names_of(quoted(library), "&& !/@@/");
  CHECK(in_front.size() > 20);
  const std::set<std::string> theirs =
      names_of("$(ldd " + quoted(WARPWISE_PROGRAM) + " | awk '/libc.so/ {print $3}')");
  CHECK(std::includes(theirs.begin(), theirs.end(), in_front.begin(), in_front.end()));
}

TEST_CASE("the list of exports is the toolkit's") {
  const std::string real = WARPWISE_TOOLKIT "/lib64/libcudart.so.13";
  if (!std::filesystem::exists(real)) {
    MESSAGE("skipped: no " << real);
    return;
  }
  CHECK(exports_of(real) == expected_exports());
}

TEST_CASE("a program computes, with constants, variables and managed memory") {
  const Ending ending = run_program("compute");
  CHECK(ending.text == "calls 1, total 10\n");
  CHECK(ending.status == 0);
}

TEST_CASE("a program runs on newer GPUs from its PTX, and on older ones with a note") {
  CHECK(run_program("compute", "WARPWISE_GPU=b200").text == "calls 1, total 10\n");
  const Ending older = run_program("compute", "WARPWISE_GPU=t4");
  CHECK(older.status == 0);
  CHECK(older.says("calls 1, total 10\n"));
  CHECK(older.says("PTX for compute_90, which sm_75 could not run"));
}

TEST_CASE("kernel attributes come from the compiled code") {
  const Ending ending = run_program("attributes");
  CHECK(ending.says("threads 64, shared 256, registers known, blocks 32"));
  CHECK(ending.says("launch: cudaErrorInvalidValue"));
  CHECK(ending.says("__launch_bounds__ of bounded(int*)"));
}

TEST_CASE("an index out of bounds is named and sticks") {
  const Ending ending = run_program("out-of-bounds");
  CHECK(ending.says("out-of-bounds"));
  CHECK(ending.says("program_under_test.cu"));
  CHECK(ending.says("launch: cudaSuccess"));
  CHECK(ending.says("synchronise: cudaErrorIllegalAddress"));
  CHECK(ending.says("free: cudaErrorIllegalAddress"));
}

TEST_CASE("the name of a device variable that becomes a pointer on the host is named") {
  const Ending ending = run_program("name-as-pointer");
  CHECK(ending.status == 0);
  CHECK(ending.says("error: host-pointer: thread (0, 0, 0)"));
  CHECK(ending.says("under the name of the device's variable calls. On the host"));
}

TEST_CASE("kernels reach registered memory of the host, and no byte beyond it") {
  const Ending ending = run_program("registered");
  CHECK(ending.says("launch: cudaSuccess, own[0] 63\n"));
  CHECK(ending.says("out-of-bounds"));
  CHECK(ending.says("beyond: cudaErrorIllegalAddress"));
}

TEST_CASE("device printf appears when the program synchronises, else its loss is reported") {
  const Ending shown = run_program("print");
  CHECK(shown.text == "thread 0 says 42\nthread 1 says 42\n");
  const Ending lost = run_program("nothing");
  CHECK_FALSE(lost.says("says 42"));
  CHECK(lost.says("2 lines of device printf were never shown"));
  CHECK(lost.status == 0);
}

TEST_CASE("an unavailable function names itself, status 3") {
  const std::string report = "/tmp/warpwise_program_test." + std::to_string(getpid());
  const Ending ending = run_program("imported", "WARPWISE_REPORT=" + report);
  CHECK(ending.text == "cudaImportExternalMemory is not available in the simulator\n");
  CHECK(ending.status == 3);
  CHECK(run_command("cat " + report + "; rm " + report).says("cudaImportExternalMemory"));
}

TEST_CASE("a graph that kernels are to launch is refused where it is made, status 3") {
  const Ending ending = run_program("graph_for_kernels");
  CHECK(ending.says("graphs that kernels launch are not available in the simulator"));
  CHECK(ending.status == 3);
}

TEST_CASE("what was never freed, and an error that was never read, are notes at the end") {
  const std::string report = "/tmp/warpwise_program_test." + std::to_string(getpid());
  const Ending leak = run_program("leak", "WARPWISE_REPORT=" + report);
  CHECK(leak.status == 0);
  CHECK(leak.says("note: leak: 1 allocation of 4000 bytes in all was never freed"));
  CHECK(run_command("cat " + report + "; rm " + report).says("\"severity\":\"note\""));
  CHECK(run_program("leak", "WARPWISE_QUIET=1").text == "");
  CHECK(run_program("'leak at reset'").says("note: leak: 1 allocation of 4000 bytes"));
  const Ending unchecked = run_program("unchecked");
  CHECK(unchecked.status == 0);
  CHECK(unchecked.says("note: unchecked-error: cudaErrorInvalidValue"));
  CHECK(unchecked.says("error: launch-configuration"));
  CHECK_FALSE(run_program("attributes").says("unchecked-error"));
  // Another call than a launch; a program that asks for the error's name has looked at it.
  CHECK(
      run_program("unasked").says("note: unchecked-error: cudaMalloc returned "
                                  "cudaErrorMemoryAllocation"));
  CHECK_FALSE(run_program("asked").says("unchecked-error"));
  CHECK_FALSE(run_program("compute").says("note"));
}

TEST_CASE("abort loses nothing of the report") {
  const std::string report = "/tmp/warpwise_program_test." + std::to_string(getpid());
  run_program("abort", "WARPWISE_REPORT=" + report);
  const Ending lines = run_command("cat " + report + "; rm " + report);
  CHECK(std::count(lines.text.begin(), lines.text.end(), '\n') == 1);
  CHECK(lines.says("say(int)"));
}

TEST_CASE("a CUDA program that the program starts also runs on the simulator") {
  for (const char* how : {"by a shell", "through a pipe", "spawned", "by a list", "by name",
                          "without environment", "by itself"}) {
    CAPTURE(how);
    // Were there a GPU and this ran on it, it would say no such thing.
    const Ending ending = run_program("'start " + std::string(how) + "'", "WARPWISE_GPU=t4");
    CHECK(ending.says("calls 1, total 10\n"));
    if (std::string(how) != "spawned" && std::string(how) != "without environment")
      CHECK(ending.says("PTX for compute_90, which sm_75 could not run"));
    CHECK(ending.status == 0);
  }
}

TEST_CASE("tools that the program starts do not meet the library") {
  const Ending ending = run_program("environment", "WARPWISE_LAUNCHER=1 WARPWISE_GPU=h100");
  CHECK(ending.says("WARPWISE_GPU=h100"));
  CHECK_FALSE(ending.says("LD_PRELOAD"));
  CHECK_FALSE(ending.says("WARPWISE_LAUNCHER"));
}

}  // namespace program_test
}  // namespace warpwise::cudart
