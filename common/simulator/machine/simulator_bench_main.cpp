/// \file
/// How fast the simulator runs typical kernels: thread instructions a second on one core, with all
/// checks on and without those for races; and how much faster two threads are, by the clock on the
/// wall and as it would be if they had a core each (from the processor time that they use together;
/// that they may wait for each other is left out). Compiles its kernels with nvcc.
///
///     simulator_bench [part of a kernel's name]
#include <fmt/format.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/image/fatbin.h"
#include "simulator/machine/bench_kernels.h"
#include "simulator/machine/module.h"

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

/// What a launch took, of all threads of the process and by the clock on the wall.
struct Took {
  double thread = 0, process = 0, wall = 0;  ///< seconds
};
Took now() {
  auto seconds = [](clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  return {seconds(CLOCK_THREAD_CPUTIME_ID), seconds(CLOCK_PROCESS_CPUTIME_ID),
          seconds(CLOCK_MONOTONIC)};
}

/// The device's memory, and two arrays of floats in it: ones, and zeros to write to.
struct Arrays {
  memory::AddressSpace& memory;
  std::uint64_t x = made(1), y = made(0);

  std::uint64_t made(float value) {
    const memory::Allocation* array = memory.allocate(count * 4, memory::Kind::device);
    memory.track(array->base);
    fill(array->base, value);
    return array->base;
  }
  void fill(std::uint64_t base, float value) {
    std::fill_n(reinterpret_cast<float*>(memory.host(base)), count, value);
    memory.written(memory.host(base), nullptr, count * 4);
  }
  static constexpr std::size_t count = 1 << 20;
};

/// Runs a launch over and over for about half a second.
/// @param best out: of each clock. @return its thread instructions, 0 where it failed.
double run(machine::Module& module, const Launch& what, Arrays& arrays,
           const machine::Options& options, Took& best) {
  machine::Launch launch;
  launch.kernel = what.kernel;
  launch.grid = what.grid;
  launch.block = what.block;
  launch.parameters.resize(20);
  std::memcpy(launch.parameters.data(), &arrays.x, 8);
  std::memcpy(launch.parameters.data() + 8, &arrays.y, 8);
  std::memcpy(launch.parameters.data() + 16, &what.number, 4);
  double instructions = 0;
  const double start = now().process;
  best = {1e9, 1e9, 1e9};
  do {
    arrays.fill(arrays.y, 0);
    const Took begin = now();
    watch::LaunchReport report = module.run(launch, options);
    const Took end = now();
    if (!report.unsupported.empty()) fmt::print(stderr, "{}\n", report.unsupported);
    for (const watch::Diagnosis& diagnosis : report.diagnoses)
      fmt::print(stderr, "{}", to_text(diagnosis));
    if (!report.unsupported.empty() || !report.diagnoses.empty()) return 0;
    best.thread = std::min(best.thread, end.thread - begin.thread);
    best.process = std::min(best.process, end.process - begin.process);
    best.wall = std::min(best.wall, end.wall - begin.wall);
    instructions = report.counters.at("ptx__thread_instructions");
  } while (now().process - start < 0.5);
  return instructions;
}

/// One row of the table. @return false where the launch failed.
bool measure(machine::Module& module, const Launch& launch, Arrays& arrays) {
  machine::Options options;
  Took all, but_races, two_cores;
  options.threads = 1;
  const double instructions = run(module, launch, arrays, options, all);
  options.threads = 2;
  run(module, launch, arrays, options, two_cores);
  options.threads = 1;
  options.check_races = false;
  run(module, launch, arrays, options, but_races);
  // A launch whose blocks may wait for each other stays on one thread.
  const double helper = two_cores.process - two_cores.thread;
  const double threads = helper > two_cores.process / 20 ? 2 : 1;
  // Of the thread alone: others on the machine take as little part in it as they can.
  auto rate = [&](const Took& took) { return instructions / took.thread / 1e6; };
  fmt::print("{:<20} {:>12.0f} {:>12.0f} {:>12.2f} {:>12.2f}\n", launch.kernel, rate(all),
             rate(but_races), all.wall / two_cores.wall, threads * all.process / two_cores.process);
  return instructions > 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
  std::string_view wanted = argument_count > 1 ? arguments[1] : "";
  std::vector<image::Entry> entries = compiled();
  if (entries.empty()) return 3;
  memory::AddressSpace memory(64ull << 20);
  auto module = machine::load(entries, 90, memory);
  Arrays arrays{memory};
  fmt::print("{:<20} {:>25} {:>25}\n{:<20} {:>12} {:>12} {:>12} {:>12}\n", "",
             "million thr. instr./s", "speed-up by two threads", "kernel", "all checks",
             "but races", "wall clock", "idle machine");
  bool failed = false;
  for (const Launch& launch : launches)
    if (std::string_view(launch.kernel).find(wanted) != std::string_view::npos)
      failed |= !measure(*module, launch, arrays);
  return failed;
}
