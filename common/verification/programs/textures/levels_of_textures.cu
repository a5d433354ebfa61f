// Mipmaps of bytes, shorts, halves and floats, flat, of volumes, layers and cubes, read at levels
// between two, with filters of points and of lines: how the weights of all texels are rounded.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int threads = 64;

__global__ void flat(cudaTextureObject_t texture, float4* out) {
  const int i = threadIdx.x;
  out[i] = tex2DLod<float4>(texture, i / 50.f - .2f, i / 33.f - .3f, i / 23.f);
  out[threads + i] = tex2DLod<float4>(texture, .37f, .61f, i / 21.f);
}

__global__ void one_channel(cudaTextureObject_t texture, float4* out) {
  const int i = threadIdx.x;
  const float along = tex2DLod<float>(texture, i / 50.f - .2f, i / 33.f - .3f, i / 23.f);
  out[i] = make_float4(along, tex2DLod<float>(texture, .37f, .61f, i / 21.f), 0, 0);
}

__global__ void volume(cudaTextureObject_t texture, float4* out) {
  const int i = threadIdx.x;
  const float through = tex3DLod<float>(texture, i / 64.f, .43f, .7f - i / 99.f, i / 30.f);
  out[i] = make_float4(through, tex3DLod<float>(texture, .21f, i / 60.f, .55f, .6f), 0, 0);
}

__global__ void cube(cudaTextureObject_t texture, float4* out) {
  const int i = threadIdx.x;
  const float value = texCubemapLod<float>(texture, .3f - i / 30.f, i / 50.f - .1f, .4f, i / 30.f);
  out[i] = make_float4(value, 0, 0, 0);
}

__global__ void layers(cudaTextureObject_t texture, float4* out) {
  const int i = threadIdx.x;
  out[i] = make_float4(tex2DLayeredLod<float>(texture, i / 64.f, .3f, i % 3, i / 30.f), 0, 0, 0);
}

struct Numbers {
  std::uint32_t state = 818;
  std::uint32_t next() { return state = state * 1664525u + 1013904223u, state >> 7; }
};

void set(uchar4& texel, Numbers& numbers) {
  const std::uint32_t bits = numbers.next();
  texel = make_uchar4(bits, bits >> 8, bits >> 16, numbers.next());
}
void set(unsigned short& texel, Numbers& numbers) { texel = numbers.next(); }
void set(float& texel, Numbers& numbers) { texel = numbers.next() % 9001 / 1000.f - 4; }
void set(__half& texel, Numbers& numbers) {
  texel = __float2half(numbers.next() % 301 / 100.f - 1);
}

/// All levels of a mipmap. @param images layers, faces, or a volume's depth; 0 where there are
/// none.
template <class Texel>
cudaMipmappedArray_t mipmap(const cudaChannelFormatDesc& format, int width, int height, int images,
                            unsigned flags, Numbers& numbers) {
  cudaMipmappedArray_t mipmap;
  cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(width, height, images), 3, flags);
  for (int level = 0; level < 3; ++level) {
    cudaArray_t array;
    cudaGetMipmappedArrayLevel(&array, mipmap, level);
    const int across = width >> level, down = height >> level,
              all = flags ? images : images >> level, deep = all ? all : 1;
    std::vector<Texel> texels(across * down * deep);
    for (Texel& texel : texels) set(texel, numbers);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), across * sizeof(Texel), across, down);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(across, down, deep);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
  }
  return mipmap;
}

using Kernel = void (*)(cudaTextureObject_t, float4*);

/// Runs a kernel with each filter, levels being mixed, and prints what is left of all its values.
void show(const char* name, Kernel kernel, cudaMipmappedArray_t mipmap, cudaTextureReadMode mode,
          cudaTextureAddressMode address) {
  float4* out;
  cudaMalloc(&out, 2 * threads * sizeof(float4));
  for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& each : description.addressMode) each = address;
    description.filterMode = filter;
    description.mipmapFilterMode = cudaFilterModeLinear;
    description.readMode = mode;
    description.normalizedCoords = 1;
    description.maxMipmapLevelClamp = 9;
    description.mipmapLevelBias = .4f;
    description.borderColor[0] = .25f;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    cudaMemset(out, 0, 2 * threads * sizeof(float4));
    kernel<<<1, threads>>>(texture, out);
    std::vector<std::uint32_t> bits(8 * threads);
    cudaMemcpy(bits.data(), out, bits.size() * 4, cudaMemcpyDeviceToHost);
    std::uint32_t all = 0;
    for (std::uint32_t word : bits) all = all * 31 + word;
    printf("%s, %s: %08x, first %08x\n", name, filter ? "lines" : "points", all, bits[4 * 17]);
    cudaDestroyTextureObject(texture);
  }
  cudaFree(out);
  cudaFreeMipmappedArray(mipmap);
}

int main() {
  Numbers numbers;
  const auto fraction = cudaReadModeNormalizedFloat;
  const auto element = cudaReadModeElementType;
  const auto floats = cudaCreateChannelDesc<float>();
  show("bytes", flat, mipmap<uchar4>(cudaCreateChannelDesc<uchar4>(), 16, 8, 0, 0, numbers),
       fraction, cudaAddressModeWrap);
  show("shorts", one_channel,
       mipmap<unsigned short>(cudaCreateChannelDesc<unsigned short>(), 8, 8, 0, 0, numbers),
       fraction, cudaAddressModeMirror);
  show("halves", one_channel, mipmap<__half>(cudaCreateChannelDescHalf(), 8, 8, 0, 0, numbers),
       element, cudaAddressModeClamp);
  show("floats", one_channel, mipmap<float>(floats, 8, 8, 0, 0, numbers), element,
       cudaAddressModeBorder);
  show("volume", volume, mipmap<float>(floats, 8, 8, 8, 0, numbers), element, cudaAddressModeClamp);
  show("cube", cube, mipmap<float>(floats, 8, 8, 6, cudaArrayCubemap, numbers), element,
       cudaAddressModeClamp);
  show("layers", layers, mipmap<float>(floats, 8, 4, 3, cudaArrayLayered, numbers), element,
       cudaAddressModeWrap);
}
