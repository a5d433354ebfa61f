// Locks taken by many threads, also by the lanes of one warp, which must all make progress.
#include <cstdio>

struct SpinLock {
  int taken;
  __device__ void acquire() {
    while (atomicCAS(&taken, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void release() {
    __threadfence();
    atomicExch(&taken, 0);
  }
};

struct TicketLock {
  unsigned next;
  volatile unsigned serving;
  __device__ void acquire() {
    const unsigned mine = atomicAdd(&next, 1u);
    while (serving != mine) __nanosleep(20);
    __threadfence();
  }
  __device__ void release() {
    __threadfence();
    serving = serving + 1;
  }
};

__global__ void increment(SpinLock* lock, volatile int* counter) {
  lock->acquire();
  *counter = *counter + 1;
  lock->release();
}

__global__ void append(TicketLock* lock, volatile int* length, volatile int* list) {
  lock->acquire();
  const int n = *length;
  list[n] = blockIdx.x * blockDim.x + threadIdx.x;
  *length = n + 1;
  lock->release();
}

// The loop with the critical section inside, as it had to be written for older GPUs.
__global__ void inside_loop(int* mutex, volatile double* sum) {
  bool done = false;
  while (!done) {
    if (atomicExch(mutex, 1) == 0) {
      *sum = *sum + threadIdx.x;
      __threadfence();
      atomicExch(mutex, 0);
      done = true;
    }
  }
}

// Locks in shared memory: a small hash table with chains.
__global__ void table(const int* keys, int n, int* found) {
  __shared__ int heads[8], locks[8], next[256];
  const int t = threadIdx.x;
  if (t < 8) heads[t] = -1, locks[t] = 0;
  __syncthreads();
  if (t < n) {
    const int b = keys[t] & 7;
    while (atomicCAS(&locks[b], 0, 1) != 0) {
    }
    __threadfence_block();
    next[t] = atomicExch(&heads[b], t);
    __threadfence_block();
    atomicExch(&locks[b], 0);
  }
  __syncthreads();
  if (t < n) {
    int count = 0;
    for (int at = heads[keys[t] & 7]; at >= 0; at = next[at]) count += keys[at] == keys[t];
    found[t] = count;
  }
}

int main() {
  struct All {
    SpinLock spin;
    TicketLock ticket;
    int mutex, counter, length, list[128], keys[200], found[200];
    double sum;
  } * all;
  cudaMallocManaged(&all, sizeof(All));
  cudaMemset(all, 0, sizeof(All));
  cudaDeviceSynchronize();
  for (int i = 0; i < 200; ++i) all->keys[i] = i * i % 37;
  increment<<<4, 64>>>(&all->spin, &all->counter);
  append<<<2, 64>>>(&all->ticket, &all->length, all->list);
  inside_loop<<<1, 96>>>(&all->mutex, &all->sum);
  table<<<1, 256>>>(all->keys, 200, all->found);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int xored = 0, added = 0;
  for (int i = 0; i < 128; ++i) xored ^= all->list[i] * 2654435761u, added += all->list[i];
  printf("%d %d %d %08x %g\n", all->counter, all->length, added, xored, all->sum);
  for (int i = 0; i < 200; i += 9) printf("%d ", all->found[i]);
  printf("\n");
  cudaFree(all);
}
