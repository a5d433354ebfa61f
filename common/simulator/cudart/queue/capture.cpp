#include "simulator/cudart/queue/capture.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include "simulator/cudart/queue/event.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

std::recursive_mutex mutex;
std::atomic<std::size_t> active{0};  ///< captures; nearly always 0, which costs nothing.
std::uint64_t next_id = 1;
thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

std::set<CapturePtr>& captures() {
  static auto& all = *new std::set<CapturePtr>;
  return all;
}

[[noreturn]] void fail(cudaError_t error, const char* why) { throw Failure{error, why}; }

void refuse_invalid(const Capture& capture) {
  if (capture.invalid) {
    fail(cudaErrorStreamCaptureInvalidated,
         "an earlier call that a capture forbids has spoiled this capture; end it with "
         "cudaStreamEndCapture");
  }
}

/// An event that a spoiled capture has recorded cannot be used any more.
void refuse_event_of_invalid(const Capture& capture) {
  if (capture.invalid)
    fail(cudaErrorInvalidValue, "the event was recorded in a capture that was spoiled since");
}

/// The legacy default stream waits for every blocking stream, which a captured one cannot.
/// @param spoil the captures are then invalid.
void refuse_default_stream(const Stream& stream, bool spoil = true) {
  if (&stream != runtime().queue.legacy().get()) return;
  bool found = false;
  for (const CapturePtr& one : captures()) {
    if (!one->blocking) continue;
    found = true;
    one->invalid = one->invalid || spoil;
  }
  if (found) {
    fail(cudaErrorStreamCaptureImplicit,
         "the default stream waits for all blocking streams, and one of them is being captured; "
         "use the captured stream, or make it with cudaStreamNonBlocking");
  }
}

void begin(cudaStream_t stream, Graph* graph, std::vector<Node*> tail, cudaStreamCaptureMode mode) {
  if (mode != cudaStreamCaptureModeGlobal && mode != cudaStreamCaptureModeThreadLocal &&
      mode != cudaStreamCaptureModeRelaxed) {
    fail(cudaErrorInvalidValue, "unknown capture mode");
  }
  need_device();
  const StreamPtr origin = working_stream(stream);
  if (origin == runtime().queue.legacy()) {
    fail(cudaErrorStreamCaptureUnsupported,
         "the default stream cannot be captured; create a stream");
  }
  const std::lock_guard lock(mutex);
  if (capture_of(*origin) != nullptr) {
    fail(cudaErrorIllegalState, "the stream is being captured already");
  }
  auto fresh = std::make_shared<Capture>();
  fresh->id = next_id++;
  fresh->mode = mode;
  fresh->thread = std::this_thread::get_id();
  fresh->origin = origin.get();
  fresh->blocking = origin->blocking;
  if (graph != nullptr) forbid_for(graph);
  if (graph == nullptr) fresh->own = std::make_unique<Graph>();
  fresh->graph = graph != nullptr ? graph : fresh->own.get();
  fresh->tails[origin.get()] = std::move(tail);
  captures().insert(std::move(fresh));
  ++active;
  stream_ends_as = forget_captured;
}

/// Every stream that forked has to have been joined to the first one.
bool all_joined(const Capture& capture) {
  const std::vector<Node*>& end = capture.tails.at(capture.origin);
  const auto joined = [&](const std::vector<Node*>& tail) {
    return std::all_of(tail.begin(), tail.end(),
                       [&](const Node* node) { return precedes(node, end); });
  };
  return joined(capture.left) && std::all_of(capture.tails.begin(), capture.tails.end(),
                                             [&](const auto& one) { return joined(one.second); });
}

cudaGraph_t end(cudaStream_t stream) {
  const StreamPtr origin = find_stream(stream);
  const std::lock_guard lock(mutex);
  const CapturePtr capture = capture_of(*origin);
  refuse_default_stream(*origin);
  if (capture == nullptr) fail(cudaErrorIllegalState, "the stream is not being captured");
  if (capture->origin != origin.get()) {
    capture->invalid = true;
    fail(cudaErrorStreamCaptureUnmatched, "the capture began in another stream; end it there");
  }
  captures().erase(capture);
  --active;
  // A capture that fails destroys the graph that the program gave.
  std::unique_ptr<Graph> lost;
  if (capture->own == nullptr && !capture->graph->child)
    lost = take_back(reinterpret_cast<cudaGraph_t>(capture->graph));
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    fail(cudaErrorStreamCaptureWrongThread,
         "the capture began in another thread and has to be ended there; it is lost");
  }
  refuse_invalid(*capture);
  if (!all_joined(*capture)) {
    fail(cudaErrorStreamCaptureUnjoined,
         "another stream took part in the capture and was not joined: record an event in it and "
         "let the first stream wait for that event");
  }
  if (lost != nullptr) return hand_out(std::move(lost));
  if (capture->own == nullptr) return reinterpret_cast<cudaGraph_t>(capture->graph);
  return hand_out(std::move(capture->own));
}

}  // namespace

CapturePtr capture_of(const Stream& stream) {
  if (active == 0) return nullptr;
  const std::lock_guard lock(mutex);
  for (const CapturePtr& one : captures()) {
    if (one->tails.contains(&stream)) return one;
  }
  return nullptr;
}

StreamPtr working_stream(cudaStream_t handle) {
  StreamPtr stream = find_stream(handle);
  if (active == 0) return stream;
  const std::lock_guard lock(mutex);
  refuse_default_stream(*stream);
  if (const CapturePtr current = capture_of(*stream)) refuse_invalid(*current);
  return stream;
}

StreamPtr memory_stream(cudaStream_t handle) {
  StreamPtr stream = working_stream(handle);
  if (capture_of(*stream) == nullptr && stream != runtime().queue.legacy())
    forbid_while_capturing();
  return stream;
}

Node* capture(const StreamPtr& stream, const Work& work) {
  if (active == 0) return nullptr;
  const std::lock_guard lock(mutex);
  const CapturePtr current = capture_of(*stream);
  if (current == nullptr) {
    refuse_default_stream(*stream);
    return nullptr;
  }
  refuse_invalid(*current);
  std::vector<Node*>& tail = current->tails[stream.get()];
  Node* node = current->graph->add(work, tail);
  node->device = stream->device;
  tail = {node};
  return node;
}

bool capture_record(const StreamPtr& stream, Event& event) {
  if (active == 0) return false;
  const std::lock_guard lock(mutex);
  const CapturePtr current = capture_of(*stream);
  if (current == nullptr) {
    refuse_default_stream(*stream);
    return false;
  }
  refuse_invalid(*current);
  const std::lock_guard event_lock(event.mutex);
  event.capture = current;
  event.captured = current->tails[stream.get()];
  return true;
}

bool capture_wait(const StreamPtr& stream, Event& event) {
  const std::lock_guard lock(mutex);
  CapturePtr of_event;
  std::vector<Node*> nodes;
  {
    const std::lock_guard event_lock(event.mutex);
    of_event = event.capture;
    nodes = event.captured;
  }
  const CapturePtr of_stream = capture_of(*stream);
  if (of_event == nullptr) {
    if (of_stream != nullptr && event.record() == nullptr) {
      refuse_invalid(*of_stream);
      return true;
    }
    if (of_stream == nullptr) {
      refuse_default_stream(*stream);
      return false;
    }
    refuse_invalid(*of_stream);
    of_stream->invalid = true;
    fail(
        cudaErrorStreamCaptureIsolation,
        "a captured stream cannot wait for work that is not captured; record the event in a stream "
        "of the same capture");
  }
  if (!captures().contains(of_event)) {
    fail(cudaErrorInvalidValue, "the event was recorded in a capture that has ended");
  }
  if (of_stream != nullptr && of_stream != of_event) {
    of_stream->invalid = of_event->invalid = true;
    fail(cudaErrorStreamCaptureMerge, "the event belongs to another capture");
  }
  refuse_default_stream(*stream);
  if (of_stream == nullptr) refuse_event_of_invalid(*of_event);
  refuse_invalid(*of_event);
  std::vector<Node*>& tail = of_event->tails[stream.get()];
  for (Node* node : nodes) {
    if (std::find(tail.begin(), tail.end(), node) == tail.end()) tail.push_back(node);
  }
  of_event->blocking = of_event->blocking || stream->blocking;
  return true;
}

void forbid_for(const Graph* graph) {
  if (active == 0) return;
  const std::lock_guard lock(mutex);
  for (const CapturePtr& one : captures()) {
    if (one->graph == graph) fail(cudaErrorIllegalState, "a stream is being captured to the graph");
  }
}

void forbid_for(const Stream& stream) {
  if (active == 0) return;
  const std::lock_guard lock(mutex);
  const CapturePtr current = capture_of(stream);
  if (current == nullptr) {
    refuse_default_stream(stream);
    forbid_while_capturing();
    return;
  }
  current->invalid = true;
  fail(cudaErrorStreamCaptureUnsupported,
       "the stream is being captured: nothing runs that a call could wait for or ask about");
}

void forbid_in_capture(cudaStream_t stream) {
  const StreamPtr where = find_stream(stream);
  if (capture_of(*where) != nullptr) forbid_for(*where);
}

void forbid_beside_capture(cudaStream_t stream) {
  forbid_in_capture(stream);
  if (active == 0) return;
  const std::lock_guard lock(mutex);
  refuse_default_stream(*find_stream(stream));
}

void forbid_for(Event& event, bool spoil) {
  const std::lock_guard lock(mutex);
  const std::lock_guard event_lock(event.mutex);
  if (event.capture == nullptr) return;
  if (!captures().contains(event.capture)) {
    fail(cudaErrorInvalidValue, "the event was recorded in a capture that has ended");
  }
  refuse_event_of_invalid(*event.capture);
  event.capture->invalid = spoil;
  fail(cudaErrorCapturedEvent, "the event was recorded in a captured stream");
}

void forget_captured(const Stream& stream) {
  if (active == 0) return;
  const std::lock_guard lock(mutex);
  const CapturePtr current = capture_of(stream);
  if (current == nullptr) return;
  if (current->origin == &stream) {
    captures().erase(current);
    --active;
    return;
  }
  const auto own = current->tails.find(&stream);
  current->left.insert(current->left.end(), own->second.begin(), own->second.end());
  current->tails.erase(own);
}

void spoil_capture(const Stream& stream) {
  if (active == 0) return;
  const std::lock_guard lock(mutex);
  if (const CapturePtr current = capture_of(stream)) current->invalid = true;
}

void forbid_while_capturing() {
  if (active == 0 || thread_mode == cudaStreamCaptureModeRelaxed) return;
  const std::lock_guard lock(mutex);
  bool found = false;
  for (const CapturePtr& one : captures()) {
    const bool own = one->thread == std::this_thread::get_id();
    const bool concerned = own ? one->mode != cudaStreamCaptureModeRelaxed
                               : one->mode == cudaStreamCaptureModeGlobal &&
                                     thread_mode == cudaStreamCaptureModeGlobal;
    if (concerned) one->invalid = found = true;
  }
  if (found) {
    fail(cudaErrorStreamCaptureUnsupported,
         "a stream is being captured, and this call could disturb it; make it before or after, or "
         "capture with cudaStreamCaptureModeRelaxed");
  }
}

void forbid_device_wait() {
  if (active == 0) return;
  const std::lock_guard lock(mutex);
  if (captures().empty()) return;
  for (const CapturePtr& one : captures()) one->invalid = true;
  fail(cudaErrorStreamCaptureUnsupported,
       "a stream is being captured: the device cannot be waited for");
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call_after_fault("cudaStreamBeginCapture", [&] { begin(stream, nullptr, {}, mode); });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode mode) {
  return call_after_fault("cudaStreamBeginCaptureToGraph", [&] {
    Graph& target = find_graph(graph);
    begin(stream, &target, find_nodes(dependencies, count, target), mode);
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call("cudaStreamEndCapture", [&] {
    if (graph != nullptr) *graph = nullptr;
    const cudaGraph_t captured = end(stream);
    if (graph != nullptr) *graph = captured;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return call_without_device("cudaStreamIsCapturing", [&] {
    given(status);
    need_device();
    const StreamPtr asked = find_stream(stream);
    const CapturePtr current = capture_of(*asked);
    if (current == nullptr && active != 0) {
      const std::lock_guard lock(mutex);
      refuse_default_stream(*asked, false);
    }
    *status = current == nullptr ? cudaStreamCaptureStatusNone
              : current->invalid ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  if (status == nullptr)
    return call_without_device("cudaStreamGetCaptureInfo", [&] { given(status); });
  const cudaError_t error = cudaStreamIsCapturing(stream, status);
  if (error != cudaSuccess || *status != cudaStreamCaptureStatusActive) return error;
  return call("cudaStreamGetCaptureInfo", [&] {
    const StreamPtr asked = find_stream(stream);
    const CapturePtr current = capture_of(*asked);
    const std::lock_guard lock(mutex);
    const std::vector<Node*>& tail = current->tails[asked.get()];
    if (id != nullptr) *id = current->id;
    if (graph != nullptr) *graph = reinterpret_cast<cudaGraph_t>(current->graph);
    if (dependencies != nullptr) {
      *dependencies = reinterpret_cast<const cudaGraphNode_t*>(tail.data());
    }
    // All edges are plain ones; the returned edges live as long as the capture.
    current->edges.resize(std::max(current->edges.size(), tail.size() + 1));
    if (edges != nullptr) *edges = current->edges.data();
    if (count != nullptr) *count = tail.size();
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, size_t count,
                                                unsigned flags) {
  return call("cudaStreamUpdateCaptureDependencies", [&] {
    const StreamPtr asked = working_stream(stream);
    const CapturePtr current = capture_of(*asked);
    if (current == nullptr) fail(cudaErrorIllegalState, "the stream is not being captured");
    if (flags > cudaStreamSetCaptureDependencies) fail(cudaErrorInvalidValue, "unknown flags");
    const std::lock_guard lock(mutex);
    const std::vector<Node*> given = find_nodes(dependencies, count, *current->graph);
    std::vector<Node*>& tail = current->tails[asked.get()];
    if (flags == cudaStreamSetCaptureDependencies) tail.clear();
    for (Node* node : given) {
      if (std::find(tail.begin(), tail.end(), node) == tail.end()) tail.push_back(node);
    }
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call_after_fault("cudaThreadExchangeStreamCaptureMode",
                          [&] { std::swap(given(mode), thread_mode); });
}
}
