#include "tutor/system/process.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/interrupt.h"

namespace warpwise::tutor {
namespace {

using namespace std::chrono_literals;

Command shell(const std::string& script) { return {.words = {"sh", "-c", script}, .limit = 20s}; }

void wait_for(const std::string& file) {
  for (int i = 0; i < 6000 && !std::filesystem::exists(file); ++i) {
    std::this_thread::sleep_for(10ms);
  }
}

double seconds_of(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_CASE("output, errors and the exit status come back separately") {
  const Outcome outcome = run_captured(shell("echo out; echo err >&2; exit 7"));
  CHECK(outcome.out == "out\n");
  CHECK(outcome.err == "err\n");
  CHECK(outcome.status == 7);
  CHECK(outcome.signal == 0);
}

TEST_CASE("environment and folder are set for the child only") {
  Command command = shell("echo $WARPWISE_TRY; pwd");
  command.environment = {{"WARPWISE_TRY", "a b"}};
  command.folder = "/";
  CHECK(run_captured(command).out == "a b\n/\n");
  CHECK(std::getenv("WARPWISE_TRY") == nullptr);
}

TEST_CASE("a child reads an empty stdin") {
  CHECK(run_captured(shell("cat; echo end")).out == "end\n");
}

TEST_CASE("a crash is 128 and its signal") {
  const Outcome outcome = run_captured(shell("kill -SEGV $$"));
  CHECK(outcome.signal == SIGSEGV);
  CHECK(outcome.status == 128 + SIGSEGV);
  CHECK_FALSE(outcome.timed_out);
}

TEST_CASE("a child that prints without end is read, cut and ended at its limit") {
  Command command = shell("yes");
  command.limit = 300ms;
  command.output_bytes = 1000;
  Outcome outcome;
  CHECK(seconds_of([&] { outcome = run_captured(command); }) < 500);
  CHECK(outcome.timed_out);
  CHECK(outcome.truncated);
  CHECK(outcome.out.size() == 1000);
}

TEST_CASE("a gigabyte of output ends by itself and costs no memory") {
  const Outcome outcome = run_captured(shell("head -c 200000000 /dev/zero; echo last >&2"));
  CHECK(outcome.status == 0);
  CHECK(outcome.truncated);
  CHECK(outcome.out.size() == (1U << 20));
  CHECK(outcome.err == "last\n");
}

// Whether a process ends within a minute; one that was never waited for counts as ended.
bool ends(pid_t process) {
  for (int i = 0; i < 6000; ++i) {
    std::ifstream status("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, letter;
    if (!(status >> number >> name >> letter) || letter == "Z") return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST_CASE("a child that sleeps without end is ended with everything it started") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "pid").string();
  // The inner shell ignores requests and holds the pipes open.
  Command command =
      shell("trap '' TERM INT; sh -c 'echo $$ > " + file + "; sleep 1000' & sleep 1000");
  Outcome outcome;
  // On a busy machine it takes its time until the inner shell has begun.
  for (command.limit = 500ms; !std::filesystem::exists(file) && command.limit < 100s;) {
    command.limit *= 2;
    outcome = run_captured(command);
  }
  CHECK(outcome.timed_out);
  CHECK(outcome.status == 128 + SIGKILL);
  CHECK(ends(std::stoi(read_file(file))));
}

TEST_CASE("a background process that keeps the pipe open does not hold us up, and ends") {
  Outcome outcome;
  CHECK(seconds_of([&] { outcome = run_captured(shell("sleep 1000 & echo $!")); }) < 500);
  CHECK(outcome.status == 0);
  CHECK(ends(std::stoi(outcome.out)));
}

TEST_CASE("what cannot be started is one line and status 3") {
  const auto complaint = [](const std::string& program) {
    try {
      run_captured({.words = {program}});
    } catch (const Failure& failure) {
      CHECK(failure.status == status_environment);
      return failure.message;
    }
    return std::string("started");
  };
  CHECK(complaint("/nowhere/at all") == "cannot start /nowhere/at all: No such file or directory");
  CHECK(complaint("/") == "cannot start /: Permission denied");
  CHECK(complaint("no_such_program_here") ==
        "cannot start no_such_program_here: No such file or directory");
}

TEST_CASE("a request to stop reaches the child, which may tidy up, and ends the wait") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "tidied").string();
  catch_stop_requests();
  const std::string ready = (folder.path() / "ready").string();
  const Command command =
      shell("trap 'echo yes > " + file + "; exit 3' INT; touch " + ready + "; sleep 1000 & wait");
  std::jthread interrupter([&] {
    wait_for(ready);
    kill(getpid(), SIGINT);
  });
  CHECK(seconds_of([&] { CHECK_THROWS_AS(run_captured(command), Interrupted); }) < 500);
  interrupter.join();
  CHECK(stop_request().signal == SIGINT);
  CHECK(stop_request().from_process);
  clear_stop_request();
  CHECK(read_file(file) == "yes\n");
}

TEST_CASE("work that is cancelled ends with its child, and later work is not begun") {
  Cancellation cancellation;
  Command command = shell("sleep 1000");
  command.cancel = &cancellation;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(200ms);
    cancellation.request();
  });
  CHECK(seconds_of([&] { CHECK_THROWS_AS(run_captured(command), Interrupted); }) < 500);
  canceller.join();
  CHECK(stop_request().signal == 0);
  command.words = {"/nowhere"};
  CHECK_THROWS_AS(run_captured(command), Interrupted);
}

TEST_CASE("a child that eats memory is refused more at its limit") {
  Command command = shell("x=0123456789abcdef; while :; do x=$x$x; done");
  command.memory_bytes = 64U << 20;
  const Outcome outcome = run_captured(command);
  CHECK(outcome.status != 0);
  CHECK_FALSE(outcome.timed_out);
}

TEST_CASE("a child has no terminal") {
  CHECK(run_captured(shell("exec 2>/dev/null; : </dev/tty && echo yes")).out == "");
}

// What an attached child leaves behind nobody ends: here it is gone in a moment. A shell's `kill
// $!` is lost where its child has not yet become the program.
TEST_CASE("an attached child gets requests that were sent to us alone") {
  catch_stop_requests();
  const TemporaryFolder folder;
  const std::string ready = (folder.path() / "ready").string();
  std::jthread sender([&] {
    wait_for(ready);
    kill(getpid(), SIGTERM);
  });
  const Outcome outcome = run_attached(
      shell("trap 'exit 9' TERM; touch " + ready + "; while :; do sleep 0.1 & wait; done"));
  sender.join();
  CHECK(outcome.status == 9);
  CHECK(stop_request().signal == 0);
}

TEST_CASE("an attached child past its limit is killed") {
  const Outcome outcome = run_attached({.words = {"sleep", "1000"}, .limit = 200ms});
  CHECK(outcome.timed_out);
  CHECK(outcome.signal == SIGKILL);
}

}  // namespace
}  // namespace warpwise::tutor
