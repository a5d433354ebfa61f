/// \file
/// The prefix test: rows 0 to i of a causal result depend on keys 0 to i alone. So the result for
/// 197 tokens has to be the first 197 rows of the result for 256, bit for bit.
///
///     build/ch07_attention --only prefix
#include <cstring>
#include <vector>

#include "attention_rungs.h"
#include "lesson/device/device_array.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

constexpr int shorter = 197, longer = 256, heads = 2;

template <class T>
using Start = void (*)(const T* qkv, T* out, Extents e, float scale, bool causal);

void start_warp_per_query(const float* qkv, float* out, Extents e, float scale, bool causal) {
  start_online(qkv, out, e, scale, causal);
}

void start_tiles_of_64(const float* qkv, float* out, Extents e, float scale, bool causal) {
  start_tiles(qkv, out, e, scale, causal);
}

void start_mma(const bf16* qkv, bf16* out, Extents e, float scale, bool causal) {
  start_warp_products(qkv, out, e, scale, causal);
}

void start_persistent(const bf16* qkv, bf16* out, Extents e, float scale, bool causal) {
  start_warpgroup_rung(1, qkv, out, e, scale, causal);
}

/// The result of a rung for T tokens, as it is in memory.
template <class T>
std::vector<T> result_of(Start<T> start, int tokens, const std::vector<T>& host) {
  const Extents e = {1, tokens, heads};
  const lesson::DeviceArray<T> qkv(std::span<const T>(host), "qkv");
  const lesson::DeviceArray<T> out(static_cast<std::size_t>(tokens) * e.C(), "out");
  start(qkv, out, e, scale_log2(Numbers::ordinary), true);
  lesson::check(cudaDeviceSynchronize());
  return out.to_host();
}

/// Elements of the shorter result that are not the longer one's.
template <class T>
std::size_t different(Start<T> start, const std::vector<T>& of_shorter,
                      const std::vector<T>& of_longer) {
  const std::vector<T> a = result_of(start, shorter, of_shorter);
  const std::vector<T> b = result_of(start, longer, of_longer);
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += std::memcmp(&a[i], &b[i], sizeof(T)) != 0;
  return count;
}

lesson::Demonstration prefix_rows() {
  lesson::Demonstration table{
      .title = "Causal results for 197 tokens against the first 197 rows for 256, ordinary numbers",
      .columns = {"rung", "elements", "that differ in a bit"},
      .rows = {}};
  const auto input = [](int tokens) {
    return attention_input({1, tokens, heads}, Numbers::ordinary);
  };
  const std::vector<float> a = input(shorter), b = input(longer);
  const auto row = [&](const char* rung, std::size_t count) {
    const std::size_t elements = std::size_t{shorter} * heads * head_size;
    table.rows.push_back({rung, std::to_string(elements), std::to_string(count)});
    if (count == 0) return;
    throw lesson::Stop(lesson::something_wrong, std::string("prefix test: ") + rung + ": " +
                                                    std::to_string(count) +
                                                    " elements change when later tokens are added");
  };
  row("warp per query, fp32", different<float>(start_warp_per_query, a, b));
  row("tiles of 64 keys, fp32", different<float>(start_tiles_of_64, a, b));
  if (compute_capability_major() < 8) return table;
  const std::vector<bf16> a_bf16 = as_bf16(a), b_bf16 = as_bf16(b);
  row("mma bf16, tiles of 64", different<bf16>(start_mma, a_bf16, b_bf16));
  if (compute_capability_major() != 9) return table;
  row("wgmma bf16, persistent", different<bf16>(start_persistent, a_bf16, b_bf16));
  return table;
}

}  // namespace
}  // namespace attention

void prefix_table(lesson::Run& run) { run.table("prefix", attention::prefix_rows); }
