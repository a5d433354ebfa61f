// One dynamic array split into several, sizes above 48 KB by request, and static arrays next to it.
#include <cstdio>
#include <vector>

__global__ void carve(const double* in, int n, double* sums, int* histogram) {
  extern __shared__ __align__(16) unsigned char raw[];
  double* values = reinterpret_cast<double*>(raw);
  int* bins = reinterpret_cast<int*>(values + blockDim.x);
  short* flags = reinterpret_cast<short*>(bins + 16);
  __shared__ double offset;
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  values[t] = i < n ? in[i] : 0;
  if (t < 16) bins[t] = 0;
  flags[t] = i < n;
  if (t == 0) offset = blockIdx.x * 0.5;
  __syncthreads();
  if (flags[t]) atomicAdd(&bins[(int)values[t] & 15], 1);
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) values[t] += values[t + s];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = values[0] + offset;
  if (t < 16) atomicAdd(&histogram[t], bins[t]);
}

template <typename T>
struct SharedArray {
  __device__ static T* get() {
    extern __shared__ __align__(16) char storage[];
    return reinterpret_cast<T*>(storage);
  }
};

template <typename T>
__global__ void rotate(T* data, int by) {
  T* s = SharedArray<T>::get();
  const int t = threadIdx.x, n = blockDim.x;
  s[t] = data[t];
  __syncthreads();
  data[t] = s[(t + by) % n];
}

__global__ void large(int* out, int words) {
  extern __shared__ int big[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) big[i] = i * 3;
  __syncthreads();
  int sum = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x) sum += big[words - 1 - i] & 0xff;
  atomicAdd(out, sum);
  unsigned total, dynamic;
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
  asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(total));
  if (threadIdx.x == 0) out[1] = dynamic, out[2] = total >= dynamic;
}

int main() {
  const int n = 1000, threads = 128, blocks = (n + threads - 1) / threads;
  std::vector<double> in(n), sums(blocks);
  for (int i = 0; i < n; ++i) in[i] = i * 0.25;
  double *d_in, *d_sums;
  int *d_hist, hist[16];
  cudaMalloc(&d_in, n * sizeof(double));
  cudaMalloc(&d_sums, blocks * sizeof(double));
  cudaMalloc(&d_hist, sizeof hist);
  cudaMemcpy(d_in, in.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(d_hist, 0, sizeof hist);
  const size_t bytes = threads * sizeof(double) + 16 * sizeof(int) + threads * sizeof(short);
  carve<<<blocks, threads, bytes>>>(d_in, n, d_sums, d_hist);
  cudaMemcpy(sums.data(), d_sums, blocks * sizeof(double), cudaMemcpyDeviceToHost);
  cudaMemcpy(hist, d_hist, sizeof hist, cudaMemcpyDeviceToHost);
  for (double s : sums) printf("%a ", s);
  printf("\n");
  for (int h : hist) printf("%d ", h);
  printf("\n");

  rotate<double><<<1, 64, 64 * sizeof(double)>>>(d_in, 5);
  rotate<char><<<1, 32, 32>>>(reinterpret_cast<char*>(d_hist), 3);
  cudaMemcpy(in.data(), d_in, 64 * sizeof(double), cudaMemcpyDeviceToHost);
  cudaMemcpy(hist, d_hist, sizeof hist, cudaMemcpyDeviceToHost);
  printf("%g %g %g, %08x %08x\n", in[0], in[58], in[63], hist[0], hist[7]);

  const int words = 200 * 1024 / 4;
  cudaMemset(d_hist, 0, sizeof hist);
  large<<<1, 256, words * 4>>>(d_hist, words);  // expect: launch-configuration
  printf("without the attribute: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("set: %s\n", cudaGetErrorName(cudaFuncSetAttribute(
                          large, cudaFuncAttributeMaxDynamicSharedMemorySize, words * 4)));
  large<<<1, 256, words * 4>>>(d_hist, words);
  printf("with it: %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaMemcpy(hist, d_hist, sizeof hist, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", hist[0], hist[1], hist[2]);
  cudaFree(d_in);
  cudaFree(d_sums);
  cudaFree(d_hist);
}
