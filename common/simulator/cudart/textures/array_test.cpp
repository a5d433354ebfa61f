#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <vector>

#include "simulator/cudart/tests/child.h"
#include "simulator/cudart/tests/fake_module.h"

namespace warpwise::cudart {
namespace {

const cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};

cudaArray_t array_of(std::size_t width, std::size_t height, std::size_t depth = 0,
                     unsigned flags = 0) {
  cudaArray_t array = nullptr;
  REQUIRE(cudaMalloc3DArray(&array, &floats, {width, height, depth}, flags) == cudaSuccess);
  return array;
}

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
  return values;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

TEST_CASE("an array tells what it is, and refuses what no hardware has") {
  cudaArray_t array = array_of(16, 9);
  cudaChannelFormatDesc channels = {};
  cudaExtent extent = {};
  unsigned flags = 7;
  CHECK(cudaArrayGetInfo(&channels, &extent, &flags, array) == cudaSuccess);
  CHECK(channels.x == 32);
  CHECK(channels.f == cudaChannelFormatKindFloat);
  CHECK(extent.width == 16);
  CHECK(extent.height == 9);
  CHECK(extent.depth == 0);
  CHECK(flags == 0);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFreeArray(nullptr) == cudaSuccess);

  cudaChannelFormatDesc odd = {24, 0, 0, 0, cudaChannelFormatKindSigned};
  CHECK(cudaMallocArray(&array, &odd, 4, 4, 0) == cudaErrorInvalidChannelDescriptor);
  odd = {8, 8, 8, 0, cudaChannelFormatKindUnsigned};
  CHECK(cudaMallocArray(&array, &odd, 4, 4, 0) == cudaErrorInvalidChannelDescriptor);
  CHECK(cudaMallocArray(&array, &floats, 0, 4, 0) == cudaErrorInvalidValue);
  CHECK(cudaMalloc3DArray(&array, &floats, {8, 7, 6}, cudaArrayCubemap) == cudaErrorInvalidValue);
}

TEST_CASE("rectangles go into an array and come back") {
  cudaArray_t array = array_of(16, 9);
  const auto in = counted(16 * 9);
  std::vector<float> out(12, -1);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, in.data(), 64, 64, 9, cudaMemcpyHostToDevice) ==
        cudaSuccess);
  CHECK(cudaMemcpy2DFromArray(out.data(), 16, array, 8, 5, 16, 3, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(out[0] == 82);
  CHECK(out[7] == 101);
  CHECK(cudaMemcpy2DToArray(array, 4, 0, in.data(), 64, 64, 9, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DToArray(array, 0, 1, in.data(), 64, 64, 9, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  cudaArray_t second = array_of(16, 9);
  CHECK(cudaMemcpy2DArrayToArray(second, 4, 1, array, 0, 0, 8, 2, cudaMemcpyDeviceToDevice) ==
        cudaSuccess);
  CHECK(cudaMemcpy2DFromArray(out.data(), 8, second, 4, 1, 8, 2, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(out[1] == 1);
  CHECK(out[2] == 16);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFreeArray(second) == cudaSuccess);
}

TEST_CASE("boxes are counted in texels where an array takes part") {
  cudaArray_t array = array_of(8, 6, 4);
  auto in = counted(8 * 6 * 4);
  cudaMemcpy3DParms box = {};
  box.srcPtr = {in.data(), 32, 8, 6};
  box.dstArray = array;
  box.extent = {8, 6, 4};
  box.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&box) == cudaSuccess);
  std::vector<float> out(8, -1);
  box = {};
  box.srcArray = array;
  box.srcPos = {3, 2, 1};
  box.dstPtr = {out.data(), 8, 2, 2};
  box.extent = {2, 2, 2};
  box.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&box) == cudaSuccess);
  CHECK(out[0] == 48 + 16 + 3);
  CHECK(out[7] == 96 + 24 + 4);
  box.srcPos = {7, 2, 1};
  CHECK(cudaMemcpy3D(&box) == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("levels of a mipmapped array are half as large each") {
  cudaMipmappedArray_t mipmap = nullptr;
  CHECK(cudaMallocMipmappedArray(&mipmap, &floats, {32, 20, 0}, 6, 0) == cudaSuccess);
  cudaArray_t level = nullptr;
  cudaExtent extent = {};
  CHECK(cudaGetMipmappedArrayLevel(&level, mipmap, 3) == cudaSuccess);
  CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, level) == cudaSuccess);
  CHECK(extent.width == 4);
  CHECK(extent.height == 2);
  CHECK(cudaGetMipmappedArrayLevel(&level, mipmap, 6) == cudaErrorInvalidValue);
  CHECK(cudaFreeMipmappedArray(mipmap) == cudaSuccess);
}

TEST_CASE("objects live until they are destroyed, and tell what they were made of") {
  cudaArray_t array = array_of(16, 9, 0, cudaArraySurfaceLoadStore);
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc description = {};
  description.normalizedCoords = 1;
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  CHECK(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
  cudaResourceDesc asked = {};
  cudaTextureDesc asked_texture = {};
  CHECK(cudaGetTextureObjectResourceDesc(&asked, texture) == cudaSuccess);
  CHECK(asked.res.array.array == array);
  CHECK(cudaGetTextureObjectTextureDesc(&asked_texture, texture) == cudaSuccess);
  CHECK(asked_texture.normalizedCoords == 1);
  CHECK(cudaGetSurfaceObjectResourceDesc(&asked, surface) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("objects that no texture unit could read are refused") {
  cudaArray_t array = array_of(16, 9);
  cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  description.readMode = cudaReadModeNormalizedFloat;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) ==
        cudaErrorInvalidNormSetting);
  description.readMode = cudaReadModeElementType;
  float* memory = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), 4096) == cudaSuccess);
  resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory, floats, 4096};
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  resource.res.linear.devPtr = memory + 1;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr) ==
        cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

}  // namespace
}  // namespace warpwise::cudart
