#include <cuda_runtime_api.h>

#include "simulator/cudart/copies/copy.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"
#include "simulator/cudart/textures/array_copy.h"

// Programs built with --default-stream per-thread call these names: the same functions, for which
// the null stream is the calling thread's own.
namespace warpwise::cudart {
namespace {

/// A function that has no stream parameter works in the thread's own stream and returns when done.
/// @param is_empty the call does no work that could be waited for.
template <typename Issue>
cudaError_t in_own_stream(bool is_empty, const Issue& issue) {
  const cudaError_t error = issue(cudaStreamPerThread);
  return error == cudaSuccess && !is_empty ? cudaStreamSynchronize(cudaStreamPerThread) : error;
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared_bytes, cudaStream_t stream) {
  return __cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, own(stream));
}

cudaError_t cudaLaunchKernel_ptsz(const void* function, dim3 grid, dim3 block, void** arguments,
                                  size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(function, grid, block, arguments, shared_bytes, own(stream));
}

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* config, const void* function,
                                     void** arguments) {
  if (config == nullptr) return cudaLaunchKernelExC(config, function, arguments);
  cudaLaunchConfig_t changed = *config;
  changed.stream = own(config->stream);
  return cudaLaunchKernelExC(&changed, function, arguments);
}

cudaError_t cudaMemcpy_ptds(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpy", [&] {
    copy({.to = to, .from = from, .width = bytes, .kind = kind}, cudaStreamPerThread,
         Return::when_done);
  });
}

cudaError_t cudaMemcpy2D_ptds(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t rows, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpy2D", [&] {
    copy(copy_of_rows(to, to_pitch, from, from_pitch, width, rows, kind), cudaStreamPerThread,
         Return::when_done);
  });
}

cudaError_t cudaMemcpyAsync_ptsz(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, kind, own(stream));
}

cudaError_t cudaMemcpy2DAsync_ptsz(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                   size_t width, size_t rows, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, rows, kind, own(stream));
}

cudaError_t cudaMemcpyToSymbol_ptds(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind) {
  return in_own_stream(bytes == 0, [&](cudaStream_t stream) {
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, stream);
  });
}

cudaError_t cudaMemcpyFromSymbol_ptds(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind) {
  return in_own_stream(bytes == 0, [&](cudaStream_t stream) {
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, stream);
  });
}

cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* from, size_t bytes,
                                         size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, own(stream));
}

cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void* to, const void* symbol, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind,
                                           cudaStream_t stream) {
  return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, own(stream));
}

cudaError_t cudaMemset_ptds(void* to, int value, size_t bytes) {
  return in_own_stream(
      bytes == 0, [&](cudaStream_t stream) { return cudaMemsetAsync(to, value, bytes, stream); });
}

cudaError_t cudaMemset2D_ptds(void* to, size_t pitch, int value, size_t width, size_t rows) {
  return in_own_stream(width == 0 || rows == 0, [&](cudaStream_t stream) {
    return cudaMemset2DAsync(to, pitch, value, width, rows, stream);
  });
}

cudaError_t cudaMemsetAsync_ptsz(void* to, int value, size_t bytes, cudaStream_t stream) {
  return cudaMemsetAsync(to, value, bytes, own(stream));
}

cudaError_t cudaMemset2DAsync_ptsz(void* to, size_t pitch, int value, size_t width, size_t rows,
                                   cudaStream_t stream) {
  return cudaMemset2DAsync(to, pitch, value, width, rows, own(stream));
}

cudaError_t cudaMallocAsync_ptsz(void** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(pointer, bytes, own(stream));
}

cudaError_t cudaFreeAsync_ptsz(void* pointer, cudaStream_t stream) {
  return cudaFreeAsync(pointer, own(stream));
}

cudaError_t cudaMemPrefetchAsync_ptsz(const void* pointer, size_t bytes, cudaMemLocation location,
                                      unsigned flags, cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, bytes, location, flags, own(stream));
}

cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream) {
  return cudaStreamSynchronize(own(stream));
}

cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream) { return cudaStreamQuery(own(stream)); }

cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return cudaStreamWaitEvent(own(stream), event, flags);
}

cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t stream, unsigned* flags) {
  return cudaStreamGetFlags(own(stream), flags);
}

cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t stream, int* priority) {
  return cudaStreamGetPriority(own(stream), priority);
}

cudaError_t cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long* id) {
  return cudaStreamGetId(own(stream), id);
}

cudaError_t cudaStreamGetDevice_ptsz(cudaStream_t stream, int* device) {
  return cudaStreamGetDevice(own(stream), device);
}

cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamIsCapturing(own(stream), status);
}

cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                          unsigned long long* id, cudaGraph_t* graph,
                                          const cudaGraphNode_t** dependencies,
                                          const cudaGraphEdgeData** edges, size_t* count) {
  return cudaStreamGetCaptureInfo(own(stream), status, id, graph, dependencies, edges, count);
}

cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void* pointer, size_t bytes,
                                          unsigned flags) {
  return cudaStreamAttachMemAsync(own(stream), pointer, bytes, flags);
}

cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t function,
                                       void* data, unsigned flags) {
  return cudaStreamAddCallback(own(stream), function, data, flags);
}

cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return cudaLaunchHostFunc(own(stream), function, data);
}

cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecord(event, own(stream));
}

cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return cudaEventRecordWithFlags(event, own(stream), flags);
}

cudaError_t cudaLaunchCooperativeKernel_ptsz(const void* function, dim3 grid, dim3 block,
                                             void** arguments, size_t shared_bytes,
                                             cudaStream_t stream) {
  return cudaLaunchCooperativeKernel(function, grid, block, arguments, shared_bytes, own(stream));
}

cudaError_t cudaMallocFromPoolAsync_ptsz(void** pointer, size_t bytes, cudaMemPool_t pool,
                                         cudaStream_t stream) {
  return cudaMallocFromPoolAsync(pointer, bytes, pool, own(stream));
}

cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t exec, cudaStream_t stream) {
  return cudaGraphLaunch(exec, own(stream));
}

cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t exec, cudaStream_t stream) {
  return cudaGraphUpload(exec, own(stream));
}

cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return cudaStreamBeginCapture(own(stream), mode);
}

cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t* graph) {
  return cudaStreamEndCapture(own(stream), graph);
}

cudaError_t cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms* params, cudaStream_t stream) {
  return cudaMemcpy3DAsync(params, own(stream));
}

cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms* params) {
  return in_own_stream(false,
                       [&](cudaStream_t stream) { return cudaMemcpy3DAsync(params, stream); });
}

cudaError_t cudaMemset3DAsync_ptsz(cudaPitchedPtr volume, int value, cudaExtent extent,
                                   cudaStream_t stream) {
  return cudaMemset3DAsync(volume, value, extent, own(stream));
}

cudaError_t cudaMemset3D_ptds(cudaPitchedPtr volume, int value, cudaExtent extent) {
  const bool is_empty = extent.width == 0 || extent.height == 0 || extent.depth == 0;
  return in_own_stream(is_empty, [&](cudaStream_t stream) {
    return cudaMemset3DAsync(volume, value, extent, stream);
  });
}

cudaError_t cudaMemcpy3DPeerAsync_ptsz(const cudaMemcpy3DPeerParms* params, cudaStream_t stream) {
  return cudaMemcpy3DPeerAsync(params, own(stream));
}

cudaError_t cudaMemcpy3DPeer_ptds(const cudaMemcpy3DPeerParms* params) {
  return in_own_stream(false,
                       [&](cudaStream_t stream) { return cudaMemcpy3DPeerAsync(params, stream); });
}

cudaError_t cudaMemcpyBatchAsync_ptsz(void* const* to, const void* const* from, const size_t* bytes,
                                      size_t count, cudaMemcpyAttributes* attributes, size_t* first,
                                      size_t attribute_count, cudaStream_t stream) {
  // A batch needs a created stream here as well.
  return cudaMemcpyBatchAsync(to, from, bytes, count, attributes, first, attribute_count, stream);
}

cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                cudaGraphInstantiateParams* params) {
  return cudaGraphInstantiateWithParams(exec, graph, params);
}

cudaError_t cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t stream, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies,
                                               const cudaGraphEdgeData* edges, size_t count,
                                               cudaStreamCaptureMode mode) {
  return cudaStreamBeginCaptureToGraph(own(stream), graph, dependencies, edges, count, mode);
}

cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t stream,
                                                     cudaGraphNode_t* dependencies,
                                                     const cudaGraphEdgeData* edges, size_t count,
                                                     unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(own(stream), dependencies, edges, count, flags);
}

cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t to, cudaStream_t from) {
  return cudaStreamCopyAttributes(own(to), own(from));
}

cudaError_t cudaMemPrefetchBatchAsync_ptsz(void** pointers, size_t* bytes, size_t count,
                                           cudaMemLocation* locations, size_t* first,
                                           size_t location_count, unsigned long long flags,
                                           cudaStream_t stream) {
  return cudaMemPrefetchBatchAsync(pointers, bytes, count, locations, first, location_count, flags,
                                   own(stream));
}

cudaError_t cudaMemDiscardBatchAsync_ptsz(void** pointers, size_t* bytes, size_t count,
                                          unsigned long long flags, cudaStream_t stream) {
  return cudaMemDiscardBatchAsync(pointers, bytes, count, flags, own(stream));
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync_ptsz(void** pointers, size_t* bytes, size_t count,
                                                     cudaMemLocation* locations, size_t* first,
                                                     size_t location_count,
                                                     unsigned long long flags,
                                                     cudaStream_t stream) {
  return cudaMemDiscardAndPrefetchBatchAsync(pointers, bytes, count, locations, first,
                                             location_count, flags, own(stream));
}

cudaError_t cudaMemcpy3DBatchAsync_ptsz(size_t count, cudaMemcpy3DBatchOp* list,
                                        unsigned long long flags, cudaStream_t stream) {
  return cudaMemcpy3DBatchAsync(count, list, flags, stream);
}

cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t rows, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpy2DToArray", [&] {
    copy_to({to, x, y, width, rows}, from, pitch, kind, cudaStreamPerThread, Return::when_done);
  });
}

cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void* from,
                                          size_t pitch, size_t width, size_t rows,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
  return call_after_fault("cudaMemcpy2DToArrayAsync", [&] {
    copy_to({to, x, y, width, rows}, from, pitch, kind, own(stream), Return::when_host_free);
  });
}

cudaError_t cudaMemcpy2DFromArray_ptds(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t rows, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpy2DFromArray", [&] {
    copy_from(to, pitch, {from, x, y, width, rows}, kind, cudaStreamPerThread, Return::when_done);
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(void* to, size_t pitch, cudaArray_const_t from,
                                            size_t x, size_t y, size_t width, size_t rows,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  return call_after_fault("cudaMemcpy2DFromArrayAsync", [&] {
    copy_from(to, pitch, {from, x, y, width, rows}, kind, own(stream), Return::when_host_free);
  });
}

cudaError_t cudaMemcpy2DArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y,
                                          cudaArray_const_t from, size_t from_x, size_t from_y,
                                          size_t width, size_t rows, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpy2DArrayToArray", [&] {
    copy_between({from, from_x, from_y, width, rows}, to, to_x, to_y, kind, cudaStreamPerThread);
  });
}

cudaError_t cudaMemcpyToArray_ptds(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpyToArray", [&] {
    copy_run_to({to, x, y}, from, bytes, kind, cudaStreamPerThread, Return::when_done);
  });
}

cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void* from,
                                        size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call_after_fault("cudaMemcpyToArrayAsync", [&] {
    copy_run_to({to, x, y}, from, bytes, kind, own(stream), Return::when_host_free);
  });
}

cudaError_t cudaMemcpyFromArray_ptds(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpyFromArray", [&] {
    copy_run_from(to, {from, x, y}, bytes, kind, cudaStreamPerThread, Return::when_done);
  });
}

cudaError_t cudaMemcpyFromArrayAsync_ptsz(void* to, cudaArray_const_t from, size_t x, size_t y,
                                          size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call_after_fault("cudaMemcpyFromArrayAsync", [&] {
    copy_run_from(to, {from, x, y}, bytes, kind, own(stream), Return::when_host_free);
  });
}

cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y,
                                        cudaArray_const_t from, size_t from_x, size_t from_y,
                                        size_t bytes, cudaMemcpyKind kind) {
  return call_after_fault("cudaMemcpyArrayToArray", [&] {
    copy_run_between({to, to_x, to_y}, {from, from_x, from_y}, bytes, kind, cudaStreamPerThread);
  });
}
}
