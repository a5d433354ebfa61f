#pragma once
#include <cuda_runtime_api.h>

#include <string>

/// The exceptions of the runtime's functions, and the first checks of arguments that throw them.
namespace warpwise::cudart {

/// Thrown inside the library, caught by call(): the code that the program gets, and one sentence
/// for the user about the reason.
struct Failure {
  cudaError_t error;
  std::string why;             ///< empty where the code says enough.
  const char* kind = nullptr;  ///< of the diagnosis, if the program's mistake has one.
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

/// Stores the result for the program. @throws Failure where the program gave no place for it.
template <typename Value>
void store(Value* out, Value value) {
  given(out) = value;
}

}  // namespace warpwise::cudart
