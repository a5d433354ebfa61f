#include "simulator/cudart/graphs/graph_launches.h"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <utility>

#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

using Refusal = machine::DeviceRuntime::GraphRefusal;
namespace graph_stream = machine::graph_stream;

// What an H100 takes.
constexpr unsigned most_in_environment = 120;
constexpr std::size_t most_behind = 255;

void end_of(const GraphRunPtr& run);

Queue::PartsOfRun parts_of_run(const GraphRunPtr& run, std::vector<Part> parts) {
  return {run, [] {}, std::move(parts), [run] { end_of(run); }};
}

/// Starts the graph whose turn it is, after one that is done.
void issue_next(const GraphRun& done) {
  auto next = std::make_shared<GraphRun>();
  next->graph = std::move(done.waiting->front().graph);
  next->asked = std::move(done.waiting->front().asked);
  done.waiting->pop_front();
  next->around = done.around;
  next->end = done.end;
  next->chain = done.chain;
  next->waiting = done.waiting;
  const IssuedNodes nodes(*next->graph->nodes);
  nodes.note(runtime().queue.issue_behind(parts_of_run(next, parts_for(*next->graph->nodes))));
}

/// By the gate of a run: all work that the run began is done, except for the graphs that follow it.
void end_of(const GraphRunPtr& run) {
  if (run->graph != nullptr) --run->graph->launches;
  run->waiting->insert(run->waiting->begin(), std::move_iterator(run->tails.begin()),
                       std::move_iterator(run->tails.end()));
  run->tails.clear();
  if (!run->waiting->empty() && !faulted()) issue_next(*run);
}

void issue_beside(const std::shared_ptr<Environment>& around, AskedGraph launched) {
  auto fresh = std::make_shared<GraphRun>();
  fresh->graph = std::move(launched.graph);
  fresh->around = around;
  fresh->asked = std::move(launched.asked);
  fresh->asked_by = runtime().queue.running();
  const IssuedNodes nodes(*fresh->graph->nodes);
  nodes.note(runtime().queue.issue_beside(parts_of_run(fresh, parts_for(*fresh->graph->nodes))));
}

/// The device's work for an upload of the nodes as they are now.
std::function<void()> upload_of(const DeviceGraphPtr& graph, const std::vector<ExecNode>& nodes) {
  const UploadedNodes uploaded = std::make_shared<const std::vector<ExecNode>>(nodes);
  graph->asked_for = uploaded;
  return [graph, uploaded] { graph->nodes = uploaded; };
}

/// The reason for a refusal; none where the graph can be launched. @param run that launches it.
std::optional<Refusal> refusal(const DeviceGraph& graph, const GraphRun& run, bool is_tail) {
  if (graph.nodes == nullptr)
    return Refusal{
        "it has not been uploaded. Call cudaGraphUpload, in a stream that the launch of "
        "this kernel's graph follows"};
  const bool launches_itself = run.graph.get() == &graph;
  if (graph.launches > (is_tail && launches_itself ? 1 : 0))
    return Refusal{
        launches_itself && !is_tail
            ? "it is the graph that this kernel is of, which can launch itself with "
              "cudaStreamGraphTailLaunch alone"
            : "it has already been launched, and nothing says that it has ended. A graph "
              "runs once at a time: instantiate it twice, or launch it again from a graph that is "
              "launched with cudaStreamGraphTailLaunch",
        nullptr, true};
  return std::nullopt;
}

}  // namespace

std::vector<OperationPtr> issue_run(Stream& stream, std::vector<Part> parts, OperationPtr& latest,
                                    const DeviceGraphPtr& graph,
                                    const std::vector<ExecNode>& nodes) {
  auto run = std::make_shared<GraphRun>();
  run->graph = graph;
  run->around = std::make_shared<Environment>();
  Queue::PartsOfRun given = parts_of_run(run, std::move(parts));
  if (graph != nullptr)
    given.begin = [graph, upload = upload_of(graph, nodes)] {
      upload();
      ++graph->launches;
    };
  return runtime().queue.issue_run(stream, std::move(given), latest);
}

void issue_upload(Stream& stream, const DeviceGraphPtr& graph, const std::vector<ExecNode>& nodes) {
  runtime().queue.issue(stream, upload_of(graph, nodes));
}

std::optional<Refusal> launch_from_kernel(const GraphRunPtr& run, const machine::DeviceWork& work) {
  if (run == nullptr)
    return Refusal{
        "only a kernel that is a node of a graph can launch graphs, not one that a "
        "kernel has launched",
        "invalid-object"};
  const bool is_tail = work.stream == graph_stream::tail;
  const bool is_sibling = work.stream == graph_stream::as_sibling;
  if (!is_tail && !is_sibling && work.stream != graph_stream::beside)
    return Refusal{
        "the stream is none of cudaStreamGraphTailLaunch, cudaStreamGraphFireAndForget and "
        "cudaStreamGraphFireAndForgetAsSibling"};
  if (work.graph == 0) return Refusal{"its handle is null"};
  const FoundGraph found = find_device_graph(work.graph);
  if (found.graph == nullptr)
    return Refusal{found.exists ? "it was instantiated without cudaGraphInstantiateFlagDeviceLaunch"
                                : fmt::format("{:#x} is the handle of no graph. Was it "
                                              "instantiated, and not destroyed?",
                                              work.graph),
                   "invalid-object"};
  if (auto refused = refusal(*found.graph, *run, is_tail)) return refused;
  if (is_tail) {
    if (run->tails.size() == most_behind)
      return Refusal{fmt::format("{} graphs already wait to run after this one, the most that may",
                                 most_behind)};
    run->tails.push_back({found.graph, std::make_shared<machine::DeviceWork>(work)});
    ++found.graph->launches;
    return std::nullopt;
  }
  const std::shared_ptr<Environment>& around = is_sibling ? run->around : run->inside;
  if (around->graphs == most_in_environment)
    return Refusal{
        fmt::format("{} graphs have already been launched {}, the most that one run may launch",
                    most_in_environment, is_sibling ? "next to this one" : "by this one")};
  ++around->graphs;
  ++found.graph->launches;
  issue_beside(around, {found.graph, std::make_shared<machine::DeviceWork>(work)});
  return std::nullopt;
}

}  // namespace warpwise::cudart
