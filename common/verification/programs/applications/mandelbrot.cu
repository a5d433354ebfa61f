// The Mandelbrot set in text, in float and double; rows of blocks with early exit.
#include <stdio.h>

template <typename T>
__global__ void mandelbrot(unsigned char* image, int width, int height, T x0, T y0, T step,
                           int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const T cr = x0 + x * step, ci = y0 + y * step * 2;
  T zr = 0, zi = 0;
  int n = 0;
  while (n < limit && zr * zr + zi * zi < T(4)) {
    const T t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++n;
  }
  image[y * width + x] = (unsigned char)n;
}

int main() {
  enum { width = 76, height = 24 };
  const char shades[] = " .:-=+*#%@";
  unsigned char *d, h[width * height];
  cudaMalloc(&d, sizeof h);
  dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
  mandelbrot<float><<<grid, block>>>(d, width, height, -2.2f, -1.2f, 0.05f, 60);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) putchar(shades[h[y * width + x] % 10]);
    putchar('\n');
  }
  mandelbrot<double><<<grid, block>>>(d, width, height, -0.75, 0.1, 0.0005, 200);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (unsigned char v : h) sum = sum * 31 + v;
  printf("%08x\n", sum);
  cudaFree(d);
  return 0;
}
