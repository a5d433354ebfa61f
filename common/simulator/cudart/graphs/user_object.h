#pragma once
#include <cuda_runtime_api.h>

#include <map>

namespace warpwise::cudart {

/// An object that a program lets its graphs own: counted references and a destructor.
struct UserObject;

/// The object of a handle, whose references change by so many. @throws Failure
/// cudaErrorInvalidValue.
UserObject* checked(cudaUserObject_t object, unsigned count);

void retain(UserObject* object, unsigned count);
/// The last reference calls the destructor.
void release(UserObject* object, unsigned count);

/// References that a graph or an instance of it holds. A copy holds as many of its own.
class HeldObjects {
 public:
  HeldObjects() = default;
  HeldObjects(const HeldObjects& other);
  HeldObjects& operator=(const HeldObjects&) = delete;
  ~HeldObjects();

  bool empty() const { return counts_.empty(); }
  /// Takes over references of the caller's.
  void add(UserObject* object, unsigned count) { counts_[object] += count; }
  /// Gives references back. @throws Failure cudaErrorInvalidValue where there are fewer.
  void remove(UserObject* object, unsigned count);

 private:
  std::map<UserObject*, unsigned> counts_;
};

}  // namespace warpwise::cudart
