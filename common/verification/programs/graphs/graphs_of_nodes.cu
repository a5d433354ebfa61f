// Graph algorithms: breadth-first search with frontiers, PageRank, connected components, all
// shortest paths.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void bfs_level(const int* offsets, const int* edges, const int* frontier, int size,
                          int* next, int* next_size, int* level, int depth) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    const int v = frontier[i];
    for (int e = offsets[v]; e < offsets[v + 1]; ++e)
      if (atomicCAS(&level[edges[e]], -1, depth) == -1) next[atomicAdd(next_size, 1)] = edges[e];
  }
}

// Pull: every node sums in the order of its list, so the result is the same each time.
__global__ void page_rank(const int* offsets, const int* edges, const int* degree, const double* in,
                          double* out, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  double sum = 0;
  for (int e = offsets[v]; e < offsets[v + 1]; ++e)
    sum = __dadd_rn(sum, __ddiv_rn(in[edges[e]], (double)degree[edges[e]]));
  out[v] = __fma_rn(0.85, sum, __ddiv_rn(0.15, (double)n));
}

__device__ int find(volatile int* parent, int v) {
  while (parent[v] != v) v = parent[v];
  return v;
}

__global__ void unite(const int2* pairs, int count, int* parent) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int a = find(parent, pairs[i].x), b = find(parent, pairs[i].y);
  while (a != b) {
    if (a < b) {
      const int t = a;
      a = b;
      b = t;
    }
    const int old = atomicCAS(&parent[a], a, b);
    if (old == a) break;
    a = find(parent, old);
    b = find(parent, b);
  }
}

__global__ void flatten(int* parent, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicExch(&parent[i], find(parent, i));
}

__global__ void floyd_warshall(int* distance, int n) {
  for (int k = 0; k < n; ++k) {
    for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
      const int through = distance[i / n * n + k] + distance[k * n + i % n];
      if (i / n != k && i % n != k && through < distance[i]) distance[i] = through;
    }
    __syncthreads();
  }
}

int main() {
  const int n = 400;
  std::vector<std::vector<int>> lists(n);
  std::vector<int2> pairs;
  unsigned s = 5;
  for (int i = 0; i < 700; ++i) {
    const int a = (s = s * 1103515245 + 12345) / 65536 % n,
              b = (s = s * 1103515245 + 12345) / 65536 % n;
    if (a % 10 == 9 || b % 10 == 9) continue;
    lists[a].push_back(b), lists[b].push_back(a);
    pairs.push_back({a, b});
  }
  std::vector<int> offsets = {0}, edges, degree;
  for (auto& l : lists) {
    std::sort(l.begin(), l.end());
    edges.insert(edges.end(), l.begin(), l.end());
    degree.push_back((int)l.size());
    offsets.push_back((int)edges.size());
  }
  int *d_offsets, *d_edges, *d_degree, *a, *b, *level, *size, *parent, *distance;
  int2* d_pairs;
  double *x, *y;
  cudaMalloc(&d_offsets, offsets.size() * 4), cudaMalloc(&d_edges, edges.size() * 4),
      cudaMalloc(&d_degree, n * 4);
  cudaMalloc(&a, n * 4), cudaMalloc(&b, n * 4), cudaMalloc(&level, n * 4),
      cudaMalloc(&parent, n * 4);
  cudaMalloc(&x, n * 8), cudaMalloc(&y, n * 8), cudaMalloc(&d_pairs, pairs.size() * 8),
      cudaMallocManaged(&size, 4);
  cudaMemcpy(d_offsets, offsets.data(), offsets.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d_edges, edges.data(), edges.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d_degree, degree.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d_pairs, pairs.data(), pairs.size() * 8, cudaMemcpyHostToDevice);

  std::vector<int> levels(n, -1);
  levels[0] = 0;
  cudaMemcpy(level, levels.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemset(a, 0, 4);
  int frontier = 1;
  for (int depth = 1; frontier > 0; ++depth) {
    *size = 0;
    bfs_level<<<3, 64>>>(d_offsets, d_edges, a, frontier, b, size, level, depth);
    cudaDeviceSynchronize();
    printf("%d ", frontier = *size);
    std::swap(a, b);
  }
  cudaMemcpy(levels.data(), level, n * 4, cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 3 + levels[i];
  printf("levels %d\n", sum);

  std::vector<double> rank(n, 1.0 / n);
  cudaMemcpy(x, rank.data(), n * 8, cudaMemcpyHostToDevice);
  for (int i = 0; i < 20; ++i, std::swap(x, y))
    page_rank<<<7, 64>>>(d_offsets, d_edges, d_degree, x, y, n);
  cudaMemcpy(rank.data(), x, n * 8, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 37) printf("%a ", rank[i]);

  std::vector<int> label(n);
  for (int i = 0; i < n; ++i) label[i] = i;
  cudaMemcpy(parent, label.data(), n * 4, cudaMemcpyHostToDevice);
  unite<<<((int)pairs.size() + 63) / 64, 64>>>(d_pairs, (int)pairs.size(), parent);
  flatten<<<7, 64>>>(parent, n);
  cudaMemcpy(label.data(), parent, n * 4, cudaMemcpyDeviceToHost);
  int roots = 0;
  sum = 0;
  for (int i = 0; i < n; ++i) roots += label[i] == i, sum = sum * 5 + label[i];
  printf("\n%d components, %d\n", roots, sum);

  const int m = 40;
  std::vector<int> dist(m * m, 1000000);
  for (int i = 0; i < m; ++i)
    dist[i * m + i] = 0, dist[i * m + (i * 7 + 3) % m] = 1 + i % 5, dist[i * m + (i + 1) % m] = 4;
  for (int i = 0; i < m; ++i) dist[i * m + i] = 0;
  cudaMalloc(&distance, dist.size() * 4);
  cudaMemcpy(distance, dist.data(), dist.size() * 4, cudaMemcpyHostToDevice);
  floyd_warshall<<<1, 256>>>(distance, m);
  cudaMemcpy(dist.data(), distance, dist.size() * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < m * m; i += 53) printf("%d ", dist[i]);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  for (void* p :
       {(void*)d_offsets, (void*)d_edges, (void*)d_degree, (void*)a, (void*)b, (void*)level,
        (void*)size, (void*)parent, (void*)x, (void*)y, (void*)d_pairs, (void*)distance})
    cudaFree(p);
}
