#include <utility>

#include "simulator/cudart/queue/queue.h"

/// Graphs that kernels launch: operations that are issued while other operations run and do not
/// wait for them. Each run has a gate after its parts, which also waits for the graphs that they
/// launch next to themselves. Each run also has an end, which waits for the gate and for the graphs
/// that follow the run. The gates with the same end follow each other in a chain.
namespace warpwise::cudart {

/// The operations that the running operation knows to be done, including itself: it has come far
/// enough to ask.
Before Queue::known_to_running() const {
  Before known = running_->before;
  known.add(running_->chain, running_->sequence);
  return known;
}

OperationPtr Queue::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

/// @param outer waits for the end; null: does not exist yet.
OperationPtr Queue::make_end(int device, const OperationPtr& outer) {
  OperationPtr end = make([] {}, device, {}, nullptr);
  end->chain = part_chain(*end);
  end->follower = outer;
  if (outer != nullptr) outer->after.push_back(end);
  return end;
}

/// @param after null: the run may begin at once. @param known what comes before it.
std::vector<OperationPtr> Queue::add_run(PartsOfRun given, const OperationPtr& after,
                                         const Before& known) {
  RunFrame& run = *given.run;
  const int device = run.end->device;
  const OperationPtr start = make(std::move(given.begin), device, {after}, nullptr);
  if (run.chain == 0) run.chain = part_chain(*start);
  const std::uint64_t chain = run.chain;
  order(*start, chain, {after}, known);
  std::vector<OperationPtr> issued;
  for (Part& part : given.parts) {
    std::vector<OperationPtr> before = {start, part.also};
    for (const std::size_t earlier : part.after) before.push_back(issued[earlier]);
    issued.push_back(make(std::move(part.work), part.device, before, part.launch));
    order(*issued.back(), a_part, before, known);
    issued.back()->run = given.run;
  }
  std::vector<OperationPtr> all = issued;
  all.push_back(start);
  const OperationPtr gate = make(std::move(given.end), device, all, nullptr);
  order(*gate, chain, all, known);
  gate->run = given.run;
  gate->forgets_from = first_of_parts + Before::chain_of(start->sequence, 0);
  gate->follower = run.end;
  for (const OperationPtr& one : all) one->follower = gate;
  run.inside->gate = gate;
  run.end->after.push_back(gate);
  graphs_[chain].push_back({start, gate, issued});
  wake_device_.notify_one();
  return issued;
}

std::vector<OperationPtr> Queue::issue_run(Stream& stream, PartsOfRun run, OperationPtr& latest) {
  const std::lock_guard lock(mutex_);
  std::vector<OperationPtr> front = before(stream);
  front.push_back(latest);
  const OperationPtr start = add([] {}, stream.chain, stream.device, front, nullptr);
  const OperationPtr end = run.run->end = make_end(stream.device, nullptr);
  const RunFramePtr issued_run = run.run;
  std::vector<OperationPtr> issued = add_run(std::move(run), start, host_);
  latest = stream.last = add([] {}, stream.chain, stream.device, {start, end}, nullptr);
  stream.last_launch = nullptr;
  stream.last->before.forget_chains_from(first_of_parts);
  stream.last->forgets_from = first_of_parts;
  end->follower = issued_run->around->gate = stream.last;
  return issued;
}

std::vector<OperationPtr> Queue::issue_beside(PartsOfRun run) {
  const std::lock_guard lock(mutex_);
  run.run->end = make_end(running_->device, run.run->around->gate);
  return add_run(std::move(run), nullptr, known_to_running());
}

std::vector<OperationPtr> Queue::issue_behind(PartsOfRun run) {
  const std::lock_guard lock(mutex_);
  return add_run(std::move(run), nullptr, known_to_running());
}

}  // namespace warpwise::cudart
