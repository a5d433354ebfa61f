/// \file
/// The runner: calls a learner's host function. It is a program of its own so that nothing in its
/// memory says what the function has to give. `runner CALLS ANSWERS REPORT IMAGE DEVICE [GPU]`; see
/// check/host/host_wire.h.
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "check/host/foreign_call.h"
#include "check/host/host_wire.h"
#include "lesson/device/device.h"
#include "lesson/device/error.h"
#include "lesson/device/stand_in.h"
#include "lesson/start/options.h"
#include "lesson/start/paths.h"

namespace warpwise::lesson {
namespace {

void limit(decltype(RLIMIT_DATA) what, std::uint64_t most) {
  rlimit now{};
  (void)::getrlimit(what, &now);
  const std::uint64_t least = std::min<std::uint64_t>(most, now.rlim_max);
  const rlimit both{least, least};
  (void)::setrlimit(what, &both);
}

/// Limits what the learner's code may use from now on; wall time is the check's affair.
void set_limits(bool simulated) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, std::uint64_t{32} << 20);
  // A driver maps more than a program uses.
  if (simulated) limit(RLIMIT_DATA, std::uint64_t{4} << 30);
}

/// A file that was handed over by its descriptor: nothing may read or write it any more.
void close_inherited(std::string_view path) {
  constexpr std::string_view folder = "/proc/self/fd/";
  if (path.starts_with(folder)) ::close(std::atoi(path.data() + folder.size()));
}

/// The file of answers.
class AnswerFile {
 public:
  AnswerFile(const std::string& path, std::string mark)
      : stream_(std::fopen(path.c_str(), "we")), mark_(std::move(mark)) {
    if (stream_ == nullptr) throw Stop(bad_environment, fmt::format("cannot write {}", path));
  }
  ~AnswerFile() { std::fclose(stream_); }
  AnswerFile(const AnswerFile&) = delete;
  AnswerFile& operator=(const AnswerFile&) = delete;

  void add(const std::string& line) {
    fmt::print(stream_, "{}{}\n", mark_, line);
    std::fflush(stream_);
  }

 private:
  std::FILE* stream_;
  std::string mark_;
};

/// The memory of one call, made, and the arguments pointing into it.
class Prepared {
 public:
  explicit Prepared(const WireCall& call) : call_(call), arguments_(call.arguments) {
    for (const WireMemory& piece : call.memory) {
      memory_.push_back(std::make_unique<GuardedMemory>(piece.bytes.size()));
      if (piece.output) {
        std::memset(memory_.back()->get(), poison_byte, piece.bytes.size());
      } else {
        std::copy(piece.bytes.begin(), piece.bytes.end(),
                  static_cast<std::uint8_t*>(memory_.back()->get()));
      }
    }
    for (HostArgument& argument : arguments_) {
      if (argument.type != HostType::pointer || argument.bits == 0) continue;
      argument.bits = std::bit_cast<std::uint64_t>(memory_.at(argument.bits - 1)->get());
    }
  }

  std::string make(void* function) const {
    const std::optional<double> returned = foreign_call(function, call_.returns, arguments_);
    const OperationCounts operations = take_operations();
    const std::size_t reports = take_report().size();
    return returned_line(outputs(), reports, returned, bytes_for_host(), operations.numbers);
  }

 private:
  std::vector<std::vector<std::uint32_t>> outputs() const {
    std::vector<std::vector<std::uint32_t>> all;
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      if (!call_.memory[i].output) continue;
      std::vector<std::uint32_t> bits(call_.memory[i].bytes.size() / sizeof(std::uint32_t));
      if (!bits.empty()) std::memcpy(bits.data(), memory_[i]->get(), 4 * bits.size());
      all.push_back(std::move(bits));
    }
    return all;
  }

  const WireCall& call_;
  std::vector<HostArgument> arguments_;
  std::vector<std::unique_ptr<GuardedMemory>> memory_;
};

int make_calls(const WireCalls& wire, void* function, AnswerFile& answers) {
  for (const WireCall& call : wire.calls) {
    const Prepared prepared(call);
    try {
      answers.add(prepared.make(function));
    } catch (const std::exception& thrown) {
      answers.add(thrown_line(thrown.what()));
      return something_wrong;
    } catch (...) {
      answers.add(thrown_line("no std::exception"));
      return something_wrong;
    }
  }
  answers.add(done_line());
  return all_right;
}

int run(int argc, char** argv) {
  if (argc < 6) throw Stop(bad_usage, "a check starts this program: run that one");
  const WireCalls wire = parse_calls(read_file(argv[1]));
  ::setenv("WARPWISE_REPORT", argv[3], 1);
  std::string device;
  if (wire.on_device) {
    const bool simulator = std::string_view(argv[5]) == flag_of(DeviceChoice::simulator);
    device = choose_device(simulator ? DeviceChoice::simulator : DeviceChoice::gpu,
                           argc > 6 ? argv[6] : "", argv, wire.gpus)
                 .name;
  }
  set_limits(simulator_present() || !wire.on_device);
  set_budget(wire.budget);
  count_participants();
  count_operations();
  AnswerFile answers(argv[2], wire.mark);
  close_inherited(argv[1]);
  close_inherited(argv[2]);
  answers.add(started_line(device, simulator_present()));
  // A name without a slash would be looked for among the system's libraries.
  void* object = ::dlopen(std::filesystem::absolute(argv[4]).c_str(), RTLD_NOW | RTLD_LOCAL);
  void* function = object == nullptr ? nullptr : ::dlsym(object, wire.symbol.c_str());
  if (function == nullptr) {
    answers.add(problem_line(::dlerror()));
    return something_wrong;
  }
  return make_calls(wire, function, answers);
}

}  // namespace
}  // namespace warpwise::lesson

int main(int argc, char** argv) {
  return warpwise::lesson::or_exit([&] { return warpwise::lesson::run(argc, argv); });
}
