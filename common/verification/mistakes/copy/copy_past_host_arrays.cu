// Copies that leave their array on the host, wherever it is. A copy that fits is right.
#include <cstdlib>
#include <vector>

float results[100];

__attribute__((noinline)) float* left_behind() {
  float local[100];
  float* volatile address = local;
  return address;
}

template <class Number>
void fetch(Number* to, const float* from, size_t bytes) {
  cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);  // expect: invalid-copy
}

int main() {
  const int n = 1000;
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));

  float* block = new float[n];
  fetch(block, x, n * sizeof(float));
  cudaMemcpy(block + 10, x, (n - 10) * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(block + 10, x, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect: invalid-copy
  delete[] block;
  cudaMemcpy(block, x, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect: invalid-copy

  std::vector<float> values(n / 4);
  fetch(values.data(), x, n * sizeof(float));
  const float* old = values.data();
  values.resize(4 * n);
  cudaMemcpy(x, old, n, cudaMemcpyHostToDevice);  // expect: invalid-copy

  float* some = static_cast<float*>(malloc(n));
  cudaMemcpy(x, some, n, cudaMemcpyHostToDevice);
  cudaMemcpyAsync(x, some, n * sizeof(float), cudaMemcpyHostToDevice);  // expect: invalid-copy
  free(some);

  float local[100];
  cudaMemcpy(local, x, sizeof local, cudaMemcpyDeviceToHost);
  cudaMemcpy(local, x, n * sizeof(float), cudaMemcpyDeviceToHost);     // expect: invalid-copy
  cudaMemcpy(x, left_behind(), sizeof local, cudaMemcpyHostToDevice);  // expect: invalid-copy

  cudaMemcpy(results, x, sizeof results, cudaMemcpyDeviceToHost);
  cudaMemcpy(results + 1, x, sizeof results, cudaMemcpyDeviceToHost);    // expect: invalid-copy
  cudaMemcpy2D(results, 40, x, 40, 40, n / 10, cudaMemcpyDeviceToHost);  // expect: invalid-copy
  cudaFree(x);
}
