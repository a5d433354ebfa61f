// A lock that nothing orders: what its owner has written need not be seen by the next one. The
// other lock has its fences.
template <bool fences>
struct Lock {
  int taken;
  __device__ void take() {
    while (atomicCAS(&taken, 0, 1) != 0) {
    }
    if (fences) __threadfence();
  }
  __device__ void release() {
    if (fences) __threadfence();
    atomicExch(&taken, 0);
  }
};

template <bool fences>
struct Account {
  Lock<fences> lock;
  int balance;
};

template <bool fences>
__global__ void transfer(Account<fences>* accounts, int n) {
  const int from = threadIdx.x % n, to = (from + 1) % n;
  // Always the lower one first: otherwise two threads may wait for each other.
  accounts[min(from, to)].lock.take();
  accounts[max(from, to)].lock.take();
  accounts[from].balance -= 1;  // expect: race
  accounts[to].balance += 1;    // expect: race
  accounts[from].lock.release();
  accounts[to].lock.release();
}

int main() {
  const int n = 8;
  Account<true>* safe;
  Account<false>* unsafe;
  cudaMalloc(&safe, n * sizeof *safe);
  cudaMalloc(&unsafe, n * sizeof *unsafe);
  cudaMemset(safe, 0, n * sizeof *safe);
  cudaMemset(unsafe, 0, n * sizeof *unsafe);
  transfer<<<1, 64>>>(safe, n);
  transfer<<<1, 64>>>(unsafe, n);
  cudaDeviceSynchronize();
  cudaFree(safe);
  cudaFree(unsafe);
}
