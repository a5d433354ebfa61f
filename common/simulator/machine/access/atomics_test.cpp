// Every atomic operation and type, in global and in shared memory, with results that do not depend
// on the order of threads.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace atomics_test {

const std::string source = R"(
__device__ long long atomicAdd(long long* p, long long v) {
  return atomicAdd((unsigned long long*)p, (unsigned long long)v);
}
template <class T> __device__ void all(T* r, T v) {
  atomicAdd(r + 0, v); atomicMin(r + 1, v); atomicMax(r + 2, v);
  atomicAnd(r + 3, v | T(0xf0)); atomicOr(r + 4, v); atomicXor(r + 5, v);
}
template <class T> __device__ void in_both(const T* in, T* global, T* copy) {
  __shared__ T s[6];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 6) s[threadIdx.x] = copy[threadIdx.x + 6 * blockIdx.x];
  __syncthreads();
  all(global, in[i]);
  all(s, in[i]);
  __syncthreads();
  if (threadIdx.x < 6) copy[threadIdx.x + 6 * blockIdx.x] = s[threadIdx.x];
}
#define INTEGERS(NAME, T) extern "C" __global__ void NAME(const T* in, T* g, T* c) { in_both<T>(in, g, c); }
INTEGERS(ints, int)
INTEGERS(unsigneds, unsigned)
INTEGERS(wide_unsigneds, unsigned long long)
INTEGERS(wide_ints, long long)
extern "C" __global__ void floats(float* f, double* d, float* out) {
  __shared__ float sf; __shared__ double sd;
  if (threadIdx.x == 0) { sf = 0; sd = 0; }
  __syncthreads();
  atomicAdd(f, 0.25f * threadIdx.x); atomicAdd(d, 0.5);
  atomicAdd(&sf, 0.25f * threadIdx.x); atomicAdd(&sd, 0.5);
  __syncthreads();
  if (threadIdx.x == 0) { out[0] = sf; out[1] = sd; }
}
extern "C" __global__ void nans(double* global, double* out) {
  __shared__ double s;
  s = *global;
  atomicAdd(&s, __longlong_as_double(0x7ff0000000000000));
  atomicAdd(global, __longlong_as_double(0x7ff0000000000000));
  *out = s;
}
extern "C" __global__ void tickets(int* next, int* seen, unsigned* wrap, unsigned* down) {
  seen[atomicAdd(next, 1)] = 1;
  atomicInc(wrap, 6u);
  atomicDec(down, 9u);
}
extern "C" __global__ void exchanges(int* slot, int* sum, unsigned long long* wide) {
  int got = atomicExch(slot, threadIdx.x + 1);
  atomicAdd(sum, got);
  unsigned long long old = *wide, assumed;
  do { assumed = old; old = atomicCAS(wide, assumed, assumed + 3); } while (old != assumed);
}
extern "C" __global__ void float_exchange(float* slot, float* out) {
  out[threadIdx.x] = atomicExch(slot, float(threadIdx.x));
}
extern "C" __global__ void vectors(float* f, unsigned* h, float* old) {
  int t = threadIdx.x;
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, 0f3F800000};" :: "l"(f), "f"(1.f * t), "f"(-2.f * t), "f"(0.5f) : "memory");
  float a, b;
  asm volatile("atom.global.add.v2.f32 {%0, %1}, [%2], {%3, %4};" : "=f"(a), "=f"(b) : "l"(f + 4), "f"(1.f), "f"(3.f) : "memory");
  old[2 * t] = a; old[2 * t + 1] = b;
  // 1 and 0.5; -1 and 2; in bf16 64 is the largest that keeps ones.
  asm volatile("red.global.add.noftz.v2.f16x2 [%0], {%1, %2};" :: "l"(h), "r"(0x3c003800), "r"(0xbc004000) : "memory");
  asm volatile("red.global.max.noftz.v4.bf16x2 [%0], {%1, %1, %1, %2};" :: "l"(h + 4), "r"(0x3f800000 | threadIdx.x), "r"(0xff80c000) : "memory");
}
extern "C" __global__ void halves(unsigned* y) {
  __shared__ unsigned s[2];
  int t = threadIdx.x;
  if (t < 2) s[t] = 0;
  __syncthreads();
  unsigned a;
  unsigned short b;
  asm volatile("atom.shared.add.noftz.f16x2 %0, [%1], %2;" : "=r"(a) : "l"(__cvta_generic_to_shared(s)), "r"(0x3c00bc00) : "memory");
  asm volatile("atom.shared.add.noftz.bf16 %0, [%1], %2;" : "=h"(b) : "l"(__cvta_generic_to_shared((char*)s + 6)), "h"((short)0x3f00) : "memory");
  asm volatile("atom.global.add.noftz.f16 %0, [%1], %2;" : "=h"(b) : "l"(y), "h"((short)0x0001) : "memory");
  asm volatile("red.global.min.noftz.v2.f16 [%0], {%1, %2};" :: "l"(y + 3), "h"((short)(0x8000 | t)), "h"((short)1) : "memory");
  __syncthreads();
  if (t < 2) y[1 + t] = s[t];
}
extern "C" __global__ void narrow_and_wide(unsigned short* small, unsigned long long* y) {
  __shared__ __align__(16) unsigned long long wide[2];
  unsigned short old;
  if (threadIdx.x == 0) {
    wide[0] = 1; wide[1] = 2;
    asm volatile("atom.global.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(small + 1), "h"((short)0x2222), "h"((short)0x9999) : "memory");
    y[0] = old;
    asm volatile("atom.global.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"(small), "h"((short)0x2222), "h"((short)0x9999) : "memory");
    y[1] = old;
    asm volatile("{ .reg .b128 a, b; mov.b128 a, {%3, %4}; atom.shared.exch.b128 b, [%2], a; mov.b128 {%0, %1}, b; }"
                 : "=l"(y[2]), "=l"(y[3]) : "l"(__cvta_generic_to_shared(wide)), "l"(7ull), "l"(9ull) : "memory");
    asm volatile("{ .reg .b128 a, b, c; mov.b128 c, {%3, %4}; mov.b128 a, {%4, %4}; atom.shared.cas.b128 b, [%2], c, a; mov.b128 {%0, %1}, b; }"
                 : "=l"(y[4]), "=l"(y[5]) : "l"(__cvta_generic_to_shared(wide)), "l"(7ull), "l"(9ull) : "memory");
    y[6] = wide[0]; y[7] = wide[1];
  }
}
extern "C" __global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned local[64];
  for (int i = threadIdx.x; i < 64; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i] & 63], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}
extern "C" __global__ void last_block_sums(const int* in, int* partial, unsigned* done, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x] * 2;
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x) return;
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += partial[b];
  *out = sum;
}
)";

Device& device() {
  static Device made(source);
  return made;
}

/// A GPU's integers wrap.
template <class T>
T wrapped_sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  } else {
    return a + b;
  }
}

/// The values that `all` leaves in six words that start as `start`.
template <class T>
std::vector<T> updated(std::vector<T> r, const std::vector<T>& in, std::size_t from,
                       std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    r[0] = wrapped_sum(r[0], in[i]);
    r[1] = std::min(r[1], in[i]);
    r[2] = std::max(r[2], in[i]);
    r[3] &= in[i] | T(0xf0);
    r[4] |= in[i];
    r[5] ^= in[i];
  }
  return r;
}

template <class T>
void check_integers(const char* kernel) {
  CAPTURE(kernel);
  std::vector<T> in;
  for (std::uint32_t v : scrambled(128))
    in.push_back(static_cast<T>(static_cast<T>(v) * 0x100000001ull - 77));
  std::vector<T> start = {3, 5, T(-6), T(-1), 0, 9}, both(start);
  both.insert(both.end(), start.begin(), start.end());
  auto x = device().upload(in), g = device().upload(start), c = device().upload(both);
  device().run_clean(kernel, {2, 1, 1}, {64, 1, 1}, x, g, c);
  CHECK(difference(device().download<T>(g, 6), updated(start, in, 0, 128)) == "");
  auto shared = device().download<T>(c, 12);
  CHECK(difference({shared.begin(), shared.begin() + 6}, updated(start, in, 0, 64)) == "");
  CHECK(difference({shared.begin() + 6, shared.end()}, updated(start, in, 64, 128)) == "");
}

TEST_CASE("integer atomics of both signs and widths") {
  check_integers<int>("ints");
  check_integers<unsigned>("unsigneds");
  check_integers<unsigned long long>("wide_unsigneds");
  check_integers<long long>("wide_ints");
}

TEST_CASE("float and double sums") {
  auto f = device().upload(std::vector<float>{1}), d = device().upload(std::vector<double>{2}),
       out = device().upload(std::vector<float>(2));
  device().run_clean("floats", {1, 1, 1}, {64, 1, 1}, f, d, out);
  CHECK(device().download<float>(f, 1)[0] == 1 + 0.25f * 63 * 32);
  CHECK(device().download<double>(d, 1)[0] == 34);
  CHECK(device().download<float>(out, 2) == std::vector<float>{0.25f * 63 * 32, 32});
}

TEST_CASE("vectors of floats, element by element") {
  auto f = device().upload(std::vector<float>(8)), h = device().upload(std::vector<unsigned>(8)),
       old = device().upload(std::vector<float>(64));
  device().run_clean("vectors", {1, 1, 1}, {32, 1, 1}, f, h, old);
  CHECK(device().download<float>(f, 6) == std::vector<float>{496, -992, 16, 32, 32, 96});
  auto olds = made(64, [](int i) { return static_cast<float>(i % 2 ? i / 2 * 3 : i / 2); });
  CHECK(difference(device().download<float>(old, 64), olds) == "");
  CHECK(device().download<unsigned>(h, 8) ==
        std::vector<unsigned>{0x50004c00, 0xd0005400, 0, 0, 0x3f80001f, 0x3f80001f, 0x3f80001f, 0});
}

TEST_CASE("halves, alone and in pairs") {
  auto y = device().upload(std::vector<unsigned>{0, 0, 0, 0x7c007c00});
  device().run_clean("halves", {1, 1, 1}, {32, 1, 1}, y);
  CHECK(device().download<unsigned>(y, 4) ==
        std::vector<unsigned>{0x20, 0x5000d000, 0x41800000, 0x0001801f});
}

TEST_CASE("compare-and-swap of 16 bits, exchanges of 128") {
  auto small = device().upload(std::vector<std::uint16_t>{0x1111, 0x2222, 0x3333}),
       y = device().upload(std::vector<std::uint64_t>(8));
  device().run_clean("narrow_and_wide", {1, 1, 1}, {32, 1, 1}, small, y);
  CHECK(device().download<std::uint16_t>(small, 3) ==
        std::vector<std::uint16_t>{0x1111, 0x9999, 0x3333});
  CHECK(device().download<std::uint64_t>(y, 8) ==
        std::vector<std::uint64_t>{0x2222, 0x1111, 1, 2, 7, 9, 9, 9});
}

TEST_CASE("every ticket is drawn once; inc and dec wrap") {
  auto next = device().upload(std::vector<int>(1)), seen = device().upload(std::vector<int>(300)),
       wrap = device().upload(std::vector<unsigned>(1)),
       down = device().upload(std::vector<unsigned>{4});
  device().run_clean("tickets", {3, 1, 1}, {100, 1, 1}, next, seen, wrap, down);
  CHECK(difference(device().download<int>(seen, 300), std::vector<int>(300, 1)) == "");
  CHECK(device().download<unsigned>(wrap, 1)[0] == 300 % 7);
  // 4 3 2 1 0 9 8 ...: after 5 steps at 9, then one turn of 10 values.
  CHECK(device().download<unsigned>(down, 1)[0] == 9 - (300 - 5) % 10);
}

TEST_CASE("exchanges lose nothing, compare-and-swap loops end") {
  auto slot = device().upload(std::vector<int>(1)), sum = device().upload(std::vector<int>(1)),
       wide = device().upload(std::vector<std::uint64_t>{1ull << 40});
  device().run_clean("exchanges", {1, 1, 1}, {64, 1, 1}, slot, sum, wide);
  CHECK(device().download<int>(slot, 1)[0] + device().download<int>(sum, 1)[0] == 64 * 65 / 2);
  CHECK(device().download<std::uint64_t>(wide, 1)[0] == (1ull << 40) + 3 * 64);
  auto f = device().upload(std::vector<float>{-1}), out = device().upload(std::vector<float>(32));
  device().run_clean("float_exchange", {1, 1, 1}, {32, 1, 1}, f, out);
  auto values = device().download<float>(out, 32);
  values.push_back(device().download<float>(f, 1)[0]);
  std::sort(values.begin(), values.end());
  CHECK(difference(values, made(33, [](int i) { return i - 1.0f; })) == "");
}

TEST_CASE("a histogram in shared memory") {
  std::vector<unsigned char> in;
  for (std::uint32_t v : scrambled(5000)) in.push_back(static_cast<unsigned char>(v >> 8));
  std::vector<unsigned> want(64);
  for (unsigned char v : in) ++want[v & 63];
  auto x = device().upload(in), bins = device().upload(std::vector<unsigned>(64));
  device().run_clean("histogram", {4, 1, 1}, {96, 1, 1}, x, bins, 5000);
  CHECK(difference(device().download<unsigned>(bins, 64), want) == "");
}

TEST_CASE("the last block sees what all others wrote, with any number of host threads") {
  for (unsigned threads : {1u, 4u}) {
    device().options().threads = threads;
    auto x = device().upload(numbers<int>(50)), partial = device().upload(std::vector<int>(50, -1)),
         done = device().upload(std::vector<unsigned>(1)), y = device().upload(std::vector<int>(1));
    device().run_clean("last_block_sums", {50, 1, 1}, {32, 1, 1}, x, partial, done, y);
    CHECK(device().download<int>(y, 1)[0] == 50 * 49);
  }
  device().options().threads = 1;
}

TEST_CASE("the NaN of a double is another in the cache than in the multiprocessor") {
  Device device(source);
  const std::uint64_t global = device.upload(std::vector<double>{-INFINITY}),
                      out = device.upload(std::vector<double>(1));
  device.check_clean(device.run("nans", {1, 1, 1}, {1, 1, 1}, global, out));
  CHECK(device.download<std::uint64_t>(global, 1)[0] == 0x7fffffffffffffff);
  CHECK(device.download<std::uint64_t>(out, 1)[0] == 0xfff8000000000000);
}

TEST_CASE("atomics that ptxas lets one lane do are counted as an H200 counts them") {
  Device device(R"(
extern "C" __global__ void joined(const int* x, int* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}
extern "C" __global__ void room(const int* x, int* sum, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = atomicAdd(sum, x[i]);
}
extern "C" __global__ void floats(const int* x, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}
)");
  const auto x = device.upload(numbers<int>(500)), y = device.upload(std::vector<int>(500)),
             sum = device.upload(std::vector<int>(1));
  const watch::Index3 grid{5, 1, 1}, block{100, 1, 1};
  const auto counts = [](const watch::LaunchReport& report, const std::string& op) {
    const auto of = [&](const char* unit) {
      const auto found = report.counts.counters.find("l1tex__t_" + std::string(unit) +
                                                     "_pipe_lsu_mem_global_op_" + op + ".sum");
      return found == report.counts.counters.end() ? -1 : found->second;
    };
    return std::pair(of("requests"), of("sectors"));
  };
  // The counts of Nsight Compute for the same launches of joined_atomics.cu.
  CHECK(counts(device.run_clean("joined", grid, block, x, sum, 437), "red") ==
        std::pair(18.0, 18.0));
  CHECK(counts(device.run_clean("room", grid, block, x, sum, y, 437), "atom") ==
        std::pair(18.0, 34.0));
  CHECK(counts(device.run_clean("floats", grid, block, x, sum, 437), "red") ==
        std::pair(18.0, 437.0));
}

}  // namespace atomics_test
