#pragma once
#include <cuda_runtime_api.h>

/// Limits of textures and surfaces, which are the same on every GPU from Turing on, recorded on an
/// H200. The simulator has neither; programs that print what a device can do print them.
namespace warpwise::cudart {

struct ImageLimit {
  cudaDeviceAttr attribute;
  int value;
  int* (*field)(cudaDeviceProp&);
};

inline constexpr ImageLimit image_limits[] = {
    {cudaDevAttrMaxTexture1DWidth, 131072, [](cudaDeviceProp& p) { return &p.maxTexture1D; }},
    {cudaDevAttrMaxTexture1DMipmappedWidth, 32768,
     [](cudaDeviceProp& p) { return &p.maxTexture1DMipmap; }},
    {cudaDevAttrMaxTexture2DWidth, 131072, [](cudaDeviceProp& p) { return &p.maxTexture2D[0]; }},
    {cudaDevAttrMaxTexture2DHeight, 65536, [](cudaDeviceProp& p) { return &p.maxTexture2D[1]; }},
    {cudaDevAttrMaxTexture2DMipmappedWidth, 32768,
     [](cudaDeviceProp& p) { return &p.maxTexture2DMipmap[0]; }},
    {cudaDevAttrMaxTexture2DMipmappedHeight, 32768,
     [](cudaDeviceProp& p) { return &p.maxTexture2DMipmap[1]; }},
    {cudaDevAttrMaxTexture2DLinearWidth, 131072,
     [](cudaDeviceProp& p) { return &p.maxTexture2DLinear[0]; }},
    {cudaDevAttrMaxTexture2DLinearHeight, 65000,
     [](cudaDeviceProp& p) { return &p.maxTexture2DLinear[1]; }},
    {cudaDevAttrMaxTexture2DLinearPitch, 2097120,
     [](cudaDeviceProp& p) { return &p.maxTexture2DLinear[2]; }},
    {cudaDevAttrMaxTexture2DGatherWidth, 32768,
     [](cudaDeviceProp& p) { return &p.maxTexture2DGather[0]; }},
    {cudaDevAttrMaxTexture2DGatherHeight, 32768,
     [](cudaDeviceProp& p) { return &p.maxTexture2DGather[1]; }},
    {cudaDevAttrMaxTexture3DWidth, 16384, [](cudaDeviceProp& p) { return &p.maxTexture3D[0]; }},
    {cudaDevAttrMaxTexture3DHeight, 16384, [](cudaDeviceProp& p) { return &p.maxTexture3D[1]; }},
    {cudaDevAttrMaxTexture3DDepth, 16384, [](cudaDeviceProp& p) { return &p.maxTexture3D[2]; }},
    {cudaDevAttrMaxTexture3DWidthAlt, 8192,
     [](cudaDeviceProp& p) { return &p.maxTexture3DAlt[0]; }},
    {cudaDevAttrMaxTexture3DHeightAlt, 8192,
     [](cudaDeviceProp& p) { return &p.maxTexture3DAlt[1]; }},
    {cudaDevAttrMaxTexture3DDepthAlt, 32768,
     [](cudaDeviceProp& p) { return &p.maxTexture3DAlt[2]; }},
    {cudaDevAttrMaxTextureCubemapWidth, 32768,
     [](cudaDeviceProp& p) { return &p.maxTextureCubemap; }},
    {cudaDevAttrMaxTexture1DLayeredWidth, 32768,
     [](cudaDeviceProp& p) { return &p.maxTexture1DLayered[0]; }},
    {cudaDevAttrMaxTexture1DLayeredLayers, 2048,
     [](cudaDeviceProp& p) { return &p.maxTexture1DLayered[1]; }},
    {cudaDevAttrMaxTexture2DLayeredWidth, 32768,
     [](cudaDeviceProp& p) { return &p.maxTexture2DLayered[0]; }},
    {cudaDevAttrMaxTexture2DLayeredHeight, 32768,
     [](cudaDeviceProp& p) { return &p.maxTexture2DLayered[1]; }},
    {cudaDevAttrMaxTexture2DLayeredLayers, 2048,
     [](cudaDeviceProp& p) { return &p.maxTexture2DLayered[2]; }},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, 32768,
     [](cudaDeviceProp& p) { return &p.maxTextureCubemapLayered[0]; }},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, 2046,
     [](cudaDeviceProp& p) { return &p.maxTextureCubemapLayered[1]; }},
    {cudaDevAttrMaxSurface1DWidth, 32768, [](cudaDeviceProp& p) { return &p.maxSurface1D; }},
    {cudaDevAttrMaxSurface2DWidth, 131072, [](cudaDeviceProp& p) { return &p.maxSurface2D[0]; }},
    {cudaDevAttrMaxSurface2DHeight, 65536, [](cudaDeviceProp& p) { return &p.maxSurface2D[1]; }},
    {cudaDevAttrMaxSurface3DWidth, 16384, [](cudaDeviceProp& p) { return &p.maxSurface3D[0]; }},
    {cudaDevAttrMaxSurface3DHeight, 16384, [](cudaDeviceProp& p) { return &p.maxSurface3D[1]; }},
    {cudaDevAttrMaxSurface3DDepth, 16384, [](cudaDeviceProp& p) { return &p.maxSurface3D[2]; }},
    {cudaDevAttrMaxSurface1DLayeredWidth, 32768,
     [](cudaDeviceProp& p) { return &p.maxSurface1DLayered[0]; }},
    {cudaDevAttrMaxSurface1DLayeredLayers, 2048,
     [](cudaDeviceProp& p) { return &p.maxSurface1DLayered[1]; }},
    {cudaDevAttrMaxSurface2DLayeredWidth, 32768,
     [](cudaDeviceProp& p) { return &p.maxSurface2DLayered[0]; }},
    {cudaDevAttrMaxSurface2DLayeredHeight, 32768,
     [](cudaDeviceProp& p) { return &p.maxSurface2DLayered[1]; }},
    {cudaDevAttrMaxSurface2DLayeredLayers, 2048,
     [](cudaDeviceProp& p) { return &p.maxSurface2DLayered[2]; }},
    {cudaDevAttrMaxSurfaceCubemapWidth, 32768,
     [](cudaDeviceProp& p) { return &p.maxSurfaceCubemap; }},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768,
     [](cudaDeviceProp& p) { return &p.maxSurfaceCubemapLayered[0]; }},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046,
     [](cudaDeviceProp& p) { return &p.maxSurfaceCubemapLayered[1]; }},
};

}  // namespace warpwise::cudart
