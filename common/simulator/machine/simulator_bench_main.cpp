/// \file
/// How fast the simulator runs typical kernels on one core: thread instructions a second with all
/// checks on, and without those for races. Compiles its kernels with nvcc.
///
///     simulator_bench [part of a kernel's name]
#include <fmt/format.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/image/fatbin.h"
#include "simulator/machine/module.h"

namespace {

using namespace warpwise;

const char source[] = R"(
#include <cub/block/block_reduce.cuh>
extern "C" __global__ void arithmetic(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i], b = a + 1, c = a + 2, d = a + 3;
#pragma unroll 8
  for (int k = 0; k < n; ++k) {
    a = a * b + c;
    b = b * c + d;
    c = c * d + a;
    d = d * a + b;
  }
  y[i] = a + b + c + d;
}
extern "C" __global__ void block_per_row(const float* x, float* y, int columns) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float total;
  const float* row = x + blockIdx.x * columns;
  float v = row[threadIdx.x];
  float sum = Reduce(storage).Sum(v);
  if (threadIdx.x == 0) total = sum;
  __syncthreads();
  y[blockIdx.x * columns + threadIdx.x] = v / total;
}
extern "C" __global__ void block_by_shuffles(const float* x, float* y, int columns) {
  __shared__ float partial[4];
  float v = x[blockIdx.x * columns + threadIdx.x], sum = v;
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = partial[0] + partial[1] + partial[2] + partial[3];
  y[blockIdx.x * columns + threadIdx.x] = v / sum;
}
extern "C" __global__ void packs(const float4* x, float4* y, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, part = threadIdx.x % 8;
  const float4* from = x + row * (columns / 4) + part;
  float4 v[4];
  float sum = 0;
  for (int k = 0; k < 4; ++k) v[k] = from[8 * k];
  for (int k = 0; k < 4; ++k) sum += v[k].x + v[k].y + v[k].z + v[k].w;
  for (int d = 4; d; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  float scale = 1 / sum;
  for (int k = 0; k < 4; ++k) {
    v[k].x *= scale; v[k].y *= scale; v[k].z *= scale; v[k].w *= scale;
    y[row * (columns / 4) + part + 8 * k] = v[k];
  }
}
extern "C" __global__ void warp_per_row(const float* x, float* y, int columns) {
  int row = blockIdx.x * blockDim.x / 32 + threadIdx.x / 32, lane = threadIdx.x % 32;
  float v[4], sum = 0;
  for (int k = 0; k < 4; ++k) sum += v[k] = x[row * columns + lane + 32 * k];
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  for (int k = 0; k < 4; ++k) y[row * columns + lane + 32 * k] = v[k] / sum;
}
extern "C" __global__ void transpose(const float* x, float* y, int n) {
  __shared__ float tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = x[(row + k) * n + column];
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) y[(row + k) * n + column] = tile[threadIdx.x][threadIdx.y + k];
}
extern "C" __global__ void copy(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = x[i];
}
extern "C" __global__ void copy_wide(const float4* x, float4* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = x[i];
}
extern "C" __global__ void stencil(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i] * 2 + x[i + 1];
}
extern "C" __global__ void columns(const float* x, float* y, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * n;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += x[i + k];
  for (int k = 0; k < n; ++k) y[i + k] = sum;
}
extern "C" __global__ void multiply(const float* x, float* y, int n) {
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += x[row * n + k] * x[k * n + column];
  y[row * n + column] = sum;
}
extern "C" __global__ void histogram(const float* x, float* y, int n) {
  unsigned* bins = reinterpret_cast<unsigned*>(y) + (1 << 19);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[(__float_as_uint(x[i]) + i * 37) % n], 1u);
}
extern "C" __global__ void multiply_tiled(const float* x, float* y, int n) {
  __shared__ float a[16][16], b[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    a[threadIdx.y][threadIdx.x] = x[row * n + tile + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = x[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  y[row * n + column] = sum;
}
extern "C" __global__ void window(const float* x, float* y, int n) {
  __shared__ float tile[20][20];
  int left = blockIdx.x * 16, top = blockIdx.y * 16;
  for (int k = threadIdx.y * 16 + threadIdx.x; k < 400; k += 256) {
    int column = left + k % 20 - 2, row = top + k / 20 - 2;
    bool inside = column >= 0 && row >= 0 && column < n && row < n;
    tile[k / 20][k % 20] = inside ? x[row * n + column] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) sum += tile[threadIdx.y + j][threadIdx.x + i] * (i + j);
  y[(top + threadIdx.y) * n + left + threadIdx.x] = sum;
}
extern "C" __global__ void gather(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i * 40503u % n];
}
extern "C" __global__ void structures(const float* x, float* y, int n) {
  struct Particle { float position[3], velocity[3], mass; };
  auto* p = reinterpret_cast<Particle*>(y) + blockIdx.x * blockDim.x + threadIdx.x;
  for (int axis = 0; axis < 3; ++axis) p->position[axis] += p->velocity[axis] * 0.5f;
}
extern "C" __global__ void shared_bins(const float* x, float* y, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[(__float_as_uint(x[i]) + i * 40503u >> 8) % 256], 1u);
  __syncthreads();
  atomicAdd(reinterpret_cast<unsigned*>(y) + threadIdx.x, bins[threadIdx.x]);
}
__device__ __noinline__ float step(float a, float b) { return a * b + 1; }
extern "C" __global__ void calls(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i];
#pragma unroll 1
  for (int k = 0; k < n; ++k) a = step(a, 0.5f);
  y[i] = a;
}
)";

/// One launch: `kernel(x, y, number)` on arrays of a million floats.
struct Launch {
  const char* kernel;
  watch::Index3 grid, block;
  int number;
};
constexpr Launch launches[] = {
    {"arithmetic", {256, 1, 1}, {128, 1, 1}, 256},
    {"block_per_row", {8192, 1, 1}, {128, 1, 1}, 128},
    {"block_by_shuffles", {8192, 1, 1}, {128, 1, 1}, 128},
    {"packs", {512, 1, 1}, {128, 1, 1}, 128},
    {"warp_per_row", {2048, 1, 1}, {128, 1, 1}, 128},
    {"transpose", {32, 32, 1}, {32, 8, 1}, 1024},
    {"copy", {512, 1, 1}, {256, 1, 1}, 1 << 20},
    {"copy_wide", {128, 1, 1}, {256, 1, 1}, 1 << 18},
    {"stencil", {4096, 1, 1}, {256, 1, 1}, 1 << 20},
    {"columns", {128, 1, 1}, {256, 1, 1}, 32},
    {"multiply", {8, 8, 1}, {16, 16, 1}, 128},
    {"histogram", {1024, 1, 1}, {256, 1, 1}, 256},
    {"multiply_tiled", {8, 8, 1}, {16, 16, 1}, 128},
    {"window", {32, 32, 1}, {16, 16, 1}, 512},
    {"gather", {4096, 1, 1}, {256, 1, 1}, 1 << 20},
    {"structures", {512, 1, 1}, {256, 1, 1}, 0},
    {"shared_bins", {128, 1, 1}, {256, 1, 1}, 1 << 20},
    {"calls", {64, 1, 1}, {128, 1, 1}, 256},
};

/// The kernels as nvcc compiles them; empty where it fails, after its own words.
std::vector<image::Entry> compiled() {
  std::string folder = (std::filesystem::temp_directory_path() / "simulator_bench_XXXXXX").string();
  if (!mkdtemp(folder.data())) return {};
  std::ofstream(folder + "/kernels.cu") << source;
  std::string command = fmt::format(
      "'{}' -fatbin -std=c++20 -lineinfo -gencode 'arch=compute_90,code=[compute_90,sm_90]' "
      "-o '{}/out' '{}/kernels.cu'",
      WARPWISE_NVCC, folder, folder);
  std::vector<image::Entry> entries;
  if (std::system(command.c_str()) == 0) {
    std::ifstream file(folder + "/out", std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    entries = image::read_container(std::as_bytes(std::span(bytes)));
  }
  std::filesystem::remove_all(folder);
  return entries;
}

/// Runs a launch over and over for about half a second. @return its best rate, 0 where it failed.
double best_rate(machine::Module& module, const Launch& what, std::uint64_t x, std::uint64_t y,
                 bool check_races) {
  machine::Launch launch;
  launch.kernel = what.kernel;
  launch.grid = what.grid;
  launch.block = what.block;
  launch.parameters.resize(20);
  std::memcpy(launch.parameters.data(), &x, 8);
  std::memcpy(launch.parameters.data() + 8, &y, 8);
  std::memcpy(launch.parameters.data() + 16, &what.number, 4);
  machine::Options options;
  options.threads = 1;
  options.check_races = check_races;
  double best = 0;
  // Of this thread alone: others on the machine take as little part in it as they can.
  auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  do {
    const double begin = now();
    watch::LaunchReport report = module.run(launch, options);
    const double took = now() - begin;
    if (!report.unsupported.empty()) fmt::print(stderr, "{}\n", report.unsupported);
    for (const watch::Diagnosis& diagnosis : report.diagnoses)
      fmt::print(stderr, "{}", to_text(diagnosis));
    if (!report.unsupported.empty() || !report.diagnoses.empty()) return 0;
    best = std::max(best, report.counters.at("ptx__thread_instructions") / took);
  } while (now() - start < 0.5);
  return best;
}

}  // namespace

int main(int argument_count, char** arguments) {
  std::string_view wanted = argument_count > 1 ? arguments[1] : "";
  std::vector<image::Entry> entries = compiled();
  if (entries.empty()) return 3;
  memory::AddressSpace memory(64ull << 20);
  auto module = machine::load(entries, 90, memory);
  const std::vector<float> ones(1 << 20, 1.0f);
  auto array = [&] {
    const memory::Allocation* made = memory.allocate(ones.size() * 4, memory::Kind::device);
    memory.track(made->base);
    std::memcpy(memory.host(made->base), ones.data(), ones.size() * 4);
    memory.written(memory.host(made->base), nullptr, ones.size() * 4);
    return made->base;
  };
  std::uint64_t x = array(), y = array();
  fmt::print("million thread instructions/s\n{:<20} {:>12} {:>12}\n", "kernel", "all checks",
             "but races");
  bool failed = false;
  for (const Launch& launch : launches) {
    if (std::string_view(launch.kernel).find(wanted) == std::string_view::npos) continue;
    double rate = best_rate(*module, launch, x, y, true);
    failed |= rate == 0;
    fmt::print("{:<20} {:>12.0f} {:>12.0f}\n", launch.kernel, rate / 1e6,
               best_rate(*module, launch, x, y, false) / 1e6);
  }
  return failed;
}
