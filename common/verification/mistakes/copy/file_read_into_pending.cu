// The next batch is read from a file into the pinned memory of which a kernel still reads the last
// one. The half that no kernel uses may be read and written meanwhile, by every function.
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

constexpr int half = 1 << 16;  // integers
constexpr size_t bytes = half * sizeof(int);

__global__ void sum(const int* x, int n, unsigned* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, unsigned(x[i]));
}

void must(bool right, int line) {
  if (right) return;
  printf("line %d\n", line);
  exit(1);
}

int main() {
  FILE* file = tmpfile();
  int* batches;
  unsigned *total, result = 0;
  cudaMallocHost(&batches, 2 * bytes);
  cudaMalloc(&total, sizeof *total);
  cudaMemset(total, 0, sizeof *total);
  for (int i = 0; i < half; ++i) batches[i] = 3 * i;
  sum<<<half / 256, 256>>>(batches, half, total);

  // All of it may be read: a kernel that only reads does the same.
  must(write(fileno(file), batches, 2 * bytes) == 2 * bytes, __LINE__);
  must(fwrite(batches, sizeof(int), half, file) == half && fflush(file) == 0, __LINE__);
  // The other half is free, for what is really read: the file ends before the buffer.
  must(pread(fileno(file), batches + half, bytes, 0) == bytes, __LINE__);
  const iovec pieces[2] = {{batches + half, bytes / 2}, {batches + half + half / 2, bytes / 2}};
  must(preadv(fileno(file), pieces, 2, 2 * bytes) == bytes, __LINE__);
  must(batches[half + 100] == 300 && batches[2 * half - 1] == 3 * (half - 1), __LINE__);
  rewind(file);
  must(fread(batches + half, sizeof(int), half, file) == half, __LINE__);
  must(pread(fileno(file), batches, bytes, 3 * bytes) == 0, __LINE__);

  must(pread(fileno(file), batches, bytes, bytes) == bytes, __LINE__);  // expect: missing-sync
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  printf("%u\n", result);
}
