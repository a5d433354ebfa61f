// A structure was copied to the device, and the array that it points to was not.
#include <vector>

struct Values {
  float* data;
  int n;
};

__global__ void fill(const Values* values) {
  for (int i = threadIdx.x; i < values->n; i += blockDim.x)
    values->data[i] = 1;  // expect: host-pointer
}

int main() {
  std::vector<float> host(100);
  Values right = {nullptr, 100}, wrong = {host.data(), 100}, *device;
  cudaMalloc(&right.data, 100 * sizeof(float));
  cudaMalloc(&device, sizeof *device);
  cudaMemcpy(device, &right, sizeof right, cudaMemcpyHostToDevice);
  fill<<<1, 64>>>(device);
  cudaMemcpy(device, &wrong, sizeof wrong, cudaMemcpyHostToDevice);
  fill<<<1, 64>>>(device);
  cudaDeviceSynchronize();
  cudaFree(right.data);
  cudaFree(device);
}
