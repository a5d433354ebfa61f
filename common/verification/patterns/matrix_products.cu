/// \file
/// The results of tensor cores, for common/verification/recorded/matrix_products.txt: every product
/// of matrices with many inputs of several kinds, which elements the fragments of wmma hold, and
/// how ldmatrix, stmatrix and movmatrix place theirs.
///
///     build/matrix_products > common/verification/recorded/matrix_products.txt
///     build/matrix_products --full
///
/// A line is a hash over the results of one instruction and one kind of inputs; --full prints the
/// results of the first cases as well. Inputs are pseudo-random and the same everywhere.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "matrix_inputs.h"

namespace wmma = nvcuda::wmma;

constexpr int cases = 192;

// Products of registers: mma

using Word = uint32_t;

#define P_2_1_1(OP, K, KA)                         \
  asm volatile(OP " {%0,%1}, {%2}, {%3}, {%4,%5};" \
               : "=" K(d[0]), "=" K(d[1])          \
               : KA(a[0]), KA(b[0]), K(c[0]), K(c[1]))
#define P_2_2_1(OP, K, KA)                            \
  asm volatile(OP " {%0,%1}, {%2,%3}, {%4}, {%5,%6};" \
               : "=" K(d[0]), "=" K(d[1])             \
               : KA(a[0]), KA(a[1]), KA(b[0]), K(c[0]), K(c[1]))
#define P_2_4_2(OP, K, KA)                                     \
  asm volatile(OP " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};" \
               : "=" K(d[0]), "=" K(d[1])                      \
               : KA(a[0]), KA(a[1]), KA(a[2]), KA(a[3]), KA(b[0]), KA(b[1]), K(c[0]), K(c[1]))
#define P_4_2_1(OP, K, KA)                                          \
  asm volatile(OP " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"  \
               : "=" K(d[0]), "=" K(d[1]), "=" K(d[2]), "=" K(d[3]) \
               : KA(a[0]), KA(a[1]), KA(b[0]), K(c[0]), K(c[1]), K(c[2]), K(c[3]))
#define P_4_4_2(OP, K, KA)                                                                     \
  asm volatile(OP " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                 \
               : "=" K(d[0]), "=" K(d[1]), "=" K(d[2]), "=" K(d[3])                            \
               : KA(a[0]), KA(a[1]), KA(a[2]), KA(a[3]), KA(b[0]), KA(b[1]), K(c[0]), K(c[1]), \
                 K(c[2]), K(c[3]))
#define P_4_8_4(OP, K, KA)                                                                       \
  asm volatile(OP                                                                                \
               " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, "                \
               "{%16,%17,%18,%19};"                                                              \
               : "=" K(d[0]), "=" K(d[1]), "=" K(d[2]), "=" K(d[3])                              \
               : KA(a[0]), KA(a[1]), KA(a[2]), KA(a[3]), KA(a[4]), KA(a[5]), KA(a[6]), KA(a[7]), \
                 KA(b[0]), KA(b[1]), KA(b[2]), KA(b[3]), K(c[0]), K(c[1]), K(c[2]), K(c[3]))

/// One case per warp; registers are stored one after another, 32 lanes each.
template <int Count, class T>
__device__ void load(T (&registers)[Count], const T* from) {
  for (int i = 0; i < Count; ++i) registers[i] = from[(blockIdx.x * Count + i) * 32 + threadIdx.x];
}

struct Product {
  const char* opcode;
  void (*launch)(const void*, const void*, const void*, void*);
  int d, a, b, register_bytes;
  Format format_a, format_b, format_c;
};
std::vector<Product>& products() {
  static std::vector<Product> all;
  return all;
}
struct Registered {
  explicit Registered(const Product& product) { products().push_back(product); }
};

#define PRODUCT_(LINE, D, A, B, T, ACC, K, KA, FA, FB, FC, OP)                                   \
  __global__ void product_##LINE(const T* pa, const T* pb, const ACC* pc, ACC* pd) {             \
    T a[A], b[B];                                                                                \
    ACC c[D], d[D];                                                                              \
    load(a, pa);                                                                                 \
    load(b, pb);                                                                                 \
    load(c, pc);                                                                                 \
    P_##D##_##A##_##B(OP, K, KA);                                                                \
    for (int i = 0; i < D; ++i) pd[(blockIdx.x * D + i) * 32 + threadIdx.x] = d[i];              \
  }                                                                                              \
  const Registered registered_##LINE{{OP,                                                        \
                                      [](const void* a, const void* b, const void* c, void* d) { \
                                        product_##LINE<<<cases, 32>>>(                           \
                                            static_cast<const T*>(a), static_cast<const T*>(b),  \
                                            static_cast<const ACC*>(c), static_cast<ACC*>(d));   \
                                      },                                                         \
                                      D, A, B, sizeof(T), FA, FB, FC}};
#define PRODUCT_AT(LINE, ...) PRODUCT_(LINE, __VA_ARGS__)
#define TO_F32(D, A, B, FA, FB, OP) \
  PRODUCT_AT(__COUNTER__, D, A, B, Word, float, "f", "r", FA, FB, f32, "mma.sync.aligned." OP)
#define TO_WORD(D, A, B, FA, FB, FC, OP) \
  PRODUCT_AT(__COUNTER__, D, A, B, Word, Word, "r", "r", FA, FB, FC, "mma.sync.aligned." OP)
#define TO_F64(D, A, B, OP) \
  PRODUCT_AT(__COUNTER__, D, A, B, double, double, "d", "d", f64, f64, f64, "mma.sync.aligned." OP)

TO_F32(4, 2, 1, f16, f16, "m16n8k8.row.col.f32.f16.f16.f32")
TO_F32(4, 4, 2, f16, f16, "m16n8k16.row.col.f32.f16.f16.f32")
TO_WORD(2, 2, 1, f16, f16, f16, "m16n8k8.row.col.f16.f16.f16.f16")
TO_WORD(2, 4, 2, f16, f16, f16, "m16n8k16.row.col.f16.f16.f16.f16")
TO_F32(4, 2, 1, bf16, bf16, "m16n8k8.row.col.f32.bf16.bf16.f32")
TO_F32(4, 4, 2, bf16, bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
TO_F32(4, 2, 1, tf32, tf32, "m16n8k4.row.col.f32.tf32.tf32.f32")
TO_F32(4, 4, 2, tf32, tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
TO_F32(4, 2, 1, e4m3, e4m3, "m16n8k16.row.col.f32.e4m3.e4m3.f32")
TO_F32(4, 4, 2, e4m3, e4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32")
TO_F32(4, 4, 2, e4m3, e5m2, "m16n8k32.row.col.f32.e4m3.e5m2.f32")
TO_F32(4, 4, 2, e5m2, e4m3, "m16n8k32.row.col.f32.e5m2.e4m3.f32")
TO_F32(4, 4, 2, e5m2, e5m2, "m16n8k32.row.col.f32.e5m2.e5m2.f32")
TO_WORD(2, 2, 1, e4m3, e4m3, f16, "m16n8k16.row.col.f16.e4m3.e4m3.f16")
TO_WORD(2, 4, 2, e4m3, e4m3, f16, "m16n8k32.row.col.f16.e4m3.e4m3.f16")
TO_WORD(2, 4, 2, e5m2, e5m2, f16, "m16n8k32.row.col.f16.e5m2.e5m2.f16")
TO_F64(2, 1, 1, "m8n8k4.row.col.f64.f64.f64.f64")
TO_F64(4, 2, 1, "m16n8k4.row.col.f64.f64.f64.f64")
TO_F64(4, 4, 2, "m16n8k8.row.col.f64.f64.f64.f64")
TO_F64(4, 8, 4, "m16n8k16.row.col.f64.f64.f64.f64")
#define INTEGERS(TA, TB, F, D8, SHAPE8, SHAPE16, SHAPE32)               \
  TO_WORD(2, 1, 1, F, F, s32, SHAPE8 ".row.col.s32." TA "." TB ".s32")  \
  TO_WORD(4, 2, 1, F, F, s32, SHAPE16 ".row.col.s32." TA "." TB ".s32") \
  TO_WORD(4, 4, 2, F, F, s32, SHAPE32 ".row.col.s32." TA "." TB ".s32") \
  TO_WORD(4, 4, 2, F, F, s32, SHAPE32 ".row.col.satfinite.s32." TA "." TB ".s32")
INTEGERS("s8", "s8", byte, 2, "m8n8k16", "m16n8k16", "m16n8k32")
INTEGERS("s8", "u8", byte, 2, "m8n8k16", "m16n8k16", "m16n8k32")
INTEGERS("u8", "s8", byte, 2, "m8n8k16", "m16n8k16", "m16n8k32")
INTEGERS("u8", "u8", byte, 2, "m8n8k16", "m16n8k16", "m16n8k32")
INTEGERS("s4", "s4", nibble, 2, "m8n8k32", "m16n8k32", "m16n8k64")
INTEGERS("s4", "u4", nibble, 2, "m8n8k32", "m16n8k32", "m16n8k64")
INTEGERS("u4", "u4", nibble, 2, "m8n8k32", "m16n8k32", "m16n8k64")
#define BITS(OP)                                                         \
  TO_WORD(2, 1, 1, bit, bit, s32, "m8n8k128.row.col.s32.b1.b1.s32." OP)  \
  TO_WORD(4, 2, 1, bit, bit, s32, "m16n8k128.row.col.s32.b1.b1.s32." OP) \
  TO_WORD(4, 4, 2, bit, bit, s32, "m16n8k256.row.col.s32.b1.b1.s32." OP)
BITS("xor.popc")
BITS("and.popc")

void run_products() {
  for (const Product& p : products()) {
    const std::size_t lanes = 32 * p.register_bytes;
    Buffer a(cases * p.a * lanes), b(cases * p.b * lanes), c(cases * p.d * lanes);
    Buffer d(cases * p.d * lanes);
    for (int kind = 0; kind < kind_count; ++kind) {
      random_state = 88172645463325252ull + kind;
      fill(a.host.data(), a.host.size(), p.format_a, Kind(kind));
      fill(b.host.data(), b.host.size(), p.format_b, Kind(kind));
      fill(c.host.data(), c.host.size(), p.format_c, Kind(kind));
      for (Buffer* buffer : {&a, &b, &c}) buffer->upload();
      p.launch(a.device, b.device, c.device, d.device);
      d.download();
      report(std::string(p.opcode) + " " + kinds[kind], d, p.d * lanes);
    }
  }
}

// Products of tiles: wmma

template <int M, int N, int K, class T, class Storage, class C, class D>
__global__ void tile_product(const Storage* a, const Storage* b, const C* c, D* d) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::fragment<wmma::accumulator, M, N, K, D> fd;
  wmma::load_matrix_sync(fa, a + blockIdx.x * M * K, K);
  wmma::load_matrix_sync(fb, b + blockIdx.x * N * K, K);
  wmma::load_matrix_sync(fc, c + blockIdx.x * M * N, N, wmma::mem_row_major);
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d + blockIdx.x * M * N, fd, N, wmma::mem_row_major);
}

template <int M, int N, int K, class T, class Storage, class C, class D>
void run_tiles(const char* name, Format f, Format fc) {
  Buffer a(cases * M * K * sizeof(Storage)), b(cases * N * K * sizeof(Storage));
  Buffer c(cases * M * N * sizeof(C)), d(cases * M * N * sizeof(D));
  for (int kind = 0; kind < kind_count; ++kind) {
    random_state = 1181783497276652981ull + kind;
    fill(a.host.data(), a.host.size(), f, Kind(kind));
    fill(b.host.data(), b.host.size(), f, Kind(kind));
    fill(c.host.data(), c.host.size(), fc, Kind(kind));
    for (Buffer* buffer : {&a, &b, &c}) buffer->upload();
    tile_product<M, N, K, T><<<cases, 32>>>(
        static_cast<const Storage*>(a.device), static_cast<const Storage*>(b.device),
        static_cast<const C*>(c.device), static_cast<D*>(d.device));
    d.download();
    report("wmma m" + std::to_string(M) + "n" + std::to_string(N) + "k" + std::to_string(K) + " " +
               name + " " + kinds[kind],
           d, M * N * sizeof(D));
  }
}

template <int M, int N>
void run_tile_shape() {
  run_tiles<M, N, 16, half, half, float, float>("f32.f16.f32", f16, f32);
  run_tiles<M, N, 16, half, half, half, half>("f16.f16.f16", f16, f16);
  run_tiles<M, N, 16, half, half, half, float>("f32.f16.f16", f16, f16);
  run_tiles<M, N, 16, half, half, float, half>("f16.f16.f32", f16, f32);
  run_tiles<M, N, 16, __nv_bfloat16, __nv_bfloat16, float, float>("f32.bf16.f32", bf16, f32);
  run_tiles<M, N, 16, signed char, signed char, int, int>("s32.s8.s32", byte, s32);
  run_tiles<M, N, 16, unsigned char, unsigned char, int, int>("s32.u8.s32", byte, s32);
}

// Which elements a fragment holds

/// Numbers the elements 0, 1, ... in memory (bytes only modulo 256, so also divided by 256) and
/// shows what each lane's fragment holds.
template <class Fragment, class Storage>
__global__ void fragment_of_numbers(Storage* memory, unsigned char* out, int pitch, int layout,
                                    int count, int shift) {
  using Bits = std::conditional_t<
      sizeof(Storage) == 1, unsigned char,
      std::conditional_t<sizeof(Storage) == 2, unsigned short,
                         std::conditional_t<sizeof(Storage) == 4, unsigned, unsigned long long>>>;
  for (int i = threadIdx.x; i < count; i += 32)
    reinterpret_cast<Bits*>(memory)[i] = static_cast<Bits>(i >> shift);
  __syncwarp();
  Fragment fragment;
  if constexpr (std::is_same_v<Fragment, wmma::fragment<wmma::accumulator, 16, 16, 16, Storage>> ||
                std::is_same_v<Fragment, wmma::fragment<wmma::accumulator, 32, 8, 16, Storage>> ||
                std::is_same_v<Fragment, wmma::fragment<wmma::accumulator, 8, 32, 16, Storage>> ||
                std::is_same_v<Fragment, wmma::fragment<wmma::accumulator, 16, 16, 8, Storage>> ||
                std::is_same_v<Fragment, wmma::fragment<wmma::accumulator, 8, 8, 4, Storage>>)
    wmma::load_matrix_sync(fragment, memory, pitch,
                           layout ? wmma::mem_col_major : wmma::mem_row_major);
  else
    wmma::load_matrix_sync(fragment, memory, pitch);
  for (int i = 0; i < fragment.num_elements; ++i)
    reinterpret_cast<Bits*>(out)[threadIdx.x * fragment.num_elements + i] =
        reinterpret_cast<const Bits&>(fragment.x[i]);
}

template <class Fragment, class Storage>
void run_fragment(const std::string& name, int lines, int columns, int layout) {
  const int pitch = columns + 16, count = lines * pitch;
  constexpr std::size_t bytes = 32 * Fragment::num_elements * sizeof(Storage);
  Buffer memory(count * sizeof(Storage)), out(bytes);
  for (int shift : {0, 8}) {
    if (shift && sizeof(Storage) > 1) continue;
    fragment_of_numbers<Fragment, Storage><<<1, 32>>>(static_cast<Storage*>(memory.device),
                                                      static_cast<unsigned char*>(out.device),
                                                      pitch, layout, count, shift);
    out.download();
    report("fragment " + name + (shift ? ", high bytes" : ""), out, bytes / 32);
  }
}

template <int M, int N, int K, class T, class Storage>
void run_fragments(const char* type) {
  const std::string shape =
      "m" + std::to_string(M) + "n" + std::to_string(N) + "k" + std::to_string(K) + " " + type;
  run_fragment<wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major>, Storage>(
      "a row " + shape, M, K, 0);
  run_fragment<wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::col_major>, Storage>(
      "a col " + shape, K, M, 1);
  run_fragment<wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::row_major>, Storage>(
      "b row " + shape, K, N, 0);
  run_fragment<wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major>, Storage>(
      "b col " + shape, N, K, 1);
}
template <int M, int N, int K, class T>
void run_accumulators(const char* type) {
  const std::string shape =
      "m" + std::to_string(M) + "n" + std::to_string(N) + "k" + std::to_string(K) + " " + type;
  run_fragment<wmma::fragment<wmma::accumulator, M, N, K, T>, T>("c row " + shape, M, N, 0);
  run_fragment<wmma::fragment<wmma::accumulator, M, N, K, T>, T>("c col " + shape, N, M, 1);
}
template <int M, int N>
void run_fragment_shape() {
  run_fragments<M, N, 16, half, half>("f16");
  run_fragments<M, N, 16, __nv_bfloat16, __nv_bfloat16>("bf16");
  run_fragments<M, N, 16, signed char, signed char>("s8");
  run_accumulators<M, N, 16, half>("f16");
  run_accumulators<M, N, 16, float>("f32");
}

// ldmatrix, stmatrix, movmatrix

__global__ void moves(uint32_t* out) {
  __shared__ __align__(16) unsigned short s[4 * 8 * 8];
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 256; i += 32) s[i] = static_cast<unsigned short>(i);
  __syncthreads();
  auto base = static_cast<unsigned>(__cvta_generic_to_shared(s));
  const unsigned address = base + 16 * (lane * 5 % 32);
  uint32_t r[16];
#define LOAD4(AT, TRANS)                                                                \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" TRANS ".shared.b16 {%0,%1,%2,%3}, [%4];" \
               : "=r"(r[AT]), "=r"(r[AT + 1]), "=r"(r[AT + 2]), "=r"(r[AT + 3])         \
               : "r"(address))
  LOAD4(0, "");
  LOAD4(4, ".trans");
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[8]), "=r"(r[9])
               : "r"(address));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[10]) : "r"(address));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[11]) : "r"(r[0]));
  __syncthreads();
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(address),
               "r"(r[3]), "r"(r[2]), "r"(r[9]), "r"(r[0])
               : "memory");
  __syncthreads();
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1,%2};" ::"r"(address), "r"(r[6]),
               "r"(r[11])
               : "memory");
  __syncthreads();
  for (unsigned i = 0; i < 4; ++i) r[12 + i] = reinterpret_cast<uint32_t*>(s)[i * 32 + lane];
  for (unsigned i = 0; i < 16; ++i) out[i * 32 + lane] = r[i];
}

int main(int argc, char** argv) {
  prints_all = argc > 1 && std::string(argv[1]) == "--full";
  run_products();
  run_tile_shape<16, 16>();
  run_tile_shape<32, 8>();
  run_tile_shape<8, 32>();
  run_tiles<16, 16, 8, wmma::precision::tf32, float, float, float>("f32.tf32.f32", tf32, f32);
  run_tiles<8, 8, 4, double, double, double, double>("f64", f64, f64);
  run_fragment_shape<16, 16>();
  run_fragment_shape<32, 8>();
  run_fragment_shape<8, 32>();
  run_fragments<16, 16, 8, wmma::precision::tf32, float>("tf32");
  run_accumulators<16, 16, 8, float>("f32");
  run_fragments<8, 8, 4, double, double>("f64");
  run_accumulators<8, 8, 4, double>("f64");
  Buffer out(16 * 32 * 4);
  moves<<<1, 32>>>(static_cast<uint32_t*>(out.device));
  out.download();
  report("ldmatrix, stmatrix, movmatrix", out, 128);
  return 0;
}
