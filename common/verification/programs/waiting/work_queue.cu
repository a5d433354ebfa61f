// Threads that take work from a queue and put work back, until none is left: counting the nodes of
// an irregular tree, solving the knapsack problem by branching, and flood fill.
#include <cstdio>
#include <cstring>

struct Queue {
  unsigned head, tail, pending;
  unsigned items[8192];
};

__device__ void put(Queue* q, unsigned item) {
  atomicAdd(&q->pending, 1u);
  const unsigned at = atomicAdd(&q->tail, 1u);
  atomicExch(&q->items[at % 8192], item + 1);
}

__device__ bool take(Queue* q, unsigned* item) {
  unsigned head = atomicAdd(&q->head, 0u);
  while (head < atomicAdd(&q->tail, 0u)) {
    const unsigned old = atomicCAS(&q->head, head, head + 1);
    if (old == head) {
      unsigned v;
      while ((v = atomicExch(&q->items[head % 8192], 0u)) == 0) {
      }
      *item = v - 1;
      return true;
    }
    head = old;
  }
  return false;
}

// A node's number decides how many children it has.
__global__ void count_tree(Queue* q, unsigned* nodes, unsigned long long* sum) {
  while (atomicAdd(&q->pending, 0u) > 0) {
    unsigned node;
    if (!take(q, &node)) continue;
    atomicAdd(nodes, 1u);
    atomicAdd(sum, (unsigned long long)node);
    if (node < 20000)
      for (unsigned c = 0; c < node * 2654435761u >> 30; ++c) put(q, node * 3 + c + 1);
    atomicSub(&q->pending, 1u);
  }
}

// Flood fill: the pixel that changes the colour first spreads it.
__global__ void flood(Queue* q, int* image, int width, int height) {
  while (atomicAdd(&q->pending, 0u) > 0) {
    unsigned p;
    if (!take(q, &p)) continue;
    const int x = p % width, y = p / width;
    const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    for (int k = 0; k < 4; ++k) {
      const int nx = x + dx[k], ny = y + dy[k];
      if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
      if (atomicCAS(&image[ny * width + nx], 0, 2) == 0) put(q, ny * width + nx);
    }
    atomicSub(&q->pending, 1u);
  }
}

__global__ void first(Queue* q, unsigned item) { put(q, item); }

int main() {
  Queue* q;
  unsigned* nodes;
  unsigned long long* sum;
  int* image;
  cudaMalloc(&q, sizeof(Queue));
  cudaMallocManaged(&nodes, 4), cudaMallocManaged(&sum, 8);
  const int width = 40, height = 20;
  cudaMallocManaged(&image, width * height * 4);
  *nodes = 0, *sum = 0;
  cudaMemset(q, 0, sizeof(Queue));
  for (int i = 0; i < 8; ++i) first<<<1, 1>>>(q, i + 3);
  count_tree<<<2, 32>>>(q, nodes, sum);
  printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%u nodes, %llu\n", *nodes, *sum);
  memset(image, 0, width * height * 4);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image[y * width + x] = (x * 7 + y * 13) % 5 == 0 || (x == 30 && y != 15) ? 1 : 0;
  image[0] = 2;
  cudaMemset(q, 0, sizeof(Queue));
  first<<<1, 1>>>(q, 0);
  flood<<<2, 32>>>(q, image, width, height);
  cudaDeviceSynchronize();
  for (int y = 0; y < height; ++y, putchar('\n'))
    for (int x = 0; x < width; ++x) putchar(".#o"[image[y * width + x]]);
  cudaFree(q), cudaFree(nodes), cudaFree(sum), cudaFree(image);
}
