#pragma once
#include <cuda_runtime_api.h>

#include <string>

/// What functions of the runtime throw, and the first looks at arguments that do.
namespace warpwise::cudart {

/// Thrown inside the library, caught by call(): the code that the program gets, and one sentence
/// for people about why.
struct Failure {
  cudaError_t error;
  std::string why;             ///< empty where the code says it all.
  const char* kind = nullptr;  ///< of the diagnosis, where the program's mistake has one.
};

/// Checks a pointer that the program has to give. @throws Failure where it is null.
/// @param error that an H100 returns then.
inline void given(const void* pointer, cudaError_t error = cudaErrorInvalidValue) {
  if (pointer == nullptr) throw Failure{error, "an argument that the function needs is null"};
}
template <typename Value>
Value& given(Value* pointer, cudaError_t error = cudaErrorInvalidValue) {
  given(reinterpret_cast<const void*>(pointer), error);
  return *pointer;
}

/// Gives the program what it asked for. @throws Failure where it named no place for it.
template <typename Value>
void store(Value* out, Value value) {
  given(out) = value;
}

}  // namespace warpwise::cudart
