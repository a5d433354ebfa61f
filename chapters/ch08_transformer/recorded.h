#pragma once
#include <cuda_runtime.h>

#include "base/function.h"
#include "lesson/device/error.h"

/// \file
/// Launches that are recorded once and started by one call.
namespace gpt {

/// A recorded list of launches.
class Recorded {
 public:
  /// @param start is called once, with the stream that records.
  explicit Recorded(const std::function<void(cudaStream_t)>& start) {
    using warpwise::lesson::check;
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    check(cudaStreamCreate(&stream));
    //! [capture]
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    start(stream);
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&executable_, graph, 0));
    //! [capture]
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(stream));
  }
  ~Recorded() { (void)cudaGraphExecDestroy(executable_); }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;
  /// Starts all of it, on the default stream.
  void launch() const { warpwise::lesson::check(cudaGraphLaunch(executable_, nullptr)); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace gpt
