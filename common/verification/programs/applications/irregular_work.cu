// Lanes that find, leave, queue and look back at their own times: what the compiler and the
// schedule make of their accesses is not all in the text.
#include <cstdio>
#include <vector>

constexpr int kBlock = 256;
constexpr int kNone = -1;

// A lane that has found a divisor stores it and is gone; those that have none meet after the loop.
__global__ void first_divisor(const unsigned* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned value = in[i];
  if (value < 2) {
    out[i] = 0;
    return;
  }
  for (unsigned d = 2; d * d <= value; ++d) {
    if (value % d == 0) {
      out[i] = static_cast<int>(d);
      return;
    }
  }
  out[i] = static_cast<int>(value);
}

__host__ __device__ unsigned place_of(int key, unsigned places) {
  return static_cast<unsigned>(key) * 2654435761u % places;
}

__global__ void look_up(const int* keys, const int* values, int places, const int* wanted, int* out,
                        int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned at = place_of(wanted[i], places);
  for (;;) {
    const int key = keys[at];
    if (key == wanted[i]) {
      out[i] = values[at];
      break;
    }
    if (key == kNone) {
      out[i] = kNone;
      break;
    }
    at = (at + 1) % places;
  }
}

struct Node {
  int key, left, right;
};

// A lane needs one of the two children's numbers.
__global__ void descend(const Node* tree, const int* wanted, int* depth, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at = 0, steps = 0;
  while (at >= 0) {
    const Node node = tree[at];
    ++steps;
    if (node.key == wanted[i]) break;
    at = wanted[i] < node.key ? node.left : node.right;
  }
  depth[i] = at >= 0 ? steps : -steps;
}

// Each place of the queue may go to any lane, so it is also open which lane goes over which edges.
__global__ void levels(const int* first, const int* edges, int* level, int n) {
  __shared__ int queue[2][kBlock], count[2], found[kBlock];
  const int t = threadIdx.x;
  if (t < n) found[t] = kNone;
  if (t == 0) {
    queue[0][0] = 0;
    count[0] = 1;
    found[0] = 0;
  }
  __syncthreads();
  int now = 0;
  for (int depth = 1;; ++depth) {
    const int many = count[now];
    if (many == 0) break;
    __syncthreads();
    if (t == 0) count[1 - now] = 0;
    __syncthreads();
    for (int i = t; i < many; i += blockDim.x) {
      const int node = queue[now][i];
      for (int e = first[node]; e < first[node + 1]; ++e)
        if (atomicCAS(&found[edges[e]], kNone, depth) == kNone)
          queue[1 - now][atomicAdd(&count[1 - now], 1)] = edges[e];
    }
    __syncthreads();
    now = 1 - now;
  }
  if (t < n) level[t] = found[t];
}

// Many lanes meet at one counter, others at its neighbours, over many sectors.
__global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i]], 1u);
}

// A scan over all blocks in one pass. The block's sum is read by all threads and wanted by one.
__global__ void look_back(const int* in, int* out, int n, volatile unsigned long long* state,
                          unsigned* tickets) {
  __shared__ int tile, prefix, sums[8];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  if (t == 0) tile = atomicAdd(tickets, 1u);
  __syncthreads();
  const int block = tile, i = block * kBlock + t;
  int v = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d <<= 1) {
    const int up = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += up;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (t < 8) {
    int sum = sums[t];
    for (int d = 1; d < 8; d <<= 1) {
      const int up = __shfl_up_sync(0xff, sum, d);
      if (t >= d) sum += up;
    }
    sums[t] = sum;
  }
  __syncthreads();
  const int total = sums[7];
  if (t == 0) {
    if (block == 0) {
      state[0] = 2ull << 32 | static_cast<unsigned>(total);
      prefix = 0;
    } else {
      state[block] = 1ull << 32 | static_cast<unsigned>(total);
      int before = 0;
      for (int k = block - 1; k >= 0; --k) {
        unsigned long long seen;
        do {
          seen = state[k];
        } while (seen >> 32 == 0);
        before += static_cast<int>(static_cast<unsigned>(seen));
        if (seen >> 32 == 2) break;
      }
      state[block] = 2ull << 32 | static_cast<unsigned>(before + total);
      prefix = before;
    }
  }
  __syncthreads();
  if (i < n) out[i] = v + (warp ? sums[warp - 1] : 0) + prefix;
}

unsigned next_random() {
  static unsigned state = 20;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

template <class T>
T* on_device(const std::vector<T>& values) {
  T* p = nullptr;
  cudaMalloc(&p, values.size() * sizeof(T));
  cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

template <class T>
void show(const char* what, T* p, std::size_t count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost);
  unsigned hash = 2166136261u;
  for (const T value : values) hash = (hash ^ static_cast<unsigned>(value)) * 16777619u;
  std::printf("%-14s %08x\n", what, hash);
  cudaFree(p);
}

std::vector<Node> random_tree(int tries) {
  std::vector<Node> tree;
  for (int i = 0; i < tries; ++i) {
    const int key = static_cast<int>(next_random() % 2000);
    int at = 0;
    while (at < static_cast<int>(tree.size()) && tree[at].key != key) {
      int& next = key < tree[at].key ? tree[at].left : tree[at].right;
      if (next == kNone) next = static_cast<int>(tree.size());
      at = next;
    }
    if (at == static_cast<int>(tree.size())) tree.push_back({key, kNone, kNone});
  }
  return tree;
}

int main() {
  constexpr int n = 500, places = 512, nodes = 200, bytes = 6001, scanned = 5000;
  std::vector<unsigned> numbers(n);
  for (unsigned& number : numbers) number = next_random() % 3000;
  int* out = on_device(std::vector<int>(n));
  unsigned* in = on_device(numbers);
  first_divisor<<<4, 128>>>(in, out, n);
  show("first divisor", out, n);

  std::vector<int> wanted(n), keys(places, kNone), values(places);
  for (int& key : wanted) key = static_cast<int>(next_random() % 2000);
  for (int i = 0; i < 350; ++i) {
    const int key = static_cast<int>(next_random() % 2000);
    unsigned at = place_of(key, places);
    while (keys[at] != kNone && keys[at] != key) at = (at + 1) % places;
    keys[at] = key;
    values[at] = i;
  }
  int *device_keys = on_device(keys), *device_values = on_device(values),
      *device_wanted = on_device(wanted);
  out = on_device(std::vector<int>(n));
  look_up<<<4, 128>>>(device_keys, device_values, places, device_wanted, out, n);
  show("look up", out, n);

  Node* tree = on_device(random_tree(300));
  out = on_device(std::vector<int>(n));
  descend<<<4, 128>>>(tree, device_wanted, out, n);
  show("descend", out, n);

  std::vector<int> first(1), edges;
  for (int i = 0; i < nodes; ++i) {
    for (unsigned k = 0; k <= next_random() % 4; ++k)
      edges.push_back(static_cast<int>(next_random() % nodes));
    first.push_back(static_cast<int>(edges.size()));
  }
  int *device_first = on_device(first), *device_edges = on_device(edges);
  out = on_device(std::vector<int>(nodes));
  levels<<<1, kBlock>>>(device_first, device_edges, out, nodes);
  show("levels", out, nodes);

  std::vector<unsigned char> skewed(bytes);
  for (unsigned char& byte : skewed) {
    const unsigned value = next_random();
    byte = static_cast<unsigned char>(value * (next_random() & 3));
  }
  unsigned char* device_bytes = on_device(skewed);
  unsigned* bins = on_device(std::vector<unsigned>(256));
  histogram<<<8, 96>>>(device_bytes, bins, bytes);
  show("histogram", bins, 256);

  std::vector<int> small(scanned);
  for (int& value : small) value = static_cast<int>(next_random() % 9);
  int* device_small = on_device(small);
  out = on_device(std::vector<int>(scanned));
  auto* state = on_device(std::vector<unsigned long long>(20));
  unsigned* tickets = on_device(std::vector<unsigned>(1));
  look_back<<<20, kBlock>>>(device_small, out, scanned, state, tickets);
  show("look back", out, scanned);

  cudaFree(in), cudaFree(device_keys), cudaFree(device_values), cudaFree(device_wanted);
  cudaFree(tree), cudaFree(device_first), cudaFree(device_edges), cudaFree(device_bytes);
  cudaFree(device_small), cudaFree(state), cudaFree(tickets);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
