// The first block leaves a pointer to its shared memory in global memory, and the second follows it
// once a flag says that it is there: it finds its own shared memory at that address.
__device__ int* tile_of_first;
__device__ volatile int is_there;

__global__ void follow(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = 100 * (blockIdx.x + 1) + threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    tile_of_first = tile;
    __threadfence();
    is_there = 1;
  }
  if (blockIdx.x == 0) return;
  if (threadIdx.x == 0) {
    while (!is_there) {
    }
    __threadfence();
  }
  __syncthreads();
  out[threadIdx.x] = tile_of_first[threadIdx.x];  // expect: out-of-bounds
}

// Right: each block has a place for its own pointer.
__device__ int* tile_of[2];

__global__ void own(int* out, int** last) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) tile_of[blockIdx.x] = tile;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = tile_of[blockIdx.x][31 - threadIdx.x];
  if (threadIdx.x == 0) atomicExch(reinterpret_cast<unsigned long long*>(last), 1ull);
}

int main() {
  int *out, **last;
  cudaMalloc(&out, 256);
  cudaMalloc(&last, 8);
  cudaMemset(last, 0, 8);
  own<<<2, 32>>>(out, last);
  follow<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(last);
}
