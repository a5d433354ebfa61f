// Arrays: how they are made, what is copied into and out of them, and the answers about them.
#include <initializer_list>

#include "answers.h"

using namespace answers;

namespace {

const cudaChannelFormatDesc ints = {32, 0, 0, 0, cudaChannelFormatKindSigned};
const cudaChannelFormatDesc floats4 = {32, 32, 32, 32, cudaChannelFormatKindFloat};

void describe_array(cudaArray_t array) {
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned flags = 77;
  if (!ASK(cudaArrayGetInfo(&format, &extent, &flags, array))) return;
  SHOW(format.x);
  SHOW(format.y);
  SHOW(static_cast<int>(format.f));
  SHOW(static_cast<long long>(extent.width));
  SHOW(static_cast<long long>(extent.height));
  SHOW(static_cast<long long>(extent.depth));
  SHOW(static_cast<int>(flags));
}

cudaError_t make_3d(cudaArray_t* array, std::size_t width, std::size_t height, std::size_t depth,
                    unsigned flags) {
  return cudaMalloc3DArray(array, &ints, make_cudaExtent(width, height, depth), flags);
}

cudaError_t copy_3d(cudaArray_t from, void* to, std::size_t pitch, cudaExtent extent, cudaPos at,
                    cudaMemcpyKind kind) {
  cudaMemcpy3DParms p = {};
  p.srcArray = from;
  p.srcPos = at;
  p.dstPtr = make_cudaPitchedPtr(to, pitch, pitch, extent.height);
  p.extent = extent;
  p.kind = kind;
  return cudaMemcpy3D(&p);
}

}  // namespace

SUBJECT(arrays_made) {
  cudaArray_t a = nullptr;
  ASK(cudaMallocArray(&a, &ints, 64, 0, cudaArrayDefault));
  describe_array(a);
  ASK(cudaFreeArray(a));
  ASK(cudaFreeArray(nullptr));
  ASK(cudaMallocArray(&a, &floats4, 64, 8, cudaArraySurfaceLoadStore));
  describe_array(a);
  ASK(cudaFreeArray(a));
  ASK(cudaMallocArray(&a, &ints, 0, 0, 0));
  ASK(cudaMallocArray(&a, &ints, 0, 4, 0));
  ASK(cudaMallocArray(nullptr, &ints, 64, 4, 0));
  ASK(cudaMallocArray(&a, nullptr, 64, 4, 0));
  ASK(cudaMallocArray(&a, &ints, 64, 4, 0x4000));
  ASK(cudaMallocArray(&a, &ints, 131073, 0, 0));
  ASK(cudaMallocArray(&a, &ints, 131073, 2, 0));
  ASK(cudaMallocArray(&a, &ints, 2, 65537, 0));
  ASK(cudaMallocArray(&a, &ints, 2, 65536, 0));
  ASK(cudaFreeArray(a));
  ASK(cudaMallocArray(&a, &ints, 64, 64, cudaArrayTextureGather));
  ASK(cudaFreeArray(a));
  ASK(cudaMallocArray(&a, &ints, 64, 0, cudaArrayTextureGather));
  ASK(cudaMallocArray(&a, &ints, 64, 64, cudaArrayCubemap));
  ASK(cudaMallocArray(&a, &ints, 64, 64, cudaArrayLayered));
  for (const cudaChannelFormatDesc& wrong : std::initializer_list<cudaChannelFormatDesc>{
           {0, 0, 0, 0, cudaChannelFormatKindSigned},
           {32, 32, 32, 0, cudaChannelFormatKindFloat},
           {12, 0, 0, 0, cudaChannelFormatKindSigned},
           {64, 0, 0, 0, cudaChannelFormatKindSigned},
           {8, 16, 0, 0, cudaChannelFormatKindUnsigned},
           {8, 0, 0, 0, cudaChannelFormatKindFloat},
           {16, 16, 0, 0, cudaChannelFormatKindFloat},
           {0, 32, 0, 0, cudaChannelFormatKindSigned},
           {32, 0, 32, 0, cudaChannelFormatKindSigned},
           {32, 0, 0, 0, cudaChannelFormatKindNone},
           {32, 0, 0, 0, static_cast<cudaChannelFormatKind>(99)}}) {
    if (ASK(cudaMallocArray(&a, &wrong, 16, 0, 0))) cudaFreeArray(a);
  }
  about("with three dimensions");
  ASK(make_3d(&a, 16, 8, 4, 0));
  describe_array(a);
  ASK(cudaFreeArray(a));
  ASK(make_3d(&a, 16, 0, 4, 0));
  ASK(make_3d(&a, 16, 0, 4, cudaArrayLayered));
  describe_array(a);
  ASK(cudaFreeArray(a));
  ASK(make_3d(&a, 16, 16, 6, cudaArrayCubemap));
  describe_array(a);
  ASK(cudaFreeArray(a));
  ASK(make_3d(&a, 16, 16, 5, cudaArrayCubemap));
  ASK(make_3d(&a, 16, 8, 6, cudaArrayCubemap));
  ASK(make_3d(&a, 16, 16, 12, cudaArrayCubemap | cudaArrayLayered));
  ASK(cudaFreeArray(a));
  ASK(make_3d(&a, 16, 16, 13, cudaArrayCubemap | cudaArrayLayered));
  ASK(make_3d(&a, 16385, 2, 2, 0));
  ASK(make_3d(&a, 16, 16, 2049, cudaArrayLayered));
  ASK(make_3d(&a, 0, 0, 0, 0));
  ASK(make_3d(&a, 16, 8, 0, 0));
  ASK(cudaFreeArray(a));
  about("with levels");
  cudaMipmappedArray_t m = nullptr;
  ASK(cudaMallocMipmappedArray(&m, &ints, make_cudaExtent(16, 16, 0), 3, 0));
  ASK(cudaGetMipmappedArrayLevel(&a, m, 0));
  describe_array(a);
  ASK(cudaGetMipmappedArrayLevel(&a, m, 2));
  describe_array(a);
  ASK(cudaGetMipmappedArrayLevel(&a, m, 3));
  ASK(cudaFreeMipmappedArray(m));
  ASK(cudaFreeMipmappedArray(nullptr));
  ASK(cudaMallocMipmappedArray(&m, &ints, make_cudaExtent(16, 16, 0), 0, 0));
  ASK(cudaMallocMipmappedArray(&m, &ints, make_cudaExtent(16, 16, 0), 99, 0));
  ASK(cudaGetMipmappedArrayLevel(&a, m, 5));
  ASK(cudaFreeMipmappedArray(m));
  about("what is said of them");
  cudaMallocArray(&a, &ints, 64, 4, 0);
  cudaArrayMemoryRequirements needs = {};
  cudaArraySparseProperties sparse = {};
  cudaArray_t plane = nullptr;
  ASK(cudaArrayGetInfo(nullptr, nullptr, nullptr, a));
  ASK(cudaGetChannelDesc(nullptr, a));
  ASK(cudaArrayGetMemoryRequirements(&needs, a, 0));
  ASK(cudaArrayGetMemoryRequirements(&needs, a, 9));
  ASK(cudaArrayGetSparseProperties(&sparse, a));
  ASK(cudaArrayGetPlane(&plane, a, 0));
  cudaFreeArray(a);
}

SUBJECT(arrays_copied) {
  static char host[65536], back[65536];
  for (int i = 0; i < 65536; ++i) host[i] = static_cast<char>(i * 7);
  cudaArray_t a = nullptr, b = nullptr, line = nullptr, room = nullptr;
  char* d = nullptr;
  cudaMalloc(&d, 65536);
  cudaMallocArray(&a, &ints, 32, 8, 0);
  cudaMallocArray(&b, &ints, 16, 4, 0);
  cudaMallocArray(&line, &ints, 32, 0, 0);
  cudaMalloc3DArray(&room, &ints, make_cudaExtent(8, 4, 2), 0);
  const auto in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  about("into and out of an array of 128 bytes by 8");
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 128, 128, 8, in));
  ASK(cudaMemcpy2DFromArray(back, 128, a, 0, 0, 128, 8, out));
  SHOW(back[200] == host[200]);
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 128, 128, 9, in));
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 128, 132, 1, in));
  ASK(cudaMemcpy2DToArray(a, 64, 0, host, 128, 64, 8, in));
  ASK(cudaMemcpy2DToArray(a, 64, 0, host, 128, 68, 8, in));
  ASK(cudaMemcpy2DToArray(a, 0, 7, host, 128, 128, 1, in));
  ASK(cudaMemcpy2DToArray(a, 0, 8, host, 128, 128, 1, in));
  ASK(cudaMemcpy2DToArray(a, 2, 0, host, 128, 64, 1, in));
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 128, 6, 1, in));
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 64, 128, 8, in));
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 128, 0, 8, in));
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 128, 128, 0, in));
  ASK(cudaMemcpy2DToArray(a, 0, 0, nullptr, 128, 128, 8, in));
  ASK(cudaMemcpy2DToArray(nullptr, 0, 0, host, 128, 128, 8, in));
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 128, 128, 8, out));
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 128, 128, 8, cudaMemcpyDeviceToDevice));
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 128, 128, 8, cudaMemcpyHostToHost));
  ASK(cudaMemcpy2DToArray(a, 0, 0, d, 128, 128, 8, cudaMemcpyDeviceToDevice));
  ASK(cudaMemcpy2DToArray(a, 0, 0, d, 128, 128, 8, in));
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 128, 128, 8, cudaMemcpyDefault));
  ASK(cudaMemcpy2DToArray(a, 0, 0, host, 128, 128, 8, static_cast<cudaMemcpyKind>(9)));
  ASK(cudaMemcpy2DToArrayAsync(a, 0, 0, host, 128, 128, 8, in, nullptr));
  ASK(cudaMemcpy2DFromArrayAsync(back, 128, a, 0, 0, 128, 8, out, nullptr));
  ASK(cudaMemcpy2DFromArray(back, 64, a, 0, 0, 128, 8, out));
  ASK(cudaMemcpy2DFromArray(back, 128, a, 0, 0, 128, 8, in));
  ASK(cudaMemcpy2DFromArray(back, 128, a, 4, 0, 128, 8, out));
  ASK(cudaMemcpy2DFromArray(nullptr, 128, a, 0, 0, 128, 8, out));
  about("in one piece");
  ASK(cudaMemcpyToArray(a, 0, 0, host, 1024, in));
  ASK(cudaMemcpyToArray(a, 0, 0, host, 1028, in));
  ASK(cudaMemcpyToArray(a, 64, 0, host, 512, in));
  ASK(cudaMemcpyToArray(a, 64, 7, host, 128, in));
  ASK(cudaMemcpyFromArray(back, a, 0, 0, 1024, out));
  ASK(cudaMemcpyFromArray(back, a, 0, 1, 1024, out));
  ASK(cudaMemcpyFromArrayAsync(back, a, 0, 0, 6, out, nullptr));
  ASK(cudaMemcpyToArray(line, 0, 0, host, 128, in));
  ASK(cudaMemcpyToArray(line, 0, 0, host, 132, in));
  ASK(cudaMemcpyToArray(line, 0, 1, host, 4, in));
  const auto none = static_cast<cudaMemcpyKind>(9);
  host[0] = 1, back[0] = 2;
  ASK(cudaMemcpyToArray(a, 0, 0, host, 4, in));
  host[0] = 3;
  ASK(cudaMemcpyToArray(a, 0, 0, host, 4, none));
  ASK(cudaMemcpyToArrayAsync(a, 0, 0, host, 4, none, nullptr));
  ASK(cudaMemcpyFromArray(back, a, 0, 0, 4, none));
  ASK(cudaMemcpyFromArrayAsync(back, a, 0, 0, 4, none, nullptr));
  ASK(cudaDeviceSynchronize());
  SHOW(back[0]);
  ASK(cudaMemcpyFromArray(back, a, 0, 0, 4, out));
  SHOW(back[0]);
  ASK(cudaMemcpyToArray(nullptr, 0, 0, host, 4, none));
  ASK(cudaMemcpy2DToArray(line, 0, 0, host, 128, 128, 1, in));
  ASK(cudaMemcpy2DToArray(line, 0, 0, host, 128, 128, 2, in));
  about("from one to another");
  const auto across = cudaMemcpyDeviceToDevice;
  ASK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 64, 4, across));
  ASK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 64, 4, 64, 4, across));
  ASK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 128, 4, across));
  ASK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 5, 64, 4, across));
  ASK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 64, 4, in));
  ASK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 64, 4, cudaMemcpyHostToHost));
  ASK(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 0, 256, across));
  ASK(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 0, 260, across));
  about("with three dimensions: the extent counts elements");
  const cudaPos start = make_cudaPos(0, 0, 0);
  ASK(copy_3d(room, back, 32, make_cudaExtent(8, 4, 2), start, out));
  ASK(copy_3d(room, back, 32, make_cudaExtent(9, 4, 2), start, out));
  ASK(copy_3d(room, back, 32, make_cudaExtent(8, 5, 2), start, out));
  ASK(copy_3d(room, back, 32, make_cudaExtent(8, 4, 3), start, out));
  ASK(copy_3d(room, back, 16, make_cudaExtent(8, 4, 2), start, out));
  ASK(copy_3d(room, back, 32, make_cudaExtent(7, 4, 2), make_cudaPos(1, 0, 0), out));
  ASK(copy_3d(room, back, 32, make_cudaExtent(8, 4, 2), make_cudaPos(1, 0, 0), out));
  ASK(copy_3d(room, back, 32, make_cudaExtent(8, 4, 0), start, out));
  ASK(copy_3d(room, back, 32, make_cudaExtent(8, 4, 2), start, in));
  ASK(copy_3d(room, d, 32, make_cudaExtent(8, 4, 2), start, across));
  ASK(copy_3d(room, d, 32, make_cudaExtent(8, 4, 2), start, out));
  ASK(copy_3d(a, back, 128, make_cudaExtent(32, 8, 1), start, out));
  ASK(copy_3d(a, back, 128, make_cudaExtent(32, 8, 2), start, out));
  cudaMemcpy3DParms p = {};
  p.srcArray = room;
  p.srcPtr = make_cudaPitchedPtr(host, 32, 32, 4);
  p.dstPtr = make_cudaPitchedPtr(back, 32, 32, 4);
  p.extent = make_cudaExtent(8, 4, 2);
  p.kind = out;
  ASK(cudaMemcpy3D(&p));
  p.dstArray = room;
  p.dstPtr = {};
  p.srcPtr = {};
  p.kind = across;
  ASK(cudaMemcpy3D(&p));
  p.srcArray = nullptr;
  ASK(cudaMemcpy3D(&p));
  about("what is freed or of another kind");
  ASK(cudaFree(a));
  ASK(cudaMemset(a, 0, 4));
  ASK(cudaMemcpy(back, a, 4, out));
  ASK(cudaDeviceSynchronize());
}

SUBJECT(textures) {
  cudaArray_t a = nullptr, writable = nullptr;
  char* d = nullptr;
  cudaMalloc(&d, 65536);
  cudaMallocArray(&a, &ints, 32, 8, 0);
  cudaMallocArray(&writable, &ints, 32, 8, cudaArraySurfaceLoadStore);
  cudaTextureObject_t t = 0;
  cudaSurfaceObject_t s = 0;
  cudaResourceDesc of = {};
  cudaTextureDesc how = {};
  of.resType = cudaResourceTypeArray;
  of.res.array.array = a;
  auto make = [&] {
    const cudaError_t code = cudaCreateTextureObject(&t, &of, &how, nullptr);
    if (code == cudaSuccess) cudaDestroyTextureObject(t);
    return code;
  };
  const auto &beyond = make, &without_texels = make;
  about("of an array of integers");
  ASK(make());
  how.readMode = cudaReadModeNormalizedFloat;
  ASK(make());
  how.readMode = cudaReadModeElementType;
  how.filterMode = cudaFilterModeLinear;
  ASK(make());
  how.filterMode = cudaFilterModePoint;
  how.normalizedCoords = 1;
  ASK(make());
  how.addressMode[0] = cudaAddressModeWrap;
  ASK(make());
  how.normalizedCoords = 0;
  ASK(make());
  how.addressMode[0] = static_cast<cudaTextureAddressMode>(9);
  ASK(make());
  how.addressMode[0] = cudaAddressModeClamp;
  how.maxAnisotropy = 99;
  ASK(make());
  how.maxAnisotropy = 0;
  how.sRGB = 1;
  ASK(make());
  how.sRGB = 0;
  how.filterMode = static_cast<cudaTextureFilterMode>(7);
  ASK(make());
  how.filterMode = cudaFilterModePoint;
  how.readMode = static_cast<cudaTextureReadMode>(7);
  ASK(make());
  how.readMode = cudaReadModeElementType;
  of.res.array.array = nullptr;
  ASK(make());
  of.res.array.array = a;
  ASK(cudaCreateTextureObject(nullptr, &of, &how, nullptr));
  ASK(cudaCreateTextureObject(&t, nullptr, &how, nullptr));
  ASK(cudaCreateTextureObject(&t, &of, nullptr, nullptr));
  about("of memory in a line");
  of = {};
  of.resType = cudaResourceTypeLinear;
  of.res.linear.desc = ints;
  of.res.linear.devPtr = d;
  of.res.linear.sizeInBytes = 1024;
  ASK(make());
  of.res.linear.devPtr = d + 4;
  ASK(make());
  of.res.linear.devPtr = d + 16;
  ASK(make());
  of.res.linear.devPtr = d + 512;
  ASK(make());
  of.res.linear.devPtr = nullptr;
  ASK(make());
  of.res.linear.devPtr = d;
  of.res.linear.sizeInBytes = 0;
  ASK(make());
  of.res.linear.sizeInBytes = 65540;
  ASK(beyond());
  of.res.linear.sizeInBytes = std::size_t{1} << 31;
  ASK(beyond());
  of.res.linear.sizeInBytes = 1022;
  ASK(make());
  of.res.linear.sizeInBytes = 1024;
  of.res.linear.desc = {32, 32, 32, 0, cudaChannelFormatKindFloat};
  ASK(make());
  of.res.linear.desc = ints;
  how.filterMode = cudaFilterModeLinear;
  ASK(make());
  how.filterMode = cudaFilterModePoint;
  about("of rows of memory");
  of = {};
  of.resType = cudaResourceTypePitch2D;
  of.res.pitch2D.desc = ints;
  of.res.pitch2D.devPtr = d;
  of.res.pitch2D.width = 32;
  of.res.pitch2D.height = 8;
  of.res.pitch2D.pitchInBytes = 128;
  ASK(make());
  of.res.pitch2D.pitchInBytes = 132;
  ASK(make());
  of.res.pitch2D.pitchInBytes = 160;
  ASK(make());
  of.res.pitch2D.pitchInBytes = 64;
  ASK(make());
  of.res.pitch2D.pitchInBytes = 128;
  of.res.pitch2D.devPtr = d + 128;
  ASK(make());
  of.res.pitch2D.devPtr = d + 512;
  ASK(make());
  of.res.pitch2D.devPtr = d;
  of.res.pitch2D.width = 0;
  ASK(without_texels());
  of.res.pitch2D.width = 32;
  of.res.pitch2D.height = 0;
  ASK(without_texels());
  of.res.pitch2D.height = 70000;
  ASK(make());
  of.resType = static_cast<cudaResourceType>(9);
  ASK(make());
  about("what is said of one");
  of = {};
  of.resType = cudaResourceTypeArray;
  of.res.array.array = a;
  ASK(cudaCreateTextureObject(&t, &of, &how, nullptr));
  cudaResourceDesc its = {};
  cudaTextureDesc its_how = {};
  cudaResourceViewDesc view = {};
  ASK(cudaGetTextureObjectResourceDesc(&its, t));
  SHOW(static_cast<int>(its.resType));
  SHOW(its.res.array.array == a);
  ASK(cudaGetTextureObjectTextureDesc(&its_how, t));
  SHOW(static_cast<int>(its_how.filterMode));
  ASK(cudaGetTextureObjectResourceViewDesc(&view, t));
  ASK(cudaGetTextureObjectResourceDesc(&its, 0));
  ASK(cudaGetTextureObjectResourceDesc(nullptr, t));
  ASK(cudaDestroyTextureObject(t));
  ASK(cudaDestroyTextureObject(0));
  about("surfaces");
  ASK(cudaCreateSurfaceObject(&s, &of));
  of.res.array.array = writable;
  ASK(cudaCreateSurfaceObject(&s, &of));
  ASK(cudaGetSurfaceObjectResourceDesc(&its, s));
  SHOW(its.res.array.array == writable);
  ASK(cudaDestroySurfaceObject(s));
  ASK(cudaDestroySurfaceObject(0));
  ASK(cudaCreateSurfaceObject(nullptr, &of));
  ASK(cudaCreateSurfaceObject(&s, nullptr));
  of.res.array.array = nullptr;
  ASK(cudaCreateSurfaceObject(&s, &of));
  of.resType = cudaResourceTypeLinear;
  of.res.linear.devPtr = d;
  of.res.linear.desc = ints;
  of.res.linear.sizeInBytes = 1024;
  ASK(cudaCreateSurfaceObject(&s, &of));
  about("widths");
  std::size_t width = 0;
  ASK(cudaDeviceGetTexture1DLinearMaxWidth(&width, &ints, 0));
  SHOW(static_cast<long long>(width));
  ASK(cudaDeviceGetTexture1DLinearMaxWidth(&width, &floats4, 0));
  SHOW(static_cast<long long>(width));
  ASK(cudaDeviceGetTexture1DLinearMaxWidth(&width, &ints, 7));
  ASK(cudaDeviceGetTexture1DLinearMaxWidth(&width, nullptr, 0));
}
