#include "tutor/build.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tutor/failure.h"
#include "tutor/files.h"
#include "tutor/interrupt.h"
#include "tutor/lock.h"

namespace warpwise::tutor {
namespace {

TEST_CASE("a build's first error is shown without what follows it") {
  CHECK(first_error(
            "[1/9] Building a.o\n/a.cpp:3:1: warning: w\n/a.cpp:4:1: error: bad\n    4 | x\n"
            "/a.cpp:9:1: error: worse\n[2/9] Building\n") == "/a.cpp:4:1: error: bad\n    4 | x\n");
  CHECK(first_error("ninja: error: unknown target 'x'\n") == "ninja: error: unknown target 'x'\n");
  CHECK(first_error("something\nelse\n") == "something\nelse\n");
  CHECK(first_error("") == "");
}

TEST_CASE("a build folder that cannot be used is one line and status 3") {
  try {
    make_targets({.root = "/", .build = "/nowhere", .nvcc = {}, .code_flags = {}, .make = {}}, {});
    FAIL_CHECK("built");
  } catch (const Failure& failure) {
    CHECK(failure.status == status_environment);
    CHECK(
        failure.message ==
        "/nowhere cannot be written (No such file or directory): build in a checkout of your own");
  }
}

TEST_CASE("a failed build keeps its log") {
  const TemporaryFolder folder;
  const Context context{folder.path(), folder.path(), {}, {}, {}};
  try {
    make_targets(context, {"x"});
    FAIL_CHECK("built");
  } catch (const Failure& failure) {
    CHECK(failure.status == status_wrong);
    CHECK(failure.message.find("the build failed") == 0);
    CHECK(read_file(folder.path() / "learn.log").find("Error") != std::string::npos);
  }
}

TEST_CASE("one build waits for another") {
  const TemporaryFolder folder;
  const Context context{folder.path(), folder.path(), {}, {}, {}};
  std::atomic<bool> released{false};
  std::jthread other;
  {
    const BuildLock first(context);
    other = std::jthread([&] {
      const BuildLock second(context);
      CHECK(released);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    released = true;
  }
}

TEST_CASE("who waits for a build says so, and can be told to stop") {
  const TemporaryFolder folder;
  Context context{folder.path(), folder.path(), {}, {}, {}};
  const BuildLock first(context);
  Cancellation cancellation;
  std::string said;
  context.cancel = &cancellation;
  context.on_progress = [&](const std::string& line) {
    said += line;
    cancellation.request();
  };
  CHECK_THROWS_AS(BuildLock second(context), Interrupted);
  CHECK(said.starts_with("waiting for another build (test_tutor"));
  CHECK(said.find(", since ") == said.size() - std::string(", since 00:00)").size());
}

}  // namespace
}  // namespace warpwise::tutor
