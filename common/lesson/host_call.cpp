#include "lesson/host_call.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lesson/deliver.h"
#include "lesson/device.h"
#include "lesson/error.h"
#include "lesson/launch.h"
#include "lesson/options.h"
#include "lesson/paths.h"
#include "lesson/shared_object.h"

namespace warpwise::lesson {
namespace {

using nlohmann::json;

/// Set in the child: the file for its answers.
constexpr const char* answers_variable = "WARPWISE_ANSWERS";

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

void limit(decltype(RLIMIT_DATA) what, std::uint64_t most) {
  const rlimit both{most, most};
  (void)::setrlimit(what, &both);
}

/// What the learner's code may use from now on; wall time is the parent's affair.
void set_limits(bool simulated) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, std::uint64_t{32} << 20);
  // A driver maps more than a program uses.
  if (simulated) limit(RLIMIT_DATA, std::uint64_t{4} << 30);
}

/// The file of answers: one JSON object a line, so that what was answered stays when the code dies.
class AnswerFile {
 public:
  explicit AnswerFile(const char* path) : stream_(std::fopen(path, "we")) {
    if (stream_ == nullptr) throw Stop(bad_environment, fmt::format("cannot write {}", path));
    // The learner's code need not know of it.
    ::unsetenv(answers_variable);
  }
  ~AnswerFile() { std::fclose(stream_); }
  AnswerFile(const AnswerFile&) = delete;
  AnswerFile& operator=(const AnswerFile&) = delete;

  void add(const json& object) {
    fmt::print(stream_, "{}\n", object.dump());
    std::fflush(stream_);
  }

 private:
  std::FILE* stream_;
};

json bits_of(const HostCall& call) {
  json outputs = json::array();
  for (const HostOutput& output : call.outputs) {
    std::vector<std::uint32_t> bits(output.expected.size());
    if (!bits.empty()) std::memcpy(bits.data(), output.data, bits.size() * sizeof(float));
    outputs.push_back(bits);
  }
  return outputs;
}

/// The address of the learner's function; otherwise writes down why not.
void* find_function(const HostSpec& spec, const std::string& image, AnswerFile& answers) {
  // A name without a slash would be looked for among the system's libraries.
  void* object = ::dlopen(std::filesystem::absolute(image).c_str(), RTLD_NOW | RTLD_LOCAL);
  void* address = object == nullptr ? nullptr : ::dlsym(object, spec.symbol.c_str());
  if (address == nullptr) answers.add({{"problem", ::dlerror()}});
  return address;
}

/// The child: makes the calls and writes down what they give.
int answer(const HostSpec& spec, const CheckOptions& options, const std::vector<HostCall>& calls,
           char** argv) {
  std::string device;
  if (spec.on_device) device = choose_device(options.device, options.gpu, argv).name;
  set_limits(simulator_present() || !spec.on_device);
  set_budget(spec.budget);
  AnswerFile answers(std::getenv(answers_variable));
  answers.add({{"device", device}, {"simulated", simulator_present()}});
  void* function = find_function(spec, options.image, answers);
  if (function == nullptr) return something_wrong;
  for (const HostCall& call : calls) {
    for (const HostOutput& output : call.outputs) {
      std::memset(output.data, poison_byte, output.expected.size() * sizeof(float));
    }
    std::optional<double> returned;
    try {
      returned = call.make(function);
    } catch (const std::exception& thrown) {
      answers.add({{"thrown", thrown.what()}});
      return something_wrong;
    } catch (...) {
      answers.add({{"thrown", "no std::exception"}});
      return something_wrong;
    }
    json line{{"outputs", bits_of(call)}, {"reports", take_report().size()}};
    if (returned) line["returned"] = std::bit_cast<std::uint64_t>(*returned);
    answers.add(line);
  }
  answers.add({{"done", true}});
  return all_right;
}

/// The entries of the simulator's log, one JSON object a line.
std::vector<LaunchReport> read_log(const std::string& text) {
  std::string joined;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) joined += (joined.empty() ? "" : ",") + line;
  return parse_report(fmt::format(R"({{"launches":[{}]}})", joined));
}

/// Runs the child on a device and judges what it gave.
CheckVerdict judged_on(DeviceChoice device, const HostSpec& spec, const CheckOptions& options,
                       const std::vector<HostCall>& calls) {
  const TemporaryFile answers;
  const TemporaryFile log;
  std::vector<std::string> command{program_file().string(), "--image", options.image, "--device",
                                   std::string(flag_of(device))};
  if (!options.gpu.empty()) command.insert(command.end(), {"--gpu", options.gpu});
  const ChildResult child = run_child(command,
                                      {fmt::format("{}={}", answers_variable, answers.path()),
                                       fmt::format("WARPWISE_REPORT={}", log.path())},
                                      spec.limit_s);
  const HostAnswers given = parse_answers(answers.text());
  if (!given.loaded && child.status == bad_environment) {
    throw Stop(bad_environment, environment_line(child));
  }
  CheckVerdict verdict = judge_calls(spec, calls, given, child, read_log(log.text()));
  verdict.device = device == DeviceChoice::gpu ? given.device : "";
  return verdict;
}

/// The declaration, read from the file: nothing of it runs before it is known to fit.
std::optional<CheckVerdict> wrong_declaration(const HostSpec& spec, const std::string& image) {
  Signature signature{spec.declaration, {}, "", "function of that name"};
  for (const std::string& symbol : exported_functions(read_file(image))) {
    if (symbol == spec.symbol) return std::nullopt;
    const std::string name = written_signature(demangled(symbol.c_str()));
    if (name.substr(0, name.find('(')) == spec.function) signature.found.push_back(name);
  }
  CheckVerdict verdict;
  verdict.verdict = "signature";
  verdict.message = signature.text();
  return verdict;
}

bool on_gpu_too(const HostSpec& spec, const CheckOptions& options) {
  if (!spec.on_device || options.device == DeviceChoice::simulator) return false;
  return options.device == DeviceChoice::gpu || probe_gpu().usable;
}

CheckVerdict whole_verdict(const HostSpec& spec, const CheckOptions& options,
                           const std::vector<HostCall>& calls) {
  if (auto verdict = wrong_declaration(spec, options.image)) return *verdict;
  CheckVerdict verdict = judged_on(DeviceChoice::simulator, spec, options, calls);
  if (!verdict.passed() || !on_gpu_too(spec, options)) return verdict;
  HostSpec without_log = spec;
  without_log.gates.clear();
  const CheckVerdict real = judged_on(DeviceChoice::gpu, without_log, options, calls);
  verdict.device = real.device;
  if (real.passed()) return verdict;
  verdict.verdict = real.verdict;
  verdict.kind = "gpu";
  verdict.size = real.size;
  verdict.message =
      fmt::format("right on the simulator, but not on the {}:\n{}", real.device, real.message);
  return verdict;
}

}  // namespace

GuardedMemory::GuardedMemory(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t usable = rounded_up(bytes, page);
  mapped_bytes_ = usable + page;
  mapping_ =
      ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping_ == MAP_FAILED) throw std::bad_alloc();
  auto* first = static_cast<char*>(mapping_);
  ::mprotect(first + usable, page, PROT_NONE);
  start_ = first + (usable - bytes);
}

GuardedMemory::~GuardedMemory() { ::munmap(mapping_, mapped_bytes_); }

HostAnswers parse_answers(const std::string& text) {
  HostAnswers answers;
  // A child that dies may leave half a line.
  std::istringstream lines(text.substr(0, text.rfind('\n') + 1));
  try {
    for (std::string line; std::getline(lines, line);) {
      const json object = json::parse(line);
      if (object.contains("device")) {
        answers.loaded = true;
        answers.device = object["device"].get<std::string>();
        answers.simulated = object.at("simulated").get<bool>();
      }
      if (object.contains("problem")) answers.problem = object["problem"].get<std::string>();
      if (object.contains("thrown")) answers.thrown = object["thrown"].get<std::string>();
      if (object.contains("done")) answers.done = true;
      if (!object.contains("outputs")) continue;
      HostAnswer call;
      for (const json& output : object["outputs"]) {
        std::vector<float> values;
        for (const json& bits : output) {
          values.push_back(std::bit_cast<float>(bits.get<std::uint32_t>()));
        }
        call.outputs.push_back(std::move(values));
      }
      call.reports = object.at("reports").get<std::size_t>();
      if (object.contains("returned")) {
        call.returned = std::bit_cast<double>(object["returned"].get<std::uint64_t>());
      }
      answers.calls.push_back(std::move(call));
    }
  } catch (const json::exception& error) {
    throw Stop(bad_environment, fmt::format("the answers cannot be read: {}", error.what()));
  }
  return answers;
}

void name_function(HostSpec& spec, const char* function_type, const char* parameters_type) {
  const std::string type = demangled(function_type);
  spec.declaration = type.substr(0, type.find('(')) + spec.function + written_parameters(type);
  // "FviiE" is a function of two int that returns nothing: what stands between is what a symbol has
  // behind the name.
  const std::string parameters = std::string(parameters_type).substr(2);
  spec.symbol = fmt::format("_Z{}{}{}", spec.function.size(), spec.function,
                            parameters.substr(0, parameters.size() - 1));
}

std::string written(double value) { return fmt::format("{}", value); }

std::string written(cudaError_t value) { return cudaGetErrorName(value); }

int run_host_check(int argc, char** argv, const HostSpec& wanted,
                   const std::function<std::vector<HostCall>()>& make_calls) {
  return or_exit([&] {
    const CheckOptions options = parse_check_options(argc, argv, program_name());
    HostSpec spec = wanted;
    if (!options.gpu.empty()) spec.limits = *occupancy::find_gpu(options.gpu);
    const std::vector<HostCall> calls = make_calls();
    for (const HostCall& call : calls) {
      if (!call.make) throw Stop(something_wrong, call.text + " is not called at every size");
    }
    if (std::getenv(answers_variable) != nullptr) return answer(spec, options, calls, argv);
    CheckVerdict verdict = whole_verdict(spec, options, calls);
    verdict.exercise = exercise_id();
    verdict.lesson = spec.lesson;
    return deliver(verdict, options);
  });
}

}  // namespace warpwise::lesson
