#include "simulator/cudart/graphs/user_object.h"

#include <cuda_runtime_api.h>

#include <atomic>

#include "simulator/cudart/report/error.h"

namespace warpwise::cudart {

struct UserObject {
  void* data;
  cudaHostFn_t destroy;
  std::atomic<unsigned> references;
};

UserObject* checked(cudaUserObject_t object, unsigned count) {
  given(object);
  if (count == 0 || count > 0x7fffffff) throw Failure{cudaErrorInvalidValue, ""};
  return reinterpret_cast<UserObject*>(object);
}

void retain(UserObject* object, unsigned count) { object->references += count; }

void release(UserObject* object, unsigned count) {
  if (object->references.fetch_sub(count) != count) return;
  object->destroy(object->data);
  delete object;
}

HeldObjects::HeldObjects(const HeldObjects& other) : counts_(other.counts_) {
  for (const auto& [object, count] : counts_) retain(object, count);
}

HeldObjects::~HeldObjects() {
  for (const auto& [object, count] : counts_) release(object, count);
}

void HeldObjects::remove(UserObject* object, unsigned count) {
  const auto entry = counts_.find(object);
  if (entry == counts_.end() || entry->second < count) {
    throw Failure{cudaErrorInvalidValue, "the graph does not hold so many references"};
  }
  entry->second -= count;
  if (entry->second == 0) counts_.erase(entry);
  release(object, count);
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* data, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags) {
  return call_without_device("cudaUserObjectCreate", [&] {
    given(object), given(destroy);
    if (references == 0 || flags != cudaUserObjectNoDestructorSync)
      throw Failure{cudaErrorInvalidValue, ""};
    *object = reinterpret_cast<cudaUserObject_t>(new UserObject{data, destroy, references});
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return call_without_device("cudaUserObjectRetain",
                             [&] { retain(checked(object, count), count); });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return call_without_device("cudaUserObjectRelease",
                             [&] { release(checked(object, count), count); });
}
}
