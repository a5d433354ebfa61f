// The host passes the name of a device variable to a kernel: that is an address of the host's. The
// address that cudaGetSymbolAddress gives is right.
__device__ int table[256];

__global__ void fill(int* x) {
  x[threadIdx.x] = 1;  // expect: host-pointer
}

int main() {
  void* address;
  cudaGetSymbolAddress(&address, table);
  fill<<<1, 256>>>(static_cast<int*>(address));
  fill<<<1, 256>>>(table);
  cudaDeviceSynchronize();
}
