#include "tutor/grade/sandbox.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "tutor/system/failure.h"
#include "tutor/system/process.h"
#include "tutor/system/this_context.h"

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
    CHECK(works(sandbox, "test ! -e '" + root + "/solutions'"));
    CHECK(works(sandbox, "test ! -e '" + root + "/chapters'"));
    CHECK(works(sandbox, "test ! -e /etc/passwd"));
    CHECK(works(sandbox, "test -x '" + this_context().runner().string() + "'"));
    CHECK(works(sandbox, "test $(ls /proc | grep -c '^[0-9]') -lt 8"));
    CHECK(works(sandbox, "test $(ls /sys/class/net 2>/dev/null | wc -l) = 0"));
    CHECK_FALSE(works(sandbox, "touch /usr/x"));
    CHECK_FALSE(works(sandbox, "touch $FOLDER/x", false));
    CHECK_FALSE(works(sandbox, "head -c 300000000 /dev/zero > /tmp/x"));
    CHECK(sandbox.gaps().empty());
  });
}

TEST_CASE("a running answer sees no check, and a compiler neither check nor simulator") {
  for_each_isolation([](const Sandbox& sandbox) {
    if (sandbox.isolation() != Isolation::namespaces) return;
    const Context context = this_context();
    const Confinement cell = sandbox.fresh_cell(0);
    const auto sees = [](std::vector<std::string> words, const fs::path& path) {
      words.insert(words.end(), {"test", "-e", path.string()});
      return run_captured({.words = words}).status == 0;
    };
    CHECK(sees(cell.checking, context.build / "checks"));
    CHECK_FALSE(sees(cell.running, context.build / "checks"));
    CHECK_FALSE(sees(cell.compiling, context.build / "checks"));
    CHECK_FALSE(sees(cell.compiling, context.simulator()));
  });
}

/// A folder among those of the system, which namespaces show; none without root.
struct SystemFolder {
  SystemFolder() {
    std::string name = "/usr/local/share/warpwise_test_XXXXXX";
    if (::mkdtemp(name.data()) != nullptr) path = name;
    if (!path.empty()) ::chmod(path.c_str(), 0755);
  }
  SystemFolder(const SystemFolder&) = delete;
  SystemFolder& operator=(const SystemFolder&) = delete;
  ~SystemFolder() {
    if (!path.empty()) fs::remove_all(path);
  }
  fs::path path;
};

TEST_CASE("a course and private exercises below /usr are hidden, also where links lead there") {
  const SystemFolder folder;
  if (folder.path.empty()) return;
  const fs::path root = folder.path / "course", own = folder.path / "own";
  const Context here = this_context();
  Context context = here;
  context.root = root;
  context.build = root / "build";
  for (const fs::path& file :
       {root / "solutions/ch01/x.cu", root / ".git/HEAD", own / "solutions/my01/x.cu"}) {
    make_folder(file.parent_path());
    write_atomically(file, "x");
  }
  fs::create_symlink(own, root / "private");
  make_folder(context.runner().parent_path());
  fs::copy_file("/bin/true", context.runner());
  try {
    const Sandbox sandbox(context, "namespaces", 1);
    CHECK(works(sandbox, "test -x " + context.runner().string()));
    for (const fs::path& secret :
         {root / "solutions", root / ".git", root / "private", own / "solutions"}) {
      CAPTURE(secret.string());
      CHECK(works(sandbox, "test ! -e " + secret.string()));
      CHECK(works(sandbox, "test ! -e " + secret.string(), false));
    }
    CHECK(sandbox.gaps().empty());
  } catch (const Failure& failure) {
    CHECK(failure.status == status_environment);
    MESSAGE("not here: ", failure.message);
  }
}

TEST_CASE("a script named nvcc does not show the folder that it is in") {
  const TemporaryFolder home;
  ::chmod(home.path().c_str(), 0755);
  Context context = this_context();
  make_folder(home.path() / "bin");
  write_atomically(home.path() / "secret", "x");
  const fs::path named = home.path() / "bin/nvcc";
  fs::create_symlink(context.nvcc, named);
  context.nvcc = named;
  try {
    const Sandbox sandbox(context, "namespaces", 1);
    CHECK(works(sandbox, "test -x " + named.string()));
    CHECK(works(sandbox, "test ! -e " + (home.path() / "secret").string()));
    fs::remove(named);
    write_atomically(named, "#!/bin/sh\n");
    fs::permissions(named, fs::perms::owner_all);
    CHECK_THROWS_AS(Sandbox(context, "namespaces", 1), Failure);
  } catch (const Failure& failure) {
    CHECK(failure.status == status_environment);
    MESSAGE("not here: ", failure.message);
  }
}

TEST_CASE("nothing that a job leaves outlives its cell") {
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

TEST_CASE("files that a job leaves in folders open to all users go with its cell") {
  for_each_isolation([](const Sandbox& sandbox) {
    if (sandbox.isolation() != Isolation::user) return;
    for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm"}) {
      CAPTURE(folder);
      const fs::path left = fs::path(folder) / "warpwise_sandbox_test_left/deep";
      in_cell(sandbox, "mkdir -p " + left.string() + "; touch " + left.string() + "/x");
      CHECK(fs::exists(left));
      sandbox.fresh_cell(0);
      CHECK_FALSE(fs::exists(left.parent_path()));
    }
  });
}

TEST_CASE("after grading without isolation no process of a submission is left") {
  const fs::path sign = fs::temp_directory_path() / "warpwise_sandbox_test_sign";
  fs::remove(sign);
  {
    const Sandbox sandbox(this_context(), "none", 1);
    in_cell(sandbox, "setsid sh -c 'sleep 1; touch " + sign.string() + "' >/dev/null 2>&1 &");
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  CHECK_FALSE(fs::exists(sign));
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
