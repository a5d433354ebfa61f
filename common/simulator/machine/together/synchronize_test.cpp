// Barriers, shuffles, votes: which lanes wait for which, and what they learn from each other.

#include <bit>

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace synchronize_test {

const std::string source = R"(
#define ALL 0xffffffffu
extern "C" __global__ void reverse(const int* in, int* out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[blockDim.x - 1 - t];
}
extern "C" __global__ void some_leave(int* out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  if (t % 3 == 1) return;
  s[t] = t;
  __syncthreads();
  if (t >= 128) return;
  __syncthreads();
  out[t] = s[(t + 3) % 192];
}
extern "C" __global__ void barrier_in_a_branch(int* out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = t;
  if (t / 32 % 2) { s[t] += 1; __syncthreads(); } else { s[t] += 2; __syncthreads(); }
  out[t] = s[127 - t];
}
extern "C" __global__ void named(int* out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = t * t;
  if (t < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
  else asm volatile("bar.sync 2, 64;" ::: "memory");
  out[t] = s[t ^ 33];
}
extern "C" __global__ void named_with_exits(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t % 32 == 5) return;
  s[t] = t;
  asm volatile("bar.sync 3, 64;" ::: "memory");
  out[t] = t % 32 == 26 ? 0 : s[63 - t];
}
extern "C" __global__ void shuffles(const int* in, int* out, int width) {
  int t = threadIdx.x, v = in[t];
  out[t] = __shfl_sync(ALL, v, t * 7 + 3, width);
  out[t + 32] = __shfl_up_sync(ALL, v, 3, width);
  out[t + 64] = __shfl_down_sync(ALL, v, 5, width);
  out[t + 96] = __shfl_xor_sync(ALL, v, 6, width);
}
extern "C" __global__ void wide_shuffle(const double* in, double* out, long long* sums) {
  int t = threadIdx.x;
  double v = in[t];
  out[t] = __shfl_sync(ALL, v, 31 - t);
  long long n = (long long)t << 33;
  for (int d = 16; d; d /= 2) n += __shfl_xor_sync(ALL, n, d);
  sums[t] = n;
}
extern "C" __global__ void part_of_warp(int* out) {
  int t = threadIdx.x, v = t * 10;
  if (t < 12) {
    v += __shfl_xor_sync(0xfffu, v, 1);
  } else if (t < 20) {
    unsigned mask = 0xffu << 12;
    v = __shfl_sync(mask, v, 15);
  }
  out[t] = v;
}
extern "C" __global__ void last_warp_short(const int* in, int* out) {
  int t = threadIdx.x;
  int v = in[t];
  unsigned mask = t < 32 ? ALL : 1u;
  int other = __shfl_down_sync(mask, v, 1);
  out[t] = t < 31 ? other : v;
}
extern "C" __global__ void diverged_shuffle(int* out) {
  int t = threadIdx.x, v = t;
  if (t % 4 == 1) { for (int k = 0; k < t; ++k) v += k; } else if (t % 4 == 2) v = -t;
  v = __shfl_sync(ALL, v, t + 1);
  out[t] = v;
}
extern "C" __global__ void tiles(int* out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned mask = t < 16 ? 0xffffu : 0xffff0000u;
  s[t] = t + 1;
  if (t % 5 == 0) s[t] += 100;
  __syncwarp(mask);
  for (int d = 8; d; d /= 2) {
    int v = t % 16 < d ? s[t] + s[t + d] : 0;
    __syncwarp(mask);
    if (t % 16 < d) s[t] = v;
    __syncwarp(mask);
  }
  out[t] = s[t & 16];
}
extern "C" __global__ void votes(const int* in, unsigned* out) {
  int t = threadIdx.x, v = in[t];
  out[t] = __ballot_sync(ALL, v & 1);
  out[t + 32] = __any_sync(ALL, v > 38) | __all_sync(ALL, v >= 0) << 1 | __any_sync(ALL, v < 0) << 2
                | __all_sync(ALL, v & 1) << 3;
  if (t & 1) out[t + 64] = __ballot_sync(0xaaaaaaaau, v & 2);
  else out[t + 64] = __activemask();
  out[t + 96] = __popc(__activemask());
  // The words in the other order, as CUB has them.
  asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %2, 38; vote.ballot.sync.b32 %0, p, 0xffffffff;"
               "  vote.any.sync.pred q, p, 0xffffffff; selp.u32 %1, 1, 0, q; }"
               : "=r"(out[t + 128]), "=r"(out[t + 160]) : "r"(v));
}
extern "C" __global__ void meet_elsewhere(int* out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t < 16) { s[t] = t; __syncwarp(); out[t] = s[t + 16]; }
  else { s[t] = 2 * t; __syncwarp(); out[t] = s[t - 16]; }
}
extern "C" __global__ void gone_lanes(int* out) {
  int t = threadIdx.x;
  if (t >= 20) return;
  int v = __shfl_xor_sync(ALL, t, 1);
  __syncwarp();
  out[t] = v + __popc(__ballot_sync(ALL, 1));
}
extern "C" __global__ void leave_while_others_wait(int* out) {
  int t = threadIdx.x;
  if (t % 2) {
    for (int k = 0; k < t; ++k) if (out[k] == 12345) return;
    return;
  }
  __syncwarp();
  out[t] = __popc(__ballot_sync(ALL, 1));
}
)";

Device& device() {
  static Device made(source);
  return made;
}

int shuffled(int mode, int lane, const std::vector<int>& in, int width) {
  int first = lane / width * width, last = first + width - 1;
  int from = mode == 0   ? first + (lane * 7 + 3) % width
             : mode == 1 ? lane - 3
             : mode == 2 ? lane + 5
                         : lane ^ 6;
  bool inside = mode == 1 ? from >= first : from <= last;
  return in[inside ? from : lane];
}

std::vector<int> run_on(const char* kernel, unsigned threads, std::size_t results) {
  CAPTURE(kernel);
  auto y = device().upload(std::vector<int>(results, -1));
  device().run_clean(kernel, {1, 1, 1}, {threads, 1, 1}, y);
  return device().download<int>(y, results);
}

TEST_CASE("a barrier makes what all wrote visible, in blocks of any size") {
  for (unsigned threads : {1u, 31u, 32u, 33u, 64u, 96u, 255u, 256u}) {
    CAPTURE(threads);
    auto in = numbers<int>(threads);
    auto x = device().upload(in), y = device().upload(std::vector<int>(threads));
    auto report = device().run_clean("reverse", {2, 1, 1}, {threads, 1, 1}, x, y);
    std::reverse(in.begin(), in.end());
    CHECK(difference(device().download<int>(y, threads), in) == "");
    CHECK(report.counts.counters.at("ptx__barriers") == 2);
  }
}

TEST_CASE("a barrier does not wait for threads that have exited") {
  auto want = made(192, [](int t) { return t % 3 == 1 || t >= 128 ? -1 : (t + 3) % 192; });
  CHECK(difference(run_on("some_leave", 192, 192), want) == "");
}

TEST_CASE("threads may meet at the same barrier from different places") {
  auto want = made(128, [](int t) { return 127 - t + ((127 - t) / 32 % 2 ? 1 : 2); });
  CHECK(difference(run_on("barrier_in_a_branch", 128, 128), want) == "");
}

TEST_CASE("named barriers keep groups of warps separate, and count warps with exited lanes whole") {
  auto want = made(128, [](int t) { return (t ^ 33) * (t ^ 33); });
  CHECK(difference(run_on("named", 128, 128), want) == "");
  auto with_exits = made(64, [](int t) { return t % 32 == 5 ? -1 : t % 32 == 26 ? 0 : 63 - t; });
  CHECK(difference(run_on("named_with_exits", 64, 64), with_exits) == "");
}

TEST_CASE("all four shuffles at all widths") {
  auto in = made(32, [](int i) { return i * i + 1; });
  for (int width : {2, 4, 8, 16, 32}) {
    CAPTURE(width);
    auto x = device().upload(in), y = device().upload(std::vector<int>(128));
    device().run_clean("shuffles", {1, 1, 1}, {32, 1, 1}, x, y, width);
    auto want = made(128, [&](int i) { return shuffled(i / 32, i % 32, in, width); });
    CHECK(difference(device().download<int>(y, 128), want) == "");
  }
}

TEST_CASE("values of 64 bits are shuffled in two halves") {
  auto in = made(32, [](int i) { return i * 1.1 + 1e10; });
  auto x = device().upload(in), y = device().upload(in),
       sums = device().upload(std::vector<long long>(32));
  device().run_clean("wide_shuffle", {1, 1, 1}, {32, 1, 1}, x, y, sums);
  std::reverse(in.begin(), in.end());
  CHECK(difference(device().download<double>(y, 32), in) == "");
  CHECK(difference(device().download<long long>(sums, 32),
                   std::vector<long long>(32, (31ll * 16) << 33)) == "");
}

TEST_CASE("shuffles of a part of the warp, and of a short last warp") {
  auto want = made(32, [](int t) {
    return t < 12 ? t * 10 + (t ^ 1) * 10 : t < 20 ? 150 : t * 10;
  });
  CHECK(difference(run_on("part_of_warp", 32, 32), want) == "");
  auto in = numbers<int>(33);
  auto x = device().upload(in), y = device().upload(std::vector<int>(33));
  auto report = device().run("last_warp_short", {1, 1, 1}, {33, 1, 1}, x, y);
  // The last warp's only lane reads from lane 1, which does not exist: it does not use the value.
  CHECK(difference(device().download<int>(y, 33),
                   made(33, [](int t) { return t < 31 ? t + 1 : t; })) == "");
}

TEST_CASE("lanes that went different ways wait for each other at a shuffle") {
  auto value = [](int t) { return t % 4 == 1 ? t + t * (t - 1) / 2 : t % 4 == 2 ? -t : t; };
  auto want = made(32, [&](int t) { return value((t + 1) % 32); });
  CHECK(difference(run_on("diverged_shuffle", 32, 32), want) == "");
}

TEST_CASE("two tiles of 16 lanes synchronise each on their own") {
  auto sum = [](int first) {
    int sum = 0;
    for (int t = first; t < first + 16; ++t) sum += t + 1 + (t % 5 == 0 ? 100 : 0);
    return sum;
  };
  CHECK(difference(run_on("tiles", 32, 32), made(32, [&](int t) { return sum(t & 16); })) == "");
}

TEST_CASE("votes, ballots and the mask of active lanes") {
  auto in = made(32, [](int i) { return (i * 13 + 5) % 40; });
  auto x = device().upload(in), y = device().upload(std::vector<unsigned>(192));
  device().run_clean("votes", {1, 1, 1}, {32, 1, 1}, x, y);
  unsigned odd = 0, twos = 0, high = 0;
  for (int i = 0; i < 32; ++i) {
    odd |= static_cast<unsigned>(in[i] & 1) << i;
    high |= static_cast<unsigned>(in[i] > 38) << i;
    if (i & 1) twos |= static_cast<unsigned>(in[i] >> 1 & 1) << i;
  }
  unsigned above = std::any_of(in.begin(), in.end(), [](int v) { return v > 38; });
  auto want = made(192, [&](int i) -> unsigned {
    if (i < 32) return odd;
    if (i < 64) return above | 2;
    if (i < 96) return i & 1 ? twos : 0x55555555u;
    if (i < 128) return 32;
    return i < 160 ? high : above;
  });
  CHECK(difference(device().download<unsigned>(y, 192), want) == "");
}

TEST_CASE("__syncwarp may be met from different places; exited lanes are not waited for") {
  auto want = made(32, [](int t) { return t < 16 ? 2 * (t + 16) : t - 16; });
  CHECK(difference(run_on("meet_elsewhere", 32, 32), want) == "");
  auto gone = made(32, [](int t) { return t < 20 ? (t ^ 1) + 20 : -1; });
  CHECK(difference(run_on("gone_lanes", 32, 32), gone) == "");
  auto left = made(32, [](int t) { return t % 2 ? -1 : 16; });
  CHECK(difference(run_on("leave_while_others_wait", 32, 32), left) == "");
}

}  // namespace synchronize_test
