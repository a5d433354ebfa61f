// Two owners of an array of the host unregister it.
#include <cstdlib>

int main() {
  const int bytes = 8192;
  void* host = malloc(bytes);
  cudaHostRegister(host, bytes, cudaHostRegisterDefault);
  cudaHostUnregister(host);
  cudaHostUnregister(host);  // expect: invalid-free
  free(host);
}
