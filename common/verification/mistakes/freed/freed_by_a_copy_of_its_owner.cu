// A buffer that frees its memory is handed to a function by value: the copy's end frees what the
// original still uses.
#include <cstdio>

class Buffer {
 public:
  explicit Buffer(int n) : n_(n) { cudaMalloc(&data_, n * sizeof(float)); }
  ~Buffer() {
    if (data_) cudaFree(data_);
  }
  float* data() const { return data_; }
  int size() const { return n_; }

 private:
  float* data_ = nullptr;
  int n_;
};

size_t bytes_by_reference(const Buffer& buffer) { return buffer.size() * sizeof(float); }
size_t bytes_by_value(Buffer buffer) { return buffer.size() * sizeof(float); }

__global__ void scale(float* x, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i] *= 2;  // expect: use-after-free
}

int main() {
  {
    Buffer kept(100);
    cudaMemset(kept.data(), 0, bytes_by_reference(kept));
    scale<<<1, 128>>>(kept.data(), kept.size());
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  }
  Buffer lost(100);
  cudaMemset(lost.data(), 0, bytes_by_reference(lost));
  printf("%zu\n", bytes_by_value(lost));
  scale<<<1, 128>>>(lost.data(), lost.size());
  cudaDeviceSynchronize();
}
