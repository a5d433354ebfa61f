// Kernels that launch kernels: recursive, in streams of their own, and as the tail of a grid.
// Built with -rdc=true.
#include <algorithm>
#include <cstdio>
#include <vector>

unsigned hash(const void* data, std::size_t bytes) {
  unsigned h = 2166136261u;
  for (std::size_t i = 0; i < bytes; ++i)
    h = (h ^ static_cast<const unsigned char*>(data)[i]) * 16777619u;
  return h;
}

unsigned next_random(unsigned& state) { return state = state * 1664525u + 1013904223u; }

template <class T>
std::vector<T> to_host(const T* device, int count) {
  std::vector<T> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

template <class T>
T* zeros(int count) {
  T* device;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemset(device, 0, count * sizeof(T));
  return device;
}

void wait(const char* what) { printf("%s: %s\n", what, cudaGetErrorName(cudaDeviceSynchronize())); }

// One thread parts the numbers; two children, in streams of their own, sort the parts.
__device__ void sort_by_selection(int* data, int left, int right) {
  for (int i = left; i <= right; ++i) {
    int least = i;
    for (int j = i + 1; j <= right; ++j)
      if (data[j] < data[least]) least = j;
    const int value = data[least];
    data[least] = data[i];
    data[i] = value;
  }
}

__global__ void quicksort(int* data, int left, int right, int depth) {
  if (depth >= 16 || right - left <= 32) return sort_by_selection(data, left, right);
  int l = left, r = right;
  const int pivot = data[(left + right) / 2];
  while (l <= r) {
    while (data[l] < pivot) ++l;
    while (data[r] > pivot) --r;
    if (l > r) break;
    const int value = data[l];
    data[l++] = data[r];
    data[r--] = value;
  }
  const int from[2] = {left, l}, to[2] = {r, right};
  for (int part = 0; part < 2; ++part) {
    if (from[part] >= to[part]) continue;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(data, from[part], to[part], depth + 1);
    cudaStreamDestroy(stream);
  }
}

void sorting() {
  std::vector<int> numbers(2000);
  unsigned state = 7;
  for (int& number : numbers) number = static_cast<int>(next_random(state) >> 16);
  int* data = zeros<int>(2000);
  cudaMemcpy(data, numbers.data(), 8000, cudaMemcpyHostToDevice);
  quicksort<<<1, 1>>>(data, 0, 1999, 0);
  wait("quicksort");
  numbers = to_host(data, 2000);
  printf("sorted %d, hash %08x\n", std::is_sorted(numbers.begin(), numbers.end()),
         hash(numbers.data(), 8000));
  cudaFree(data);
}

// Squares of a picture whose border has one value are filled with it; others are parted.
constexpr int width = 256, most = 128;

__device__ int steps_at(int x, int y) {
  const float cx = __fmaf_rn(2.0f / width, x, -1.5f), cy = __fmaf_rn(2.0f / width, y, -1.0f);
  float zx = cx, zy = cy;
  int steps = 0;
  while (steps < most && __fadd_rn(__fmul_rn(zx, zx), __fmul_rn(zy, zy)) < 4.0f) {
    const float next = __fadd_rn(__fsub_rn(__fmul_rn(zx, zx), __fmul_rn(zy, zy)), cx);
    zy = __fmaf_rn(__fmul_rn(2.0f, zx), zy, cy);
    zx = next;
    ++steps;
  }
  return steps;
}

__global__ void fill(int* picture, int left, int top, int side, int value) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < side && y < side) picture[(top + y) * width + left + x] = value;
}

__global__ void each_pixel(int* picture, int left, int top, int side) {
  const int x = left + blockIdx.x * blockDim.x + threadIdx.x;
  const int y = top + blockIdx.y * blockDim.y + threadIdx.y;
  if (x < left + side && y < top + side) picture[y * width + x] = steps_at(x, y);
}

__global__ void part(int* picture, int left, int top, int side, int depth) {
  left += side * blockIdx.x;
  top += side * blockIdx.y;
  __shared__ int low, high;
  if (threadIdx.x == 0) low = most + 1, high = -1;
  __syncthreads();
  for (int i = threadIdx.x; i < side; i += blockDim.x) {
    const int border[4] = {steps_at(left + i, top), steps_at(left + i, top + side - 1),
                           steps_at(left, top + i), steps_at(left + side - 1, top + i)};
    for (int steps : border) {
      atomicMin(&low, steps);
      atomicMax(&high, steps);
    }
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  const dim3 block(16, 16), grid((side + 15) / 16, (side + 15) / 16);
  if (low == high)
    fill<<<grid, block>>>(picture, left, top, side, low);
  else if (depth < 4 && side > 16)
    part<<<dim3(2, 2), 64>>>(picture, left, top, side / 2, depth + 1);
  else
    each_pixel<<<grid, block>>>(picture, left, top, side);
}

void mandelbrot() {
  int* picture = zeros<int>(width * width);
  part<<<dim3(4, 4), 64>>>(picture, 0, 0, width / 4, 1);
  wait("mandelbrot");
  printf("hash %08x\n", hash(to_host(picture, width * width).data(), 4 * width * width));
  cudaFree(picture);
}

// A search by levels: a thread with many neighbours lets a child look at them.
__device__ void reach(int vertex, int level, int* levels, int* changed) {
  if (atomicCAS(&levels[vertex], -1, level) == -1) atomicExch(changed, 1);
}

__global__ void reach_all(const int* edges, int from, int to, int level, int* levels,
                          int* changed) {
  const int e = from + blockIdx.x * blockDim.x + threadIdx.x;
  if (e < to) reach(edges[e], level, levels, changed);
}

__global__ void next_level(const int* rows, const int* edges, int vertices, int level, int* levels,
                           int* changed) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || atomicAdd(&levels[v], 0) != level) return;
  const int from = rows[v], to = rows[v + 1];
  if (to - from > 16)
    reach_all<<<(to - from + 63) / 64, 64>>>(edges, from, to, level + 1, levels, changed);
  else
    for (int e = from; e < to; ++e) reach(edges[e], level + 1, levels, changed);
}

void search() {
  const int vertices = 1500;
  std::vector<int> rows = {0}, edges;
  unsigned state = 3;
  for (int v = 0; v < vertices; ++v) {
    for (int i = 0; i < (v % 97 == 0 ? 120 : 2); ++i)
      edges.push_back(static_cast<int>(next_random(state) % vertices));
    rows.push_back(static_cast<int>(edges.size()));
  }
  int *d_rows = zeros<int>(vertices + 1), *d_edges = zeros<int>(static_cast<int>(edges.size()));
  int *levels = zeros<int>(vertices), *changed = zeros<int>(1);
  cudaMemcpy(d_rows, rows.data(), rows.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d_edges, edges.data(), edges.size() * 4, cudaMemcpyHostToDevice);
  cudaMemset(levels, 255, vertices * 4);
  cudaMemset(levels, 0, 4);
  int level = 0;
  for (bool more = true; more; ++level) {
    cudaMemset(changed, 0, 4);
    next_level<<<(vertices + 127) / 128, 128>>>(d_rows, d_edges, vertices, level, levels, changed);
    more = to_host(changed, 1)[0] != 0;
  }
  wait("search");
  printf("%d levels, hash %08x\n", level, hash(to_host(levels, vertices).data(), 4 * vertices));
}

// A loop on the device: each round is the tail of the one before.
__global__ void halve(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 0.5f;
}

__global__ void until_small(float* x, int n, int round, int* rounds) {
  *rounds = round;
  if (x[0] <= 1.0f) return;
  halve<<<(n + 127) / 128, 128, 0, cudaStreamTailLaunch>>>(x, n);
  until_small<<<1, 1, 0, cudaStreamTailLaunch>>>(x, n, round + 1, rounds);
}

void tails() {
  const int n = 1000;
  std::vector<float> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = 1e6f + static_cast<float>(i);
  float* x = zeros<float>(n);
  int* rounds = zeros<int>(1);
  cudaMemcpy(x, numbers.data(), n * 4, cudaMemcpyHostToDevice);
  until_small<<<1, 1>>>(x, n, 0, rounds);
  wait("tails");
  printf("%d rounds, hash %08x\n", to_host(rounds, 1)[0], hash(to_host(x, n).data(), n * 4));
}

// Work in one stream comes in order, a tail comes last, and arguments arrive as they are.
__global__ void append(int* list, int value) { list[++list[0]] = value; }

struct Mixed {
  double a;
  char b;
  int c[3];
};

__global__ void take(Mixed m, int* out) {
  if (threadIdx.x == 0)
    *out = static_cast<int>(m.a) + m.b + m.c[0] + m.c[1] * 10 + m.c[2] * 100 + blockDim.x +
           gridDim.x * 1000;
}

template <class T, int count>
__global__ void ramp(T* out, T first) {
  extern __shared__ unsigned char bytes[];
  bytes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x < count) out[threadIdx.x] = first + T(bytes[count - 1 - threadIdx.x]);
}

__global__ void in_order(int* list, int* out, double* numbers) {
  for (int i = 0; i < 5; ++i) append<<<1, 1>>>(list, i);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 100);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 101);
  append<<<1, 1>>>(list, 5);
  take<<<3, 1>>>(Mixed{2.5, 3, {4, 5, 6}}, out);
  ramp<double, 7><<<1, 32, 32>>>(numbers, 0.25);
}

__global__ void two_streams(int* list) {
  cudaStream_t one, other;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  append<<<1, 1, 0, one>>>(list, 1);
  append<<<1, 1, 0, one>>>(list, 2);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(other, event, 0);
  append<<<1, 1, 0, other>>>(list, 3);
  cudaEventDestroy(event);
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
}

template <class T>
void print(const T* device, int count, const char* format) {
  for (T value : to_host(device, count)) printf(format, value);
  printf("\n");
}

void orders() {
  int *list = zeros<int>(100), *out = zeros<int>(1);
  double* numbers = zeros<double>(8);
  in_order<<<1, 1>>>(list, out, numbers);
  wait("in order");
  print(list, 10, "%d ");
  print(out, 1, "%d");
  print(numbers, 8, "%g ");
  cudaMemset(list, 0, 400);
  two_streams<<<1, 1>>>(list);
  wait("two streams");
  print(list, 4, "%d ");
}

// A block prepares what its child uses; memory is handed on, and freed by its last user.
__global__ void square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

__global__ void prepare(int* in, int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) in[i] = i - n / 2;
  __syncthreads();
  if (threadIdx.x == 0) square<<<(n + 255) / 256, 256>>>(in, out, n);
}

__global__ void add_up(const int* numbers, int n, int* sum) {
  *sum = 0;
  for (int i = 0; i < n; ++i) *sum += numbers[i];
}

__global__ void release(int* numbers) { cudaFree(numbers); }

__global__ void own_memory(int n, int* sum) {
  int* numbers;
  if (cudaMalloc(&numbers, n * sizeof(int)) != cudaSuccess) return;
  for (int i = 0; i < n; ++i) numbers[i] = 3 * i;
  add_up<<<1, 1>>>(numbers, n, sum);
  release<<<1, 1>>>(numbers);
}

void memory() {
  const int n = 777;
  int *in = zeros<int>(n), *out = zeros<int>(n), *sum = zeros<int>(1);
  prepare<<<1, 96>>>(in, out, n);
  wait("prepared");
  printf("hash %08x\n", hash(to_host(out, n).data(), n * 4));
  own_memory<<<1, 1>>>(100, sum);
  wait("own memory");
  print(sum, 1, "%d");
}

// Each thread of a block launches, and each prints.
__global__ void say(int from) { printf("launched by thread %d\n", from); }

__global__ void each_thread() { say<<<1, 1>>>(static_cast<int>(threadIdx.x)); }

int main() {
  sorting();
  mandelbrot();
  search();
  tails();
  orders();
  memory();
  each_thread<<<1, 1>>>();
  wait("a child that prints");
}
