// seeded TARGET [INPUTS [SEED]]: gives one of the readers (fatbin, cubin, ptx) that many hostile
// inputs, 10,000,000 where none are named, and ends with "N inputs passed, M failed". What crashes
// it, or keeps it for five seconds, is left as crash-TARGET-NUMBER in the working directory. seeded
// TARGET --number NUMBER [SEED]: one input.

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <thread>

#include "verification/fuzz/mutation.h"
#include "verification/fuzz/targets.h"

namespace {

using namespace warpwise;
using Clock = std::chrono::steady_clock;

constexpr auto patience = std::chrono::seconds(5);
constexpr rlim_t memory_limit = rlim_t{2} << 30;
constexpr int findings_limit = 20;

struct Run {
  std::string name;
  fuzz::Target target = nullptr;
  fuzz::Corpus corpus;
  std::uint64_t seed = 1;
};

Run run_of(const std::string& name, std::uint64_t seed) {
  Run run{.name = name, .target = nullptr, .corpus = {}, .seed = seed};
  if (name == "fatbin") run.target = fuzz::fatbin;
  if (name == "cubin") run.target = fuzz::cubin;
  if (name == "ptx") run.target = fuzz::ptx;
  if (run.target == nullptr) {
    std::fprintf(stderr, "seeded TARGET [INPUTS [SEED]]: TARGET is fatbin, cubin or ptx\n");
    std::exit(2);
  }
  const std::string folder = WARPWISE_SOURCE_DIR "/common/verification/fuzz/";
  run.corpus = fuzz::read_corpus(folder + "corpus/" + name, folder + name + ".dict");
  return run;
}

// Inputs end where memory ends: a read beyond one is a fault, in a build without a sanitizer, too.
class GuardedBytes {
 public:
  GuardedBytes() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* memory =
        mmap(nullptr, room + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    end_ = static_cast<std::byte*>(memory) + room;
    mprotect(end_, page_, PROT_NONE);
  }
  std::span<const std::byte> hold(const fuzz::Bytes& bytes) {
    std::copy(bytes.begin(), bytes.end(), end_ - bytes.size());
    return {end_ - bytes.size(), bytes.size()};
  }

 private:
  static constexpr std::size_t room = 65536;  // a whole number of pages of any kind
  std::size_t page_;
  std::byte* end_;
};

// The child's part: one input after the other up to the last. `current` is what it is at.
[[noreturn]] void read_inputs(const Run& run, std::atomic<std::uint64_t>& current,
                              std::uint64_t inputs) {
#ifndef __SANITIZE_ADDRESS__
  const rlimit memory{memory_limit, memory_limit};
  setrlimit(RLIMIT_AS, &memory);
#endif
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  GuardedBytes guarded;
  for (; current < inputs; ++current) {
    run.target(guarded.hold(fuzz::mutated(run.corpus, run.seed, current)));
  }
  std::_Exit(0);
}

// Waits for the child while it makes progress. @return whether it ended well.
bool wait_for(pid_t child, const std::atomic<std::uint64_t>& current) {
  std::uint64_t seen = current;
  auto since = Clock::now();
  while (true) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (current != seen) {
      seen = current;
      since = Clock::now();
    } else if (Clock::now() - since > patience) {
      kill(child, SIGKILL);
    }
  }
}

void keep(const Run& run, std::uint64_t number) {
  const std::string path = "crash-" + run.name + "-" + std::to_string(number);
  const fuzz::Bytes bytes = fuzz::mutated(run.corpus, run.seed, number);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  std::fprintf(stderr, "%s crashed on input %llu of seed %llu, kept as %s\n", run.name.c_str(),
               static_cast<unsigned long long>(number), static_cast<unsigned long long>(run.seed),
               path.c_str());
}

int read_all(const Run& run, std::uint64_t inputs) {
  void* shared = mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 3;
  auto& current = *new (shared) std::atomic<std::uint64_t>(0);
  int failed = 0;
  while (current < inputs && failed < findings_limit) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) return 3;
    if (child == 0) read_inputs(run, current, inputs);
    if (wait_for(child, current)) break;
    keep(run, current++);
    ++failed;
  }
  std::printf("%s, seed %llu: %llu inputs passed, %d failed\n", run.name.c_str(),
              static_cast<unsigned long long>(run.seed),
              static_cast<unsigned long long>(current - static_cast<std::uint64_t>(failed)),
              failed);
  return failed == 0 && current > 0 ? 0 : 1;
}

std::uint64_t number_at(int argc, char** argv, int index, std::uint64_t otherwise) {
  return argc > index ? std::strtoull(argv[index], nullptr, 10) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (argc > 3 && std::strcmp(argv[2], "--number") == 0) {
    const Run run = run_of(name, number_at(argc, argv, 4, 1));
    GuardedBytes guarded;
    run.target(guarded.hold(fuzz::mutated(run.corpus, run.seed, number_at(argc, argv, 3, 0))));
    return 0;
  }
  return read_all(run_of(name, number_at(argc, argv, 3, 1)), number_at(argc, argv, 2, 10'000'000));
}
