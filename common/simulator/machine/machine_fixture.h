#pragma once
// For tests only: compiles kernels with nvcc and runs them on the machine.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "simulator/image/compile_fixture.h"
#include "simulator/machine/launch/module.h"

namespace warpwise::machine::test {

inline const std::string fatbin_options =
    "-fatbin -std=c++20 -lineinfo -gencode 'arch=compute_90,code=[compute_90,sm_90]'";

/// One source text, compiled and loaded, with memory of its own. Kernels are `extern "C"`.
class Device {
 public:
  explicit Device(const std::string& source, const std::string& options = fatbin_options)
      : source_(source),
        memory_(256ull << 20),
        module_(load(image::read_container(image::test::compile(options, source)), 90, memory_)) {
    options_.threads = 1;
    options_.budget = 200'000'000;
    options_.print = [this](std::string_view text) { output += text; };
  }

  Module& module() { return *module_; }
  memory::AddressSpace& memory() { return memory_; }
  Options& options() { return options_; }

  /// A new array with these values. @return its device address.
  template <class T>
  std::uint64_t upload(const std::vector<T>& values, const std::string& name = {}) {
    const memory::Allocation* made =
        memory_.allocate(values.size() * sizeof(T), memory::Kind::device);
    REQUIRE(made != nullptr);
    std::memcpy(memory_.host(made->base), values.data(), values.size() * sizeof(T));
    if (!name.empty()) memory_.name(made->base, name);
    return made->base;
  }

  /// A new array as cudaMalloc gives it: nothing has written it.
  std::uint64_t fresh(std::size_t bytes, const std::string& name) {
    const memory::Allocation* made = memory_.allocate(bytes, memory::Kind::device);
    REQUIRE(made != nullptr);
    memory_.track(made->base);
    memory_.name(made->base, name);
    return made->base;
  }

  template <class T>
  std::vector<T> download(std::uint64_t address, std::size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), memory_.host(address), count * sizeof(T));
    return values;
  }

  /// Runs a kernel by name. Arguments are copied as they are: give them the kernel's own types.
  template <class... Arguments>
  watch::LaunchReport run(const std::string& kernel, watch::Index3 grid, watch::Index3 block,
                          Arguments... arguments) {
    return run_with_shared(0, kernel, grid, block, arguments...);
  }

  template <class... Arguments>
  watch::LaunchReport run_with_shared(unsigned dynamic_shared_bytes, const std::string& kernel,
                                      watch::Index3 grid, watch::Index3 block,
                                      Arguments... arguments) {
    Launch launch = prepared(kernel, grid, block, arguments...);
    launch.dynamic_shared_bytes = dynamic_shared_bytes;
    return module_->run(launch, options_);
  }

  /// A launch for the module's run().
  template <class... Arguments>
  Launch prepared(const std::string& kernel, watch::Index3 grid, watch::Index3 block,
                  Arguments... arguments) {
    const KernelInfo* info = module_->kernel(kernel);
    REQUIRE_MESSAGE(info != nullptr, kernel);
    REQUIRE(info->parameters.size() == sizeof...(arguments));
    Launch launch;
    launch.kernel = kernel;
    launch.grid = grid;
    launch.block = block;
    launch.parameters.resize(info->parameter_bytes);
    std::size_t at = 0;
    auto put = [&](const auto& argument) {
      REQUIRE(info->parameters[at].bytes == sizeof argument);
      std::memcpy(launch.parameters.data() + info->parameters[at++].offset, &argument,
                  sizeof argument);
    };
    (put(arguments), ...);
    return launch;
  }

  /// Runs a kernel that must be right: no error, nothing unsupported.
  template <class... Arguments>
  watch::LaunchReport run_clean(const std::string& kernel, watch::Index3 grid, watch::Index3 block,
                                Arguments... arguments) {
    auto report = run(kernel, grid, block, arguments...);
    check_clean(report);
    return report;
  }

  static void check_clean(const watch::LaunchReport& report) {
    INFO(report.kernel);
    CHECK(report.unsupported == "");
    CHECK_FALSE(report.faulted);
    for (const watch::Diagnosis& diagnosis : report.diagnoses)
      if (diagnosis.severity == watch::Severity::error) FAIL_CHECK(watch::to_text(diagnosis));
  }

  /// "KIND LINE" of the `// expect: KIND` comments between the kernel's name and the next kernel,
  /// one for each line, joined by commas.
  std::string expected(const std::string& kernel) const {
    std::istringstream lines(source_);
    std::set<std::string> result;
    bool inside = false;
    unsigned number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.find("__global__") != std::string::npos)
        inside = line.find(" " + kernel + "(") != std::string::npos;
      const std::string mark = "// expect: ";
      if (auto at = line.find(mark); inside && at != std::string::npos)
        result.insert(line.substr(at + mark.size()) + " " + std::to_string(number));
    }
    return fmt::format("{}", fmt::join(result, ", "));
  }

  /// The same of what a launch found.
  static std::string found(const watch::LaunchReport& report) {
    std::set<std::string> result;
    for (const watch::Diagnosis& diagnosis : report.diagnoses)
      result.insert(diagnosis.kind + " " + std::to_string(diagnosis.line));
    return fmt::format("{}", fmt::join(result, ", "));
  }

  std::string output;  ///< what device printf wrote

 private:
  std::string source_;
  memory::AddressSpace memory_;
  std::unique_ptr<Module> module_;
  Options options_;
};

/// "" for equal values, else where they differ first and how often.
template <class T>
std::string difference(const std::vector<T>& got, const std::vector<T>& want) {
  if (got.size() != want.size()) return fmt::format("{} values, not {}", got.size(), want.size());
  std::string first;
  std::size_t count = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::memcmp(&got[i], &want[i], sizeof(T)) == 0) continue;
    if (count++ == 0) first = fmt::format("value {} is {}, not {}", i, got[i], want[i]);
  }
  return count > 1 ? fmt::format("{}; {} differ", first, count) : first;
}

/// f(0), f(1), ... as a vector.
template <class F>
auto made(std::size_t count, F f) {
  std::vector<decltype(f(0))> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(f(static_cast<int>(i)));
  return values;
}

/// Requests of one kind ("global load") in all lines of a report.
inline std::uint64_t requests(const watch::LaunchReport& report, const std::string& access) {
  std::uint64_t sum = 0;
  for (const watch::LineCounts& line : report.counts.lines)
    if (line.access == access) sum += line.requests;
  return sum;
}

/// 0, 1, 2, ... as T.
template <class T>
std::vector<T> numbers(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(i);
  return values;
}

/// Numbers that look random and are the same everywhere.
inline std::vector<std::uint32_t> scrambled(std::size_t count, std::uint32_t seed = 1) {
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t& value : values) value = seed = seed * 1664525u + 1013904223u;
  for (std::uint32_t& value : values) value ^= value >> 15;
  return values;
}

}  // namespace warpwise::machine::test
