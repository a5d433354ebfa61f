#include "simulator/machine/device_calls/runtime_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "simulator/machine/launch/module.h"
#include "simulator/machine/warp/lanes.h"

namespace warpwise::machine {
namespace {

using code::RuntimeCallee;

// Streams and events are handles without an object: what a block asks for runs in the order in
// which it asks, and that keeps every order that a program can ask for.
constexpr std::uint64_t no_stream = 0, tail_stream = 3, fire_and_forget_stream = 4;
constexpr std::uint64_t first_handle = 1ull << 40, end_of_handles = 1ull << 41;
constexpr std::uint64_t disable_timing = 2, interprocess = 4;

bool is_handle(std::uint64_t value) { return value >= first_handle && value < end_of_handles; }

bool is_stream(std::uint64_t stream) {
  return stream == no_stream || stream == tail_stream || stream == fire_and_forget_stream ||
         is_handle(stream);
}

/// Names memory that cannot be given to another grid, by the window of an address; null for others.
const char* own_memory(std::uint64_t address) {
  if (address >= code::local_window && address < code::parameter_window) return "local";
  if (address >= code::shared_window && address < code::local_window) return "shared";
  return nullptr;
}

}  // namespace

/// The words of one lane's call.
struct RuntimeQuestions::Question {
  const code::RuntimeCall& call;
  unsigned lane;
  const std::uint64_t* arguments;
  std::vector<std::uint64_t> answers;  ///< what is filled in
  std::shared_ptr<const memory::CodeLine> here = nullptr;

  int number(std::size_t i) const { return static_cast<int>(arguments[i]); }
  watch::Index3 extent(std::size_t i) const {
    return {static_cast<unsigned>(arguments[i]), static_cast<unsigned>(arguments[i + 1]),
            static_cast<unsigned>(arguments[i + 2])};
  }
};

void RuntimeQuestions::ask(const code::Instruction& instruction, std::uint32_t mask) {
  const code::RuntimeCall& call = here_.program_.runtime_calls[instruction.access];
  if (!here_.grid_.options.device_runtime)
    throw Unsupported("a kernel that launches kernels needs the runtime's library around it");
  if (here_.warp_->undefined().any())
    for (code::Slot argument : call.arguments) uninitialized_.use_value(argument, mask);
  const auto words = [&](code::Slot slot) {
    return reinterpret_cast<std::uint64_t*>(here_.warp_->slot(slot));
  };
  std::uint32_t succeeded = 0;
  for_lanes(mask, [&](unsigned lane) {
    std::uint64_t arguments[16] = {};
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      arguments[i] = words(call.arguments[i])[lane];
    Question question{call, lane, arguments, {}};
    words(call.result)[lane] = reply(question);
    for (std::size_t i = 0; i < std::min(question.answers.size(), call.outputs.size()); ++i)
      words(call.outputs[i])[lane] = question.answers[i];
    if (!question.answers.empty()) succeeded |= 1u << lane;
  });
  here_.warp_->mask_at(call.succeeded) = succeeded;
}

/// The last error of a thread, as cudaGetLastError knows it.
int& RuntimeQuestions::error_of(unsigned lane) {
  return errors_[{here_.block_->index, here_.warp_index_ * 32 + lane}];
}

/// @return what the function returns. An error is kept for cudaGetLastError.
std::uint64_t RuntimeQuestions::reply(Question& question) {
  const std::uint64_t* arguments = question.arguments;
  switch (question.call.callee) {
    case RuntimeCallee::parameter_buffer:
      return parameter_buffer(question);
    case RuntimeCallee::take_error:
      return static_cast<std::uint64_t>(std::exchange(error_of(question.lane), 0));
    case RuntimeCallee::last_error:
      return static_cast<std::uint64_t>(error_of(question.lane));
    case RuntimeCallee::error_name:
    case RuntimeCallee::error_text:
      return here_.grid_.options.device_runtime->error_words(
          static_cast<int>(arguments[0]), question.call.callee == RuntimeCallee::error_name);
    default:
      break;
  }
  const int error = outcome(question);
  if (error != runtime_error::none) {
    question.answers.clear();
    // An H200 was asked all of them; only this one leaves no error.
    if (question.call.callee != RuntimeCallee::occupancy) error_of(question.lane) = error;
  }
  return static_cast<std::uint64_t>(error);
}

/// The result of the functions that return an error.
int RuntimeQuestions::outcome(Question& question) {
  DeviceRuntime& runtime = *here_.grid_.options.device_runtime;
  const std::uint64_t* arguments = question.arguments;
  const auto answer = [&](std::uint64_t value) {
    question.answers = {value};
    return runtime_error::none;
  };
  const auto valid_if = [](bool is_valid) {
    return is_valid ? runtime_error::none : runtime_error::invalid_value;
  };
  std::uint64_t& value = question.answers.emplace_back();
  switch (question.call.callee) {
    case RuntimeCallee::launch:
      return launch_child(question);
    case RuntimeCallee::copy:
    case RuntimeCallee::copy_rows:
    case RuntimeCallee::fill:
    case RuntimeCallee::fill_rows:
      return ask_to_move(question);
    case RuntimeCallee::device_count:
      return answer(1);
    case RuntimeCallee::current_device:
    case RuntimeCallee::cache_config:
      return answer(0);
    case RuntimeCallee::shared_config:
      return answer(1);  // Banks of four bytes.
    case RuntimeCallee::runtime_version:
      return answer(6000);  // The runtime's own version on an H200 with CUDA 13.0.
    case RuntimeCallee::device_attribute:
      return runtime.attribute(question.number(1), question.number(2), value);
    case RuntimeCallee::device_limit:
      return runtime.limit(question.number(1), value);
    case RuntimeCallee::function_attributes: {
      const std::string* kernel = kernel_at(arguments[1]);
      return kernel ? runtime.attributes(*kernel, question.answers) : runtime_error::invalid_value;
    }
    case RuntimeCallee::occupancy: {
      const std::string* kernel = kernel_at(arguments[1]);
      return kernel ? runtime.occupancy(*kernel, question.number(2), arguments[3], value)
                    : runtime_error::invalid_value;
    }
    case RuntimeCallee::allocate:
      if (arguments[1] == 0) return runtime_error::invalid_value;
      value = heap_.allocate(arguments[1], question.lane, question.here);
      return value ? runtime_error::none : runtime_error::no_memory;
    case RuntimeCallee::release:
      return valid_if(heap_.release(arguments[0], question.lane));
    case RuntimeCallee::create_stream:
      return answer(first_handle + ++handles_);
    case RuntimeCallee::create_event:
      value = first_handle + ++handles_;
      return valid_if((arguments[1] & disable_timing) && !(arguments[1] & interprocess));
    case RuntimeCallee::destroy_stream:
    case RuntimeCallee::destroy_event:
      return valid_if(is_handle(arguments[0]));
    case RuntimeCallee::wait_event:
      has_waited_for_event_ = true;
      return valid_if(is_stream(arguments[0]) && is_handle(arguments[1]));
    case RuntimeCallee::record_event:
      return valid_if(is_handle(arguments[0]) && is_stream(arguments[1]));
    default:
      return runtime_error::invalid_value;
  }
}

/// The name of the kernel at the address; null where there is none.
const std::string* RuntimeQuestions::kernel_at(std::uint64_t address) const {
  const auto found = here_.program_.kernel_addresses.find(address);
  return found == here_.program_.kernel_addresses.end() ? nullptr : &found->second;
}

/// For messages, and for work that runs later: where this call is.
watch::Diagnosis RuntimeQuestions::asked_here(unsigned lane) const {
  const auto here = here_.users_line(lane);
  watch::Diagnosis place;
  place.file = here->file;
  place.line = here->line;
  place.column = here->column;
  return place;
}

void RuntimeQuestions::report_refusal(const char* kind, const std::string& what,
                                      const std::string& why, unsigned lane) {
  here_.diagnoses_.report(here_.finding(
      kind,
      fmt::format("thread {} {}: {}", here_.thread_text(here_.warp_index_ * 32 + lane), what, why),
      lane));
}

/// Where the arguments of a launch are to be stored; 0 where it cannot be made.
std::uint64_t RuntimeQuestions::parameter_buffer(const Question& question) {
  const unsigned lane = question.lane;
  const std::string* kernel = kernel_at(question.arguments[0]);
  if (!kernel) {
    error_of(lane) = runtime_error::no_such_kernel;
    return 0;
  }
  Launch launch;
  launch.kernel = *kernel;
  launch.grid = question.extent(1);
  launch.block = question.extent(4);
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(question.arguments[7]);
  if (const auto refused = here_.grid_.options.device_runtime->refusal(launch)) {
    error_of(lane) = refused->error;
    report_refusal("launch-configuration", "cannot launch " + readable_name(*kernel), refused->why,
                   lane);
    return 0;
  }
  const std::uint64_t bytes = std::max(8u, here_.grid_.module->kernel(*kernel)->parameter_bytes);
  const memory::Allocation* buffer = here_.grid_.memory.allocate(bytes, memory::Kind::heap);
  if (!buffer) {
    error_of(lane) = runtime_error::no_memory;
    return 0;
  }
  unlaunched_[buffer->base] = std::move(launch);
  return buffer->base;
}

/// The launch whose arguments are in the buffer.
int RuntimeQuestions::launch_child(const Question& question) {
  const std::uint64_t buffer = question.arguments[0], stream = question.arguments[1];
  const auto found = unlaunched_.find(buffer);
  if (found == unlaunched_.end()) return runtime_error::invalid_value;
  DeviceWork work;
  work.launch = std::move(found->second);
  unlaunched_.erase(found);
  const KernelInfo& info = *here_.grid_.module->kernel(work.launch.kernel);
  here_.deferred_adds_.write();
  const std::byte* bytes = here_.grid_.memory.host(buffer);
  work.launch.parameters.assign(bytes, bytes + info.parameter_bytes);
  here_.grid_.memory.release(buffer);
  ++here_.changes_;
  if (!is_stream(stream)) return runtime_error::invalid_value;
  check_handed_on(work.launch, info, question.lane);
  if (const auto refused = here_.grid_.options.device_runtime->refuses_more(asked_for_.size())) {
    report_refusal("launch-configuration", "cannot launch " + readable_name(work.launch.kernel),
                   refused->why, question.lane);
    return refused->error;
  }
  ask_for(std::move(work), stream, question.lane);
  return runtime_error::none;
}

/// A child has shared and local memory of its own: it cannot reach its parent's.
void RuntimeQuestions::check_handed_on(const Launch& launch, const KernelInfo& info,
                                       unsigned lane) {
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const Parameter& parameter = info.parameters[i];
    std::uint64_t value = 0;
    if (parameter.bytes != sizeof value) continue;
    std::memcpy(&value, launch.parameters.data() + parameter.offset, sizeof value);
    const char* memory = own_memory(value);
    if (!memory) continue;
    report_refusal(
        "out-of-bounds",
        fmt::format("launches {} with a pointer to {} memory as argument {}",
                    readable_name(launch.kernel), memory, i + 1),
        "a kernel that is launched from a kernel has such memory of its own and cannot reach this. "
        "Hand it global memory, or the value itself",
        lane);
  }
}

/// A copy or a fill.
int RuntimeQuestions::ask_to_move(const Question& question) {
  const std::uint64_t* a = question.arguments;
  DeviceWork work;
  std::uint64_t stream = 0;
  work.kind = DeviceWork::Kind::copy;
  work.to = a[0];
  switch (question.call.callee) {
    case RuntimeCallee::copy:
      work.from = a[1], work.width = a[2], work.direction = question.number(3), stream = a[4];
      break;
    case RuntimeCallee::copy_rows:
      work.to_pitch = a[1], work.from = a[2], work.from_pitch = a[3], work.width = a[4];
      work.rows = a[5], work.direction = question.number(6), stream = a[7];
      break;
    case RuntimeCallee::fill:
      work.kind = DeviceWork::Kind::fill;
      work.value = question.number(1), work.width = a[2], stream = a[3];
      break;
    default:
      work.kind = DeviceWork::Kind::fill;
      work.to_pitch = a[1], work.value = question.number(2), work.width = a[3], work.rows = a[4];
      stream = a[5];
  }
  if (!is_stream(stream)) return runtime_error::unknown;
  if (const auto refused = here_.grid_.options.device_runtime->refusal(work)) {
    report_refusal("invalid-copy", "asks for a copy or a fill that is not possible", refused->why,
                   question.lane);
    return refused->error;
  }
  ask_for(std::move(work), stream, question.lane);
  return runtime_error::none;
}

/// Each block has a stream of its own that needs no name; fire and forget has as many streams as
/// launches.
std::uint64_t RuntimeQuestions::queue_of(std::uint64_t stream) {
  if (is_handle(stream)) return stream;
  return stream == no_stream ? here_.block_->index : end_of_handles + asked_for_.size();
}

void RuntimeQuestions::ask_for(DeviceWork work, std::uint64_t stream, unsigned lane) {
  work.is_tail = stream == tail_stream;
  describe(work, lane);
  work.queue = queue_of(stream);
  asked_for_.push_back(std::move(work));
}

/// Adds which thread asked, and what that will have touched afterwards.
void RuntimeQuestions::describe(DeviceWork& work, unsigned lane) {
  if (other_launches_.concurrent() && !work.is_tail && here_.block_->order) {
    auto recorded =
        other_launches_.concurrent()->launches(*here_.block_->order, here_.warp_index_, lane);
    work.late = std::move(recorded.late);
    work.concurrent = std::move(recorded.concurrent);
  }
  work.by = readable_name(here_.grid_.launch.kernel);
  work.block = here_.block_->index;
  work.asked = asked_here(lane);
}

std::vector<DeviceWork> RuntimeQuestions::take() {
  if (other_launches_.concurrent()) other_launches_.concurrent()->finish(here_.lines_of_sites());
  // Orders by events are not followed: all counts as ordered.
  if (has_waited_for_event_)
    for (DeviceWork& work : asked_for_) work.queue = 0;
  return std::move(asked_for_);
}

}  // namespace warpwise::machine
