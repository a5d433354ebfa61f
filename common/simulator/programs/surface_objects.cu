// Surfaces: the game of life between two of them, boundary modes, layers, volumes, and an array
// that one kernel writes as a surface and the next reads as a texture.
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int W = 40, H = 24, D = 5;

__global__ void step(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= W || y >= H) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0)
        neighbours += surf2Dread<unsigned char>(from, x + dx, y + dy, cudaBoundaryModeZero);
  const int own = surf2Dread<unsigned char>(from, x, y);
  const unsigned char next = neighbours == 3 || (own && neighbours == 2);
  surf2Dwrite(next, to, x, y);
}

__global__ void colour(cudaSurfaceObject_t image) {
  const int x = threadIdx.x, y = blockIdx.x;
  const uchar4 pixel = make_uchar4(x * 6, y * 10, x ^ y, 255);
  surf2Dwrite(pixel, image, x * sizeof(uchar4), y);
}

__global__ void negative(cudaSurfaceObject_t image) {
  const int x = threadIdx.x, y = blockIdx.x;
  uchar4 pixel = surf2Dread<uchar4>(image, x * sizeof(uchar4), y);
  pixel = make_uchar4(255 - pixel.x, 255 - pixel.y, 255 - pixel.z, pixel.w);
  surf2Dwrite(pixel, image, x * sizeof(uchar4), y);
}

__global__ void read_as_texture(cudaTextureObject_t image, float4* out) {
  const int x = threadIdx.x, y = blockIdx.x;
  out[y * W + x] = tex2D<float4>(image, x + 0.5f, y + 0.5f);
}

// Rows of a matrix in the layers of an array, and a box in a volume.
__global__ void fill_layers(cudaSurfaceObject_t layers, cudaSurfaceObject_t volume) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  surf2DLayeredwrite(float(x + 10 * y + 100 * z), layers, x * 4, y, z);
  surf3Dwrite(make_float2(x - y, z), volume, x * 8, y, z);
}

__global__ void sum_layers(cudaSurfaceObject_t layers, cudaSurfaceObject_t volume, float* out) {
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int z = 0; z < D; ++z) {
    sum += surf2DLayeredread<float>(layers, x * 4, y, z);
    const float2 pair = surf3Dread<float2>(volume, x * 8, y, z);
    sum += pair.x * pair.y;
  }
  out[y * blockDim.x + x] = sum;
}

__global__ void beyond(cudaSurfaceObject_t line, int* out) {
  const int x = int(threadIdx.x) - 8;
  out[threadIdx.x] = surf1Dread<int>(line, x * 4, cudaBoundaryModeZero);
  out[32 + threadIdx.x] = surf1Dread<int>(line, x * 4, cudaBoundaryModeClamp);
  surf1Dwrite(-1 - x, line, x * 4 + 64, cudaBoundaryModeZero);
}

template <class Texel>
cudaArray_t make_array(int width, int height, int depth, unsigned flags) {
  const auto channels = cudaCreateChannelDesc<Texel>();
  cudaArray_t array;
  cudaMalloc3DArray(&array, &channels, make_cudaExtent(width, height, depth),
                    cudaArraySurfaceLoadStore | flags);
  return array;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

cudaSurfaceObject_t surface_of(cudaArray_t array) {
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  const cudaError_t error = cudaCreateSurfaceObject(&surface, &resource);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorName(error));
  return surface;
}

void life() {
  std::vector<unsigned char> cells(W * H);
  for (int i = 0; i < W * H; ++i) cells[i] = (i * i + i / 3) % 7 < 2;
  cudaArray_t arrays[2];
  cudaSurfaceObject_t surfaces[2];
  for (int i = 0; i < 2; ++i) {
    arrays[i] = make_array<unsigned char>(W, H, 0, 0);
    surfaces[i] = surface_of(arrays[i]);
  }
  cudaMemcpy2DToArray(arrays[0], 0, 0, cells.data(), W, W, H, cudaMemcpyHostToDevice);
  for (int i = 0; i < 20; ++i)
    step<<<dim3(2, 3), dim3(32, 8)>>>(surfaces[i % 2], surfaces[1 - i % 2]);
  cudaMemcpy2DFromArray(cells.data(), W, arrays[0], 0, 0, W, H, cudaMemcpyDeviceToHost);
  for (int y = 0; y < H; y += 4) {
    for (int x = 0; x < W; ++x) std::putchar(cells[y * W + x] ? '#' : '.');
    std::putchar('\n');
  }
  for (int i = 0; i < 2; ++i) cudaDestroySurfaceObject(surfaces[i]), cudaFreeArray(arrays[i]);
}

void surface_and_texture() {
  cudaArray_t array = make_array<uchar4>(W, H, 0, 0);
  const cudaSurfaceObject_t surface = surface_of(array);
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  float4* out;
  cudaMallocManaged(&out, W * H * sizeof(float4));
  colour<<<H, W>>>(surface);
  negative<<<H, W>>>(surface);
  read_as_texture<<<H, W>>>(texture, out);
  cudaDeviceSynchronize();
  for (int i : {0, 1, W, 5 * W + 7, W * H - 1})
    std::printf("%.6f %.6f %.6f %.6f\n", out[i].x, out[i].y, out[i].z, out[i].w);
  cudaFree(out);
  cudaDestroyTextureObject(texture);
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(array);
}

void layers_and_volume() {
  cudaArray_t layered = make_array<float>(8, 4, D, cudaArrayLayered);
  cudaArray_t volume = make_array<float2>(8, 4, D, 0);
  const cudaSurfaceObject_t layers = surface_of(layered), box = surface_of(volume);
  float* out;
  cudaMallocManaged(&out, 32 * sizeof(float));
  fill_layers<<<D, dim3(8, 4)>>>(layers, box);
  sum_layers<<<1, dim3(8, 4)>>>(layers, box, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i) std::printf("%g%c", out[i], i % 8 == 7 ? '\n' : ' ');

  std::vector<float> slice(8 * 2);
  cudaMemcpy3DParms part = {};
  part.srcArray = layered;
  part.srcPos = make_cudaPos(2, 1, 3);
  part.dstPtr = make_cudaPitchedPtr(slice.data(), 4 * sizeof(float), 4, 2);
  part.extent = make_cudaExtent(4, 2, 2);
  part.kind = cudaMemcpyDeviceToHost;
  std::printf("%s\n", cudaGetErrorName(cudaMemcpy3D(&part)));
  for (float value : slice) std::printf("%g ", value);
  std::printf("\n");
  cudaFree(out);
  cudaDestroySurfaceObject(layers);
  cudaDestroySurfaceObject(box);
  cudaFreeArray(layered);
  cudaFreeArray(volume);
}

void boundaries() {
  cudaArray_t line = make_array<int>(16, 0, 0, 0);
  std::vector<int> values(64);
  for (int i = 0; i < 16; ++i) values[i] = 100 + i;
  cudaMemcpy2DToArray(line, 0, 0, values.data(), 64, 64, 1, cudaMemcpyHostToDevice);
  const cudaSurfaceObject_t surface = surface_of(line);
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  beyond<<<1, 32>>>(surface, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i) std::printf("%d%c", out[i], i % 32 == 31 ? '\n' : ' ');
  cudaMemcpy2DFromArray(values.data(), 64, line, 0, 0, 64, 1, cudaMemcpyDeviceToHost);
  std::printf("last: %d\n", values[15]);
  cudaFree(out);
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(line);
}

int main() {
  life();
  surface_and_texture();
  layers_and_volume();
  boundaries();
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
