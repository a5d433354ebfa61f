// Every kind of memory and copy: device, pinned, mapped, managed, registered, stream-ordered, 2D
// and 3D.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                       \
  do {                                                                    \
    const cudaError_t e = (call);                                         \
    if (e != cudaSuccess) printf("%s: %s\n", #call, cudaGetErrorName(e)); \
  } while (0)

__global__ void add(int* x, int n, int v) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] += v;
}

__global__ void fill_pitched(char* base, size_t pitch, int width, int height) {
  for (int i = threadIdx.x; i < width * height; i += blockDim.x)
    *(base + (i / width) * pitch + i % width) = (char)(i % 100);
}

const char* kind(cudaMemoryType t) {
  switch (t) {
    case cudaMemoryTypeUnregistered:
      return "unregistered";
    case cudaMemoryTypeHost:
      return "host";
    case cudaMemoryTypeDevice:
      return "device";
    default:
      return "managed";
  }
}

void describe(const char* name, const void* p) {
  cudaPointerAttributes a;
  CHECK(cudaPointerGetAttributes(&a, p));
  printf("%s is %s, device %s, host %s\n", name, kind(a.type), a.devicePointer ? "yes" : "no",
         a.hostPointer ? "yes" : "no");
}

int main() {
  const int n = 100, bytes = n * sizeof(int);
  int *device, *pinned, *mapped, *view, *managed, *async, plain[n];
  CHECK(cudaMalloc(&device, bytes));
  CHECK(cudaMallocHost(&pinned, bytes));
  CHECK(cudaHostAlloc(&mapped, bytes, cudaHostAllocMapped | cudaHostAllocPortable));
  CHECK(cudaHostGetDevicePointer(&view, mapped, 0));
  CHECK(cudaMallocManaged(&managed, bytes));
  int* registered = (int*)aligned_alloc(4096, 4096);
  CHECK(cudaHostRegister(registered, 4096, cudaHostRegisterDefault));
  describe("device", device), describe("pinned", pinned), describe("mapped", mapped),
      describe("managed", managed);
  describe("inside", device + 50), describe("stack", plain), describe("registered", registered);

  for (int i = 0; i < n; ++i) pinned[i] = mapped[i] = managed[i] = registered[i] = i;
  CHECK(cudaMemcpy(device, pinned, bytes, cudaMemcpyDefault));
  add<<<1, 32>>>(device, n, 1);
  add<<<1, 32>>>(view, n, 2);
  add<<<1, 32>>>(managed, n, 3);
  add<<<1, 32>>>(pinned, n, 4);
  add<<<1, 32>>>(registered, n, 5);
  CHECK(cudaMemcpy(plain, device, bytes, cudaMemcpyDeviceToHost));
  printf("%d %d %d %d %d\n", plain[99], mapped[99], managed[99], pinned[99], registered[99]);

  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaMallocAsync(&async, bytes, stream));
  CHECK(cudaMemsetAsync(async, 0xff, bytes, stream));
  add<<<1, 32, 0, stream>>>(async, n, 10);
  CHECK(cudaMemcpyAsync(pinned, async, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(async, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("%d\n", pinned[50]);
  CHECK(cudaMemPrefetchAsync(managed, bytes, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0,
                             stream));
  CHECK(cudaMemAdvise(managed, bytes, cudaMemAdviseSetReadMostly,
                      cudaMemLocation{cudaMemLocationTypeDevice, 0}));
  CHECK(cudaStreamSynchronize(stream));

  char *pitched, square[20][30] = {}, part[5][7];
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, 30, 20));
  printf("pitch %zu\n", pitch);
  CHECK(cudaMemset2D(pitched, pitch, 1, 30, 20));
  fill_pitched<<<1, 64>>>(pitched, pitch, 30, 10);
  CHECK(cudaMemcpy2D(square, 30, pitched, pitch, 30, 20, cudaMemcpyDeviceToHost));
  printf("%d %d %d %d\n", square[0][29], square[9][29], square[10][0], square[19][29]);
  CHECK(cudaMemcpy2D(part, 7, pitched + 3 * pitch + 5, pitch, 7, 5, cudaMemcpyDeviceToHost));
  printf("%d %d\n", part[0][0], part[4][6]);

  cudaPitchedPtr box;
  const cudaExtent extent = make_cudaExtent(16, 4, 3);
  CHECK(cudaMalloc3D(&box, extent));
  CHECK(cudaMemset3D(box, 7, extent));
  char cube[3][4][16];
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(cube, 16, 16, 4);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  printf("%d %d\n", cube[0][0][0], cube[2][3][15]);

  CHECK(cudaMemset(device, 0x01, bytes));
  CHECK(cudaMemcpy(device + 10, device, 40, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(plain, device, bytes, cudaMemcpyDeviceToHost));
  printf("%x\n", plain[15]);
  unsigned flags = 99;
  CHECK(cudaHostGetFlags(&flags, mapped));
  printf("flags %u\n", flags & (cudaHostAllocMapped | cudaHostAllocPortable));
  CHECK(cudaHostUnregister(registered));
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFreeHost(mapped));
  CHECK(cudaFree(managed));
  CHECK(cudaFree(pitched));
  CHECK(cudaFree(box.ptr));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(nullptr));
  free(registered);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
