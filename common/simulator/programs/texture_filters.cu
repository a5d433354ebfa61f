// Textures of CUDA arrays and of plain memory: address modes, both filters, read modes, channels.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int W = 21, H = 13, samples = 512;

__device__ unsigned bits(float value) { return __float_as_uint(value); }
__device__ unsigned mixed(float4 v) {
  return bits(v.x) * 3 + bits(v.y) * 5 + bits(v.z) * 7 + bits(v.w) * 11;
}

// Places inside and around the texture, all of them exact multiples of 1/64 of a texel.
__device__ float2 place(int i) {
  return {((i * 37) % 4096 - 1024) / 64.f, ((i * 101) % 2560 - 640) / 64.f};
}

__global__ void sample(cudaTextureObject_t texture, float sx, float sy, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 at = place(i);
  out[i] = mixed(tex2D<float4>(texture, at.x * sx, at.y * sy));
}

__global__ void sample_integers(cudaTextureObject_t texture, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 at = place(i);
  const uint4 v = tex2D<uint4>(texture, at.x, at.y);
  out[i] = v.x * 3 + v.y * 5 + v.z * 7 + v.w * 11;
}

__global__ void fetch(cudaTextureObject_t texture, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = mixed(tex1Dfetch<float4>(texture, i * 3 - 200));
}

// An image twice as large, through a linear filter.
__global__ void enlarge(cudaTextureObject_t texture, unsigned* out) {
  const int x = threadIdx.x, y = blockIdx.x;
  out[y * blockDim.x + x] = bits(tex2D<float>(texture, x / 2.f + 0.25f, y / 2.f + 0.25f));
}

unsigned* results() {
  static unsigned* memory = nullptr;
  if (!memory) cudaMalloc(&memory, 4 * W * H * sizeof(unsigned));
  return memory;
}

void print(const char* what, int count) {
  std::vector<unsigned> host(count);
  cudaMemcpy(host.data(), results(), count * sizeof(unsigned), cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < count; ++i) sum = sum * 31 + host[i];
  std::printf("%-28s %08x %08x %08x %08x\n", what, sum, host[0], host[7], host[count / 2]);
}

template <class Texel>
std::vector<Texel> image(int count) {
  std::vector<Texel> texels(count);
  auto* bytes = reinterpret_cast<unsigned char*>(texels.data());
  for (std::size_t i = 0; i < count * sizeof(Texel); ++i) bytes[i] = (i * 73 + i / 11 * 29) & 0xff;
  return texels;
}

// Sixteenths between -4 and 4: sums and products of them are exact.
std::vector<float> floats(int count) {
  std::vector<float> texels(count);
  for (int i = 0; i < count; ++i) texels[i] = ((i * 53) % 128 - 64) / 16.f;
  return texels;
}

cudaTextureDesc description(cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                            bool normalized, bool fractions) {
  cudaTextureDesc texture = {};
  for (auto& address : texture.addressMode) address = mode;
  texture.filterMode = filter;
  texture.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  texture.normalizedCoords = normalized;
  const float border[] = {0.25f, 0.5f, -1.f, 2.f};
  std::memcpy(texture.borderColor, border, sizeof border);
  return texture;
}

template <class Texel>
cudaArray_t array_of(const std::vector<Texel>& texels) {
  const auto channels = cudaCreateChannelDesc<Texel>();
  cudaArray_t array;
  cudaMallocArray(&array, &channels, W, H);
  cudaMemcpy2DToArray(array, 0, 0, texels.data(), W * sizeof(Texel), W * sizeof(Texel), H,
                      cudaMemcpyHostToDevice);
  return array;
}

cudaTextureObject_t object_of(const cudaResourceDesc& resource, const cudaTextureDesc& texture) {
  cudaTextureObject_t object = 0;
  const cudaError_t error = cudaCreateTextureObject(&object, &resource, &texture, nullptr);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorName(error));
  return object;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

void address_modes() {
  const auto texels = floats(W * H);
  cudaArray_t array = array_of(texels);
  const char* names[] = {"wrap", "clamp", "mirror", "border"};
  for (int mode = 0; mode < 4; ++mode)
    for (auto filter : {cudaFilterModePoint, cudaFilterModeLinear})
      for (bool normalized : {false, true}) {
        const auto object = object_of(resource_of(array), description(cudaTextureAddressMode(mode),
                                                                      filter, normalized, false));
        sample<<<samples / 128, 128>>>(object, normalized ? 1.f / 16 : 1, normalized ? 1.f / 8 : 1,
                                       results());
        char name[64];
        std::snprintf(name, sizeof name, "%s %s %s", names[mode], filter ? "linear" : "point",
                      normalized ? "normalized" : "texels");
        print(name, samples);
        cudaDestroyTextureObject(object);
      }
  const auto object = object_of(
      resource_of(array), description(cudaAddressModeClamp, cudaFilterModeLinear, false, false));
  enlarge<<<2 * H, 2 * W>>>(object, results());
  print("enlarged", 4 * W * H);
  cudaDestroyTextureObject(object);
  cudaFreeArray(array);
}

template <class Texel>
void texels_of(const char* name, bool fractions, bool linear) {
  cudaArray_t array = array_of(image<Texel>(W * H));
  const auto object =
      object_of(resource_of(array),
                description(cudaAddressModeBorder,
                            linear ? cudaFilterModeLinear : cudaFilterModePoint, false, fractions));
  if (fractions)
    sample<<<samples / 128, 128>>>(object, 1, 1, results());
  else
    sample_integers<<<samples / 128, 128>>>(object, results());
  print(name, samples);
  cudaDestroyTextureObject(object);
  cudaFreeArray(array);
}

void plain_memory() {
  const auto texels = floats(W * H);
  float* memory;
  cudaMalloc(&memory, texels.size() * sizeof(float));
  cudaMemcpy(memory, texels.data(), texels.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory, cudaCreateChannelDesc<float>(), texels.size() * sizeof(float)};
  auto object =
      object_of(resource, description(cudaAddressModeClamp, cudaFilterModePoint, false, false));
  fetch<<<samples / 128, 128>>>(object, results());
  print("plain memory", samples);
  cudaDestroyTextureObject(object);
  resource.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  object = object_of(resource, description(cudaAddressModeClamp, cudaFilterModePoint, false, true));
  fetch<<<samples / 128, 128>>>(object, results());
  print("plain memory as colours", samples);
  cudaDestroyTextureObject(object);

  float* rows;
  std::size_t pitch;
  cudaMallocPitch(&rows, &pitch, W * sizeof(float), H);
  cudaMemcpy2D(rows, pitch, texels.data(), W * sizeof(float), W * sizeof(float), H,
               cudaMemcpyHostToDevice);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {rows, cudaCreateChannelDesc<float>(), W, H, pitch};
  object =
      object_of(resource, description(cudaAddressModeBorder, cudaFilterModeLinear, false, false));
  sample<<<samples / 128, 128>>>(object, 1, 1, results());
  print("rows with a pitch", samples);
  cudaDestroyTextureObject(object);
  cudaFree(rows);
  cudaFree(memory);
}

int main() {
  address_modes();
  texels_of<unsigned char>("bytes", false, false);
  texels_of<uchar4>("four bytes", false, false);
  texels_of<short2>("two shorts", false, false);
  texels_of<uint4>("four words", false, false);
  texels_of<unsigned char>("bytes as fractions", true, false);
  texels_of<char4>("signed bytes as fractions", true, false);
  texels_of<ushort2>("shorts as fractions", true, false);
  texels_of<uchar4>("bytes, linear", true, true);
  texels_of<short4>("signed shorts, linear", true, true);
  plain_memory();
  cudaFree(results());
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
