#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simulator/code/program.h"
#include "simulator/memory/address_space.h"
#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/report/report.h"

namespace warpwise::watch {

/// The warp that a trace follows, and how far.
struct TraceRequest {
  std::string kernel;       ///< part of the demangled name
  std::uint64_t block = 0;  ///< linear index
  unsigned warp = 0;
  std::size_t steps = 400;
};

/// The position of a warp that is about to execute an instruction.
struct TracePoint {
  std::uint32_t pc;  ///< index into Program::code
  const code::FrameLayout* layout;
  const std::byte* registers;  ///< of the layout
  std::uint32_t live;          ///< lanes that have not exited
  std::uint32_t active;        ///< of these, those that are here
  std::uint32_t mask;          ///< of these, those whose guard is true
};

/// Everything that one warp does, instruction by instruction: what it executes with which lanes,
/// what registers receive, which addresses it touches, which lane reads from which. One warp runs
/// on one host thread, so nothing is locked. Nothing is asked while no trace is wanted.
class Trace {
 public:
  explicit Trace(TraceRequest request) : request_(std::move(request)) {}

  const TraceRequest& request() const { return request_; }

  /// Starts afresh for a launch. Program and memory have to outlive its run.
  void begin(const code::Program& program, const memory::AddressSpace& memory);

  // machine/ tells, of the warp that is followed only:
  bool follows(std::uint64_t block, unsigned warp) const {
    return block == request_.block && warp == request_.warp && !is_full_;
  }
  void step(const TracePoint& point);
  /// Adds to the step an access, whose addresses were found to be good.
  void access(const AccessEvent& event);
  /// Adds to the step a shuffle, in which lane i reads lane from[i].
  void shuffle(const std::uint8_t* from);
  /// The step has to wait for lanes that are not there yet; it has not executed.
  void waits();

  /// True where the warp has executed something.
  bool has_steps() const { return !steps_.empty(); }
  /// One JSON object; common/simulator/watch/report/trace_json.cpp says what it holds.
  std::string to_json(const LaunchReport& launch) const;

 private:
  /// A value in 32 lanes: what an instruction wrote, or what a store takes.
  struct Value {
    std::string name;
    isa::Type type;
    std::vector<std::uint64_t> lanes;  ///< bits
  };
  struct Array {
    std::string name;
    bool is_shared;
    std::uint64_t base, bytes;
  };
  struct Access {
    std::size_t array;
    bool is_store, is_atomic;
    unsigned bytes;
    std::uint32_t mask;
    std::vector<std::int64_t> offsets;  ///< from the array's base
    unsigned sectors, wavefronts, ideal_wavefronts;
  };
  struct Line {
    std::string text, file;
    unsigned line;
    std::string operation;
  };
  struct Step {
    std::size_t line;
    std::uint32_t live, active, mask;
    bool waits = false;
    std::vector<Value> written, stored;
    std::vector<Access> accesses;
    std::vector<std::uint8_t> from;
  };

  void complete();
  bool continues(const TracePoint& point) const;
  std::size_t line_of(const TracePoint& point);
  std::size_t array_of(const AccessEvent& event);
  Value value_of(int register_id, isa::Type type) const;
  std::vector<Value> values_of(const ptx::Instruction& instruction, bool destinations) const;
  isa::Type shown_type(int register_id, isa::Type type) const;
  void find_floats(const ptx::Function& function);
  std::string step_json(const Step& step, bool new_live, bool new_active) const;
  std::string access_json(const Access& access, std::uint32_t step_mask) const;

  TraceRequest request_;
  const code::Program* program_ = nullptr;
  const memory::AddressSpace* memory_ = nullptr;
  bool is_full_ = false;
  bool is_open_ = false;  ///< the last step has not been completed
  TracePoint at_{};       ///< of the last step, at its latest instruction
  std::vector<Line> lines_;
  std::map<std::pair<const code::FrameLayout*, std::uint32_t>, std::size_t> line_by_text_;
  std::vector<Array> arrays_;
  std::map<std::pair<bool, std::uint64_t>, std::size_t> array_by_base_;
  std::vector<Step> steps_;
  std::map<const ptx::Function*, std::vector<bool>> floats_;
};

}  // namespace warpwise::watch
