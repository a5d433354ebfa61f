// match, redux, elect, votes with masks of their own: what lanes learn about each other.

#include <bit>

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace warp_functions_test {

const std::string source = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
#define ALL 0xffffffffu

extern "C" __global__ void matches(const unsigned* in, unsigned* out, long long high) {
  int t = threadIdx.x;
  out[t] = __match_any_sync(ALL, in[t]);
  long long wide = in[t] + (t == 9 ? high : 0);
  out[t + 32] = __match_any_sync(ALL, wide);
  int same;
  out[t + 64] = __match_all_sync(ALL, in[t] < 1000, &same);
  out[t + 96] = same;
  out[t + 128] = __match_all_sync(ALL, wide, &same);
  out[t + 160] = same;
  unsigned half = t < 16 ? 0xffffu : 0xffff0000u;
  out[t + 192] = __match_any_sync(half, in[t] & 1);
}
extern "C" __global__ void wide_tiles(const int* in, int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<64>(block);
  int t = block.thread_rank();
  out[t] = cg::reduce(tile, in[t], cg::plus<int>());
  out[t + 192] = tile.shfl(in[t], 40) + tile.meta_group_rank() + tile.all(in[t] > -1);
  tile.sync();
}
extern "C" __global__ void reductions(const int* in, int* out) {
  int t = threadIdx.x, v = in[t];
  unsigned u = v;
  if (t < 20) {
    out[t] = __reduce_add_sync(0xfffffu, v);
    out[t + 32] = __reduce_min_sync(0xfffffu, v);
    out[t + 64] = __reduce_max_sync(0xfffffu, v);
    out[t + 96] = __reduce_min_sync(0xfffffu, u);
    out[t + 128] = __reduce_max_sync(0xfffffu, u);
    out[t + 160] = __reduce_and_sync(0xfffffu, u);
    out[t + 192] = __reduce_or_sync(0xfffffu, u);
    out[t + 224] = __reduce_xor_sync(0xfffffu, u);
  }
}
extern "C" __global__ void elected(unsigned* out) {
  int t = threadIdx.x;
  unsigned mask = t < 5 ? 0x1fu : 0xffffffe0u, leader, is_leader;
  asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }"
               : "=r"(leader), "=r"(is_leader) : "r"(mask));
  out[t] = leader * 2 + is_leader;
}
extern "C" __global__ void vote_of_tiles(const int* in, unsigned* out) {
  int t = threadIdx.x;
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  out[t] = tile.all(in[t] > 3) | tile.any(in[t] > 36) << 1 | (unsigned)tile.ballot(in[t] & 1) << 8;
  unsigned uniform;
  asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 20; vote.sync.uni.pred q, !p, 0xffffffff; "
               "selp.u32 %0, 1, 0, q; }" : "=r"(uniform) : "r"(in[t]));
  out[t] |= uniform << 2;
}
extern "C" __global__ void groups(const int* in, int* out) {
  int t = threadIdx.x;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  out[t] = cg::reduce(tile, in[t], cg::plus<int>());
  out[t + 64] = cg::exclusive_scan(tile, in[t], cg::plus<int>());
  auto by_value = cg::labeled_partition(cg::tiled_partition<32>(block), in[t] % 3);
  out[t + 128] = by_value.size() * 100 + by_value.thread_rank();
  if (in[t] & 1) {
    auto odd = cg::coalesced_threads();
    out[t + 192] = cg::reduce(odd, in[t], cg::greater<int>());
  }
  auto binary = cg::binary_partition(cg::tiled_partition<32>(block), in[t] > 20);
  out[t + 256] = binary.size();
  out[t + 320] = cg::invoke_one_broadcast(tile, [&] { return in[t] * 2; });
}
)";

Device& device() {
  static Device made(source);
  return made;
}

std::vector<int> values(int count) {
  return made(static_cast<std::size_t>(count), [](int i) { return (i * 13 + 5) % 40; });
}

TEST_CASE("match finds equal values of 32 and 64 bits among the lanes named") {
  auto in = made(32, [](int i) { return static_cast<unsigned>((i * 13 + 5) % 7); });
  auto x = device().upload(in), y = device().upload(std::vector<unsigned>(224));
  device().run_clean("matches", {1, 1, 1}, {32, 1, 1}, x, y, 1ll << 40);
  auto same_as = [&](int lane, unsigned bits, bool wide) {
    unsigned mask = 0;
    for (int i = 0; i < 32; ++i) {
      bool equal = bits == 1 ? ((in[i] ^ in[lane]) & 1) == 0 && i / 16 == lane / 16
                             : in[i] == in[lane] && (!wide || (i == 9) == (lane == 9));
      if (equal) mask |= 1u << i;
    }
    return mask;
  };
  auto want = made(224, [&](int i) -> unsigned {
    int lane = i % 32;
    switch (i / 32) {
      case 0:
        return same_as(lane, 32, false);
      case 1:
        return same_as(lane, 32, true);
      case 2:
        return ~0u;
      case 3:
        return 1;
      case 6:
        return same_as(lane, 1, false);
      default:
        return 0;
    }
  });
  CHECK(difference(device().download<unsigned>(y, 224), want) == "");
}

TEST_CASE("redux: all operations over a part of the warp, signed and unsigned") {
  auto in = made(32, [](int i) { return (i * 7919 - 60000) ^ (i % 3 ? 0 : 0x5555); });
  auto x = device().upload(in), y = device().upload(std::vector<int>(256));
  device().run_clean("reductions", {1, 1, 1}, {32, 1, 1}, x, y);
  std::vector<int> part(in.begin(), in.begin() + 20);
  std::vector<unsigned> raw(part.begin(), part.end());
  unsigned sum = 0, all = ~0u, any = 0, odd = 0;
  for (unsigned v : raw) sum += v, all &= v, any |= v, odd ^= v;
  const unsigned want[] = {sum,
                           static_cast<unsigned>(*std::min_element(part.begin(), part.end())),
                           static_cast<unsigned>(*std::max_element(part.begin(), part.end())),
                           *std::min_element(raw.begin(), raw.end()),
                           *std::max_element(raw.begin(), raw.end()),
                           all,
                           any,
                           odd};
  CHECK(difference(device().download<unsigned>(y, 256),
                   made(256, [&](int i) { return i % 32 < 20 ? want[i / 32] : 0u; })) == "");
}

TEST_CASE("elect names one lane of those with the same mask") {
  auto y = device().upload(std::vector<unsigned>(32));
  device().run_clean("elected", {1, 1, 1}, {32, 1, 1}, y);
  CHECK(difference(device().download<unsigned>(y, 32), made(32, [](int i) {
                     unsigned leader = i < 5 ? 0 : 5;
                     return leader * 2 + (static_cast<unsigned>(i) == leader);
                   })) == "");
}

TEST_CASE("votes of tiles, and on a negated predicate") {
  auto in = values(32);
  auto x = device().upload(in), y = device().upload(std::vector<unsigned>(32));
  device().run_clean("vote_of_tiles", {1, 1, 1}, {32, 1, 1}, x, y);
  auto want = made(32, [&](int i) {
    unsigned all = 1, any = 0, odd = 0;
    for (int k = 0; k < 8; ++k) {
      int v = in[i / 8 * 8 + k];
      all &= v > 3;
      any |= v > 36;
      odd |= static_cast<unsigned>(v & 1) << k;
    }
    return all | any << 1 | odd << 8;
  });
  CHECK(difference(device().download<unsigned>(y, 32), want) == "");
}

TEST_CASE("tiles of several warps meet in the shared memory that a GPU keeps for them") {
  auto in = values(192);
  auto x = device().upload(in), y = device().upload(std::vector<int>(384));
  device().run_clean("wide_tiles", {2, 1, 1}, {192, 1, 1}, x, y);
  auto want = made(384, [&](int i) {
    int t = i % 192, tile = t / 64 * 64, sum = 0, all = 1;
    for (int k = tile; k < tile + 64; ++k) sum += in[k], all &= in[k] > -1;
    return i < 192 ? sum : in[tile + 40] + tile / 64 + all;
  });
  CHECK(difference(device().download<int>(y, 384), want) == "");
}

TEST_CASE("cooperative groups: reduce, scan, partitions by label, coalesced threads") {
  auto in = values(64);
  auto x = device().upload(in), y = device().upload(std::vector<int>(384, -1));
  device().run_clean("groups", {1, 1, 1}, {64, 1, 1}, x, y);
  auto want = made(384, [&](int i) {
    int t = i % 64, tile = t / 16 * 16, warp = t / 32 * 32, sum = 0;
    switch (i / 64) {
      case 0:
        for (int k = tile; k < tile + 16; ++k) sum += in[k];
        return sum;
      case 1:
        for (int k = tile; k < t; ++k) sum += in[k];
        return sum;
      case 2: {
        int before = 0;
        for (int k = warp; k < warp + 32; ++k) {
          if (in[k] % 3 != in[t] % 3) continue;
          ++sum;
          before += k < t;
        }
        return sum * 100 + before;
      }
      case 3: {
        if (!(in[t] & 1)) return -1;
        int most = 0;
        for (int k = warp; k < warp + 32; ++k)
          if (in[k] & 1) most = std::max(most, in[k]);
        return most;
      }
      case 4:
        for (int k = warp; k < warp + 32; ++k) sum += (in[k] > 20) == (in[t] > 20);
        return sum;
      default:
        return in[tile] * 2;
    }
  });
  CHECK(difference(device().download<int>(y, 384), want) == "");
}

}  // namespace warp_functions_test
