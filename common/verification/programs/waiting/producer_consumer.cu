// A bounded queue between blocks: producers and consumers in one launch, waiting with __nanosleep.
#include <cstdio>

template <int kCapacity>
struct Queue {
  unsigned tail, head;
  struct {
    unsigned sequence;
    int value;
  } cell[kCapacity];

  __device__ void push(int value) {
    const unsigned ticket = atomicAdd(&tail, 1u);
    auto& c = cell[ticket % kCapacity];
    unsigned wait = 8;
    while (atomicAdd(&c.sequence, 0u) != 2 * (ticket / kCapacity)) {
      __nanosleep(wait);
      if (wait < 256) wait *= 2;
    }
    atomicExch(&c.value, value);
    __threadfence();
    atomicAdd(&c.sequence, 1u);
  }

  __device__ int pop() {
    const unsigned ticket = atomicAdd(&head, 1u);
    auto& c = cell[ticket % kCapacity];
    while (atomicAdd(&c.sequence, 0u) != 2 * (ticket / kCapacity) + 1) __nanosleep(32);
    __threadfence();
    const int value = atomicExch(&c.value, -1);
    __threadfence();
    atomicAdd(&c.sequence, 1u);
    return value;
  }
};

__global__ void exchange(Queue<16>* queue, int per_thread, int* seen, unsigned long long* total) {
  const int half = gridDim.x / 2;
  const bool producer = (int)blockIdx.x >= half;  // the consumers start first
  const int id = (producer ? blockIdx.x - half : blockIdx.x) * blockDim.x + threadIdx.x;
  for (int i = 0; i < per_thread; ++i) {
    if (producer) {
      queue->push(id * per_thread + i);
    } else {
      const int v = queue->pop();
      atomicAdd(&seen[v], 1);
      atomicAdd(total, (unsigned long long)v * v);
    }
  }
}

int main() {
  const int blocks = 4, threads = 32, per_thread = 10, items = blocks / 2 * threads * per_thread;
  Queue<16>* queue;
  int *seen, host[items];
  unsigned long long *total, sum;
  cudaMalloc(&queue, sizeof *queue);
  cudaMalloc(&seen, sizeof host);
  cudaMalloc(&total, sizeof sum);
  cudaMemset(queue, 0, sizeof *queue);
  cudaMemset(seen, 0, sizeof host);
  cudaMemset(total, 0, sizeof sum);
  exchange<<<blocks, threads>>>(queue, per_thread, seen, total);
  cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
  int once = 0;
  for (int s : host) once += s == 1;
  printf("%d of %d items arrived once, sum of squares %llu\n", once, items, sum);
  cudaFree(queue);
  cudaFree(seen);
  cudaFree(total);
  return once != items;
}
