// Loads, stores and arithmetic of every width: what a kernel computes is what C++ says.

#include <bit>
#include <cmath>
#include <cstdint>

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace values_test {

const std::string source = R"(
template <class T> __device__ void copy_one(const T* in, T* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
#define COPY(NAME, T) extern "C" __global__ void NAME(const T* in, T* out) { copy_one(in, out); }
COPY(copy1, unsigned char) COPY(copy2, unsigned short) COPY(copy4, float) COPY(copy8, float2)
COPY(copy16, float4) COPY(copy_c4, uchar4) COPY(copy_c2, char2) COPY(copy_s4, short4) COPY(copy_d2, double2)
COPY(copy_d, double)

extern "C" __global__ void narrow(const signed char* c, const unsigned char* uc, const short* s,
                                  const unsigned short* us, int* out, long long* wide, signed char* c_out,
                                  short* s_out) {
  int i = threadIdx.x;
  out[i] = c[i] * 3 + uc[i] * 5 + s[i] * 7 + us[i] * 11;
  wide[i] = (long long)c[i] * s[i] - uc[i] + (long long)us[i] * us[i] * us[i] * us[i];
  c_out[i] = c[i] + uc[i];
  s_out[i] = s[i] * us[i] >> 3;
}
extern "C" __global__ void constants(signed char* c, short* s, long long* l, double* d) {
  int i = threadIdx.x;
  c[i] = -5; s[i] = -300; l[i] = -(1ll << 40); d[i] = 0.1;
}
extern "C" __global__ void wide(const long long* a, const long long* b, long long* out, unsigned long long* u) {
  int i = threadIdx.x;
  long long x = a[i], y = b[i];
  long long r = x * y + (x >> (y & 63)) - (y << (x & 31)) + (x ^ y);
  if (y) r += x / y + x % y;
  out[i] = r + min(x, y) - __popcll(x) + __clzll(y) + __mulhi((int)x, (int)y);
  unsigned long long p = x, q = y;
  u[i] = __umul64hi(p, q) + (q ? p / q ^ p % q : 1) + max(p, q) + (p > q) + __brevll(p);
}
extern "C" __global__ void conversions(const float* f, const double* d, const int* n, float* out, double* wide,
                                       int* ints, unsigned* us, long long* ls) {
  int i = threadIdx.x;
  out[i] = (float)n[i] + (float)d[i] + (float)(unsigned)n[i] + (float)(long long)n[i] * 3.0f;
  wide[i] = (double)f[i] * 1.5 + (double)n[i] + (double)(signed char)n[i];
  ints[i] = (int)f[i] + __float2int_rn(f[i]) + __float2int_ru(f[i]) * 3 + __float2int_rd(f[i]) * 5 + (int)d[i];
  us[i] = (unsigned)fabsf(f[i]) + (unsigned char)n[i] + (unsigned short)n[i];
  ls[i] = (long long)d[i] + (long long)f[i] + __double2ll_rn(d[i] * 0.5);
}
extern "C" __global__ void arithmetic(const float* f, float* out) {
  int i = threadIdx.x;
  float x = f[i], y = f[(i + 1) & 31];
  out[i] = __fmul_rn(x, y) + fmaf(x, y, 1.0f) / (1.0f + x * x) - sqrtf(fabsf(y)) + floorf(x) + fminf(x, y);
}
extern "C" __global__ void local_arrays(const int* in, int* out, int n) {
  int a[16]; short b[8];
  int t = threadIdx.x;
  for (int k = 0; k < 16; ++k) a[k] = in[(t + k) & 31];
  for (int k = 0; k < 8; ++k) b[k] = (short)(in[(t * k) & 31] * 3);
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    a[in[k] & 15] += b[(t + k) & 7];
    sum += a[(t * k) & 15];
  }
  out[t] = sum;
}
__constant__ int table[5] = {2, 3, 5, 7};
__constant__ float scale = 2.5f;
__device__ int counter = 40;
__device__ double matrix[2][3] = {{1, 2, 3}, {4, 5}};
__device__ int* pointer = &counter;
__device__ const char* words[2] = {"zero", "one"};
extern "C" __global__ void variables(float* out, int* letters) {
  int t = threadIdx.x;
  out[t] = table[t % 5] * scale + (float)matrix[t & 1][t % 3] + *pointer;
  letters[t] = words[t & 1][t % 3];
}
extern "C" __global__ void bump() { if (threadIdx.x == 0) counter += 2; }
extern __shared__ float4 pool[];
extern "C" __global__ void shared_both(const float* in, float* out, int n) {
  __shared__ short fixed[40];
  __shared__ double d[3];
  float* f = (float*)pool;
  int t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x) f[i] = in[i];
  if (t < 40) fixed[t] = (short)(t * 3);
  if (t < 3) d[t] = t + 0.5;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += f[(i + t) % n] * (i + 1);
  out[t] = sum + fixed[(t + 7) % 40] + (float)d[t % 3] + pool[0].z;
}
extern "C" __global__ void through_any_pointer(const int* in, int* out) {
  __shared__ int s[32];
  int t = threadIdx.x, mine[4] = {t, t + 1, t + 2, t + 3};
  s[t] = 1000 + t;
  __syncthreads();
  const int* p = t % 3 == 0 ? in + t : t % 3 == 1 ? s + (t ^ 1) : mine + (t & 3);
  int* q = t % 2 ? &s[t] : &out[t];
  int v = *p;
  __syncthreads();
  *q = v;
  if (t % 2) out[t] = s[t] + 1;
}
struct Pair { char tag; int values[3]; double weight; };
extern "C" __global__ void by_value(Pair pair, short n, bool flag, unsigned char c, double* out) {
  out[threadIdx.x] = pair.tag + pair.values[1] * pair.weight + n + (flag ? 100 : 0) + c;
}
)";

Device& device() {
  static Device made(source);
  return made;
}

void check_copy(const char* kernel, unsigned bytes, unsigned sectors) {
  CAPTURE(kernel);
  std::vector<std::uint8_t> in;
  for (std::uint32_t v : scrambled(64 * bytes)) in.push_back(static_cast<std::uint8_t>(v >> 11));
  auto x = device().upload(in), y = device().upload(std::vector<std::uint8_t>(64 * bytes));
  auto report = device().run_clean(kernel, {2, 1, 1}, {32, 1, 1}, x, y);
  CHECK(difference(device().download<std::uint8_t>(y, in.size()), in) == "");
  // One line both reads and writes.
  for (const watch::LineCounts& line : report.counts.lines) {
    CHECK(line.requests == 2);
    CHECK(line.sectors == sectors);
    CHECK(line.confirmed);
    CHECK(line.loads_in_flight == (line.access == "global load" ? 1 : 0));
  }
  CHECK(report.counts.lines.size() == 2);
}

std::vector<float> float_values() {
  std::vector<float> values = {0,     -0.0f, 0.5f,  -0.5f, 1.5f,   2.5f,
                               -2.5f, 1e6f,  -1e6f, 0.1f,  3.999f, -7.001f};
  for (std::uint32_t v : scrambled(20))
    values.push_back(static_cast<float>(static_cast<int>(v)) / 65536.0f);
  return values;
}

TEST_CASE("values of 1 to 16 bytes are copied, and counted in sectors") {
  check_copy("copy1", 1, 2);
  check_copy("copy2", 2, 4);
  check_copy("copy_c2", 2, 4);
  check_copy("copy4", 4, 8);
  check_copy("copy_c4", 4, 8);
  check_copy("copy8", 8, 16);
  check_copy("copy_s4", 8, 16);
  check_copy("copy_d", 8, 16);
  check_copy("copy16", 16, 32);
  check_copy("copy_d2", 16, 32);
}

TEST_CASE("integers of 8 and 16 bits keep their sign") {
  auto bits = scrambled(32);
  auto c = made(32, [&](int i) { return static_cast<std::int8_t>(bits[i]); });
  auto uc = made(32, [&](int i) { return static_cast<std::uint8_t>(bits[i] >> 8); });
  auto s = made(32, [&](int i) { return static_cast<std::int16_t>(bits[i] >> 5); });
  auto us = made(32, [&](int i) { return static_cast<std::uint16_t>(bits[i] >> 13); });
  auto out = device().upload(std::vector<int>(32)),
       wide = device().upload(std::vector<std::int64_t>(32)), c_out = device().upload(c),
       s_out = device().upload(s);
  device().run_clean("narrow", {1, 1, 1}, {32, 1, 1}, device().upload(c), device().upload(uc),
                     device().upload(s), device().upload(us), out, wide, c_out, s_out);
  CHECK(difference(device().download<int>(out, 32), made(32, [&](int i) {
                     return c[i] * 3 + uc[i] * 5 + s[i] * 7 + us[i] * 11;
                   })) == "");
  CHECK(difference(device().download<std::int64_t>(wide, 32), made(32, [&](int i) {
                     std::uint64_t u = us[i];
                     return static_cast<std::int64_t>(std::int64_t{c[i]} * s[i] - uc[i] +
                                                      static_cast<std::int64_t>(u * u * u * u));
                   })) == "");
  CHECK(difference(device().download<std::int8_t>(c_out, 32),
                   made(32, [&](int i) { return static_cast<std::int8_t>(c[i] + uc[i]); })) == "");
  CHECK(difference(device().download<std::int16_t>(s_out, 32), made(32, [&](int i) {
                     return static_cast<std::int16_t>(s[i] * us[i] >> 3);
                   })) == "");
}

TEST_CASE("constants are stored in every width") {
  auto c = device().upload(std::vector<std::int8_t>(32)),
       s = device().upload(std::vector<short>(32)),
       l = device().upload(std::vector<std::int64_t>(32)),
       d = device().upload(std::vector<double>(32));
  device().run_clean("constants", {1, 1, 1}, {32, 1, 1}, c, s, l, d);
  CHECK(difference(device().download<std::int8_t>(c, 32), std::vector<std::int8_t>(32, -5)) == "");
  CHECK(difference(device().download<short>(s, 32), std::vector<short>(32, -300)) == "");
  CHECK(difference(device().download<std::int64_t>(l, 32),
                   std::vector<std::int64_t>(32, -(1ll << 40))) == "");
  CHECK(difference(device().download<double>(d, 32), std::vector<double>(32, 0.1)) == "");
}

TEST_CASE("64-bit integer arithmetic") {
  auto high = scrambled(32), low = scrambled(32, 7);
  auto number = [&](int i, int shift) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(high[i]) << 32 | low[31 - i]) >>
           shift;
  };
  auto a = made(32, [&](int i) { return number(i, i % 3 * 9); });
  auto b = made(32, [&](int i) { return i % 5 == 4 ? 0 : number(31 - i, i % 7 * 8); });
  auto out = device().upload(a), u = device().upload(a);
  device().run_clean("wide", {1, 1, 1}, {32, 1, 1}, device().upload(a), device().upload(b), out, u);
  using S = std::int64_t;
  using U = std::uint64_t;
  auto want = made(32, [&](int i) {
    S x = a[i], y = b[i];
    U r = U(x) * U(y) + U(x >> (y & 63)) - (U(y) << (x & 31)) + U(x ^ y);
    if (y) r += U(x / y) + U(x % y);
    r += U(std::min(x, y)) - U(std::popcount(U(x))) + U(std::countl_zero(U(y)));
    return S(r + U(S(static_cast<int>(S{static_cast<int>(x)} * static_cast<int>(y) >> 32))));
  });
  CHECK(difference(device().download<S>(out, 32), want) == "");
  auto want_unsigned = made(32, [&](int i) {
    U p = U(a[i]), q = U(b[i]), reversed = 0;
    for (int bit = 0; bit < 64; ++bit) reversed |= (p >> bit & 1) << (63 - bit);
    U top = static_cast<U>(static_cast<unsigned __int128>(p) * q >> 64);
    return top + (q ? (p / q ^ p % q) : 1) + std::max(p, q) + (p > q) + reversed;
  });
  CHECK(difference(device().download<U>(u, 32), want_unsigned) == "");
}

TEST_CASE("conversions between integers and floats") {
  auto f = float_values();
  auto d = made(32, [&](int i) { return f[i] * 1.0000001 + 0.25; });
  auto n = made(32, [&](int i) { return static_cast<int>(scrambled(32)[i]) >> (i & 15); });
  auto out = device().upload(f), wide = device().upload(d), ints = device().upload(n),
       us = device().upload(n), ls = device().upload(d);
  device().run_clean("conversions", {1, 1, 1}, {32, 1, 1}, device().upload(f), device().upload(d),
                     device().upload(n), out, wide, ints, us, ls);
  CHECK(difference(device().download<float>(out, 32), made(32, [&](int i) {
                     float sum = static_cast<float>(n[i]) + static_cast<float>(d[i]) +
                                 static_cast<float>(static_cast<unsigned>(n[i]));
                     return std::fma(static_cast<float>(static_cast<std::int64_t>(n[i])), 3.0f,
                                     sum);
                   })) == "");
  CHECK(difference(device().download<double>(wide, 32), made(32, [&](int i) {
                     return std::fma(double{f[i]}, 1.5, double(n[i])) +
                            static_cast<std::int8_t>(n[i]);
                   })) == "");
  CHECK(difference(
            device().download<int>(ints, 32), made(32, [&](int i) {
              auto whole = [](float x) { return static_cast<unsigned>(static_cast<int>(x)); };
              return static_cast<int>(whole(f[i]) + whole(std::nearbyint(f[i])) +
                                      whole(std::ceil(f[i])) * 3 + whole(std::floor(f[i])) * 5 +
                                      static_cast<unsigned>(static_cast<int>(d[i])));
            })) == "");
  CHECK(difference(device().download<unsigned>(us, 32), made(32, [&](int i) {
                     return static_cast<unsigned>(std::fabs(f[i])) +
                            static_cast<std::uint8_t>(n[i]) + static_cast<std::uint16_t>(n[i]);
                   })) == "");
  CHECK(difference(device().download<std::int64_t>(ls, 32), made(32, [&](int i) {
                     return static_cast<std::int64_t>(d[i]) + static_cast<std::int64_t>(f[i]) +
                            static_cast<std::int64_t>(std::nearbyint(d[i] * 0.5));
                   })) == "");
}

TEST_CASE("float arithmetic is rounded as the C++ of the kernel says") {
  auto f = float_values();
  auto out = device().upload(f);
  device().run_clean("arithmetic", {1, 1, 1}, {32, 1, 1}, device().upload(f), out);
  auto got = device().download<float>(out, 32);
  for (int i = 0; i < 32; ++i) {
    double x = f[i], y = f[(i + 1) & 31];
    double want = x * y + (x * y + 1) / (1 + x * x) - std::sqrt(std::fabs(y)) + std::floor(x) +
                  std::min(x, y);
    CHECK(got[i] == doctest::Approx(want).epsilon(1e-5));
  }
}

TEST_CASE("local arrays indexed at run time belong to their thread") {
  auto in = made(32, [](int i) { return i * 37 % 101; });
  auto out = device().upload(in);
  device().run_clean("local_arrays", {1, 1, 1}, {32, 1, 1}, device().upload(in), out, 20);
  auto want = made(32, [&](int t) {
    int a[16], sum = 0;
    short b[8];
    for (int k = 0; k < 16; ++k) a[k] = in[(t + k) & 31];
    for (int k = 0; k < 8; ++k) b[k] = static_cast<short>(in[(t * k) & 31] * 3);
    for (int k = 0; k < 20; ++k) {
      a[in[k] & 15] += b[(t + k) & 7];
      sum += a[(t * k) & 15];
    }
    return sum;
  });
  CHECK(difference(device().download<int>(out, 32), want) == "");
}

TEST_CASE("__constant__ and __device__ variables start as declared and live on") {
  auto out = device().upload(std::vector<float>(32)),
       letters = device().upload(std::vector<int>(32));
  const int primes[5] = {2, 3, 5, 7, 0};
  const double matrix[2][3] = {{1, 2, 3}, {4, 5, 0}};
  for (int counter : {40, 42}) {
    auto report = device().run_clean("variables", {1, 1, 1}, {32, 1, 1}, out, letters);
    CHECK(difference(device().download<float>(out, 32), made(32, [&](int t) {
                       return std::fma(static_cast<float>(primes[t % 5]), 2.5f,
                                       static_cast<float>(matrix[t & 1][t % 3])) +
                              static_cast<float>(counter);
                     })) == "");
    CHECK(difference(device().download<int>(letters, 32),
                     made(32, [](int t) { return int{"zeroone"[(t & 1) * 4 + t % 3]}; })) == "");
    // Loads from constant memory are none from global memory.
    CHECK(requests(report, "global load") == 5);
    device().run_clean("bump", {1, 1, 1}, {32, 1, 1});
  }
  REQUIRE(device().module().variable("counter") != nullptr);
  CHECK(device().download<int>(device().module().variable("counter")->address, 1)[0] == 44);
  CHECK(device().module().variable("table")->bytes == 20);
  CHECK(device().module().variable("table")->constant);
}

TEST_CASE("static and dynamic shared memory side by side") {
  auto in = made(100, [](int i) { return static_cast<float>(i % 13); });
  auto out = device().upload(std::vector<float>(64));
  auto report = device().run_with_shared(400, "shared_both", {3, 1, 1}, {64, 1, 1},
                                         device().upload(in), out, 100);
  Device::check_clean(report);
  auto want = made(64, [&](int t) {
    float sum = 0;
    for (int i = 0; i < 100; ++i) sum += in[(i + t) % 100] * static_cast<float>(i + 1);
    return sum + static_cast<float>((t + 7) % 40 * 3) + static_cast<float>(t % 3 + 0.5) + in[2];
  });
  CHECK(difference(device().download<float>(out, 64), want) == "");
}

TEST_CASE("one instruction may reach global, shared and local memory") {
  auto in = made(32, [](int i) { return -i; });
  auto out = device().upload(std::vector<int>(32));
  device().run_clean("through_any_pointer", {1, 1, 1}, {32, 1, 1}, device().upload(in), out);
  auto want = made(32, [&](int t) {
    int v = t % 3 == 0 ? in[t] : t % 3 == 1 ? 1000 + (t ^ 1) : t + (t & 3);
    return t % 2 ? v + 1 : v;
  });
  CHECK(difference(device().download<int>(out, 32), want) == "");
}

TEST_CASE("parameters of any type, structures among them") {
  struct Pair {
    char tag;
    int values[3];
    double weight;
  } pair{3, {1, 20, 5}, 1.5};
  auto out = device().upload(std::vector<double>(2));
  device().run_clean("by_value", {1, 1, 1}, {2, 1, 1}, pair, static_cast<short>(-7), true,
                     static_cast<unsigned char>(200), out);
  CHECK(difference(device().download<double>(out, 2),
                   std::vector<double>(2, 3 + 30 - 7 + 100 + 200)) == "");
}

}  // namespace values_test
