// The program itself: its command line, exit statuses and streams.
#include <doctest/doctest.h>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {
namespace {

Outcome learn(std::vector<std::string> words) {
  words.insert(words.begin(), WARPWISE_BUILD_DIR "/tutor/learn");
  return run_captured({.words = std::move(words)});
}

// One line that begins with the program's name.
void check_refused(const Outcome& outcome, int status, const std::string& part) {
  CAPTURE(outcome.err);
  CHECK(outcome.status == status);
  CHECK(outcome.out == "");
  CHECK(outcome.err.starts_with("learn: "));
  CHECK(outcome.err.find(part) != std::string::npos);
  CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
}

TEST_CASE("help and version are answers, not errors") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--help"}, {"-h"}, {"sim", "--help"}, {"run", "--help"}}) {
    const Outcome outcome = learn(words);
    CHECK(outcome.status == status_ok);
    CHECK(outcome.out.starts_with("usage: ./learn "));
    CHECK(outcome.err == "");
  }
  const Outcome state = learn({});
  CHECK(state.status == status_ok);
  CHECK(state.out.find(" exercises are solved\n") != std::string::npos);
  CHECK(learn({"--version"}).out.starts_with("warpwise "));
}

TEST_CASE("a copied program does not work on the course that it was copied from") {
  const TemporaryFolder folder;
  const std::string copy = (folder.path() / "learn").string();
  std::filesystem::copy_file(WARPWISE_BUILD_DIR "/tutor/learn", copy);
  check_refused(run_captured({.words = {copy, "list"}}), status_environment,
                "this program was built for the course in " WARPWISE_SOURCE_DIR);
}

TEST_CASE("bad usage is one line and status 2") {
  check_refused(learn({"lst"}), status_usage, "did you mean './learn list'");
  check_refused(learn({"ch01/03"}), status_usage, "did you mean './learn run ch01/03'");
  check_refused(learn({"run"}), status_usage, "./learn list");
  check_refused(learn({"run", "no_such_chapter"}), status_usage, "the nearest: ");
  check_refused(learn({"predict"}), status_usage, "which chapter?");
  check_refused(learn({"predict", "ch01/01"}), status_usage, "./learn predict ch01");
  check_refused(learn({"run", "--gpu", "t4"}), status_usage, "--gpu");
  check_refused(learn({"list", "--bad"}), status_usage, "--bad");
  check_refused(learn({"hint", "no_such_exercise"}), status_usage, "the nearest: ");
  check_refused(learn({"explain", "ch01"}), status_usage, "which exercise");
  check_refused(learn({"reset"}), status_usage, "NAME");
  check_refused(learn({"export"}), status_usage, "DIR");
  check_refused(learn({"export", WARPWISE_SOURCE_DIR "/out"}), status_usage, "outside");
  check_refused(learn({"submit", "more"}), status_usage, "more");
  check_refused(learn({"update", "--from"}), status_usage, "--from");
  check_refused(learn({"update", "--from", "/no/such/file"}), status_environment, "/no/such");
  check_refused(learn({"doctor", "--bad"}), status_usage, "--bad");
  check_refused(learn({"test", "more"}), status_usage, "more");
  check_refused(learn({"sim"}), status_usage, "which program?");
  check_refused(learn({"sim", "--limit", "-1", "x"}), status_usage, "--limit");
  check_refused(learn({"sim", "--limit", "1e999", "x"}), status_usage, "--limit");
  check_refused(learn({"sim", "--threads", "0", "x"}), status_usage, "--threads");
  check_refused(learn({"sim", "--threads", "99999999999", "x"}), status_usage, "--threads");
  check_refused(learn({"sim", "--gpus", "0", "x"}), status_usage, "--gpus");
  check_refused(learn({"sim", "--gpus", "9", "x"}), status_usage, "--gpus");
  check_refused(learn({"sim", "--gpus", "2", "--peers", "0-9", "x"}), status_usage, "--peers");
  check_refused(learn({"sim", "--peers", "all", "x"}), status_usage, "--gpus");
  check_refused(learn({"sim", "--json"}), status_usage, "--json");
  check_refused(learn({"sim", "--gpu", "t5", "x"}), status_usage, "t4");
  check_refused(learn({"sim", "no_such_program"}), status_usage, "no_such_program");
  check_refused(learn({"sim", "no_such_file.cu"}), status_usage, "no_such_file.cu");
  check_refused(learn({"sim", "/"}), status_usage, "folder");
}

TEST_CASE("what the simulator cannot run is one line and status 3") {
  check_refused(learn({"sim", "--", "/bin/sh", "-c", "echo ran"}), status_environment,
                "no device code");
  const TemporaryFolder folder;
  write_atomically(folder.path() / "script", "#!/bin/sh\necho ran\n");
  check_refused(learn({"sim", (folder.path() / "script").string()}), status_environment,
                "not a program of this machine");
  check_refused(learn({"sim", "--json", (folder.path() / "no/r.json").string(), "/bin/sh"}),
                status_environment, "cannot be written");
}

}  // namespace
}  // namespace warpwise::tutor
