/// \file
/// Where a variable lives: sixteen coefficients in global, constant and local memory, and in
/// registers.
///
/// The question: element i needs the coefficients in an order of its own, c[i % 16]
/// first. An array
/// in a kernel looks like registers. Is it?
///
///     build/ch02_coalescing --only variables
///     build/ch02_coalescing --only where_it_lives
///
/// The rungs of `variables`, as the table lists them, and their kernels:
///
///      1  global               series_1_global
///      2  constant             series_2_constant
///      3  array, local memory  series_3_local
///      4  array, registers     series_4_registers
#include <string>
#include <vector>

#include "base/numbers.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int block_threads = 256;
constexpr int terms = 16;

/// A kernel's parameter: a copy for each launch, in a constant bank.
struct Coefficients {
  float value[terms];
};

__constant__ float constant_coefficients[terms];

// ---- rung 1: global memory ----

/// Sixteen loads an element. Lanes want different words, all of two sectors; after the first warp
/// they come from the L1 cache.
/// @param[in] x n floats, device. @param[in] c 16 floats, device. @param[out] y n floats, device.
/// @pre blocks of 256 threads; a thread for each element.
/// @cost 8 bytes and 48 flops an element.
__global__ void series_1_global(const float* x, const float* c, float* y, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0, power = 1;
  for (int k = 0; k < terms; ++k) {
    sum += scale * c[(i + k) % terms] * power;
    power *= x[i];
  }
  y[i] = sum;
}

// ---- rung 2: constant memory ----

/// The constant cache gives one word to all lanes at once; for sixteen different words it takes
/// sixteen turns. It is made for the opposite: every lane reads the same word.
/// @param[in] x n floats, device. @param[out] y n floats, device.
/// @pre as rung 1; constant_coefficients is set.
/// @cost as rung 1.
/// @source CUDA C++ Best Practices Guide, constant memory.
__global__ void series_2_constant(const float* x, float* y, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0, power = 1;
  for (int k = 0; k < terms; ++k) {
    sum += scale * constant_coefficients[(i + k) % terms] * power;
    power *= x[i];
  }
  y[i] = sum;
}

// ---- rung 3: an array of the thread's own ----

/// Registers have no addresses, so an array whose index is known only at run time cannot be
/// registers: it becomes local memory, which is global memory with a private address for each
/// thread.
/// @param[in] x n floats, device. @param[out] y n floats, device.
/// @pre as rung 1.
/// @cost as rung 1, and 16 stores and 16 loads of local memory an element.
/// @source CUDA C++ Programming Guide, local memory.
__global__ void series_3_local(const float* x, Coefficients c, float* y, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float own[terms];
  for (int k = 0; k < terms; ++k) own[k] = scale * c.value[k];
  float sum = 0, power = 1;
  for (int k = 0; k < terms; ++k) {
    sum += own[(i + k) % terms] * power;
    power *= x[i];
  }
  y[i] = sum;
}

// ---- rung 4: registers ----

/// own[index], but every index into own is a constant: fifteen comparisons instead of an address.
__device__ float chosen(const float (&own)[terms], int index) {
  float value = own[0];
#pragma unroll
  for (int k = 1; k < terms; ++k) value = index == k ? own[k] : value;
  return value;
}

/// The same array; because no index depends on run time it stays in registers.
/// @param[in] x n floats, device. @param[out] y n floats, device.
/// @pre as rung 1.
/// @cost as rung 1, and 240 comparisons an element.
__global__ void series_4_registers(const float* x, Coefficients c, float* y, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float own[terms];
#pragma unroll
  for (int k = 0; k < terms; ++k) own[k] = scale * c.value[k];
  float sum = 0, power = 1;
#pragma unroll
  for (int k = 0; k < terms; ++k) {
    sum += chosen(own, (i + k) % terms) * power;
    power *= x[i];
  }
  y[i] = sum;
}

// ---- launchers ----

void variable_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  const float scale = 0.5F;
  const std::vector<float> host = lesson::uniform_numbers(n);
  const std::vector<float> c_host = lesson::uniform_numbers(terms, 2);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) {
    double power = 1;
    for (int k = 0; k < terms; ++k, power *= host[i]) {
      expected[i] += scale * c_host[(i + k) % terms] * power;
    }
  }
  Coefficients parameter{};
  for (int k = 0; k < terms; ++k) parameter.value[k] = c_host[k];
  lesson::check(cudaMemcpyToSymbol(constant_coefficients, c_host.data(), sizeof parameter));
  const float* x = run.input("x", host);
  const float* c = run.input("c", c_host);
  // Sixteen terms below 0.5, a few roundings each.
  float* y = run.output("y", std::move(expected), {.absolute = 5e-6});

  const lesson::Shape each{.grid = lesson::ceil_div(n, block_threads), .block = block_threads};
  run.variant("global", series_1_global, each, x, c, y, n, scale);
  run.variant("constant", series_2_constant, each, x, y, n, scale);
  run.variant("array, local memory", series_3_local, each, x, parameter, y, n, scale);
  run.variant("array, registers", series_4_registers, each, x, parameter, y, n, scale);
}

/// What the compiler made of each rung.
lesson::Demonstration where_it_lives() {
  lesson::Demonstration table{
      .title = "what the compiler made of the sixteen coefficients",
      .columns = {"kernel", "registers", "local bytes a thread"},
      .rows = {},
      .note = "From the compiled code; registers and local memory are each thread's own."};
  const auto row = [&](const char* name, const void* kernel) {
    cudaFuncAttributes attributes{};
    lesson::check(cudaFuncGetAttributes(&attributes, kernel));
    table.rows.push_back(
        {name, std::to_string(attributes.numRegs), std::to_string(attributes.localSizeBytes)});
  };
  row("global", reinterpret_cast<const void*>(series_1_global));
  row("constant", reinterpret_cast<const void*>(series_2_constant));
  row("array, local memory", reinterpret_cast<const void*>(series_3_local));
  row("array, registers", reinterpret_cast<const void*>(series_4_registers));
  return table;
}

}  // namespace

void variable_ladder(lesson::Run& run) {
  run.ladder({.name = "variables",
              .title = "sixteen coefficients in an order of each element's own, float32",
              .full = {1 << 25},
              .small = {1 << 14},
              .awkward = {{1}, {7}, {33}, {1000}},
              .needs =
                  [](const lesson::Size& size) {
                    const auto elements = static_cast<double>(size.elements());
                    return lesson::Needs{.bytes = 8 * elements, .flops = 48 * elements};
                  }},
             variable_rungs);
  run.table("where_it_lives", where_it_lives);
}
