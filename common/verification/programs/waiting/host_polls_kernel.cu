// The host looks at memory that it shares with a kernel while the kernel runs, and may: flags that
// are atomic or volatile, and words that the kernel does not touch.
#include <cstdio>
#include <cuda/atomic>
#include <new>
#include <thread>

#define CHECK(call)                                                            \
  do {                                                                         \
    const cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                                \
      printf("line %d: %s -> %s\n", __LINE__, #call, cudaGetErrorName(error)); \
      return 1;                                                                \
    }                                                                          \
  } while (0)

using Flag = cuda::atomic<int, cuda::thread_scope_system>;

struct Box {
  Flag turn;
  int value;
};

__global__ void produce(Box* box) {
  box->value = 42;
  box->turn.store(1, cuda::memory_order_release);
}

__global__ void produce_volatile(volatile int* flag, int* value) {
  *value = 43;
  __threadfence_system();
  *flag = 1;
}

__global__ void double_and_add(Box* box, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    while (box->turn.load(cuda::memory_order_acquire) != 2 * i + 1) {
    }
    box->value = 2 * box->value + 1;
    box->turn.store(2 * i + 2, cuda::memory_order_release);
  }
}

__global__ void until_stopped(Flag* stop, unsigned* rounds) {
  while (stop->load(cuda::memory_order_relaxed) == 0) atomicAdd(rounds, 1);
}

__global__ void count_done(int* done) {
  __threadfence_system();
  if (threadIdx.x == 0) atomicAdd_system(done, 1);
}

__global__ void add_up(const int* in, int* sum) { atomicAdd(sum, in[threadIdx.x]); }

__global__ void own_slot(int* slot, int k) { *slot = 10 * k; }

int polls(Box* box) {
  new (box) Box{};
  produce<<<1, 1>>>(box);
  while (box->turn.load(cuda::memory_order_acquire) == 0) {
  }
  const int value = box->value;
  cudaDeviceSynchronize();
  return value;
}

int takes_turns(Box* box) {
  constexpr int rounds = 5;
  new (box) Box{};
  double_and_add<<<1, 1>>>(box, rounds);
  for (int i = 0; i < rounds; ++i) {
    box->value += 1;
    box->turn.store(2 * i + 1, cuda::memory_order_release);
    while (box->turn.load(cuda::memory_order_acquire) != 2 * i + 2) {
    }
  }
  const int value = box->value;
  cudaDeviceSynchronize();
  return value;
}

int main() {
  Box *managed, *mapped;
  CHECK(cudaMallocManaged(&managed, sizeof *managed));
  CHECK(cudaHostAlloc(&mapped, sizeof *mapped, cudaHostAllocMapped));
  printf("polls %d %d\n", polls(managed), polls(mapped));
  printf("turns %d %d\n", takes_turns(managed), takes_turns(mapped));

  int *flag, *value;
  CHECK(cudaMallocManaged(&flag, sizeof *flag));
  CHECK(cudaMallocManaged(&value, sizeof *value));
  *flag = 0;
  produce_volatile<<<1, 1>>>(flag, value);
  while (*static_cast<volatile int*>(flag) == 0) {
  }
  printf("volatile %d\n", *value);
  CHECK(cudaDeviceSynchronize());

  Flag* stop;
  unsigned* rounds;
  CHECK(cudaMallocManaged(&stop, sizeof *stop));
  CHECK(cudaMalloc(&rounds, sizeof *rounds));
  CHECK(cudaMemset(rounds, 0, sizeof *rounds));
  new (stop) Flag(0);
  until_stopped<<<2, 32>>>(stop, rounds);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  stop->store(1);
  CHECK(cudaDeviceSynchronize());
  new (stop) Flag(0);
  until_stopped<<<2, 32>>>(stop, rounds);
  std::thread other([stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop->store(1);
  });
  CHECK(cudaDeviceSynchronize());
  other.join();
  printf("stopped %d\n", stop->load());

  int* done;
  CHECK(cudaHostAlloc(&done, sizeof *done, cudaHostAllocMapped));
  *done = 0;
  for (int i = 0; i < 3; ++i) count_done<<<1, 64>>>(done);
  while (*static_cast<volatile int*>(done) < 3) {
  }
  CHECK(cudaDeviceSynchronize());
  printf("done %d\n", *done);

  // Two halves of one buffer: the host fills the second while the first is read.
  constexpr int half = 256;
  int *halves, *sum, total = 0;
  CHECK(cudaMallocHost(&halves, 2 * half * sizeof(int)));
  CHECK(cudaMalloc(&sum, sizeof *sum));
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  for (int i = 0; i < half; ++i) halves[i] = 1;
  add_up<<<1, half>>>(halves, sum);
  for (int i = half; i < 2 * half; ++i) halves[i] = 2;
  add_up<<<1, half>>>(halves + half, sum);
  const int read_by_both = halves[3];
  CHECK(cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost));
  printf("halves %d %d\n", total, read_by_both);

  // A slot for each launch: the host reads those of which it knows that they are done.
  constexpr int slots = 8;
  cudaEvent_t events[slots];
  for (int i = 0; i < slots; ++i) {
    CHECK(cudaEventCreate(&events[i]));
    own_slot<<<1, 1>>>(halves + i, i);
    CHECK(cudaEventRecord(events[i]));
  }
  total = 0;
  for (int i = 0; i < slots; ++i) {
    CHECK(cudaEventSynchronize(events[i]));
    total += halves[i];
    CHECK(cudaEventDestroy(events[i]));
  }
  printf("slots %d\n", total);
  CHECK(cudaDeviceSynchronize());
  for (void* memory : {static_cast<void*>(managed), static_cast<void*>(flag),
                       static_cast<void*>(value), static_cast<void*>(stop)})
    CHECK(cudaFree(memory));
  CHECK(cudaFree(rounds));
  CHECK(cudaFree(sum));
  for (void* memory :
       {static_cast<void*>(mapped), static_cast<void*>(done), static_cast<void*>(halves)})
    CHECK(cudaFreeHost(memory));
}
