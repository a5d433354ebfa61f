#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tutor/system/failure.h"
#include "tutor/system/files.h"
#include "tutor/system/process.h"

namespace warpwise::tutor {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// A checkout with the script alone, in which nothing was ever built, and programs before those of
// the system. /usr/local/cuda is not looked at.
struct Machine {
  Machine() {
    std::string script = read_file(WARPWISE_SOURCE_DIR "/learn");
    for (auto at = script.find("/usr/local/cuda"); at != script.npos;
         at = script.find("/usr/local/cuda", at)) {
      script.replace(at, 15, "/no/such/folder");
    }
    program("learn", script, root);
    make_folder(root / "common/tutor");
    write_atomically(root / "common/tutor/doctor.sh",
                     read_file(WARPWISE_SOURCE_DIR "/common/tutor/doctor.sh"));
    for (const char* chapter : {"ch01_first", "ch02_second"}) {
      make_folder(root / "chapters" / chapter);
      write_atomically(root / "chapters" / chapter / "README.md", "# A\n\nNeeds: much \"more\".\n");
    }
    make_folder(root / "exercises");
    write_atomically(root / "CMakeLists.txt", "project(warpwise VERSION 4.2 LANGUAGES CXX)\n");
  }
  static void program(const std::string& name, const std::string& text, const fs::path& where) {
    make_folder(where);
    write_atomically(where / name, text);
    fs::permissions(where / name, fs::perms::owner_all);
  }
  void fake(const std::string& name, const std::string& text) const {
    program(name, "#!/bin/sh\n" + text + "\n", tools);
  }
  Outcome run(const std::vector<std::string>& flags = {"--json"}) const {
    Command command{.words = {(root / "learn").string(), "doctor"},
                    .environment = {{"PATH", tools.string() + ":/usr/bin:/bin"},
                                    {"CUDA_PATH", "/no/such/folder"},
                                    {"CUDACXX", ""}}};
    command.words.insert(command.words.end(), flags.begin(), flags.end());
    return run_captured(command);
  }
  // The fact of that name; null when there is none.
  Json fact(const std::string& name, const char* status = nullptr) const {
    const Json answer = Json::parse(run().out);
    for (const Json& one : answer["facts"]) {
      if (one["name"] == name && (status == nullptr || one["status"] == status)) return one;
    }
    return nullptr;
  }
  void toolkit() const {
    fake("nvcc", "echo 'Cuda compilation tools, release 13.0, V13.0.88'");
    make_folder(folder.path() / "include");
    write_atomically(folder.path() / "include/cuda_runtime_api.h", "");
  }

  TemporaryFolder folder;
  fs::path root = folder.path() / "course", tools = folder.path() / "bin";
};

TEST_CASE("the doctor answers where nothing can be built, and says what to install") {
  const Machine machine;
  const Outcome outcome = machine.run();
  CHECK(outcome.status == status_environment);
  const Json answer = Json::parse(outcome.out);
  CHECK(answer["ready"] == false);
  const Json toolkit = machine.fact("toolkit");
  CHECK(toolkit["status"] == "missing");
  CHECK(toolkit["value"] == "no CUDA toolkit (nvcc) was found");
  CHECK(toolkit["advice"].get<std::string>().find("cuda") != std::string::npos);
  CHECK(machine.fact("ch02_second")["status"] == "missing");
  CHECK(machine.fact("ch02_second")["value"].get<std::string>().ends_with("; much \"more\"."));
  CHECK(machine.fact("course")["value"].get<std::string>().starts_with("warpwise 4.2"));
  CHECK(machine.fact("memory")["value"].get<std::string>().find(" GiB memory") !=
        std::string::npos);
  // It only looks.
  CHECK_FALSE(fs::exists(machine.root / "build"));
}

TEST_CASE("an old toolkit is named with its version") {
  const Machine machine;
  machine.fake("nvcc", "echo 'Cuda compilation tools, release 12.4, V12.4.131'");
  CHECK(
      machine.fact("toolkit")["value"].get<std::string>().ends_with("is CUDA 12.4, 13 is needed"));
}

TEST_CASE("a toolkit without its headers is not whole") {
  const Machine machine;
  machine.toolkit();
  CHECK(machine.fact("toolkit")["status"] == "ok");
  CHECK(machine.fact("toolkit headers") == nullptr);
  fs::remove(machine.folder.path() / "include/cuda_runtime_api.h");
  CHECK(machine.fact("toolkit headers")["status"] == "missing");
}

TEST_CASE("a program that is too old is missing") {
  const Machine machine;
  machine.fake("cmake", "echo 'cmake version 3.22.1'");
  CHECK(machine.fact("cmake")["status"] == "missing");
  CHECK(machine.fact("cmake")["value"] == "3.22.1, 3.25 is needed");
}

TEST_CASE("MPI is a note where it is absent: one chapter alone can use it") {
  const Machine machine;
  machine.fake("mpirun", "echo 'mpirun (Open MPI) 4.1.4'; echo 'Report bugs'");
  machine.fake("mpicxx", "true");
  CHECK(machine.fact("mpi")["status"] == "ok");
  CHECK(machine.fact("mpi")["value"] == "mpirun (Open MPI) 4.1.4");
}

TEST_CASE("a package that is not there is named with the command that brings it") {
  const Machine machine;
  machine.fake("dpkg-query", "echo 'installed g++'");
  const Json missing = machine.fact("packages", "missing");
  CHECK(missing["value"].get<std::string>().find("libfmt-dev") != std::string::npos);
  CHECK(missing["value"].get<std::string>().find("g++") == std::string::npos);
  CHECK(missing["advice"].get<std::string>().starts_with("sudo apt-get install"));
}

// An nvidia-smi as people have it.
void fake_gpu(const Machine& machine, const char* capability, const char* cuda) {
  machine.fake("nvidia-smi",
               std::string("case $* in *compute_cap*) echo 'Tesla X, ") + capability +
                   ", 15360 MiB' ;; *driver*) echo 550.1 ;; *) echo '| CUDA Version: " + cuda +
                   "  |' ;; esac");
  machine.fake("ldconfig", "echo 'libcuda.so.1 (libc6,x86-64) => /lib/libcuda.so.1'");
}

TEST_CASE("a GPU is usable, too old, without its library, or has an old driver") {
  const Machine machine;
  machine.toolkit();
  CHECK(machine.fact("gpu")["status"] == "note");
  fake_gpu(machine, "7.5", "13.0");
  CHECK(machine.fact("gpu")["status"] == "ok");
  CHECK(machine.fact("gpu")["value"] == "Tesla X, 7.5, 15360 MiB: can be used");
  fake_gpu(machine, "10.0", "13.0");
  CHECK(machine.fact("gpu")["status"] == "ok");
  machine.fake("ldconfig", "true");
  CHECK(machine.fact("gpu")["value"].get<std::string>().find("libcuda.so.1") != std::string::npos);
  fake_gpu(machine, "6.1", "13.0");
  CHECK(machine.fact("gpu")["value"].get<std::string>().find("begins at 7.5") != std::string::npos);
  fake_gpu(machine, "7.5", "12.4");
  CHECK(machine.fact("gpu")["status"] == "note");
  CHECK(machine.fact("driver")["advice"].get<std::string>().find("580") != std::string::npos);
  machine.fake("nvidia-smi", "echo 'NVIDIA-SMI has failed'; exit 9");
  CHECK(machine.fact("driver")["value"].get<std::string>().find("has failed") != std::string::npos);
}

// A system of Debian's kind without a toolkit, whose apt installs one, and writes down its words.
struct Installer : Machine {
  Installer() {
    fake("id", "test \"$1\" = -u && echo 0");
    fake("apt-helper", "cp /dev/null \"$3\"; echo \"$2\" >>" + log());
    fake("dpkg", "echo dpkg \"$@\" >>" + log());
    fake("dpkg-query", "true");
    fake("apt-get",
         "case $* in *' -s '*) echo 'Inst cuda-nvcc-13-0'; exit ;; esac; echo \"$@\" >>" + log() +
             "; case $* in *cuda-nvcc*) printf '#!/bin/sh\\necho release 13.0, V13.0.88\\n' >" +
             (tools / "nvcc").string() + "; chmod +x " + (tools / "nvcc").string() + " ;; esac");
    fake("apt-cache", "printf 'Installed-Size: 392578\\nSize: 148000000\\n'");
    std::string script = read_file(root / "learn");
    const std::string helper = "/usr/lib/apt/apt-helper";
    script.replace(script.find(helper), helper.size(), "apt-helper");
    program("learn", script, root);
  }
  std::string log() const { return (folder.path() / "log").string(); }
  std::string done() const {
    std::error_code ignored;
    return fs::exists(log(), ignored) ? read_file(log()) : "";
  }
  Outcome learn(const std::vector<std::string>& words, const std::string& site) const {
    Command command{.words = {(root / "learn").string()},
                    .environment = {{"PATH", tools.string() + ":/usr/bin:/bin"},
                                    {"CUDA_PATH", "/no/such/folder"},
                                    {"CUDACXX", ""},
                                    {"WARPWISE_CUDA_SITE", site}}};
    command.words.insert(command.words.end(), words.begin(), words.end());
    return run_captured(command);
  }
};

bool says(const Outcome& outcome, const std::string& words) {
  return outcome.err.find(words) != std::string::npos;
}

TEST_CASE("the toolkit is installed where --yes allows it, with its size") {
  const Installer machine;
  const Outcome outcome = machine.learn({"--yes", "list"}, "https://site");
  CHECK(says(outcome, "148 MB to download, 402 MB on disk"));
  CHECK(says(outcome, "the CUDA toolkit is installed"));
  CHECK(machine.done().find("https://site/") == 0);
  CHECK(machine.done().find("/cuda-keyring_1.1-1_all.deb") != std::string::npos);
  CHECK(machine.done().find("update") != std::string::npos);
}

TEST_CASE("without a terminal the doctor does not ask for the toolkit") {
  const Installer machine;
  const Outcome outcome = machine.learn({"list"}, "https://site");
  CHECK(outcome.status == status_environment);
  CHECK(says(outcome, "no CUDA toolkit (nvcc) was found: add NVIDIA's apt repository"));
  CHECK(machine.done().empty());
}

TEST_CASE("a toolkit that cannot be fetched is one line, and nothing was changed") {
  const Installer machine;
  machine.fake("apt-helper", "echo 'Could not resolve site'; exit 100");
  const Outcome outcome = machine.learn({"--yes"}, "https://site");
  CHECK(outcome.status == status_environment);
  CHECK(says(outcome, "no network for the CUDA toolkit"));
  CHECK(machine.done().empty());
}

TEST_CASE("a folder whose path compilers misread is refused before anything is built") {
  const Machine machine;
  machine.toolkit();
  for (const char* name :
       {"a\"quote", "an'apostrophe", "a\\backslash", "a$dollar", "a;semicolon", "a#sign", "a`tick",
        "a[bracket", "a*star", "a?", "a,comma", "latin \xfc", "new\nline"}) {
    CAPTURE(name);
    const fs::path place = machine.folder.path() / name;
    fs::copy(machine.root, place, fs::copy_options::recursive);
    const Outcome outcome = run_captured(Command{.words = {(place / "learn").string(), "list"}});
    CHECK(outcome.status == status_environment);
    CHECK(says(outcome, "the folder's path holds "));
    CHECK_FALSE(fs::exists(place / "build"));
    const Outcome doctor = run_captured(Command{.words = {(place / "learn").string(), "doctor"}});
    CHECK(doctor.out.find("the folder's path holds ") != std::string::npos);
  }
}

TEST_CASE("as text it fits 80 columns, and other words are refused") {
  const Machine machine;
  const std::string text = machine.run({}).out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // A path or an address is one word, however long.
    const bool breakable = line.find("://") == line.npos && line.find("/") == line.npos;
    CHECK_MESSAGE((!breakable || line.size() <= 80), line);
  }
  CHECK(text.find("missing toolkit") != std::string::npos);
  CHECK(machine.run({"--frobnicate"}).status == status_usage);
  CHECK(machine.run({"--help"}).status == status_ok);
}

}  // namespace
}  // namespace warpwise::tutor
