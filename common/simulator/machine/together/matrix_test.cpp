#include "simulator/machine/machine_fixture.h"

// Instructions on matrices, as nvcc emits them.
namespace warpwise::machine::test {
namespace matrix_test {

const std::string source = R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <int M, int N, int K, class T, class S, class C, class LA, class LB>
__device__ void tiles(const S* a, const S* b, C* c, int n, wmma::layout_t to) {
  const int row = blockIdx.y * M, column = blockIdx.x * N;
  constexpr bool a_rows = std::is_same_v<LA, wmma::row_major>, b_rows = std::is_same_v<LB, wmma::row_major>;
  wmma::fragment<wmma::accumulator, M, N, K, C> sum;
  wmma::fill_fragment(sum, C(0));
  for (int k = 0; k < n; k += K) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::load_matrix_sync(fa, a_rows ? a + row * n + k : a + k * n + row, n);
    wmma::load_matrix_sync(fb, b_rows ? b + k * n + column : b + column * n + k, n);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  const bool rows = to == wmma::mem_row_major;
  wmma::store_matrix_sync(rows ? c + row * n + column : c + column * n + row, sum, n, to);
}
#define TILES(NAME, M, N, K, T, S, C, LA, LB, TO)                                       \
  extern "C" __global__ void NAME(const S* a, const S* b, C* c, int n) {                \
    tiles<M, N, K, T, S, C, wmma::LA, wmma::LB>(a, b, c, n, wmma::TO);                  \
  }
TILES(f16_16x16_rr, 16, 16, 16, half, half, float, row_major, row_major, mem_row_major)
TILES(f16_16x16_cc, 16, 16, 16, half, half, float, col_major, col_major, mem_col_major)
TILES(f16_32x8_rc, 32, 8, 16, half, half, half, row_major, col_major, mem_row_major)
TILES(f16_8x32_cr, 8, 32, 16, half, half, half, col_major, row_major, mem_col_major)
TILES(bf16_16x16_rc, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, row_major, col_major, mem_row_major)
TILES(bf16_8x32_rr, 8, 32, 16, __nv_bfloat16, __nv_bfloat16, float, row_major, row_major, mem_row_major)
TILES(s8_16x16_rr, 16, 16, 16, signed char, signed char, int, row_major, row_major, mem_row_major)
TILES(s8_32x8_cc, 32, 8, 16, signed char, signed char, int, col_major, col_major, mem_col_major)
TILES(u8_8x32_rc, 8, 32, 16, unsigned char, unsigned char, int, row_major, col_major, mem_row_major)
TILES(tf32_rr, 16, 16, 8, wmma::precision::tf32, float, float, row_major, row_major, mem_row_major)
TILES(tf32_cc, 16, 16, 8, wmma::precision::tf32, float, float, col_major, col_major, mem_col_major)
TILES(f64_rr, 8, 8, 4, double, double, double, row_major, row_major, mem_row_major)
TILES(f64_cc, 8, 8, 4, double, double, double, col_major, col_major, mem_col_major)

// The product takes the place of what it was made of, in columns: all lanes have read before.
extern "C" __global__ void in_place(const half* x, half* y, int n) {
  __shared__ __align__(32) half t[256];
  for (int i = threadIdx.x; i < 256; i += 32) t[i] = x[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> fc;
  wmma::fill_fragment(fc, half(0.0f));
  wmma::load_matrix_sync(fa, t, 16);
  wmma::load_matrix_sync(fb, t, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  if (n) t[threadIdx.x * 8 ^ 128] = half(1.0f);  // expect: race
  if (n) __syncwarp();
  wmma::store_matrix_sync(t, fc, 16, wmma::mem_col_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32) y[i] = t[i];
}

// A in shared memory in rows, B in columns; C scaled element by element on the way.
extern "C" __global__ void through_shared(const half* a, const half* b, float* c) {
  __shared__ __align__(32) half sa[16 * 24], sb[16 * 24];
  __shared__ __align__(32) float sc[16 * 20];
  for (int i = threadIdx.x; i < 256; i += 32) {
    sa[i / 16 * 24 + i % 16] = a[i];
    sb[i % 16 * 24 + i / 16] = b[i];
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 1.0f);
  wmma::load_matrix_sync(fa, sa, 24);
  wmma::load_matrix_sync(fb, sb, 24);
  wmma::mma_sync(fc, fa, fb, fc);
  for (float& x : fc.x) x *= 2;
  wmma::store_matrix_sync(sc, fc, 20, wmma::mem_col_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32) c[i] = sc[i % 16 * 20 + i / 16];
}

extern "C" __global__ void mma_kernel(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  __shared__ __align__(16) __nv_bfloat16 sa[16 * 16], sb[16 * 8];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  __syncthreads();
  unsigned fa[4], fb[2];
  float d[4] = {};
  unsigned pa = __cvta_generic_to_shared(sa + threadIdx.x % 16 * 16 + threadIdx.x / 16 * 8);
  unsigned pb = __cvta_generic_to_shared(sb + threadIdx.x % 16 * 8);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(pa));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(fb[0]), "=r"(fb[1]) : "r"(pb));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  for (int i = 0; i < 4; ++i) c[(g + i / 2 * 8) * 8 + t * 2 + i % 2] = d[i];
}

// A matrix of 16 x 16 is transposed: the blocks change places, stmatrix turns each.
extern "C" __global__ void transposed(const unsigned short* x, unsigned short* y) {
  __shared__ __align__(16) unsigned short s[16 * 16];
  for (int i = threadIdx.x; i < 256; i += 32) s[i] = x[i];
  __syncwarp();
  unsigned r[4];
  const unsigned lane = threadIdx.x;
  unsigned from = __cvta_generic_to_shared(s + lane % 16 * 16 + lane / 16 * 8);
  unsigned to = __cvta_generic_to_shared(s + (lane % 8 + lane / 16 * 8) * 16 + lane / 8 % 2 * 8);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from));
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};"
               ::"r"(to), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32) y[i] = s[i];
}

// A thread's elements of A and B, all that the fragments have room for.
extern "C" __global__ void elements(const half* x, half* y) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::load_matrix_sync(fa, x, 16);
  wmma::load_matrix_sync(fb, x, 16);
  for (int i = 0; i < fa.num_elements; ++i) y[threadIdx.x * 32 + i] = fa.x[i];
  for (int i = 0; i < fb.num_elements; ++i) y[threadIdx.x * 32 + 16 + i] = fb.x[i];
}

extern "C" __global__ void turned(const unsigned* x, unsigned* y) {
  unsigned d;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(x[threadIdx.x]));
  y[threadIdx.x] = d;
}

extern "C" __global__ void of_half_a_warp(float* c) {
  if (threadIdx.x % 32 < 20) {
    float d[4];
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%4},{%4},{%5,%5,%5,%5};" : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "r"(0), "f"(1.0f));  // expect: barrier-divergence
    c[threadIdx.x] = d[0];
  }
}

extern "C" __global__ void after_some_returned(float* c) {
  if (threadIdx.x == 7) return;
  unsigned d;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(threadIdx.x));  // expect: barrier-divergence
  c[threadIdx.x] = d;
}

// Lanes that took different ways meet before the instruction.
extern "C" __global__ void after_a_branch(unsigned* y) {
  unsigned v = 1, d;
  if (threadIdx.x % 3 == 0) for (unsigned i = 0; i < threadIdx.x; ++i) v = v * 3 + y[i];
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(v));
  y[threadIdx.x + 32] = d;
}

extern "C" __global__ void unaligned_row(unsigned* y) {
  __shared__ __align__(16) unsigned short s[16 * 16];
  s[threadIdx.x] = 1;
  __syncwarp();
  unsigned d;
  unsigned at = __cvta_generic_to_shared(s + threadIdx.x % 8 * 12);
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d) : "r"(at));  // expect: misaligned
  y[threadIdx.x] = d;
}

extern "C" __global__ void beyond_shared(unsigned* y) {
  __shared__ __align__(16) unsigned short s[8 * 8];
  s[threadIdx.x] = s[threadIdx.x + 32] = 1;
  __syncwarp();
  unsigned d, e;
  unsigned at = __cvta_generic_to_shared(s + threadIdx.x * 8);
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d) : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(d), "=r"(e) : "r"(at));  // expect: out-of-bounds
  y[threadIdx.x] = d + e;
}

extern "C" __global__ void beyond_global(const half* a, half* c) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> f;
  wmma::load_matrix_sync(f, a, 16, wmma::mem_row_major);
  wmma::store_matrix_sync(c, f, 32, wmma::mem_row_major);  // expect: out-of-bounds
}

extern "C" __global__ void race_of_rows(unsigned* y) {
  __shared__ __align__(16) unsigned short s[32 * 8];
  unsigned d;
  unsigned at = __cvta_generic_to_shared(s + threadIdx.x % 32 * 8);
  s[threadIdx.x] = threadIdx.x;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(d) : "r"(at));  // expect: race
  y[threadIdx.x] = d;
}
)";

Device& device() {
  static Device device(source);
  return device;
}

/// n x n small integers as T, in rows.
template <class T>
std::vector<T> numbers_of(int n, std::uint32_t seed, int spread, T (*make)(int)) {
  std::vector<T> values;
  for (std::uint32_t x : scrambled(n * n, seed))
    values.push_back(make(static_cast<int>(x % (2 * spread + 1)) - spread));
  return values;
}

std::uint16_t half_of(int value) {
  if (value == 0) return 0;
  float x = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return static_cast<std::uint16_t>((bits >> 16 & 0x8000) |
                                    (((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 1023)));
}
std::uint16_t bfloat_of(int value) {
  float x = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return static_cast<std::uint16_t>(bits >> 16);
}
template <class T>
T same(int value) {
  return static_cast<T>(value);
}
std::uint8_t magnitude(int value) { return static_cast<std::uint8_t>(value < 0 ? -value : value); }
int identity(int value) { return value; }

/// Runs one of the tiled products of n x n and compares with the product of the integers.
template <class T, class C>
void check_tiles(const std::string& kernel, int n, unsigned m_tile, unsigned n_tile, int spread,
                 T (*make)(int), C (*result)(int), bool a_rows, bool b_rows, bool c_rows,
                 int (*meaning)(int) = identity) {
  INFO(kernel << " " << n);
  auto a = numbers_of<int>(n, 3, spread, identity), b = numbers_of<int>(n, 4, spread, identity);
  auto in_order = [&](const std::vector<int>& values, bool rows) {
    return made(values.size(), [&](int i) { return make(values[rows ? i : i % n * n + i / n]); });
  };
  std::vector<C> want(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int l = 0; l < n; ++l) sum += meaning(a[i * n + l]) * meaning(b[l * n + j]);
      want[c_rows ? i * n + j : j * n + i] = result(sum);
    }
  std::uint64_t da = device().upload(in_order(a, a_rows)),
                db = device().upload(in_order(b, b_rows));
  std::uint64_t dc = device().upload(std::vector<C>(n * n));
  device().run_clean(kernel, {unsigned(n) / n_tile, unsigned(n) / m_tile, 1}, {32, 1, 1}, da, db,
                     dc, n);
  CHECK(difference(device().download<C>(dc, want.size()), want) == "");
}

void check_mistake(const std::string& kernel, unsigned threads, std::uint64_t argument) {
  auto report = device().run(kernel, {1, 1, 1}, {threads, 1, 1}, argument);
  CHECK(report.unsupported == "");
  CHECK(Device::found(report) == device().expected(kernel));
}

TEST_CASE("tiled products through wmma, every type, shape and layout") {
  for (int n : {32, 64}) {
    check_tiles<std::uint16_t, float>("f16_16x16_rr", n, 16, 16, 8, half_of, same, true, true,
                                      true);
    check_tiles<std::uint16_t, float>("f16_16x16_cc", n, 16, 16, 8, half_of, same, false, false,
                                      false);
    check_tiles<std::uint16_t, std::uint16_t>("f16_32x8_rc", n, 32, 8, 3, half_of, half_of, true,
                                              false, true);
    check_tiles<std::uint16_t, std::uint16_t>("f16_8x32_cr", n, 8, 32, 3, half_of, half_of, false,
                                              true, false);
    check_tiles<std::uint16_t, float>("bf16_16x16_rc", n, 16, 16, 9, bfloat_of, same, true, false,
                                      true);
    check_tiles<std::uint16_t, float>("bf16_8x32_rr", n, 8, 32, 9, bfloat_of, same, true, true,
                                      true);
    check_tiles<std::int8_t, int>("s8_16x16_rr", n, 16, 16, 120, same, identity, true, true, true);
    check_tiles<std::int8_t, int>("s8_32x8_cc", n, 32, 8, 120, same, identity, false, false, false);
    check_tiles<std::uint8_t, int>("u8_8x32_rc", n, 8, 32, 200, magnitude, identity, true, false,
                                   true, std::abs);
    check_tiles<float, float>("tf32_rr", n, 16, 16, 30, same, same, true, true, true);
    check_tiles<float, float>("tf32_cc", n, 16, 16, 30, same, same, false, false, false);
    check_tiles<double, double>("f64_rr", n, 8, 8, 100, same, same, true, true, true);
    check_tiles<double, double>("f64_cc", n, 8, 8, 100, same, same, false, false, false);
  }
}

TEST_CASE("shared memory, element-wise operations and ldmatrix give the same products") {
  auto a = numbers_of<int>(16, 5, 8, identity), b = numbers_of<int>(16, 6, 8, identity);
  auto product = [&](int i, int j, int columns) {
    int sum = 0;
    for (int l = 0; l < 16; ++l) sum += a[i * 16 + l] * b[l * columns + j];
    return static_cast<float>(sum);
  };
  auto halves = [](const std::vector<int>& values, std::uint16_t (*make)(int)) {
    return made(values.size(), [&](int i) { return make(values[i]); });
  };
  std::uint64_t c = device().upload(std::vector<float>(256));
  auto report = device().run_clean("through_shared", {1, 1, 1}, {32, 1, 1},
                                   device().upload(halves(a, half_of)),
                                   device().upload(halves(b, half_of)), c);
  CHECK(difference(device().download<float>(c, 256),
                   made(256, [&](int i) { return 2 * (product(i / 16, i % 16, 16) + 1); })) == "");
  device().run_clean("mma_kernel", {1, 1, 1}, {32, 1, 1}, device().upload(halves(a, bfloat_of)),
                     device().upload(halves(b, bfloat_of)), c);
  CHECK(difference(device().download<float>(c, 128),
                   made(128, [&](int i) { return product(i / 8, i % 8, 8); })) == "");
}

TEST_CASE("ldmatrix, stmatrix and movmatrix move and turn matrices") {
  auto x = numbers<std::uint16_t>(256);
  std::uint64_t y = device().upload(std::vector<std::uint16_t>(256));
  auto report = device().run_clean("transposed", {1, 1, 1}, {32, 1, 1}, device().upload(x), y);
  CHECK(difference(device().download<std::uint16_t>(y, 256), made(256, [](int i) {
                     return static_cast<std::uint16_t>(i % 16 * 16 + i / 16);
                   })) == "");
  // Rows of 32 bytes: each matrix of eight rows meets every second group of banks twice.
  CHECK(report.counts.counters.at("warpwise__shared_wavefronts_op_ld") == 8 + 8);
  device().run_clean("turned", {1, 1, 1}, {32, 1, 1}, device().upload(x), y);
  CHECK(difference(device().download<std::uint16_t>(y, 64), made(64, [](int i) {
                     return static_cast<std::uint16_t>(i % 8 * 8 + i / 8);
                   })) == "");
}

TEST_CASE("fragments of 16-bit elements hold each element twice, for who reads them all") {
  std::uint64_t y = device().upload(std::vector<std::uint16_t>(1024));
  device().run_clean("elements", {1, 1, 1}, {32, 1, 1},
                     device().upload(numbers<std::uint16_t>(256)), y);
  CHECK(difference(device().download<std::uint16_t>(y, 1024), made(1024, [](int i) {
                     const int group = i / 32 / 4, member = i / 32 % 4, element = i % 8;
                     const int row = element / 2 % 2 * 8 + group;
                     const int along_k = element / 4 * 8 + member * 2 + element % 2;
                     const int of_b = (element / 2 % 2 * 8 + member * 2 + element % 2) * 16 +
                                      element / 4 * 8 + group;
                     return static_cast<std::uint16_t>(i % 32 < 16 ? row * 16 + along_k : of_b);
                   })) == "");
}

TEST_CASE("all lanes have to reach an instruction on matrices") {
  std::uint64_t c = device().upload(std::vector<float>(128));
  check_mistake("of_half_a_warp", 64, c);
  check_mistake("after_some_returned", 32, c);
  auto report = device().run("after_some_returned", {1, 1, 1}, {20, 1, 1}, c);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].kind == "barrier-divergence");
  device().run_clean("after_a_branch", {1, 1, 1}, {32, 1, 1}, c);
}

TEST_CASE("loads and stores of matrices are checked as others are") {
  std::uint64_t y = device().upload(std::vector<std::uint32_t>(64));
  check_mistake("unaligned_row", 32, y);
  check_mistake("beyond_shared", 32, y);
  check_mistake("race_of_rows", 32, y);
  auto report = device().run("beyond_global", {1, 1, 1}, {32, 1, 1},
                             device().upload(std::vector<std::uint16_t>(256)),
                             device().upload(std::vector<std::uint16_t>(256)));
  CHECK(Device::found(report) == device().expected("beyond_global"));
}

TEST_CASE(
    "metadata of a sparse product that was never written is reported where its result is stored") {
  const std::string text = R"(
extern "C" __global__ void sparse(int written, float* y) {
  __shared__ unsigned metadata[32];
  if (threadIdx.x < written) metadata[threadIdx.x] = 0x44444444;
  __syncwarp();
  unsigned d[2], e = metadata[threadIdx.x];  // expect: uninitialized
  asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%2}, {%2,%2}, {%2,%2}, %3, 0x0;" : "=r"(d[0]), "=r"(d[1]) : "r"(0), "r"(e));
  y[threadIdx.x] = d[0];
}
)";
  Device sparse(text);
  auto y = sparse.upload(std::vector<float>(32));
  sparse.run_clean("sparse", {1, 1, 1}, {32, 1, 1}, 32, y);
  auto report = sparse.run("sparse", {1, 1, 1}, {32, 1, 1}, 28, y);
  CHECK(Device::found(report) == sparse.expected("sparse"));
}

TEST_CASE("a product may take the place of its factors without a barrier, nothing else may") {
  Device& on = device();
  std::vector<std::uint16_t> x(256), y(256);
  for (std::size_t i = 0; i < 256; ++i) x[i] = static_cast<std::uint16_t>(i % 3 ? 0x3c00 : 0);
  const auto from = on.upload(x), to = on.upload(y);
  on.run_clean("in_place", {1, 1, 1}, {32, 1, 1}, from, to, 0);
  const auto report = on.run("in_place", {1, 1, 1}, {32, 1, 1}, from, to, 1);
  CHECK(Device::found(report) == on.expected("in_place"));
}

TEST_CASE("what is not there yet is named with its line") {
  const std::string text = R"(
extern "C" __global__ void tensor(float* y, const char* map) {
  __shared__ alignas(128) float s[64];
  s[threadIdx.x] = 0;
  unsigned from = __cvta_generic_to_shared(s);
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%1, %1, %1}], [%2];" :: "l"(map), "r"(0), "r"(from) : "memory");
  y[0] = s[0];
}
)";
  Device newest(text,
                "-fatbin -std=c++20 -lineinfo -gencode "
                "'arch=compute_90a,code=[compute_90a,sm_90a]'");
  auto check = [&](const std::string& kernel, const std::string& opcode, unsigned line,
                   auto... arguments) {
    auto report = newest.run(kernel, {1, 1, 1}, {128, 1, 1}, arguments...);
    INFO(report.unsupported);
    CHECK(report.unsupported.find("does not know " + opcode) != std::string::npos);
    CHECK(report.unsupported.find("source line " + std::to_string(line)) != std::string::npos);
  };
  check("tensor", "cp.async.bulk.tensor.3d.global", 6, std::uint64_t{0}, std::uint64_t{0});
}

}  // namespace matrix_test
}  // namespace warpwise::machine::test
