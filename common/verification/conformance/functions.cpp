#include "verification/conformance/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "simulator/isa/syntax.h"
#include "verification/conformance/fixture.h"

namespace warpwise::conformance {
namespace {

constexpr int warp_lanes = 32;
constexpr std::uint32_t kernel_blocks = 512, kernel_threads = 256;
constexpr std::uint32_t kernel_inputs = kernel_blocks * kernel_threads;

template <class Source, class Result>
struct Warp {
  alignas(64) Source sources[2][warp_lanes];
  alignas(64) Result results[warp_lanes];
};

/// @param fill sets the sources of one lane by the index of its input
template <class Source, class Result, class Fill>
std::uint32_t sum(const Function& function, std::uint32_t begin, std::uint32_t count, Fill fill) {
  auto match = isa::find_row(function.opcode);
  if (!match || !match->function) throw std::runtime_error("no row for " + function.opcode);
  Warp<Source, Result> warp;
  isa::Operands operands;
  operands.d = warp.results;
  operands.s[0] = warp.sources[0];
  operands.s[1] = warp.sources[1];
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < count; i += warp_lanes) {
    std::uint32_t first = begin + i;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) fill(warp, lane, first + lane);
    match->function(operands);
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      std::uint32_t index = first + lane;
      if constexpr (sizeof(Result) == 8) {
        sum += addend(index, static_cast<std::uint32_t>(warp.results[lane]));
        sum += addend(~index, static_cast<std::uint32_t>(warp.results[lane] >> 32));
      } else {
        sum += addend(index, warp.results[lane]);
      }
    }
  }
  return sum;
}

}  // namespace

std::span<const Function> functions() {
  using Inputs = Function::Inputs;
  static const std::vector<Function> all = [] {
    std::vector<Function> made;
    for (const char* name : {"rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos"})
      for (const char* ftz : {"", ".ftz"})
        made.push_back({fmt::format("{}.approx{}.f32", name, ftz), Inputs::bits});
    for (const char* opcode : {"tanh.approx.f32", "tanh.approx.f16x2", "tanh.approx.bf16x2",
                               "ex2.approx.f16x2", "ex2.approx.ftz.bf16x2"})
      made.push_back({opcode, Inputs::bits});
    for (const char* opcode :
         {"div.approx.f32", "div.approx.ftz.f32", "div.full.f32", "div.full.ftz.f32"})
      made.push_back({opcode, Inputs::divisor});
    for (const char* opcode : {"rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64", "rsqrt.approx.f64"})
      made.push_back({opcode, Inputs::upper});
    return made;
  }();
  return all;
}

std::uint32_t sum_of_inputs(const Function& function, std::uint32_t first, std::uint32_t count) {
  using Word = std::uint32_t;
  using Long = std::uint64_t;
  switch (function.inputs) {
    case Function::Inputs::bits:
      return sum<Word, Word>(function, first, count, [](auto& warp, Word lane, Word index) {
        warp.sources[0][lane] = index;
      });
    case Function::Inputs::divisor:
      return sum<Word, Word>(function, first, count, [](auto& warp, Word lane, Word index) {
        warp.sources[0][lane] = companion(index);
        warp.sources[1][lane] = index;
      });
    default:
      return sum<Long, Long>(function, first, count, [](auto& warp, Word lane, Word index) {
        warp.sources[0][lane] = Long{index} << 32 | companion(index);
      });
  }
}

std::string sum_kernel(const Function& function, const std::string& name) {
  auto add = [](const char* result, const char* index) {
    return fmt::format(
        "  mul.lo.u32 %m, {1}, 0x9e3779b1;\n  xor.b32 %m, %m, {0};\n"
        "  mul.lo.u32 %m, %m, 0x85ebca6b;\n  shr.u32 %h, %m, 15;\n  xor.b32 %m, %m, %h;\n"
        "  mad.lo.u32 %sum, %m, 0xc2b2ae35, %sum;\n",
        result, index);
  };
  std::string work;
  if (function.inputs == Function::Inputs::bits)
    work = fmt::format("  {} %r, %x;\n", function.opcode) + add("%r", "%x");
  else if (function.inputs == Function::Inputs::divisor)
    work = fmt::format("  {} %r, %c, %x;\n", function.opcode) + add("%r", "%x");
  else
    work = fmt::format(
               "  mov.b64 %d, {{%c, %x}};\n  {} %d, %d;\n  mov.b64 {{%r, %u}}, %d;\n"
               "  not.b32 %c, %x;\n",
               function.opcode) +
           add("%r", "%x") + add("%u", "%c");
  return fmt::format(
      ".visible .entry {}(.param .u64 in, .param .u64 out) {{\n"
      "  .reg .b64 %i, %o, %d;\n  .reg .b32 %x, %r, %u, %c, %m, %h, %t, %sum, %left;\n"
      "  .reg .pred %more;\n"
      "  ld.param.u64 %i, [in];\n  ld.param.u64 %o, [out];\n  ld.global.u32 %x, [%i];\n"
      "  ld.global.u32 %left, [%i+4];\n"
      "  mov.u32 %t, %ctaid.x;\n  mov.u32 %c, %tid.x;\n  mad.lo.u32 %t, %t, {}, %c;\n"
      "  add.u32 %x, %x, %t;\n  mov.u32 %sum, 0;\n"
      "again:\n"
      "  xor.b32 %c, %x, 0x2545f491;\n  mul.lo.u32 %c, %c, 0x9e3779b1;\n"
      "  shr.u32 %h, %c, 16;\n  xor.b32 %c, %c, %h;\n"
      "{}"
      "  add.u32 %x, %x, {};\n  sub.u32 %left, %left, 1;\n  setp.ne.u32 %more, %left, 0;\n"
      "  @%more bra again;\n  red.global.add.u32 [%o], %sum;\n  ret;\n}}\n",
      name, kernel_threads, work, kernel_inputs);
}

std::uint32_t sum_of_inputs(Executor& executor, const std::string& name, std::uint32_t first,
                            std::uint32_t count) {
  std::uint32_t range[] = {first, count / kernel_inputs}, sum = 0;
  Bytes input(sizeof range);
  std::memcpy(input.data(), range, sizeof range);
  Launch launch;
  launch.kernel = name;
  launch.blocks = kernel_blocks;
  launch.threads = kernel_threads;
  launch.input = &input;
  launch.output_bytes = sizeof sum;
  Bytes output = executor.run(launch);
  std::memcpy(&sum, output.data(), sizeof sum);
  return sum;
}

Sums record_sums(Executor& executor) {
  Sums sums;
  for (const Function& function : functions()) {
    executor.load(module_header + sum_kernel(function, "k"));
    auto& blocks = sums[function.opcode];
    for (std::uint32_t block = 0; block < blocks_of_function; ++block)
      blocks.push_back(sum_of_inputs(executor, "k", block * block_inputs));
  }
  return sums;
}

std::vector<std::string> differing_blocks(const Sums& sums, const Wanted& wanted) {
  struct Task {
    const Function* function;
    std::uint32_t block, sum;
  };
  std::vector<Task> tasks;
  for (const Function& function : functions()) {
    auto recorded = sums.find(function.opcode);
    if (recorded == sums.end())
      throw std::runtime_error("no sums are recorded of " + function.opcode);
    for (std::uint32_t block = 0; block < blocks_of_function; ++block)
      if (wanted(function, block)) tasks.push_back({&function, block, recorded->second.at(block)});
  }
  std::vector<std::string> differing;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      std::uint32_t first = tasks[i].block * block_inputs;
      if (sum_of_inputs(*tasks[i].function, first) == tasks[i].sum) continue;
      std::lock_guard lock(mutex);
      differing.push_back(
          fmt::format("{}: inputs from {:#010x}", tasks[i].function->opcode, first));
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(work);
  work();
  threads.clear();
  std::sort(differing.begin(), differing.end());
  return differing;
}

Sums read_sums(const std::filesystem::path& file) {
  Sums sums;
  std::ifstream in(file);
  std::string opcode;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      opcode = line;
      continue;
    }
    std::istringstream words(line);
    for (std::string word; words >> word;)
      sums[opcode].push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
  }
  for (const auto& [name, blocks] : sums)
    if (blocks.size() != blocks_of_function)
      throw std::runtime_error(
          fmt::format("{}: {} sums of {}", file.string(), blocks.size(), name));
  return sums;
}

void write_sums(const std::filesystem::path& file, const Sums& sums, const std::string& device) {
  std::ofstream out(file);
  out << "# what approximate functions give for all inputs: a sum for each sign and exponent\n"
      << "# " << device << "\n";
  constexpr std::size_t in_line = 10;
  for (const auto& [opcode, blocks] : sums) {
    out << opcode << "\n";
    for (std::size_t i = 0; i < blocks.size(); ++i)
      out << fmt::format(" {:08x}", blocks[i])
          << (i % in_line == in_line - 1 || i + 1 == blocks.size() ? "\n" : "");
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace warpwise::conformance
