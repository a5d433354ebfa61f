#include "tutor/sandbox.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <thread>

#include "tutor/failure.h"
#include "tutor/process.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;

/// A shell's command in the first cell. @param writing in its folder.
Outcome in_cell(const Sandbox& sandbox, const std::string& script, bool writing = true) {
  const Confinement cell = sandbox.fresh_cell(0);
  std::vector<std::string> words = writing ? cell.checking : cell.running;
  for (const std::string& word : {std::string("FOLDER=") + cell.folder.string(), std::string("sh"),
                                  std::string("-c"), script}) {
    words.push_back(word);
  }
  return run_captured({.words = words});
}

bool works(const Sandbox& sandbox, const std::string& script, bool writing = true) {
  return in_cell(sandbox, script, writing).status == 0;
}

/// Looks at each isolation that this machine has.
template <class Look>
void for_each_isolation(Look look) {
  const Context context = this_context();
  for (const char* way : {"namespaces", "user", "none"}) {
    CAPTURE(way);
    try {
      const Sandbox sandbox(context, way, 2);
      look(sandbox);
    } catch (const Failure& failure) {
      CHECK(failure.status == status_environment);
      MESSAGE("not here: ", failure.message);
    }
  }
}

TEST_CASE("what runs in a cell sees no environment of ours and has limits") {
  ::setenv("WARPWISE_TEST_SECRET", "1", 1);
  for_each_isolation([](const Sandbox& sandbox) {
    CHECK(works(sandbox, "test -z \"$WARPWISE_TEST_SECRET\""));
    CHECK(works(sandbox, "test \"$(ulimit -c)\" = 0"));
    CHECK(works(sandbox, "touch $FOLDER/x"));
    CHECK(works(sandbox, "test ! -e $FOLDER/x"));  // Another job's.
    if (sandbox.isolation() != Isolation::none) CHECK(works(sandbox, "test \"$(id -u)\" != 0"));
  });
  ::unsetenv("WARPWISE_TEST_SECRET");
}

TEST_CASE("namespaces show the tools alone: no course, no network, no other process") {
  for_each_isolation([](const Sandbox& sandbox) {
    if (sandbox.isolation() != Isolation::namespaces) return;
    const std::string root = WARPWISE_SOURCE_DIR;
    CHECK(works(sandbox, "test ! -e " + root + "/solutions"));
    CHECK(works(sandbox, "test ! -e " + root + "/chapters"));
    CHECK(works(sandbox, "test ! -e /etc/passwd"));
    CHECK(works(sandbox, "test -x " + this_context().runner().string()));
    CHECK(works(sandbox, "test $(ls /proc | grep -c '^[0-9]') -lt 8"));
    CHECK(works(sandbox, "test $(ls /sys/class/net 2>/dev/null | wc -l) = 0"));
    CHECK_FALSE(works(sandbox, "touch /usr/x"));
    CHECK_FALSE(works(sandbox, "touch $FOLDER/x", false));
    CHECK_FALSE(works(sandbox, "head -c 300000000 /dev/zero > /tmp/x"));
    CHECK(sandbox.gaps().empty());
  });
}

TEST_CASE("nothing that a job leaves behind outlives its cell") {
  for_each_isolation([](const Sandbox& sandbox) {
    if (sandbox.isolation() == Isolation::none) return;
    const fs::path sign = fs::temp_directory_path() / "warpwise_sandbox_test_sign";
    fs::remove(sign);
    in_cell(sandbox, "setsid sh -c 'sleep 1; touch " + sign.string() + "' >/dev/null 2>&1 &");
    sandbox.fresh_cell(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    CHECK_FALSE(fs::exists(sign));
  });
}

TEST_CASE("two programs that grade at the same time take different users") {
  const UserRange one, other;
  if (::geteuid() != 0) return;
  CHECK(one.user(0) != other.user(0));
  CHECK(one.user(UserRange::size - 1) != other.user(0));
}

TEST_CASE("what is asked for is had or refused; auto never ends without isolation") {
  const Context context = this_context();
  try {
    const Sandbox sandbox(context, "strong", 1);
    FAIL_CHECK("made");
  } catch (const Failure& failure) {
    CHECK(failure.status == status_usage);
  }
  const Sandbox none(context, "none", 1);
  CHECK(none.gaps().size() == 1);
  // Without the programs that isolate.
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  try {
    const Sandbox sandbox(context, "auto", 1);
    FAIL_CHECK("made");
  } catch (const Failure& failure) {
    CHECK(failure.status == status_environment);
    CHECK(failure.message.find("install bubblewrap") != std::string::npos);
  }
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace warpwise::tutor
