#pragma once
#include <cuda_bf16.h>

#include <cstdint>
#include <vector>

#include "devices.h"

/// \file
/// What the ladders of layers share: the product of one device, and matrices on each.

using bf16 = __nv_bfloat16;

/// Y is M x N, and the inner dimension is K. Any of them may be 0 for the part of a device.
struct Extents {
  int M, N, K;
};

/// Whether the current device has the product's instructions.
bool has_product();
/// Why the ladders of layers are skipped where has_product() is false.
constexpr const char* needs_sm_80 = "the product in bf16 needs compute capability 8.0";
/// Lets the product be launched on the current device.
void allow_product();
/// Launches y = x w^T on the current device, chapter 6's pipeline; with K = 0 y becomes zeros.
/// @param[in] x M x K, w N x K, row-major, 16 aligned, device. @param[out] y M x N, row-major,
/// device. @pre K % 8 == 0. @cost 2 M N K flops.
void product(const bf16* x, const bf16* w, bf16* y, const Extents& extents, cudaStream_t stream);

/// Where part d of n begins: at a multiple of `unit`. @pre unit divides extent.
int begin_of(int d, int n, int extent, int unit);

/// Numbers -1, 0 and 1, of which one of `picks` is 1 and one -1 on average. Their sums are whole
/// numbers that bf16 holds, in any order.
std::vector<float> sparse_numbers(std::size_t count, int picks, std::uint32_t seed);

/// Columns [first, end) of a row-major matrix of the host, packed, in memory of a device.
Shared<bf16> upload(int device, const std::vector<float>& matrix, int rows, int columns, int first,
                    int end);
