// A kernel writes an array and reads its neighbours' words through a texture, after a barrier: the
// texture's cache sees no stores of the launch.

__global__ void smooth(int* x, cudaTextureObject_t texture, int* out) {
  x[threadIdx.x] = 3 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tex1Dfetch<int>(texture, (threadIdx.x + 1) % 64);  // expect: race
}

__global__ void neighbours(cudaSurfaceObject_t surface, int* out) {
  surf1Dwrite(static_cast<int>(threadIdx.x), surface, threadIdx.x * sizeof(int));
  int next;
  surf1Dread(&next, surface, (threadIdx.x + 1) % 64 * sizeof(int));  // expect: race
  out[threadIdx.x] = next;
}

// Right: what the launch before has written; other memory than the texture's; what a thread reads
// before it writes there.
__global__ void fill(int* x) { x[threadIdx.x] = 3 * threadIdx.x; }

__global__ void shift(cudaTextureObject_t texture, int* out) {
  for (int round = 0; round < 3; ++round)
    out[threadIdx.x] = tex1Dfetch<int>(texture, (threadIdx.x + round) % 64);
}

__global__ void add_one(cudaSurfaceObject_t surface) {
  int own;
  surf1Dread(&own, surface, threadIdx.x * sizeof(int));
  surf1Dwrite(own + 1, surface, threadIdx.x * sizeof(int));
}

int main() {
  int *x, *out;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = x;
  linear.res.linear.desc = cudaCreateChannelDesc<int>();
  linear.res.linear.sizeInBytes = 64 * sizeof(int);
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &linear, &how, nullptr);
  cudaArray_t array;
  const cudaChannelFormatDesc integers = cudaCreateChannelDesc<int>();
  cudaMallocArray(&array, &integers, 64, 0, cudaArraySurfaceLoadStore);
  const int zeros[64] = {};
  cudaMemcpy2DToArray(array, 0, 0, zeros, sizeof zeros, sizeof zeros, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc of_array = {};
  of_array.resType = cudaResourceTypeArray;
  of_array.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &of_array);
  fill<<<1, 64>>>(x);
  shift<<<1, 64>>>(texture, out);
  add_one<<<1, 64>>>(surface);
  add_one<<<1, 64>>>(surface);
  smooth<<<1, 64>>>(x, texture, out);
  neighbours<<<1, 64>>>(surface, out);
  cudaDeviceSynchronize();
  cudaDestroySurfaceObject(surface);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  cudaFree(out);
  cudaFree(x);
}
