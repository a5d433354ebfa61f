// Many copies in one call: cudaMemcpyBatchAsync, cudaMemPrefetchBatchAsync,
// cudaMemDiscardBatchAsync.
#include <cstdio>
#include <numeric>
#include <vector>
#define SHOW(x) printf("%s -> %s\n", #x, cudaGetErrorName(x))
__global__ void negate(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = -p[i];
}
int main() {
  const int n = 1000;
  cudaStream_t s;
  cudaStreamCreate(&s);
  int *a, *b, *h;
  cudaMalloc(&a, n * 4);
  cudaMalloc(&b, n * 4);
  cudaMallocHost(&h, n * 4);
  std::iota(h, h + n, 1);
  {
    const void* sources[] = {h, h + 500, h + 100};
    void* targets[] = {a, a + 500, b};
    size_t sizes[] = {2000, 2000, 400};
    cudaMemcpyAttributes attribute = {};
    attribute.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    size_t at = 0;
    SHOW(cudaMemcpyBatchAsync(targets, sources, sizes, 3, &attribute, &at, 1, s));
    negate<<<4, 256, 0, s>>>(a, n);
    const void* back_from[] = {a, b};
    void* back_to[] = {h, h + 900};
    size_t back_sizes[] = {3600, 400};
    cudaMemcpyAttributes two[2] = {attribute, attribute};
    two[1].srcAccessOrder = cudaMemcpySrcAccessOrderAny;
    size_t starts[] = {0, 1};
    SHOW(cudaMemcpyBatchAsync(back_to, back_from, back_sizes, 2, two, starts, 2, s));
    SHOW(cudaStreamSynchronize(s));
    printf("%d %d %d %d\n", h[0], h[899], h[900], h[999]);
    // refused
    SHOW(cudaMemcpyBatchAsync(targets, sources, sizes, 3, &attribute, &at, 1, 0));
    size_t wrong_start[] = {1};
    SHOW(cudaMemcpyBatchAsync(targets, sources, sizes, 3, &attribute, wrong_start, 1, s));
    SHOW(cudaMemcpyBatchAsync(targets, sources, sizes, 3, &attribute, &at, 0, s));
    SHOW(cudaMemcpyBatchAsync(targets, sources, sizes, 0, &attribute, &at, 1, s));
    printf("last %s\n", cudaGetErrorName(cudaGetLastError()));
  }
  int *m, *k;
  cudaMallocManaged(&m, n * 4);
  cudaMallocManaged(&k, n * 4);
  for (int i = 0; i < n; ++i) m[i] = k[i] = i;
  void* ranges[] = {m, k};
  size_t range_sizes[] = {n * 4, n * 4};
  cudaMemLocation device = {};
  device.type = cudaMemLocationTypeDevice;
  size_t index = 0;
  SHOW(cudaMemPrefetchBatchAsync(ranges, range_sizes, 2, &device, &index, 1, 0, s));
  negate<<<4, 256, 0, s>>>(m, n);
  SHOW(cudaStreamSynchronize(s));
  printf("%d %d\n", m[999], k[999]);
  SHOW(cudaMemDiscardBatchAsync(ranges + 1, range_sizes + 1, 1, 0, s));
  SHOW(cudaStreamSynchronize(s));
  for (int i = 0; i < n; ++i) k[i] = 3;
  negate<<<4, 256, 0, s>>>(k, n);
  SHOW(cudaStreamSynchronize(s));
  printf("%d\n", k[5]);
  SHOW(cudaMemDiscardAndPrefetchBatchAsync(ranges + 1, range_sizes + 1, 1, &device, &index, 1, 0,
                                           s));
  SHOW(cudaMemsetAsync(k, 0, n * 4, s));
  SHOW(cudaStreamSynchronize(s));
  printf("%d\n", k[5]);
  // three dimensions at once
  cudaMemcpy3DBatchOp ops[2] = {};
  for (int i = 0; i < 2; ++i) {
    ops[i].src.type = cudaMemcpyOperandTypePointer;
    ops[i].src.op.ptr.ptr = i ? a : b;
    ops[i].src.op.ptr.rowLength = 40;
    ops[i].src.op.ptr.layerHeight = 5;
    ops[i].src.op.ptr.locHint = device;
    ops[i].dst.type = cudaMemcpyOperandTypePointer;
    ops[i].dst.op.ptr.ptr = h + i * 500;
    ops[i].dst.op.ptr.locHint.type = cudaMemLocationTypeHost;
    ops[i].extent = make_cudaExtent(40, 2, 1);
    ops[i].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  }
  SHOW(cudaMemset(a, 1, n * 4));
  SHOW(cudaMemset(b, 2, n * 4));
  SHOW(cudaMemcpy3DBatchAsync(2, ops, 0, s));
  SHOW(cudaStreamSynchronize(s));
  printf("%x %x\n", h[0], h[500]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(m);
  cudaFree(k);
  cudaFreeHost(h);
  cudaStreamDestroy(s);
}
