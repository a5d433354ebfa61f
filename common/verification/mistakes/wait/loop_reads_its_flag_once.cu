// One thread waits for a flag of another. Nothing tells the compiler that it may change, so that
// the loop reads it once.
#include <cuda/atomic>

__global__ void hand_over(int* flag, int* data) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (threadIdx.x == 32) {
    *data = 5;
    ready.store(1, cuda::memory_order_release);
  }
  if (threadIdx.x == 0) {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    data[1] = *data;
  }
}

__global__ void hand_over_once(int* flag, int* data) {
  if (threadIdx.x == 32) {
    *data = 5;
    __threadfence();
    *(volatile int*)flag = 1;  // expect: race
  }
  if (threadIdx.x == 0) {
    while (*flag == 0) {  // expect: timeout
    }
    data[1] = *data;
  }
}

int main() {
  int *flag, *data;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&data, 2 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  hand_over<<<1, 64>>>(flag, data);
  cudaMemset(flag, 0, sizeof(int));
  hand_over_once<<<1, 64>>>(flag, data);
  cudaDeviceSynchronize();
}
