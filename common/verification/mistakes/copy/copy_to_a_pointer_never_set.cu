// The pointers of these copies were never set: they hold what was in that memory before.
#include <cstdio>
#include <cstring>

struct Image {
  float* pixels;
};

int main() {
  Image* image = new Image;
  memset(image, 0xAB, sizeof *image);  // as it may come from new
  float host[10] = {};
  cudaMemcpy(image->pixels, host, sizeof host, cudaMemcpyHostToDevice);  // expect: invalid-copy
  cudaMemcpy(host, image->pixels, sizeof host, cudaMemcpyDefault);       // expect: invalid-copy
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  delete image;
}
