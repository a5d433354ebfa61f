#include "verification/conformance/locate.h"

#include <fmt/format.h>

#include <cstring>
#include <sstream>

#include "verification/conformance/fixture.h"
#include "verification/conformance/random/registers.h"

namespace warpwise::conformance {
namespace {

constexpr std::size_t most_steps = 1024;  ///< of a thread; later ones overwrite the last

struct Step {
  std::uint64_t unit, digest;
  bool operator==(const Step&) const = default;
};

/// The program's registers, in the order in which a state holds them, 8 bytes each.
std::vector<std::string> names() {
  std::vector<std::string> all;
  for (unsigned c = 0; c < 3; ++c)
    for (unsigned k = 0; k < registers[c]; ++k) all.push_back(fmt::format("%{}{}", classes[c], k));
  for (unsigned k = 0; k < predicates; ++k) all.push_back(fmt::format("%p{}", k));
  return all;
}

/// Writes all registers to where %state points, if %watched.
std::string write_state() {
  std::string text;
  std::size_t at = 0;
  for (const std::string& name : names()) {
    bool predicate = name[1] == 'p';
    unsigned bits = predicate ? 32 : 16u << std::string_view(classes).find(name[1]);
    if (predicate) text += fmt::format("  selp.u32 %shown, 1, 0, {};\n", name);
    text += fmt::format("  @%watched st.global.b{} [%state+{}], {};\n", bits, at,
                        predicate ? "%shown" : name);
    at += 8;
  }
  return text;
}

/// The program with a trace after its output, which is `steps` or, for one step of one thread, its
/// registers.
class Traced {
 public:
  explicit Traced(const Program& program) : program_(program), launch_(program.launch("p")) {
    trace_at_ = (launch_.output_bytes + 15) / 16 * 16;
    launch_.output_bytes = trace_at_ + threads() * most_steps * sizeof(Step) + 8 * names().size();
  }

  std::size_t threads() const { return std::size_t{program_.threads} * program_.blocks; }

  /// @param watched the step before which the registers are written down, and of which thread.
  std::string text(const Divergence* watched = nullptr) const {
    std::string text = module_header;
    text += ".visible .entry p(.param .u64 in, .param .u64 out) {\n" + program_.units[0].text;
    text += fmt::format(
        "  .reg .b64 %trace, %last, %unit, %state;\n  .reg .b32 %shown;\n"
        "  .reg .pred %watched;\n  mad.wide.u32 %trace, %gx, {}, %out;\n"
        "  add.u64 %trace, %trace, {};\n  add.u64 %last, %trace, {};\n",
        most_steps * sizeof(Step), trace_at_, (most_steps - 1) * sizeof(Step));
    if (watched) text += fmt::format("  add.u64 %state, %out, {};\n", state_at());
    for (std::size_t i = 1; i + 1 < program_.units.size(); ++i) {
      if (watched && i == watched->unit) text += watch(*watched);
      text += program_.units[i].text;
      text += fmt::format(
          "  mov.u64 %unit, {};\n  st.global.v2.b64 [%trace], {{%unit, %digest}};\n"
          "  add.u64 %trace, %trace, {};\n  min.u64 %trace, %trace, %last;\n",
          i, sizeof(Step));
    }
    return text + program_.units.back().text + "}\n";
  }

  Bytes run(Executor& executor, const Divergence* watched = nullptr) const {
    executor.load(text(watched));
    return executor.run(launch_);
  }

  Step step(const Bytes& output, std::size_t thread, std::size_t number) const {
    Step step;
    std::memcpy(&step, &output[trace_at_ + (thread * most_steps + number) * sizeof step],
                sizeof step);
    return step;
  }
  std::uint64_t held(const Bytes& output, std::size_t number) const {
    std::uint64_t value;
    std::memcpy(&value, &output[state_at() + 8 * number], 8);
    return value;
  }

 private:
  std::size_t state_at() const { return trace_at_ + threads() * most_steps * sizeof(Step); }

  std::string watch(const Divergence& watched) const {
    std::size_t thread = watched.block * program_.threads + watched.thread;
    std::size_t at = trace_at_ + (thread * most_steps + watched.step) * sizeof(Step);
    return fmt::format("  sub.u64 %unit, %trace, %out;\n  setp.eq.u64 %watched, %unit, {};\n", at) +
           write_state();
  }

  const Program& program_;
  Launch launch_;
  std::size_t trace_at_;
};

/// The last result that made one digest of another: see Program.
std::uint64_t last_result(std::uint64_t before, std::uint64_t after) {
  return after - before * digest_factor;
}

}  // namespace

std::optional<Divergence> diverges(const Program& program, Executor& one, Executor& other) {
  Traced traced(program);
  Bytes first = traced.run(one), second = traced.run(other);
  std::optional<Divergence> found;
  std::size_t threads = 0;
  for (std::size_t thread = 0; thread < traced.threads(); ++thread) {
    for (std::size_t step = 0; step < most_steps; ++step) {
      Step a = traced.step(first, thread, step), b = traced.step(second, thread, step);
      if (a == b) continue;
      ++threads;
      if (found && found->step <= step) break;
      std::uint64_t before = step > 0 ? traced.step(first, thread, step - 1).digest : 0;
      found = {static_cast<unsigned>(thread / program.threads),
               static_cast<unsigned>(thread % program.threads),
               step,
               a.unit,
               0,
               last_result(before, a.digest),
               last_result(before, b.digest)};
      break;
    }
  }
  if (found) found->threads = threads;
  return found;
}

std::string describe(const Divergence& divergence, const Program& program, Executor& machine) {
  std::string text =
      fmt::format("block {}, thread {}, step {}, unit {}; {} threads differ\n", divergence.block,
                  divergence.thread, divergence.step, divergence.unit, divergence.threads);
  const std::string& unit = program.units[divergence.unit].text;
  std::istringstream lines(unit);
  std::string held_back;  // until it is known that the digest does not take it
  for (std::string line; std::getline(lines, line); held_back = line) {
    bool digests = line.find("%digest") != std::string::npos;
    if (!held_back.empty() && !digests) text += "  " + held_back + "\n";
    if (digests) line.clear();
  }
  if (!held_back.empty()) text += "  " + held_back + "\n";
  Traced traced(program);
  Bytes output = traced.run(machine, &divergence);
  text += "    before:";
  std::size_t number = 0;
  for (const std::string& name : names()) {
    if (unit.find(name) != std::string::npos)
      text += fmt::format(" {}={:#x}", name.substr(1), traced.held(output, number));
    ++number;
  }
  return text +
         fmt::format("\n    last result: {:#x}, here {:#x}\n", divergence.one, divergence.other);
}

}  // namespace warpwise::conformance
