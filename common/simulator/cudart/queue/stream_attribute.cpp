#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <mutex>

#include "simulator/cudart/queue/capture.h"
#include "simulator/cudart/queue/stream.h"
#include "simulator/cudart/report/error.h"

// Attributes of streams affect how fast work runs, not its results: they are only remembered.
namespace warpwise::cudart {
namespace {

std::mutex attributes_mutex;

using Attributes = std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>;

/// By the stream's number, which no later stream gets again.
Attributes& attributes_of(const Stream& stream) {
  static auto& all = *new std::map<std::uint64_t, Attributes>;
  return all[stream.chain];
}

void check(cudaLaunchAttributeID id, const cudaLaunchAttributeValue* value, bool changes) {
  const bool known = id == cudaLaunchAttributeAccessPolicyWindow ||
                     id == cudaLaunchAttributeSynchronizationPolicy ||
                     id == cudaLaunchAttributePriority || id == cudaLaunchAttributeMemSyncDomain ||
                     id == cudaLaunchAttributeMemSyncDomainMap;
  if (!known || value == nullptr) {
    throw Failure{cudaErrorInvalidValue, "streams do not have this attribute"};
  }
  if (!changes || id != cudaLaunchAttributeAccessPolicyWindow) return;
  const cudaAccessPolicyWindow& window = value->accessPolicyWindow;
  if (!(window.hitRatio >= 0 && window.hitRatio <= 1) ||
      window.missProp == cudaAccessPropertyPersisting) {
    throw Failure{cudaErrorInvalidValue,
                  "a hit ratio is between 0 and 1, and what misses cannot persist"};
  }
}

cudaLaunchAttributeValue unset(const Stream& stream, cudaLaunchAttributeID id) {
  cudaLaunchAttributeValue value = {};
  if (id == cudaLaunchAttributePriority) value.priority = stream.priority;
  if (id == cudaLaunchAttributeSynchronizationPolicy) {
    value.syncPolicy = static_cast<cudaSynchronizationPolicy>(-1);  // as on a GPU: not yet chosen
  }
  return value;
}

}  // namespace
}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                   cudaLaunchAttributeValue* value) {
  return call("cudaStreamGetAttribute", [&] {
    const StreamPtr asked = working_stream(stream);
    check(id, value, false);
    const std::lock_guard lock(attributes_mutex);
    const Attributes& set = attributes_of(*asked);
    const auto entry = set.find(id);
    *value = entry == set.end() ? unset(*asked, id) : entry->second;
  });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue* value) {
  return call_without_device("cudaStreamSetAttribute", [&] {
    check(id, value, true);
    need_device();
    const StreamPtr changed = working_stream(stream);
    const std::lock_guard lock(attributes_mutex);
    attributes_of(*changed)[id] = *value;
    if (id == cudaLaunchAttributePriority) changed->priority = value->priority;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return call("cudaStreamCopyAttributes", [&] {
    const StreamPtr target = working_stream(to), source = working_stream(from);
    const std::lock_guard lock(attributes_mutex);
    attributes_of(*target) = Attributes(attributes_of(*source));
  });
}

cudaError_t cudaStreamGetAttribute_ptsz(cudaStream_t stream, cudaLaunchAttributeID id,
                                        cudaLaunchAttributeValue* value) {
  return cudaStreamGetAttribute(own(stream), id, value);
}

cudaError_t cudaStreamSetAttribute_ptsz(cudaStream_t stream, cudaLaunchAttributeID id,
                                        const cudaLaunchAttributeValue* value) {
  return cudaStreamSetAttribute(own(stream), id, value);
}
}
