/// \file
/// The results of tensor cores for matrices with one half left out, for
/// common/verification/recorded/sparse_products.txt: every sparse product with inputs of several
/// kinds, the metadata of each lane chosen at random, with each selector.
///
///     build/sparse_products > common/verification/recorded/sparse_products.txt
///     build/sparse_products --full
///
/// A line is a hash over the results of one instruction and one kind of inputs; --full prints the
/// results as well.
#include "matrix_inputs.h"

constexpr int cases = 24;

using Word = uint32_t;

/// The registers of one lane. A and B have as many.
template <int Factors, int Sums>
struct Registers {
  Word a[Factors], b[Factors], c[Sums], d[Sums], metadata;
};

#define MULTIPLY_2_2(OP, K, TO, r)                                                                 \
  asm volatile(OP " {%0,%1}, {%2,%3}, {%4,%5}, {%6,%7}, %8, %9;"                                   \
               : "=" K(TO(r.d[0])), "=" K(TO(r.d[1]))                                              \
               : "r"(r.a[0]), "r"(r.a[1]), "r"(r.b[0]), "r"(r.b[1]), K(TO(r.c[0])), K(TO(r.c[1])), \
                 "r"(r.metadata), "n"(Selector))
#define MULTIPLY_4_2(OP, K, TO, r)                                                             \
  asm volatile(OP " {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%10,%11}, %12, %13;"               \
               : "=" K(TO(r.d[0])), "=" K(TO(r.d[1]))                                          \
               : "r"(r.a[0]), "r"(r.a[1]), "r"(r.a[2]), "r"(r.a[3]), "r"(r.b[0]), "r"(r.b[1]), \
                 "r"(r.b[2]), "r"(r.b[3]), K(TO(r.c[0])), K(TO(r.c[1])), "r"(r.metadata),      \
                 "n"(Selector))
#define MULTIPLY_2_4(OP, K, TO, r)                                                                 \
  asm volatile(OP " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11}, %12, %13;"                   \
               : "=" K(TO(r.d[0])), "=" K(TO(r.d[1])), "=" K(TO(r.d[2])), "=" K(TO(r.d[3]))        \
               : "r"(r.a[0]), "r"(r.a[1]), "r"(r.b[0]), "r"(r.b[1]), K(TO(r.c[0])), K(TO(r.c[1])), \
                 K(TO(r.c[2])), K(TO(r.c[3])), "r"(r.metadata), "n"(Selector))
#define MULTIPLY_4_4(OP, K, TO, r)                                                               \
  asm volatile(OP " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, %17;" \
               : "=" K(TO(r.d[0])), "=" K(TO(r.d[1])), "=" K(TO(r.d[2])), "=" K(TO(r.d[3]))      \
               : "r"(r.a[0]), "r"(r.a[1]), "r"(r.a[2]), "r"(r.a[3]), "r"(r.b[0]), "r"(r.b[1]),   \
                 "r"(r.b[2]), "r"(r.b[3]), K(TO(r.c[0])), K(TO(r.c[1])), K(TO(r.c[2])),          \
                 K(TO(r.c[3])), "r"(r.metadata), "n"(Selector))
#define AS_WORD(x) (x)
#define AS_FLOAT(x) reinterpret_cast<float&>(x)

struct Device {
  const Word *a, *b, *c, *metadata;
  Word* d;
};

struct Product {
  const char* opcode;
  int factors, sums, selectors;
  Format a, b, c;
  void (*launch[4])(const Device&);
};
std::vector<Product>& products() {
  static std::vector<Product> all;
  return all;
}
struct Registered {
  explicit Registered(const Product& product) { products().push_back(product); }
};

template <int Count>
__device__ void load(Word (&registers)[Count], const Word* from) {
  for (int i = 0; i < Count; ++i) registers[i] = from[(blockIdx.x * Count + i) * 32 + threadIdx.x];
}

#define PRODUCT_(LINE, F, S, SELECTORS, K, TO, FA, FB, FC, OP)                          \
  template <int Selector>                                                               \
  __global__ void product_##LINE(Device on) {                                           \
    Registers<F, S> r;                                                                  \
    load(r.a, on.a);                                                                    \
    load(r.b, on.b);                                                                    \
    load(r.c, on.c);                                                                    \
    r.metadata = on.metadata[blockIdx.x * 32 + threadIdx.x];                            \
    MULTIPLY_##F##_##S(OP, K, TO, r);                                                   \
    for (int i = 0; i < S; ++i) on.d[(blockIdx.x * S + i) * 32 + threadIdx.x] = r.d[i]; \
  }                                                                                     \
  template <int Selector>                                                               \
  void launch_##LINE(const Device& on) {                                                \
    product_##LINE<(Selector < SELECTORS ? Selector : 0)><<<cases, 32>>>(on);           \
  }                                                                                     \
  const Registered registered_##LINE{                                                   \
      {OP,                                                                              \
       F,                                                                               \
       S,                                                                               \
       SELECTORS,                                                                       \
       FA,                                                                              \
       FB,                                                                              \
       FC,                                                                              \
       {launch_##LINE<0>, launch_##LINE<1>, launch_##LINE<2>, launch_##LINE<3>}}};
#define PRODUCT_AT(LINE, ...) PRODUCT_(LINE, __VA_ARGS__)
#define SPARSE "mma.sp::ordered_metadata.sync.aligned."
#define TO_F32(F, SELECTORS, FA, FB, OP) \
  PRODUCT_AT(__COUNTER__, F, 4, SELECTORS, "f", AS_FLOAT, FA, FB, f32, SPARSE OP)
#define TO_WORD(F, S, SELECTORS, FA, FC, OP) \
  PRODUCT_AT(__COUNTER__, F, S, SELECTORS, "r", AS_WORD, FA, FA, FC, SPARSE OP)

TO_F32(2, 4, f16, f16, "m16n8k16.row.col.f32.f16.f16.f32")
TO_F32(4, 2, f16, f16, "m16n8k32.row.col.f32.f16.f16.f32")
TO_WORD(2, 2, 4, f16, f16, "m16n8k16.row.col.f16.f16.f16.f16")
TO_WORD(4, 2, 2, f16, f16, "m16n8k32.row.col.f16.f16.f16.f16")
TO_F32(2, 4, bf16, bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
TO_F32(4, 2, bf16, bf16, "m16n8k32.row.col.f32.bf16.bf16.f32")
TO_F32(2, 4, tf32, tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
TO_F32(4, 2, tf32, tf32, "m16n8k16.row.col.f32.tf32.tf32.f32")
TO_F32(4, 1, e4m3, e4m3, "m16n8k64.row.col.f32.e4m3.e4m3.f32")
TO_F32(4, 1, e5m2, e5m2, "m16n8k64.row.col.f32.e5m2.e5m2.f32")
TO_F32(4, 1, e4m3, e5m2, "m16n8k64.row.col.f32.e4m3.e5m2.f32")
TO_F32(4, 1, e5m2, e4m3, "m16n8k64.row.col.f32.e5m2.e4m3.f32")
TO_WORD(2, 4, 2, byte, s32, "m16n8k32.row.col.s32.s8.s8.s32")
TO_WORD(4, 4, 1, byte, s32, "m16n8k64.row.col.s32.s8.s8.s32")
TO_WORD(2, 4, 2, byte, s32, "m16n8k32.row.col.satfinite.s32.u8.s8.s32")
TO_WORD(4, 4, 1, byte, s32, "m16n8k64.row.col.satfinite.s32.s8.u8.s32")
TO_WORD(2, 4, 2, nibble, s32, "m16n8k64.row.col.s32.s4.s4.s32")
TO_WORD(4, 4, 1, nibble, s32, "m16n8k128.row.col.s32.s4.s4.s32")
TO_WORD(4, 4, 1, nibble, s32, "m16n8k128.row.col.satfinite.s32.u4.s4.s32")

/// Two places of four in ascending order, or one of two where elements are tf32, eight times.
Word random_metadata(bool of_tf32) {
  constexpr Word pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe}, singles[] = {0x4, 0xe};
  Word all = 0;
  for (int i = 0; i < 8; ++i)
    all |= (of_tf32 ? singles[random_below(2)] : pairs[random_below(6)]) << (4 * i);
  return all;
}

void run(const Product& p, Kind kind) {
  constexpr std::size_t lanes = 32 * sizeof(Word);
  Buffer a(cases * p.factors * lanes), b(cases * p.factors * lanes), c(cases * p.sums * lanes);
  Buffer metadata(cases * lanes), d(cases * p.sums * lanes);
  random_state = 88172645463325252ull + kind;
  fill(a.host.data(), a.host.size(), p.a, kind);
  fill(b.host.data(), b.host.size(), p.b, kind);
  fill(c.host.data(), c.host.size(), p.c, kind);
  auto* words = reinterpret_cast<Word*>(metadata.host.data());
  for (int i = 0; i < cases * 32; ++i) words[i] = random_metadata(p.a.bits == 32);
  for (Buffer* buffer : {&a, &b, &c, &metadata}) buffer->upload();
  auto of = [](const Buffer& buffer) { return static_cast<Word*>(buffer.device); };
  p.launch[kind % p.selectors]({of(a), of(b), of(c), of(metadata), of(d)});
  d.download();
  report(std::string(p.opcode) + " " + kinds[kind], d, p.sums * lanes);
}

int main(int argc, char** argv) {
  prints_all = argc > 1 && std::string(argv[1]) == "--full";
  for (const Product& product : products())
    for (int kind = 0; kind < kind_count; ++kind) run(product, Kind(kind));
  return 0;
}
