// Launches that leave values in the order in which their threads came, and launches that go by that
// order or do not: particles in cells, a hash join, lists, survivors, a queue that is fed while it
// is emptied, tokens for experts, colours. The output is the same in any order.
#include <cstdio>
#include <vector>

constexpr int count = 3000, cells = 64, block = 96, grid = (count + block - 1) / block;

__device__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  return x * 0xc2b2ae35u;
}

// Counting sort: within a cell particles are in the order in which they came.
__global__ void count_cells(const int* x, int* sizes) {
  const int i = place();
  if (i < count) atomicAdd(&sizes[x[i] % cells], 1);
}

__global__ void first_of_cells(const int* sizes, int* starts) {
  int sum = 0;
  for (int c = 0; c < cells; ++c) {
    starts[c] = sum;
    sum += sizes[c];
  }
  starts[cells] = sum;
}

__global__ void into_cells(const int* x, const int* starts, int* used, int* order) {
  const int i = place();
  if (i < count) order[starts[x[i] % cells] + atomicAdd(&used[x[i] % cells], 1)] = i;
}

__global__ void near_pairs(const int* x, const int* starts, const int* order, int* pairs) {
  const int i = place();
  if (i >= count) return;
  int near = 0;
  for (int k = starts[x[i] % cells]; k < starts[x[i] % cells + 1]; ++k)
    near += abs(x[order[k]] - x[i]) < 50000;
  atomicAdd(pairs, near);
}

// The slot of a key follows from the keys that were there before.
__global__ void build(const int* x, unsigned* table) {
  const int i = place();
  if (i >= count) return;
  const unsigned key = x[i] % 2000;
  unsigned at = mixed(key) % 4096;
  for (unsigned old; (old = atomicCAS(&table[at], ~0u, key)) != ~0u && old != key;)
    at = (at + 1) % 4096;
}

__global__ void probe(const unsigned* table, int* found) {
  const unsigned key = place();
  unsigned at = mixed(key) % 4096;
  while (table[at] != ~0u && table[at] != key) at = (at + 1) % 4096;
  if (table[at] == key) atomicAdd(found, 1);
}

__global__ void push_front(const int* x, int* heads, int* next) {
  const int i = place();
  if (i < count) next[i] = atomicExch(&heads[x[i] % cells], i);
}

__global__ void walk(const int* heads, const int* next, const int* x, int* sums) {
  const int list = place();
  if (list >= cells) return;
  int sum = 0;
  for (int i = heads[list]; i >= 0; i = next[i]) sum += x[i] % 1000;
  sums[list] = sum;
}

// Blocks collect in shared memory and then take their places together.
__global__ void survivors(const int* x, int* list, int* length) {
  __shared__ int kept[block], kept_here, base;
  if (threadIdx.x == 0) kept_here = 0;
  __syncthreads();
  const int i = place();
  if (i < count && x[i] % 3 == 0) kept[atomicAdd(&kept_here, 1)] = i;
  __syncthreads();
  if (threadIdx.x == 0) base = atomicAdd(length, kept_here);
  __syncthreads();
  for (int k = threadIdx.x; k < kept_here; k += block) list[base + k] = kept[k];
}

__global__ void visit(const int* list, const int* length, const int* x, int* sums) {
  for (int i = place(); i < *length; i += gridDim.x * blockDim.x)
    atomicAdd(&sums[x[list[i]] % 8], x[list[i]] % 100);
}

// A thread that takes an item puts the next one after all others.
__global__ void feed(int* queue, int* head, int* tail) {
  for (;;) {
    const int at = atomicAdd(head, 1);
    if (at >= count) return;
    int item;
    while ((item = atomicAdd(&queue[at], 0)) == 0) {
    }
    if (item + 64 <= count) atomicExch(&queue[atomicAdd(tail, 1)], item + 64);
  }
}

__global__ void by_queue(const int* queue, const int* x, int* y) {
  const int i = place();
  if (i < count) y[queue[i] - 1] = x[queue[i] - 1] % 1000;
}

// No order: a tile is handed out with its place.
__global__ void tiles(const int* x, int* y, int* next) {
  __shared__ int tile;
  for (;;) {
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    const int i = tile * block + threadIdx.x;
    __syncthreads();
    if (i - static_cast<int>(threadIdx.x) >= count) return;
    if (i < count) y[i] = x[i] % 500;
  }
}

__global__ void follow(const int* index, const int* x, int* y) {
  const int i = place();
  if (i < count) y[i] = x[index[i]] % 10;
}

// Neighbours are looked at while they are changed: some are coloured twice, none wrongly at the
// end.
__global__ void colour(const int* x, volatile int* colours) {
  const int i = place();
  if (i >= count) return;
  const int a = colours[x[i] % count], b = colours[(i + 1) % count];
  int mine = 0;
  while (mine == a || mine == b) ++mine;
  colours[i] = mine;
}

__global__ void same_colour(const int* x, const int* colours, int* limit) {
  const int i = place();
  if (i < count && colours[i] == colours[x[i] % count]) atomicMax(limit, colours[i]);
}

template <class T>
T* zeros(std::size_t size, int byte = 0) {
  T* made;
  cudaMalloc(&made, size * sizeof(T));
  cudaMemset(made, byte, size * sizeof(T));
  return made;
}

long long sum_of(const int* values, int size) {
  std::vector<int> host(size);
  cudaMemcpy(host.data(), values, size * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int i = 0; i < size; ++i) sum += static_cast<long long>(host[i]) * (i % 17 + 1);
  return sum;
}

int main() {
  std::vector<int> values(count), seeds(count);
  unsigned state = 1;
  for (int& value : values) value = static_cast<int>((state = state * 1664525u + 1013904223u) >> 8);
  for (int i = 0; i < 64; ++i) seeds[i] = i + 1;
  int *x = zeros<int>(count), *numbers = zeros<int>(16), *order = zeros<int>(count);
  int *sizes = zeros<int>(cells), *starts = zeros<int>(cells + 1), *used = zeros<int>(cells);
  int *heads = zeros<int>(cells, 0xff), *next = zeros<int>(count), *sums = zeros<int>(cells);
  int *list = zeros<int>(count), *queue = zeros<int>(count), *y = zeros<int>(count);
  int *z = zeros<int>(count), *w = zeros<int>(count), *colours = zeros<int>(count),
      *bins = zeros<int>(8);
  unsigned* table = zeros<unsigned>(4096, 0xff);
  cudaMemcpy(x, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(queue, seeds.data(), count * sizeof(int), cudaMemcpyHostToDevice);
  const int tail = 64;
  cudaMemcpy(numbers + 4, &tail, sizeof tail, cudaMemcpyHostToDevice);

  count_cells<<<grid, block>>>(x, sizes);
  first_of_cells<<<1, 1>>>(sizes, starts);
  into_cells<<<grid, block>>>(x, starts, used, order);
  near_pairs<<<grid, block>>>(x, starts, order, numbers);
  build<<<grid, block>>>(x, table);
  probe<<<20, 100>>>(table, numbers + 1);
  push_front<<<grid, block>>>(x, heads, next);
  walk<<<1, cells>>>(heads, next, x, sums);
  survivors<<<grid, block>>>(x, list, numbers + 2);
  visit<<<7, block>>>(list, numbers + 2, x, bins);
  feed<<<8, 64>>>(queue, numbers + 3, numbers + 4);
  by_queue<<<grid, block>>>(queue, x, y);
  std::printf("cells %lld, lists %lld, bins %lld, queue %lld\n", sum_of(numbers, 3),
              sum_of(sums, cells), sum_of(bins, 8), sum_of(y, count));
  tiles<<<9, block>>>(x, w, numbers + 5);
  follow<<<grid, block>>>(w, x, z);
  std::printf("tiles %lld\n", sum_of(z, count));
  colour<<<grid, block>>>(x, colours);
  same_colour<<<grid, block>>>(x, colours, numbers + 6);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (void* made : {x, numbers, order, sizes, starts, used, heads, next, sums, list, queue, y, z,
                     w, colours, bins})
    cudaFree(made);
  cudaFree(table);
}
