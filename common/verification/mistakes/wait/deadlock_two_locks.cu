// Two blocks take two locks in opposite order and wait for each other.
__device__ int locks[2], arrived;

__global__ void cross(int* out) {
  const int mine = blockIdx.x;
  while (atomicCAS(&locks[mine], 0, 1) != 0) {
  }
  atomicAdd(&arrived, 1);
  while (atomicAdd(&arrived, 0) < 2) {
  }
  while (atomicCAS(&locks[1 - mine], 0, 1) != 0) {  // expect: deadlock
  }
  out[mine] = 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 8);
  cross<<<2, 1>>>(out);
  cudaDeviceSynchronize();
}
