/// \file
/// How fast the simulator runs typical kernels: thread instructions a second on one core, with all
/// checks on and without those for races; and how much more two threads do by the clock on the
/// wall. Next to it is what this machine lets two processes do that know nothing of each other:
/// where its two processors share a core, or others use them, two threads cannot do more. For some
/// kernels there is also a plain loop in C++, given in the same unit as if it were those thread
/// instructions. Compiles its kernels with nvcc.
///
///     simulator_bench [part of a kernel's name]
#include <fmt/format.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/image/fatbin.h"
#include "simulator/machine/bench/bench_kernels.h"
#include "simulator/machine/bench/bench_launches.h"
#include "simulator/machine/launch/module.h"

namespace {

using namespace warpwise;
using namespace warpwise::bench;

/// The kernels as nvcc compiles them; empty where it fails, after its own words.
std::vector<image::Entry> compiled() {
  std::string folder = (std::filesystem::temp_directory_path() / "simulator_bench_XXXXXX").string();
  if (!mkdtemp(folder.data())) return {};
  std::ofstream(folder + "/kernels.cu") << source;
  std::string command = fmt::format(
      "'{}' -fatbin -std=c++20 -lineinfo -gencode 'arch=compute_90,code=[compute_90,sm_90]' "
      "-o '{}/out' '{}/kernels.cu'",
      WARPWISE_NVCC, folder, folder);
  std::vector<image::Entry> entries;
  if (std::system(command.c_str()) == 0) {
    std::ifstream file(folder + "/out", std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    entries = image::read_container(std::as_bytes(std::span(bytes)));
  }
  std::filesystem::remove_all(folder);
  return entries;
}

/// The time of a launch, of this thread and by the clock on the wall.
struct Took {
  double thread = 1e9, wall = 1e9;  ///< seconds
  void keep_better(const Took& other) {
    thread = std::min(thread, other.thread);
    wall = std::min(wall, other.wall);
  }
};
double seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Runs from when it is made.
class Stopwatch {
 public:
  Took took() const {
    return {seconds(CLOCK_THREAD_CPUTIME_ID) - thread_, seconds(CLOCK_MONOTONIC) - wall_};
  }

 private:
  double thread_ = seconds(CLOCK_THREAD_CPUTIME_ID), wall_ = seconds(CLOCK_MONOTONIC);
};

/// Arrays in the device's memory: floats, ones and zeros to write to, and the numbers of their
/// elements in random order.
struct Arrays {
  memory::AddressSpace& memory;
  std::size_t count;  ///< elements of each
  std::uint64_t x = made(1), y = made(0), order = made_order();
  std::uint64_t workspace = memory.allocate(workspace_bytes, memory::Kind::device)->base;

  std::uint64_t made(float value) {
    const memory::Allocation* array = memory.allocate(count * 4, memory::Kind::device);
    memory.track(array->base);
    fill(array->base, value);
    return array->base;
  }
  std::uint64_t made_order() {
    const std::uint64_t base = made(0);
    auto* const numbers = reinterpret_cast<std::int32_t*>(memory.host(base));
    std::iota(numbers, numbers + count, 0);
    std::shuffle(numbers, numbers + count, std::mt19937(1));
    return base;
  }
  /// Where a cooperative launch keeps its barrier, as it has to be before one.
  std::uint64_t made_workspace() {
    std::memset(memory.host(workspace), 0, workspace_bytes);
    return workspace;
  }
  void fill(std::uint64_t base, float value) {
    std::fill_n(reinterpret_cast<float*>(memory.host(base)), count, value);
    memory.written(memory.host(base), nullptr, count * 4);
  }
  static constexpr std::size_t workspace_bytes = 64;
};

/// The kernels, loaded, with memory to work on.
class Kernels {
 public:
  explicit Kernels(const std::vector<image::Entry>& entries)
      : memory_(512ull << 20), module_(machine::load(entries, 90, memory_)) {}

  /// Runs a launch once.
  /// @param best in,out: of all its runs. @return its thread instructions, 0 where it failed.
  double run(const Launch& what, const machine::Options& options, Took& best);
  /// Runs its plain loop once.
  void run_plain(const Launch& what, Took& best);

 private:
  Arrays& arrays(const Launch& what) {
    return arrays_.try_emplace(what.elements, memory_, what.elements).first->second;
  }
  memory::AddressSpace memory_;
  std::unique_ptr<machine::Module> module_;
  std::map<std::size_t, Arrays> arrays_;  ///< by how many elements they have
};

double Kernels::run(const Launch& what, const machine::Options& options, Took& best) {
  Arrays& arrays = this->arrays(what);
  machine::Launch launch;
  launch.kernel = what.kernel;
  launch.grid = what.grid;
  launch.block = what.block;
  launch.parameters.resize(32);
  std::memcpy(launch.parameters.data(), &arrays.x, 8);
  std::memcpy(launch.parameters.data() + 8, &arrays.y, 8);
  std::memcpy(launch.parameters.data() + 16, &what.number, 4);
  std::memcpy(launch.parameters.data() + 24, &arrays.order, 8);
  arrays.fill(arrays.y, 0);
  launch.cooperative = what.is_cooperative;
  if (what.is_cooperative) launch.grid_workspace = arrays.made_workspace();
  const Stopwatch watch;
  watch::LaunchReport report = module_->run(launch, options);
  best.keep_better(watch.took());
  if (!report.unsupported.empty()) fmt::print(stderr, "{}\n", report.unsupported);
  for (const watch::Diagnosis& diagnosis : report.diagnoses)
    fmt::print(stderr, "{}", watch::to_text(diagnosis));
  if (!report.unsupported.empty() || !report.diagnoses.empty()) return 0;
  return report.counts.counters.at("ptx__thread_instructions");
}

void Kernels::run_plain(const Launch& what, Took& best) {
  const Arrays& arrays = this->arrays(what);
  const auto* const x = reinterpret_cast<const float*>(memory_.host(arrays.x));
  auto* const y = reinterpret_cast<float*>(memory_.host(arrays.y));
  const auto* const order = reinterpret_cast<const int*>(memory_.host(arrays.order));
  const Stopwatch watch;
  what.plain(x, y, what.elements, order);
  best.keep_better(watch.took());
}

machine::Options options_of(unsigned threads, bool check_races) {
  machine::Options options;
  options.threads = threads;
  options.check_races = check_races;
  return options;
}

/// Another process, which runs a launch over and over on one thread until it is asked to stop.
class Neighbour {
 public:
  /// @param entries,launches as here. To be made before this process has a second thread.
  Neighbour(const std::vector<image::Entry>& entries, std::span<const Launch> launches) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || (process_ = fork()) < 0) std::exit(3);
    words_ = ends[process_ == 0];
    if (process_ == 0) work(entries, launches);
  }
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;
  ~Neighbour() {
    say(quit);
    waitpid(process_, nullptr, 0);
  }
  /// Returns once it runs, or rests.
  void start(std::size_t launch) { tell(static_cast<int>(launch)); }
  void rest() { tell(resting); }

 private:
  static constexpr int resting = -1, quit = -2;
  void tell(int what) {
    say(what);
    hear();
  }
  void say(int what) {
    if (write(words_, &what, sizeof what) != sizeof what) std::exit(3);
  }
  int hear() {
    int what = 0;
    if (read(words_, &what, sizeof what) != sizeof what) std::exit(3);
    return what;
  }
  [[noreturn]] void work(const std::vector<image::Entry>& entries,
                         std::span<const Launch> launches) {
    Kernels kernels(entries);
    for (int what = hear(); what != quit; what = hear()) {
      say(what);
      pollfd word{words_, POLLIN, 0};
      Took took;
      while (what != resting && poll(&word, 1, 0) == 0)
        kernels.run(launches[static_cast<std::size_t>(what)], options_of(1, true), took);
    }
    std::_Exit(0);
  }

  int words_ = 0;
  pid_t process_ = 0;
};

/// One row of the table: the best of runs in turns, so that all of them meet the same noise, and
/// enough of them that memory has been touched before.
/// @return false where the launch failed.
bool measure(Kernels& kernels, Neighbour& neighbour, std::size_t number) {
  const Launch& launch = launches[number];
  Took alone, without_races, two_threads, beside_another, plain;
  double instructions = 0;
  constexpr int least_turns = 4;
  const double start = seconds(CLOCK_MONOTONIC);
  for (int turn = 0; turn < least_turns || seconds(CLOCK_MONOTONIC) - start < 2; ++turn) {
    instructions = kernels.run(launch, options_of(1, true), alone);
    if (instructions == 0) return false;
    kernels.run(launch, options_of(1, false), without_races);
    kernels.run(launch, options_of(2, true), two_threads);
    neighbour.start(number);
    for (int i = 0; i < 3; ++i) kernels.run(launch, options_of(1, true), beside_another);
    neighbour.rest();
    if (launch.plain) kernels.run_plain(launch, plain);
  }
  // By the time of the thread alone: others on the machine take as little part in it as they can.
  auto rate = [&](const Took& took) { return instructions / took.thread / 1e6; };
  const std::string name = fmt::format("{}, {} M", launch.kernel, launch.elements >> 20);
  fmt::print("{:<22} {:>12.0f} {:>12.0f} {:>11} {:>12.2f} {:>12.2f}\n", name, rate(alone),
             rate(without_races), launch.plain ? fmt::format("{:.0f}", rate(plain)) : "",
             alone.wall / two_threads.wall, 2 * alone.wall / beside_another.wall);
  return true;
}

}  // namespace

int main(int argument_count, char** arguments) {
  std::string_view wanted = argument_count > 1 ? arguments[1] : "";
  std::vector<image::Entry> entries = compiled();
  if (entries.empty()) return 3;
  Neighbour neighbour(entries, launches);
  Kernels kernels(entries);
  fmt::print("{:<22} {:>37} {:>25}\n{:<22} {:>12} {:>12} {:>11} {:>12} {:>12}\n", "",
             "million thr. instr./s", "more by the wall's clock", "kernel, elements", "all checks",
             "but races", "plain loop", "two threads", "2 processes");
  bool failed = false;
  for (std::size_t i = 0; i < std::size(launches); ++i)
    if (std::string_view(launches[i].kernel).find(wanted) != std::string_view::npos)
      failed |= !measure(kernels, neighbour, i);
  return failed;
}
