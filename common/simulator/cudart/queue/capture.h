#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <thread>

#include "simulator/cudart/graphs/graph.h"

/// Stream capture: work that becomes nodes of a graph instead of running.
namespace warpwise::cudart {

struct Capture {
  std::uint64_t id = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  const Stream* origin = nullptr;
  bool blocking = true;  ///< some stream of it takes part in the default stream's ordering.
  bool invalid = false;
  Graph* graph = nullptr;
  std::unique_ptr<Graph> own;                         ///< the graph, unless the program gave one.
  std::map<const Stream*, std::vector<Node*>> tails;  ///< what each stream's next node follows.
  std::vector<Node*> left;                            ///< the last nodes of destroyed streams.
  std::vector<cudaGraphEdgeData> edges;               ///< plain ones, for queries.
};
using CapturePtr = std::shared_ptr<Capture>;

/// The capture that the stream takes part in; null for most.
CapturePtr capture_of(const Stream& stream);

/// The stream of a handle, for calls that work in it or on it. @throws Failure
/// cudaErrorStreamCaptureImplicit for the default stream during a capture, which is then invalid,
/// and cudaErrorStreamCaptureInvalidated where the stream's own capture is.
StreamPtr working_stream(cudaStream_t handle);

/// The same for calls that allocate or free in the stream's order, which may disturb a capture of
/// other streams. @throws Failure also cudaErrorStreamCaptureUnsupported.
StreamPtr memory_stream(cudaStream_t handle);

/// Adds work to the stream's capture. @return null when the stream is not being captured.
/// @throws Failure cudaErrorStreamCaptureImplicit for a default stream during a capture.
Node* capture(const StreamPtr& stream, const Work& work);

/// The same for cudaEventRecord and cudaStreamWaitEvent, which make no nodes.
/// @return false when nothing is captured here.
bool capture_record(const StreamPtr& stream, Event& event);
bool capture_wait(const StreamPtr& stream, Event& event);

/// For calls that a graph refuses while a capture adds to it.
/// @throws Failure cudaErrorIllegalState.
void forbid_for(const Graph* graph);
/// For calls that wait for a stream or ask about it. @throws Failure; invalidates the capture.
void forbid_for(const Stream& stream);
/// For calls that no graph can hold. @throws Failure; invalidates the capture.
void forbid_in_capture(cudaStream_t stream);
/// The same for calls that the default stream also must not make during a capture.
void forbid_beside_capture(cudaStream_t stream);
/// For calls that wait for an event or ask about it. @throws Failure cudaErrorCapturedEvent.
/// @param spoil the capture is then invalid.
void forbid_for(Event& event, bool spoil = true);
/// The stream is destroyed: a capture that began there is lost; another capture can never be
/// joined.
void forget_captured(const Stream& stream);
/// A launch in the stream was refused: its capture, if any, is invalid.
void spoil_capture(const Stream& stream);
/// For calls that could disturb a capture: those that allocate, free or wait for the device.
/// @throws Failure cudaErrorStreamCaptureUnsupported; invalidates the captures concerned.
void forbid_while_capturing();
/// For calls that wait for the whole device, whatever the capture's mode.
void forbid_device_wait();

}  // namespace warpwise::cudart
