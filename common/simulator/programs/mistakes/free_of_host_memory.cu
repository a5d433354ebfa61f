// cudaFree gets what malloc returned.
#include <cstdlib>

int main() {
  void* p = malloc(100);
  cudaFree(p);  // expect: invalid-free
  free(p);
}
