// cudaFree gets what malloc returned.
#include <cstdio>
#include <cstdlib>

int main() {
  void* p = malloc(100);
  printf("%s\n", cudaGetErrorName(cudaFree(p)));  // expect: invalid-free
  free(p);
}
