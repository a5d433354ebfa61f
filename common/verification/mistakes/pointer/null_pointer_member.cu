// A list whose end is not looked for.
#include <cstdio>

struct Node {
  int value;
  Node* next;
};

__global__ void third(Node* list, int* out) {
  *out = list->next->next->value;  // expect: null-pointer
}

int main() {
  Node *nodes, host[2];
  int* out;
  cudaMalloc(&nodes, sizeof host);
  cudaMalloc(&out, sizeof(int));
  host[0] = {1, nodes + 1};
  host[1] = {2, nullptr};
  cudaMemcpy(nodes, host, sizeof host, cudaMemcpyHostToDevice);
  third<<<1, 1>>>(nodes, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
