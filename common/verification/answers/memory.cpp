// Allocations, copies, fills, pools; what the runtime says of pointers.
#include <cstdlib>
#include <cstring>

#include "answers.h"

using namespace answers;

namespace {

char* beyond(void* pointer, std::size_t bytes) { return static_cast<char*>(pointer) + bytes; }

void describe(const void* pointer) {
  cudaPointerAttributes found = {};
  if (!ASK(cudaPointerGetAttributes(&found, pointer))) return;
  SHOW(static_cast<int>(found.type));
  SHOW(found.device);
  SHOW(found.devicePointer == nullptr ? "null" : found.devicePointer == pointer ? "same" : "other");
  SHOW(found.hostPointer == nullptr ? "null" : found.hostPointer == pointer ? "same" : "other");
}

}  // namespace

SUBJECT(allocation) {
  void* p = nullptr;
  std::size_t pitch = 0, free_bytes = 0, total = 0;
  ASK(cudaMalloc(&p, 0));
  SHOW(p);
  ASK(cudaMalloc(nullptr, 4));
  ASK(cudaMalloc(&p, std::size_t{1} << 45));
  ASK(cudaMalloc(&p, ~std::size_t{0}));
  ASK(cudaMalloc(&p, 100));
  SHOW(reinterpret_cast<std::size_t>(p) % 256);
  ASK(cudaFree(beyond(p, 4)));
  ASK(cudaFreeHost(p));
  ASK(cudaFree(p));
  ASK(cudaFree(p));
  ASK(cudaFree(nullptr));
  ASK(cudaFreeHost(nullptr));
  int on_stack = 0;
  ASK(cudaFree(&on_stack));
  ASK(cudaFreeHost(&on_stack));
  ASK(cudaMallocPitch(&p, &pitch, 100, 10));
  SHOW(pitch);
  ASK(cudaFree(p));
  ASK(cudaMallocPitch(&p, &pitch, 513, 10));
  SHOW(pitch);
  ASK(cudaFree(p));
  ASK(cudaMallocPitch(&p, &pitch, 0, 10));
  SHOW(p);
  SHOW(pitch);
  ASK(cudaMallocPitch(&p, &pitch, 10, 0));
  SHOW(p);
  ASK(cudaMallocPitch(nullptr, &pitch, 10, 1));
  ASK(cudaMallocPitch(&p, nullptr, 10, 1));
  ASK(cudaMallocPitch(&p, &pitch, std::size_t{1} << 40, std::size_t{1} << 20));
  cudaPitchedPtr volume = {};
  ASK(cudaMalloc3D(&volume, make_cudaExtent(100, 10, 3)));
  SHOW(volume.pitch);
  SHOW(volume.xsize);
  SHOW(volume.ysize);
  ASK(cudaFree(volume.ptr));
  ASK(cudaMalloc3D(&volume, make_cudaExtent(0, 10, 3)));
  SHOW(volume.ptr);
  ASK(cudaMalloc3D(nullptr, make_cudaExtent(1, 1, 1)));
  about("managed");
  ASK(cudaMallocManaged(&p, 100, cudaMemAttachGlobal));
  describe(p);
  ASK(cudaFreeHost(p));
  ASK(cudaFree(p));
  ASK(cudaMallocManaged(&p, 100, cudaMemAttachHost));
  ASK(cudaFree(p));
  ASK(cudaMallocManaged(&p, 100, cudaMemAttachSingle));
  ASK(cudaMallocManaged(&p, 100, 0));
  ASK(cudaMallocManaged(&p, 0, cudaMemAttachGlobal));
  ASK(cudaMallocManaged(nullptr, 4, cudaMemAttachGlobal));
  about("host");
  unsigned flags = 99;
  void* device = nullptr;
  ASK(cudaMallocHost(&p, 0));
  SHOW(p);
  ASK(cudaMallocHost(&p, 100));
  describe(p);
  ASK(cudaHostGetFlags(&flags, p));
  SHOW(flags);
  ASK(cudaHostGetFlags(&flags, beyond(p, 4)));
  ASK(cudaHostGetDevicePointer(&device, p, 0));
  SHOW(device == p);
  ASK(cudaHostGetDevicePointer(&device, beyond(p, 8), 0));
  SHOW(device == beyond(p, 8));
  ASK(cudaHostGetDevicePointer(&device, p, 1));
  ASK(cudaFree(p));
  ASK(cudaFreeHost(beyond(p, 4)));
  ASK(cudaFreeHost(p));
  ASK(cudaFreeHost(p));
  ASK(cudaHostAlloc(&p, 100, cudaHostAllocMapped));
  ASK(cudaHostGetFlags(&flags, p));
  SHOW(flags);
  describe(p);
  ASK(cudaFreeHost(p));
  ASK(cudaHostAlloc(&p, 100, cudaHostAllocPortable | cudaHostAllocWriteCombined));
  ASK(cudaHostGetFlags(&flags, p));
  SHOW(flags);
  ASK(cudaFreeHost(p));
  ASK(cudaHostAlloc(&p, 100, 64));
  ASK(cudaHostAlloc(nullptr, 100, 0));
  ASK(cudaMallocHost(nullptr, 100));
  about("registered");
  char* own = static_cast<char*>(std::aligned_alloc(4096, 16384));
  ASK(cudaHostRegister(own, 8192, cudaHostRegisterDefault));
  ASK(cudaHostRegister(own, 8192, cudaHostRegisterDefault));
  ASK(cudaHostRegister(own + 4096, 8192, cudaHostRegisterDefault));
  describe(own);
  ASK(cudaHostGetFlags(&flags, own));
  SHOW(flags);
  ASK(cudaHostGetDevicePointer(&device, own, 0));
  SHOW(device == own);
  ASK(cudaHostUnregister(own + 4));
  ASK(cudaHostUnregister(own));
  ASK(cudaHostUnregister(own));
  ASK(cudaHostUnregister(nullptr));
  ASK(cudaHostRegister(nullptr, 8192, 0));
  ASK(cudaHostRegister(own, 0, 0));
  ASK(cudaHostRegister(own, 100, 256));
  ASK(cudaHostRegister(own, 100, cudaHostRegisterMapped));
  ASK(cudaHostGetFlags(&flags, own));
  SHOW(flags);
  ASK(cudaHostUnregister(own));
  ASK(cudaHostRegister(own + 8, 100, cudaHostRegisterPortable));
  ASK(cudaHostUnregister(own + 8));
  describe(own);
  describe(nullptr);
  ASK(cudaPointerGetAttributes(nullptr, own));
  ASK(cudaHostGetDevicePointer(&device, own, 0));
  ASK(cudaHostGetFlags(&flags, own));
  p = device_bytes(100);
  describe(p);
  describe(beyond(p, 99));
  ASK(cudaHostGetFlags(&flags, p));
  ASK(cudaHostGetDevicePointer(&device, p, 0));
  ASK(cudaHostRegister(p, 100, 0));
  ASK(cudaMemGetInfo(&free_bytes, &total));
  SHOW(free_bytes < total);
  ASK(cudaMemGetInfo(nullptr, &total));
  ASK(cudaMemGetInfo(&free_bytes, nullptr));
  ASK(cudaMemGetInfo(nullptr, nullptr));
  ASK(cudaFree(p));
  describe(p);
}

SUBJECT(copies) {
  char *d = static_cast<char*>(device_bytes(1000)), *e = static_cast<char*>(device_bytes(1000));
  char host[1000] = {}, *pinned = nullptr, *managed = nullptr;
  cudaMallocHost(reinterpret_cast<void**>(&pinned), 1000);
  cudaMallocManaged(reinterpret_cast<void**>(&managed), 1000);
  const auto copy = [](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return cudaMemcpy(to, from, bytes, kind);
  };
  ASK(copy(d, host, 1000, cudaMemcpyHostToDevice));
  ASK(copy(host, d, 1000, cudaMemcpyDeviceToHost));
  ASK(copy(d, e, 1000, cudaMemcpyDeviceToDevice));
  ASK(copy(host, host, 1000, cudaMemcpyHostToHost));
  ASK(copy(d, host, 1000, cudaMemcpyDefault));
  ASK(copy(d, e, 1000, cudaMemcpyHostToDevice));
  ASK(copy(d, e, 1000, cudaMemcpyDeviceToHost));
  ASK(copy(d, host, 1000, cudaMemcpyDeviceToHost));
  ASK(copy(host, d, 1000, cudaMemcpyHostToDevice));
  ASK(copy(d, host, 1000, cudaMemcpyDeviceToDevice));
  ASK(copy(host, d, 1000, cudaMemcpyDeviceToDevice));
  ASK(copy(host, host + 500, 100, cudaMemcpyDeviceToDevice));
  ASK(copy(d, e, 1000, cudaMemcpyHostToHost));
  ASK(copy(host, host + 500, 100, cudaMemcpyHostToDevice));
  ASK(copy(pinned, d, 1000, cudaMemcpyHostToDevice));
  ASK(copy(d, pinned, 1000, cudaMemcpyDeviceToHost));
  ASK(copy(pinned, pinned + 500, 100, cudaMemcpyDeviceToDevice));
  ASK(copy(managed, host, 1000, cudaMemcpyHostToHost));
  ASK(copy(managed, host, 1000, cudaMemcpyHostToDevice));
  ASK(copy(d, managed, 1000, cudaMemcpyHostToDevice));
  ASK(copy(d, host, 0, cudaMemcpyDeviceToHost));
  ASK(copy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  ASK(copy(nullptr, host, 4, cudaMemcpyHostToDevice));
  ASK(copy(host, nullptr, 4, cudaMemcpyDeviceToHost));
  ASK(copy(d, host, 4, static_cast<cudaMemcpyKind>(9)));
  ASK(copy(d, host, 0, static_cast<cudaMemcpyKind>(9)));
  ASK(copy(d, d, 1000, cudaMemcpyDeviceToDevice));
  ASK(copy(beyond(d, 2u << 20), host, 4, cudaMemcpyHostToDevice));
  ASK(cudaMemcpyAsync(d, host, 4, static_cast<cudaMemcpyKind>(9), nullptr));
  ASK(cudaMemcpyAsync(d, host, 1000, cudaMemcpyHostToDevice, nullptr));
  ASK(cudaMemcpyPeer(d, 0, e, 0, 1000));
  ASK(cudaMemcpyPeer(d, 0, e, 9, 1000));
  ASK(cudaMemcpyPeerAsync(d, 0, e, 0, 1000, nullptr));
  about("rows");
  ASK(cudaMemcpy2D(d, 100, host, 50, 50, 10, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy2D(d, 40, host, 50, 50, 10, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy2D(d, 100, host, 40, 50, 10, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy2D(d, 100, host, 40, 0, 10, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy2D(d, 0, host, 0, 50, 1, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy2D(d, 100, host, 50, 50, 0, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy2D(nullptr, 100, host, 50, 50, 10, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy2D(d, 100, host, 50, 50, 10, static_cast<cudaMemcpyKind>(9)));
  ASK(cudaMemcpy2D(d, 100, host, 50, 50, 10, cudaMemcpyDeviceToDevice));
  ASK(cudaMemcpy2D(d, std::size_t{1} << 32, host, 50, 50, 2, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy2D(d, 100, host, 50, 50, 100000, cudaMemcpyHostToDevice));
  ASK(cudaMemcpy2DAsync(d, 100, host, 50, 50, 10, cudaMemcpyHostToDevice, nullptr));
  about("volumes");
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(host, 10, 10, 10);
  p.dstPtr = make_cudaPitchedPtr(d, 10, 10, 10);
  p.extent = make_cudaExtent(10, 10, 10);
  p.kind = cudaMemcpyHostToDevice;
  ASK(cudaMemcpy3D(&p));
  ASK(cudaMemcpy3DAsync(&p, nullptr));
  ASK(cudaMemcpy3D(nullptr));
  p.srcPos = make_cudaPos(5, 5, 5);
  p.extent = make_cudaExtent(5, 5, 5);
  ASK(cudaMemcpy3D(&p));
  p.srcPos = make_cudaPos(6, 5, 5);
  ASK(cudaMemcpy3D(&p));
  p.srcPos = make_cudaPos(0, 0, 0);
  p.extent = make_cudaExtent(0, 5, 5);
  ASK(cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(5, 5, 5);
  p.kind = cudaMemcpyDeviceToDevice;
  ASK(cudaMemcpy3D(&p));
  p.kind = static_cast<cudaMemcpyKind>(9);
  ASK(cudaMemcpy3D(&p));
  p.kind = cudaMemcpyHostToDevice;
  p.srcPtr.pitch = 4;
  ASK(cudaMemcpy3D(&p));
  p.srcPtr = make_cudaPitchedPtr(nullptr, 10, 10, 10);
  ASK(cudaMemcpy3D(&p));
  p = {};
  ASK(cudaMemcpy3D(&p));
  about("fills");
  ASK(cudaMemset(d, 1, 1000));
  ASK(cudaMemset(d, 1, 0));
  ASK(cudaMemset(nullptr, 1, 0));
  ASK(cudaMemset(nullptr, 1, 4));
  ASK(cudaMemset(host, 1, 4));
  ASK(cudaMemset(pinned, 1, 1000));
  ASK(cudaMemset(managed, 1, 1000));
  ASK(cudaMemset(d, 1, std::size_t{1} << 36));
  ASK(cudaMemset2D(d, 100, 1, 50, 10));
  ASK(cudaMemset2D(d, 40, 1, 50, 10));
  ASK(cudaMemset2D(d, 40, 1, 50, 1));
  ASK(cudaMemset2D(d, 100, 1, 0, 10));
  ASK(cudaMemset2D(nullptr, 100, 1, 50, 10));
  ASK(cudaMemset3D(make_cudaPitchedPtr(d, 10, 10, 10), 1, make_cudaExtent(10, 10, 10)));
  ASK(cudaMemset3D(make_cudaPitchedPtr(d, 10, 10, 10), 1, make_cudaExtent(0, 10, 10)));
  ASK(cudaMemset3D(make_cudaPitchedPtr(d, 4, 10, 10), 1, make_cudaExtent(10, 10, 10)));
  ASK(cudaMemset3D(make_cudaPitchedPtr(nullptr, 10, 10, 10), 1, make_cudaExtent(10, 10, 10)));
  ASK(cudaMemset3DAsync(make_cudaPitchedPtr(d, 10, 10, 10), 1, make_cudaExtent(5, 5, 5), nullptr));
  about("batches");
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  void* to[] = {d, e};
  const void* from[] = {host, pinned};
  std::size_t bytes[] = {1000, 500}, first[] = {0};
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  const auto batch = [&](std::size_t count, std::size_t attribute_count, cudaStream_t where) {
    return cudaMemcpyBatchAsync(to, from, bytes, count, &attributes, first, attribute_count, where);
  };
  ASK(batch(2, 1, stream));
  ASK(batch(0, 1, stream));
  ASK(batch(2, 0, stream));
  ASK(batch(2, 1, nullptr));
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  ASK(batch(2, 1, stream));
  ASK(cudaStreamSynchronize(stream));
  ASK(cudaFree(e));
  ASK(cudaFree(d));
  ASK(copy(d, host, 4, cudaMemcpyHostToDevice));
  ASK(copy(host, d, 4, cudaMemcpyDeviceToHost));
  ASK(cudaMemset(d, 0, 4));
  ASK(cudaDeviceSynchronize());
}

SUBJECT(host_flags) {
  // One after the other, small ones first: they may share pages.
  for (const std::size_t bytes : {std::size_t{64}, std::size_t{4} << 20}) {
    for (unsigned flags = 0; flags < 8; ++flags) {
      void* p = nullptr;
      unsigned told = 99;
      cudaHostAlloc(&p, bytes, flags);
      cudaHostGetFlags(&told, p);
      std::printf("cudaHostAlloc of %zu, flags %u -> %u\n", bytes, flags, told);
    }
  }
  void* managed = nullptr;
  unsigned of_managed = 99;
  cudaMallocManaged(&managed, 64);
  ASK(cudaHostGetFlags(&of_managed, managed));
  SHOW(of_managed);
  char* own = static_cast<char*>(std::aligned_alloc(4096, 4096));
  for (unsigned flags = 0; flags < 16; ++flags) {
    unsigned told = 99;
    const cudaError_t error = cudaHostRegister(own, 4096, flags);
    if (error == cudaSuccess) cudaHostGetFlags(&told, own);
    std::printf("cudaHostRegister, flags %u -> %s %u\n", flags, cudaGetErrorName(error), told);
    if (error == cudaSuccess) cudaHostUnregister(own);
  }
  std::free(own);
}
