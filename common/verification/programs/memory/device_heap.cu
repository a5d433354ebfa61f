// malloc, free, new and delete in kernels; device-side memcpy and memset; strings.
#include <cstdio>

struct Node {
  int key;
  Node *left, *right;
  __device__ explicit Node(int k) : key(k), left(nullptr), right(nullptr) {}
};

__device__ void insert(Node** root, int key) {
  while (*root) {
    if (key == (*root)->key) return;
    root = key < (*root)->key ? &(*root)->left : &(*root)->right;
  }
  *root = new Node(key);
}

// Depth first without recursion, freeing every node as it is left.
__device__ int drain(Node* root, int* out) {
  Node* stack[64];
  int top = 0, n = 0;
  Node* at = root;
  while (at || top) {
    while (at) {
      stack[top++] = at;
      at = at->left;
    }
    at = stack[--top];
    out[n++] = at->key;
    Node* next = at->right;
    delete at;
    at = next;
  }
  return n;
}

__global__ void trees(int* out, int* sizes) {
  const int t = threadIdx.x;
  Node* root = nullptr;
  for (unsigned i = 0, s = t + 1; i < 40; ++i) insert(&root, (int)((s = s * 75 % 65537) % 100));
  sizes[t] = drain(root, out + t * 40);
}

__global__ void blocks(int* out) {
  __shared__ int* data;
  const int t = threadIdx.x;
  if (t == 0) data = (int*)malloc(blockDim.x * sizeof(int));
  __syncthreads();
  if (!data) return;
  data[t] = t * t;
  __syncthreads();
  out[t] = data[blockDim.x - 1 - t];
  __syncthreads();
  if (t == 0) free(data);
}

__global__ void bytes(char* out) {
  if (threadIdx.x) return;
  char* a = (char*)malloc(100);
  memset(a, 'x', 100);
  memcpy(a + 3, "copied bytes", 12);
  memcpy(a + 50, a + 1, 33);
  struct Odd {
    char c[7];
  } o;
  memcpy(&o, a + 4, sizeof o);
  *(Odd*)(a + 91) = o;
  memcpy(out, a, 100);
  free(a);
  out[100] = ((size_t)malloc((size_t)1 << 40) == 0) + '0';
  int* many = new int[10]();
  int sum = 0;
  for (int i = 0; i < 10; ++i) sum += many[i];
  out[101] = (char)('0' + sum);
  delete[] many;
}

int main() {
  int *out, *sizes, host[32 * 40], counts[32];
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&sizes, sizeof counts);
  cudaMemset(out, 0, sizeof host);
  trees<<<1, 32>>>(out, sizes);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(counts, sizes, sizeof counts, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; t += 10) {
    for (int i = 0; i < counts[t]; ++i) printf("%d ", host[t * 40 + i]);
    printf("\n");
  }
  blocks<<<4, 64>>>(out);
  cudaMemcpy(host, out, 256, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[63]);
  char text[103] = {}, *d_text;
  cudaMalloc(&d_text, 102);
  bytes<<<1, 32>>>(d_text);
  printf("%s ", cudaGetErrorName(cudaMemcpy(text, d_text, 102, cudaMemcpyDeviceToHost)));
  printf("%s\n", text);
  cudaFree(out), cudaFree(sizes), cudaFree(d_text);
}
