// The table of virtual functions comes along with the bytes, and it is the host's.
struct Shape {
  float side;
  virtual __host__ __device__ float area() const { return side * side; }
};

__global__ void areas(const Shape* shapes, float* out) {
  out[threadIdx.x] = shapes[threadIdx.x].area();  // expect: host-pointer
}

int main() {
  Shape on_host[4], *shapes = nullptr;
  float* out = nullptr;
  for (int i = 0; i < 4; ++i) on_host[i].side = static_cast<float>(i);
  cudaMalloc(&shapes, sizeof on_host);
  cudaMalloc(&out, 4 * sizeof(float));
  cudaMemcpy(shapes, static_cast<void*>(on_host), sizeof on_host, cudaMemcpyHostToDevice);
  areas<<<1, 4>>>(shapes, out);
  cudaDeviceSynchronize();
  cudaFree(shapes), cudaFree(out);
  return 0;
}
