// Conditional nodes: if, if-else, while and switch, the handle set by kernels.
#include <cstdio>
#define CHECK(x)                                                                              \
  do {                                                                                        \
    cudaError_t e_ = (x);                                                                     \
    if (e_ != cudaSuccess) printf("line %d: %s -> %s\n", __LINE__, #x, cudaGetErrorName(e_)); \
  } while (0)
__global__ void decide(cudaGraphConditionalHandle h, const int* x, int limit) {
  cudaGraphSetConditional(h, *x > limit);
}
__global__ void count_down(cudaGraphConditionalHandle h, int* x, int* rounds) {
  --*x;
  ++*rounds;
  cudaGraphSetConditional(h, *x > 0);
}
__global__ void choose(cudaGraphConditionalHandle h, int which) {
  cudaGraphSetConditional(h, which);
}
__global__ void add(int* p, int v) { *p += v; }
static cudaGraphNode_t kernel_node(cudaGraph_t g, cudaGraphNode_t* after, void* f, void** args) {
  cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
  p.kernel.func = f;
  p.kernel.gridDim = dim3(1);
  p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = args;
  cudaGraphNode_t n = nullptr;
  CHECK(cudaGraphAddNode(&n, g, after, nullptr, after ? 1 : 0, &p));
  return n;
}
int main() {
  int *x, *out;
  CHECK(cudaMallocManaged(&x, 4));
  CHECK(cudaMallocManaged(&out, 4));
  *x = 5;
  *out = 0;
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  {  // if and else
    cudaGraph_t g;
    CHECK(cudaGraphCreate(&g, 0));
    cudaGraphConditionalHandle h;
    CHECK(cudaGraphConditionalHandleCreate(&h, g, 0, 0));
    int limit = 3;
    void* args[] = {&h, &x, &limit};
    cudaGraphNode_t d = kernel_node(g, nullptr, (void*)decide, args);
    cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
    c.conditional.handle = h;
    c.conditional.type = cudaGraphCondTypeIf;
    c.conditional.size = 2;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddNode(&node, g, &d, nullptr, 1, &c));
    int one = 1, hundred = 100;
    void *yes[] = {&out, &one}, *no[] = {&out, &hundred};
    kernel_node(c.conditional.phGraph_out[0], nullptr, (void*)add, yes);
    kernel_node(c.conditional.phGraph_out[1], nullptr, (void*)add, no);
    cudaGraphExec_t e;
    CHECK(cudaGraphInstantiate(&e, g, 0));
    for (int v : {5, 2, 9, 0}) {
      *x = v;
      CHECK(cudaGraphLaunch(e, s));
      CHECK(cudaStreamSynchronize(s));
      printf("x %d out %d\n", v, *out);
    }
    CHECK(cudaGraphExecDestroy(e));
    CHECK(cudaGraphDestroy(g));
  }
  {  // while
    cudaGraph_t g;
    CHECK(cudaGraphCreate(&g, 0));
    cudaGraphConditionalHandle h;
    CHECK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
    c.conditional.handle = h;
    c.conditional.type = cudaGraphCondTypeWhile;
    c.conditional.size = 1;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &c));
    void* args[] = {&h, &x, &out};
    kernel_node(c.conditional.phGraph_out[0], nullptr, (void*)count_down, args);
    cudaGraphExec_t e;
    CHECK(cudaGraphInstantiate(&e, g, 0));
    for (int v : {7, 1, 20}) {
      *x = v;
      *out = 0;
      CHECK(cudaGraphLaunch(e, s));
      CHECK(cudaStreamSynchronize(s));
      printf("from %d: rounds %d, x %d\n", v, *out, *x);
    }
    CHECK(cudaGraphExecDestroy(e));
    CHECK(cudaGraphDestroy(g));
  }
  {  // switch
    for (int which = 0; which < 4; ++which) {
      cudaGraph_t g;
      CHECK(cudaGraphCreate(&g, 0));
      cudaGraphConditionalHandle h;
      CHECK(cudaGraphConditionalHandleCreate(&h, g));
      void* args[] = {&h, &which};
      cudaGraphNode_t d = kernel_node(g, nullptr, (void*)choose, args);
      cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
      c.conditional.handle = h;
      c.conditional.type = cudaGraphCondTypeSwitch;
      c.conditional.size = 3;
      cudaGraphNode_t node;
      CHECK(cudaGraphAddNode(&node, g, &d, nullptr, 1, &c));
      for (int i = 0; i < 3; ++i) {
        int v = (i + 1) * 10;
        void* a[] = {&out, &v};
        kernel_node(c.conditional.phGraph_out[i], nullptr, (void*)add, a);
      }
      cudaGraphExec_t e;
      CHECK(cudaGraphInstantiate(&e, g, 0));
      *out = 0;
      CHECK(cudaGraphLaunch(e, s));
      CHECK(cudaStreamSynchronize(s));
      printf("switch %d: %d\n", which, *out);
      CHECK(cudaGraphExecDestroy(e));
      CHECK(cudaGraphDestroy(g));
    }
  }
  CHECK(cudaFree(x));
  CHECK(cudaFree(out));
  CHECK(cudaStreamDestroy(s));
}
