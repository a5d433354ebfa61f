#include "tutor/system/build.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/interrupt.h"
#include "tutor/system/lock.h"

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

TEST_CASE("a command that waits for a build says so, and can be stopped") {
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
  CHECK(said.starts_with("waiting for the build ahead of this watcher, "));
}

TEST_CASE("the last step of a build is named by what it is a part of") {
  CHECK(build_progress("[0/2] Re-checking globbed directories...\n").empty());
  CHECK(build_progress("[1/62] Building CXX object CMakeFiles/warpwise_machine.dir/a.o\n"
                       "[36/62] Linking CXX shared library simulator/libcudart.so.13\n") ==
        "building the simulator [36/62]");
  CHECK(build_progress("x\n[3/9] Building CUDA object CMakeFiles/ch04_reduction.dir/a.o\n") ==
        "building chapter 4 [3/9]");
  CHECK(build_progress("[3/9] Linking CXX executable checks/ch04_reduction/01_tree\n") ==
        "building the checks [3/9]");
  CHECK(build_progress("") == "");
  CHECK(build_progress("[3/9] Buil") == "");
  CHECK(build_progress("[no step of ninja's\n") == "");
}

TEST_CASE("what a holder writes is read, and no text is an error") {
  const auto now = std::chrono::system_clock::from_time_t(1'000'000'000);
  const Holder holder = read_holder(to_text({getpid(), now, "building chapter 4 [3/20]"}));
  CHECK(holder.process == getpid());
  CHECK(holder.since == now);
  CHECK(holder.doing == "building chapter 4 [3/20]");
  for (const char* text : {"", "process", "process x\nsince\ndoing", "\n\n\xff", "since -"}) {
    CHECK(read_holder(text).process == 0);
    CHECK(read_holder(text).doing.empty());
  }
}

TEST_CASE("a waiting command names the one that builds, since when and how far") {
  const auto then = std::chrono::system_clock::from_time_t(1'000'000'000);
  const auto now = then + std::chrono::seconds(12);
  const std::string line = waiting_line({getpid(), then, "building [3/20]"}, 1, now);
  CHECK(line == "waiting for " + typed_command(getpid()) +
                    fmt::format(" (process {}): building [3/20], 12 s", getpid()));
  CHECK(waiting_line({getpid(), then, ""}, getpid(), now) ==
        "waiting for the build ahead of this watcher, 12 s");
  CHECK(waiting_line({}, 1, now) == "waiting for another build");
  CHECK_FALSE(typed_command(getpid()).empty());
  CHECK(typed_command(0).empty());
}

TEST_CASE("a wish is there for what is less urgent, while it lives") {
  const TemporaryFolder folder;
  Context verdict{folder.path(), folder.path(), {}, {}, {}}, at_length = verdict, ahead = verdict;
  at_length.urgency = Urgency::at_length;
  ahead.urgency = Urgency::ahead;
  CHECK_FALSE(Wish::is_there(ahead));
  {
    const Wish wish(at_length), another(at_length);
    CHECK(Wish::is_there(ahead));
    CHECK_FALSE(Wish::is_there(at_length));
    CHECK_FALSE(Wish::is_there(verdict));
  }
  CHECK_FALSE(Wish::is_there(ahead));
}

// In place of cmake: a target "big" that ends only after "small" was made.
struct StandInBuilder {
  StandInBuilder() {
    std::filesystem::create_directory(folder.path() / "bin");
    const std::filesystem::path cmake = folder.path() / "bin" / "cmake";
    std::ofstream(cmake) << "#!/bin/sh\ncd \"$2\"\ncase $4 in\n"
                            "small) touch small ;;\n"
                            "big) echo '[1/2] Building warpwise_machine'; touch begun\n"
                            "  for i in $(seq 400); do [ -e small ] && touch big && exit 0\n"
                            "    sleep 0.05; done; exit 1 ;;\nesac\n";
    std::filesystem::permissions(cmake, std::filesystem::perms::owner_all);
    setenv("PATH", ((folder.path() / "bin").string() + ":" + path).c_str(), 1);
  }
  ~StandInBuilder() { setenv("PATH", path.c_str(), 1); }
  bool has(const char* file) const { return std::filesystem::exists(folder.path() / file); }
  const std::string path = std::getenv("PATH");
  TemporaryFolder folder;
};

TEST_CASE("a build gives way to one that is more urgent, and goes on when that has ended") {
  for (const Urgency urgency : {Urgency::ahead, Urgency::at_length}) {
    const StandInBuilder builder;
    Context context{builder.folder.path(), builder.folder.path(), {}, {}, {}};
    // Both tell: the one that is waited for how far it is, the one that waits for what.
    context.on_progress = [](const std::string&) {};
    Context less = context;
    less.urgency = urgency;
    std::jthread big([&] { make_targets(less, {"big"}); });
    while (!builder.has("begun")) std::this_thread::yield();
    make_targets(context, {"small"});
    CHECK(builder.has("small"));
    CHECK_FALSE(builder.has("big"));
    big.join();
    CHECK(builder.has("big"));
  }
}

}  // namespace
}  // namespace warpwise::tutor
