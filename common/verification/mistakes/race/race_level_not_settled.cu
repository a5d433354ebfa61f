// A search from level to level in a ring with chords. Nodes that an earlier level has settled may
// be read plainly: swaps that others try there fail. Those of this level may not be.
constexpr int n = 256, unseen = -1;

__device__ int neighbour(int v, int e) { return (v + (e == 0 ? 1 : e == 1 ? n - 1 : e + 1)) % n; }

__global__ void level(const int* front, int count, int* next, int* next_count, int* distance,
                      int* paths) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int v = front[i], there = distance[v] + 1;
  for (int e = 0; e < 4; ++e) {
    const int u = neighbour(v, e);
    const int seen = atomicCAS(&distance[u], unseen, distance[v] + 1);
    if (seen == unseen) next[atomicAdd(next_count, 1)] = u;
    if (seen == unseen || seen == there) atomicAdd(&paths[u], paths[v]);
  }
}

__global__ void level_read_again(const int* front, int count, int* next, int* next_count,
                                 int* distance, int* paths) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int v = front[i], there = distance[v] + 1;
  for (int e = 0; e < 4; ++e) {
    const int u = neighbour(v, e);
    const int seen = atomicCAS(&distance[u], unseen, there);  // expect: race
    if (seen == unseen) next[atomicAdd(next_count, 1)] = u;
    if (distance[neighbour(u, 0)] == there) atomicAdd(&paths[u], paths[v]);  // expect: race
  }
}

int main() {
  int *queues[2], *count, *distance, *paths;
  for (int*& queue : queues) cudaMalloc(&queue, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMalloc(&distance, n * sizeof(int));
  cudaMalloc(&paths, n * sizeof(int));
  for (auto kernel : {level, level_read_again}) {
    cudaMemset(distance, 0xff, n * sizeof(int));
    cudaMemset(distance, 0, sizeof(int));
    cudaMemset(queues[0], 0, sizeof(int));
    cudaMemset(paths, 0, n * sizeof(int));
    cudaMemset(paths, 1, 1);
    int waiting = 1;
    for (int round = 0; waiting; ++round) {
      cudaMemset(count, 0, sizeof(int));
      kernel<<<(waiting + 3) / 4, 4>>>(queues[round % 2], waiting, queues[1 - round % 2], count,
                                       distance, paths);
      cudaMemcpy(&waiting, count, sizeof(int), cudaMemcpyDeviceToHost);
    }
  }
  for (int* queue : queues) cudaFree(queue);
  cudaFree(count);
  cudaFree(distance);
  cudaFree(paths);
}
