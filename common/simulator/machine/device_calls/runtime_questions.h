#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simulator/machine/checks/races/other_launches.h"
#include "simulator/machine/checks/uninitialized.h"
#include "simulator/machine/device_calls/device_runtime.h"
#include "simulator/machine/device_calls/heap.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

struct KernelInfo;

/// Kernels that launch kernels: what they ask the runtime for. Launches, copies and fills are kept
/// until the grid has ended, which is early enough for any program: a grid cannot wait for what it
/// has asked for.
class RuntimeQuestions {
 public:
  RuntimeQuestions(RunnerState& here, Uninitialized& uninitialized, OtherLaunches& other_launches,
                   Heap& heap)
      : here_(here), uninitialized_(uninitialized), other_launches_(other_launches), heap_(heap) {}

  /// The lanes of the mask call a function of the runtime.
  void ask(const code::Instruction& instruction, std::uint32_t mask);
  /// The kernels to run, and the copies to make, once the grid has ended; in order.
  std::vector<DeviceWork> take();

 private:
  struct Question;
  int& error_of(unsigned lane);
  std::uint64_t reply(Question& question);
  int outcome(Question& question);
  const std::string* kernel_at(std::uint64_t address) const;
  watch::Diagnosis asked_here(unsigned lane) const;
  void report_refusal(const char* kind, const std::string& what, const std::string& why,
                      unsigned lane);
  std::uint64_t parameter_buffer(const Question& question);
  int launch_child(const Question& question);
  void check_handed_on(const Launch& launch, const KernelInfo& info, unsigned lane);
  int ask_to_move(const Question& question);
  std::uint64_t queue_of(std::uint64_t stream);
  void ask_for(DeviceWork work, std::uint64_t stream, unsigned lane);
  void describe(DeviceWork& work, unsigned lane);

  RunnerState& here_;
  Uninitialized& uninitialized_;
  OtherLaunches& other_launches_;
  Heap& heap_;
  std::vector<DeviceWork> asked_for_;
  std::map<std::uint64_t, Launch> unlaunched_;  ///< by the address of the place for its arguments
  std::map<std::pair<std::uint64_t, std::uint32_t>, int> errors_;  ///< by block and thread
  std::uint64_t handles_ = 0;          ///< of streams and events that were made
  bool has_waited_for_event_ = false;  ///< a stream has, by a kernel's word
};

}  // namespace warpwise::machine
