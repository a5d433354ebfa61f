// Kernels of chapter 7 as a library with plain C names, so that one process can take turns between
// them and PyTorch: record_attention.py compiles and loads it.
#include "../../chapters/ch07_attention/attention_rungs.h"
#include "../../chapters/ch07_attention/decode.h"

namespace warpwise::lesson {

// What the chapter's launchers need of the harness, without the harness.
void check(cudaError_t status, std::source_location) {
  if (status != cudaSuccess) std::abort();
}
void launch_kernel(const void* kernel, const Shape& shape, void** arguments) {
  if (shape.shared_bytes > 48 * 1024) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shape.shared_bytes)));
  }
  check(cudaLaunchKernel(kernel, shape.grid, shape.block, arguments, shape.shared_bytes,
                         shape.stream));
}
void Trial::run(std::string_view, const void*, const Shape&, std::function<void()>) {}
void Trial::work(std::string_view, const std::function<void()>&, const std::function<void()>&,
                 const std::function<void()>&) {}
void Trial::skip(std::string_view, std::string_view) {}
void Run::ladder(const Ladder&, const std::function<void(Trial&)>&) {}
Size::Size(std::initializer_list<int>) {}
std::size_t Size::elements() const { return 0; }
void* Workspace::input_bytes(std::string_view, const void*, std::size_t) { return nullptr; }
void* Workspace::output_bytes(std::string_view, std::vector<double>, Tolerance, std::size_t,
                              std::size_t) {
  return nullptr;
}
std::uint32_t seeded(std::uint32_t seed) { return seed; }

}  // namespace warpwise::lesson

/// @param rung 5, or 6 to 8 for the three rungs of warpgroups. @param qkv (B, T, 3, H, 64), out (B,
/// T, H, 64), bf16, device.
extern "C" void start_attention(int rung, const void* qkv, void* out, int B, int T, int H,
                                float scale_log2, int causal) {
  using namespace attention;
  const auto* from = static_cast<const bf16*>(qkv);
  auto* to = static_cast<bf16*>(out);
  const Extents e = {B, T, H};
  if (rung == 5)
    start_warp_products(from, to, e, scale_log2, causal != 0);
  else
    start_warpgroup_rung(rung - 6, from, to, e, scale_log2, causal != 0);
}

/// Reads two arrays and does nothing with them: what any kernel takes that has to read a cache.
/// @param[in] keys, values `chunks` of 16 bytes each, device. @param[out] never written, because no
/// number of a cache has all bits set; device. @pre a grid of any size.
__global__ void __launch_bounds__(256)
    read_once(const uint4* keys, const uint4* values, std::size_t chunks, unsigned* never) {
  constexpr int in_flight = 4;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned all = first < chunks ? ~0U : 0;
  for (std::size_t i = first; i < chunks; i += in_flight * step) {
    uint4 got[2 * in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) {
      const bool inside = i + k * step < chunks;
      got[2 * k] = inside ? keys[i + k * step] : uint4{};
      got[2 * k + 1] = inside ? values[i + k * step] : uint4{};
    }
#pragma unroll
    for (const uint4& chunk : got) all &= chunk.x & chunk.y & chunk.z & chunk.w;
  }
  if (all == ~0U) *never = 1;
}

/// Starts read_once. @param blocks of 256 threads.
extern "C" void start_read(const void* keys, const void* values, std::size_t chunks, void* never,
                           int blocks) {
  read_once<<<blocks, 256>>>(static_cast<const uint4*>(keys), static_cast<const uint4*>(values),
                             chunks, static_cast<unsigned*>(never));
  warpwise::lesson::check(cudaGetLastError());
}

/// @param way 0: two launches, 1: one, 2: by bulk copies, 3: by bulk copies, evicted first.
/// @param arrived B * H zeros. @param q (B, H, 64), keys and values (B, H, Tmax, 64), bf16;
/// position (B); parts, for splits * 66 floats per head; all device.
extern "C" void start_decode_of(int way, const void* q, const void* keys, const void* values,
                                const int* position, float* parts, unsigned* arrived, void* out,
                                int B, int H, int Tmax, int splits, float scale_log2) {
  using namespace attention;
  const Cache cache = {static_cast<const bf16*>(q),
                       static_cast<const bf16*>(keys),
                       static_cast<const bf16*>(values),
                       position,
                       H,
                       Tmax};
  auto* to = static_cast<bf16*>(out);
  const int N = B * H;
  if (way == 0)
    start_decode(cache, parts, to, N, splits, scale_log2);
  else if (way == 1)
    start_decode_in_one(cache, parts, arrived, to, N, splits, scale_log2);
  else
    start_decode_bulk(cache, parts, arrived, to, N, splits, scale_log2, way == 3);
}
