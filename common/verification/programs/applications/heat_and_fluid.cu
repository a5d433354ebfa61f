// Two stencils: heat in three dimensions in float, and a lattice Boltzmann flow (D2Q9) in double.
#include <cstdio>
#include <vector>

__global__ void heat(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  float below = 0, here = in[y * nx + x];
  for (int z = 0; z < nz; ++z) {
    const int i = (z * ny + y) * nx + x;
    const float above = z + 1 < nz ? in[i + nx * ny] : 0;
    const float left = x ? in[i - 1] : 0, right = x + 1 < nx ? in[i + 1] : 0;
    const float front = y ? in[i - nx] : 0, back = y + 1 < ny ? in[i + nx] : 0;
    // Written with roundings of its own, so that no compiler may choose where to fuse.
    const float sum = __fadd_rn(__fadd_rn(__fadd_rn(left, right), __fadd_rn(front, back)),
                                __fadd_rn(below, above));
    out[i] = __fmaf_rn(0.1f, __fmaf_rn(-6.0f, here, sum), here);
    below = here;
    here = above;
  }
}

__constant__ int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ double weight[9] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
__constant__ int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

__global__ void flow(const double* in, double* out, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= nx) return;
  double f[9], rho = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; ++k) {
    const int sx = (x - ex[k] + nx) % nx, sy = y - ey[k];
    f[k] = sy >= 0 && sy < ny ? in[(k * ny + sy) * nx + sx] : in[(opposite[k] * ny + y) * nx + x];
    rho = __dadd_rn(rho, f[k]);
    ux = __fma_rn((double)ex[k], f[k], ux);
    uy = __fma_rn((double)ey[k], f[k], uy);
  }
  ux = __dadd_rn(__ddiv_rn(ux, rho), 1e-3);
  uy = __ddiv_rn(uy, rho);
  const double u2 = __fma_rn(ux, ux, __dmul_rn(uy, uy));
  for (int k = 0; k < 9; ++k) {
    const double eu = __fma_rn((double)ex[k], ux, __dmul_rn((double)ey[k], uy));
    const double g = __fma_rn(__dmul_rn(4.5, eu), eu, __fma_rn(3.0, eu, __fma_rn(-1.5, u2, 1.0)));
    const double equilibrium = __dmul_rn(__dmul_rn(weight[k], rho), g);
    out[(k * ny + y) * nx + x] = __fma_rn(__dsub_rn(equilibrium, f[k]), 0.6, f[k]);
  }
}

int main() {
  const int nx = 20, ny = 12, nz = 9, n = nx * ny * nz;
  std::vector<float> h(n, 0);
  h[(4 * ny + 6) * nx + 10] = 100;
  h[0] = -50;
  float *a, *b;
  cudaMalloc(&a, n * 4), cudaMalloc(&b, n * 4);
  cudaMemcpy(a, h.data(), n * 4, cudaMemcpyHostToDevice);
  for (int s = 0; s < 10; ++s) {
    heat<<<dim3(2, 2), dim3(16, 8)>>>(a, b, nx, ny, nz);
    float* t = a;
    a = b, b = t;
  }
  cudaMemcpy(h.data(), a, n * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 97) printf("%a ", h[i]);
  printf("\n");
  const int w = 40, d = 10;
  std::vector<double> f(9 * w * d);
  for (int k = 0; k < 9; ++k)
    for (int i = 0; i < w * d; ++i)
      f[k * w * d + i] = (k == 0 ? 4.0 / 9 : k < 5 ? 1.0 / 9 : 1.0 / 36) * (1 + (i % 7) * 0.001);
  double *p, *q;
  cudaMalloc(&p, f.size() * 8), cudaMalloc(&q, f.size() * 8);
  cudaMemcpy(p, f.data(), f.size() * 8, cudaMemcpyHostToDevice);
  for (int s = 0; s < 12; ++s) {
    flow<<<dim3(2, d), 32>>>(p, q, w, d);
    double* t = p;
    p = q, q = t;
  }
  cudaMemcpy(f.data(), p, f.size() * 8, cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < f.size(); i += 301) printf("%a ", f[i]);
  printf("\n");
  cudaFree(a), cudaFree(b), cudaFree(p), cudaFree(q);
}
