/// \file
/// The results of the warpgroup's matrix products, for
/// common/verification/recorded/wgmma_products.txt: every type of wgmma with inputs of several
/// kinds, and where descriptors find their elements.
///
///     build/wgmma_products > common/verification/recorded/wgmma_products.txt
///     build/wgmma_products --full
///
/// A line is a hash over the results of one instruction, one pair of descriptors and one kind of
/// inputs. Shared memory is full of elements, so that a descriptor misread gives other sums.
/// --full prints the results of the narrowest products as well.
#include "matrix_inputs.h"

using Word = uint32_t;

constexpr int cases = 8;
constexpr unsigned image_bytes = 48 * 1024;

/// One launch: where the matrices are in shared memory, and how.
struct Call {
  const Word* image;  ///< image_words for each block
  const Word* a;      ///< four registers a thread
  const Word* c;
  Word* d;
  uint64_t descriptor_a, descriptor_b;  ///< of matrices that begin at the start of shared memory
  unsigned image_words;
  int adds;  ///< scale-d
};

struct Product {
  const char *opcode, *operands;
  void (*launch)(const Call&, int blocks);
  int n, registers;
  Format format_a, format_b, format_c;
};
std::vector<Product>& products() {
  static std::vector<Product> all;
  return all;
}
struct Registered {
  explicit Registered(const Product& product) { products().push_back(product); }
};

__device__ uint64_t fill_shared(const Call& call, Word* memory) {
  for (unsigned i = threadIdx.x; i < call.image_words; i += 128)
    memory[i] = call.image[blockIdx.x * call.image_words + i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  return static_cast<uint64_t>(__cvta_generic_to_shared(memory)) >> 4;
}

// Registers of D by number, after two descriptors, a predicate and four registers of A.
#define S2 "%7,%8"
#define S4 S2 ",%9,%10"
#define S6 S4 ",%11,%12"
#define S8 S6 ",%13,%14"
#define S12 S8 ",%15,%16,%17,%18"
#define S16 S12 ",%19,%20,%21,%22"
#define S32 S16 ",%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38"
#define S64                                                                                      \
  S32 ",%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60" \
      ",%61,%62,%63,%64,%65,%66,%67,%68,%69,%70"
#define S128                                                                                     \
  S64 ",%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92" \
      ",%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111" \
      ",%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127,%128"    \
      ",%129,%130,%131,%132,%133,%134"
#define D2(I) "+r"(d[I]), "+r"(d[I + 1])
#define D4(I) D2(I), D2(I + 2)
#define D6(I) D4(I), D2(I + 4)
#define D8(I) D4(I), D4(I + 4)
#define D12(I) D8(I), D4(I + 8)
#define D16(I) D8(I), D8(I + 8)
#define D32(I) D16(I), D16(I + 16)
#define D64(I) D32(I), D32(I + 32)
#define D128(I) D64(I), D64(I + 64)

#define PRODUCT_(LINE, COUNT, N, FA, FB, FC, OP, OPERANDS)                                        \
  __global__ __launch_bounds__(128) void product_##LINE(Call call) {                              \
    __shared__ __align__(1024) Word memory[image_bytes / 4];                                      \
    const uint64_t start = fill_shared(call, memory);                                             \
    uint64_t of_a = call.descriptor_a + start, of_b = call.descriptor_b + start;                  \
    Word d[COUNT], a[4];                                                                          \
    const unsigned thread = blockIdx.x * 128 + threadIdx.x;                                       \
    for (int i = 0; i < 4; ++i) a[i] = call.a[thread * 4 + i];                                    \
    for (int i = 0; i < COUNT; ++i) d[i] = call.c[thread * COUNT + i];                            \
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                       \
    asm volatile("{.reg .pred p; setp.ne.b32 p, %2, 0; wgmma.mma_async.sync.aligned." OP          \
                 " {" S##COUNT "}, " OPERANDS ";}"                                                \
                 : "+l"(of_a), "+l"(of_b), "+r"(call.adds), "+r"(a[0]), "+r"(a[1]), "+r"(a[2]),   \
                   "+r"(a[3]), D##COUNT(0));                                                      \
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                                \
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");                                \
    for (int i = 0; i < COUNT; ++i) call.d[thread * COUNT + i] = d[i];                            \
  }                                                                                               \
  const Registered registered_##LINE{                                                             \
      {OP, OPERANDS, [](const Call& call, int blocks) { product_##LINE<<<blocks, 128>>>(call); }, \
       N, COUNT, FA, FB, FC}};
#define PRODUCT_AT(LINE, ...) PRODUCT_(LINE, __VA_ARGS__)
#define PRODUCT(...) PRODUCT_AT(__COUNTER__, __VA_ARGS__)

#define SHARED "%0, %1, p"
#define REGISTERS "{%3,%4,%5,%6}, %1, p"
/// Three widths of one type, A in shared memory or in registers.
#define TO_32(K, FA, FB, FC, TYPES, SCALES, TRANSPOSED_A, TRANSPOSED_B)                \
  PRODUCT(4, 8, FA, FB, FC, "m64n8k" K TYPES, SHARED SCALES TRANSPOSED_A TRANSPOSED_B) \
  PRODUCT(12, 24, FA, FB, FC, "m64n24k" K TYPES, REGISTERS SCALES TRANSPOSED_B)        \
  PRODUCT(128, 256, FA, FB, FC, "m64n256k" K TYPES, SHARED SCALES TRANSPOSED_A TRANSPOSED_B)
#define TO_F16(K, FA, FB, TYPES, TRANSPOSED_A, TRANSPOSED_B)                              \
  PRODUCT(2, 8, FA, FB, f16, "m64n8k" K TYPES, SHARED ", 1, 1" TRANSPOSED_A TRANSPOSED_B) \
  PRODUCT(6, 24, FA, FB, f16, "m64n24k" K TYPES, REGISTERS ", 1, 1" TRANSPOSED_B)         \
  PRODUCT(64, 256, FA, FB, f16, "m64n256k" K TYPES, SHARED ", 1, 1" TRANSPOSED_A TRANSPOSED_B)
/// Elements may be negated, and stored in columns.
#define ONLY_NEGATED(COUNT, K, FA, FB, FC, TYPES, TRANSPOSED_A, TRANSPOSED_B)                   \
  PRODUCT(COUNT, 16, FA, FB, FC, "m64n16k" K TYPES, SHARED ", -1, 1" TRANSPOSED_A TRANSPOSED_B) \
  PRODUCT(COUNT, 16, FA, FB, FC, "m64n16k" K TYPES, SHARED ", 1, -1" TRANSPOSED_A TRANSPOSED_B) \
  PRODUCT(COUNT, 16, FA, FB, FC, "m64n16k" K TYPES, REGISTERS ", -1, -1" TRANSPOSED_B)
#define TRANSPOSED(COUNT, F, FC, TYPES)                                  \
  PRODUCT(COUNT, 64, F, F, FC, "m64n64k16" TYPES, SHARED ", 1, 1, 1, 0") \
  PRODUCT(COUNT, 64, F, F, FC, "m64n64k16" TYPES, SHARED ", 1, 1, 0, 1") \
  PRODUCT(COUNT, 64, F, F, FC, "m64n64k16" TYPES, SHARED ", 1, 1, 1, 1") \
  PRODUCT(COUNT, 64, F, F, FC, "m64n64k16" TYPES, REGISTERS ", 1, 1, 1")

TO_32("16", f16, f16, f32, ".f32.f16.f16", ", 1, 1", ", 0", ", 0")
TO_F16("16", f16, f16, ".f16.f16.f16", ", 0", ", 0")
TO_32("16", bf16, bf16, f32, ".f32.bf16.bf16", ", 1, 1", ", 0", ", 0")
TO_32("8", tf32, tf32, f32, ".f32.tf32.tf32", ", 1, 1", "", "")
#define BYTE_FLOATS(FA, FB, TYPES)                         \
  TO_32("32", FA, FB, f32, ".f32" TYPES, ", 1, 1", "", "") \
  TO_F16("32", FA, FB, ".f16" TYPES, "", "")
BYTE_FLOATS(e4m3, e4m3, ".e4m3.e4m3")
BYTE_FLOATS(e4m3, e5m2, ".e4m3.e5m2")
BYTE_FLOATS(e5m2, e4m3, ".e5m2.e4m3")
BYTE_FLOATS(e5m2, e5m2, ".e5m2.e5m2")
#define INTEGERS(TYPES)                                  \
  TO_32("32", byte, byte, s32, ".s32" TYPES, "", "", "") \
  TO_32("32", byte, byte, s32, ".satfinite.s32" TYPES, "", "", "")
INTEGERS(".s8.s8")
INTEGERS(".s8.u8")
INTEGERS(".u8.s8")
INTEGERS(".u8.u8")
TO_32("256", bit, bit, s32, ".s32.b1.b1.and.popc", "", "", "")
ONLY_NEGATED(8, "16", f16, f16, f32, ".f32.f16.f16", ", 0", ", 0")
ONLY_NEGATED(4, "16", f16, f16, f16, ".f16.f16.f16", ", 0", ", 0")
ONLY_NEGATED(8, "16", bf16, bf16, f32, ".f32.bf16.bf16", ", 0", ", 0")
ONLY_NEGATED(8, "8", tf32, tf32, f32, ".f32.tf32.tf32", "", "")
ONLY_NEGATED(8, "32", e4m3, e5m2, f32, ".f32.e4m3.e5m2", "", "")
ONLY_NEGATED(4, "32", e5m2, e4m3, f16, ".f16.e5m2.e4m3", "", "")
TRANSPOSED(32, f16, f32, ".f32.f16.f16")
TRANSPOSED(16, f16, f16, ".f16.f16.f16")
TRANSPOSED(32, bf16, f32, ".f32.bf16.bf16")

// Descriptors

enum Swizzle { none, by_128, by_64, by_32 };
/// @param at, leading, stride in bytes.
constexpr uint64_t descriptor(unsigned at, unsigned leading, unsigned stride, Swizzle swizzle,
                              unsigned base_offset = 0) {
  return uint64_t{at} >> 4 | uint64_t{leading >> 4} << 16 | uint64_t{stride >> 4} << 32 |
         uint64_t{base_offset} << 49 | static_cast<uint64_t>(swizzle) << 62;
}
struct Layout {
  const char* name;
  uint64_t of_a, of_b;
};
const Layout narrow{"", descriptor(0, 1024, 128, none), descriptor(2048, 128, 256, none)};
const Layout layouts[] = {
    {"none, wide", descriptor(16, 2048, 160, none), descriptor(5120, 512, 1024, none)},
    {"none, equal", descriptor(64, 0, 0, none), descriptor(1024, 16, 16, none)},
    {"32", descriptor(0, 0, 256, by_32), descriptor(8192, 4096, 512, by_32)},
    {"64", descriptor(0, 16, 512, by_64), descriptor(8192, 4096, 1024, by_64)},
    {"128", descriptor(0, 16, 1024, by_128), descriptor(8192, 2048, 1024, by_128)},
    {"32 and 64, second steps", descriptor(32, 64, 256, by_32), descriptor(8224, 2048, 512, by_64)},
    {"128, second steps", descriptor(32, 1024, 1024, by_128), descriptor(8288, 16, 1024, by_128)},
    {"128, odd starts", descriptor(16, 1024, 1024, by_128), descriptor(9344, 16, 1024, by_128)},
    {"128, base offsets", descriptor(128, 512, 1024, by_128, 1),
     descriptor(8192 + 384, 16, 1024, by_128, 3)},
    {"64 and 32, base offsets", descriptor(128, 512, 512, by_64, 1),
     descriptor(8192 + 256, 16, 256, by_32, 2)},
    {"128, base offsets of nothing", descriptor(0, 512, 1024, by_128, 5),
     descriptor(8192, 1024, 1024, by_128, 2)},
    {"128, strides of others", descriptor(0, 256, 384, by_128),
     descriptor(8192, 2048, 144, by_128)},
};

/// Runs one product with inputs of one kind.
void run(const Product& p, const Layout& layout, Kind kind, int blocks, unsigned bytes, bool adds,
         uint64_t seed) {
  Buffer image(blocks * bytes), a(blocks * 128 * 16), c(blocks * 512 * p.registers);
  Buffer d(c.host.size());
  random_state = seed + kind;
  // A and B alternate every 2048 and 8192 bytes: most descriptors find each in its own format.
  for (int block = 0; block < blocks; ++block) {
    unsigned char* start = image.host.data() + block * bytes;
    const unsigned of_a = bytes == image_bytes ? 8192 : 2048;
    fill(start, of_a, p.format_a, kind);
    fill(start + of_a, bytes - of_a, p.format_b, kind);
  }
  fill(a.host.data(), a.host.size(), p.format_a, kind);
  fill(c.host.data(), c.host.size(), p.format_c, kind);
  for (Buffer* buffer : {&image, &a, &c}) buffer->upload();
  p.launch({static_cast<const Word*>(image.device), static_cast<const Word*>(a.device),
            static_cast<const Word*>(c.device), static_cast<Word*>(d.device), layout.of_a,
            layout.of_b, bytes / 4, adds},
           blocks);
  check(cudaGetLastError());
  d.download();
  const bool showed = prints_all;
  prints_all = prints_all && p.n == 8;
  report(std::string(p.opcode) + (std::strchr(p.operands, '{') ? " registers" : "") +
             std::string(std::strchr(p.operands, 'p') + 1) + (adds ? " " : " zeroed ") +
             kinds[kind] + (*layout.name ? ", layout " : "") + layout.name,
         d, 512 * p.registers);
  prints_all = showed;
}

void run_kinds(const Product& p) {
  for (int kind = 0; kind < kind_count; ++kind) {
    const bool is_wide = p.n == 256;
    if (is_wide && kind != near_one && kind != specials) continue;
    run(p, narrow, Kind(kind), is_wide ? 2 : cases, 10 * 1024, true, 88172645463325252ull);
  }
  run(p, narrow, near_one, 1, 10 * 1024, false, 0x9e3779b97f4a7c15ull);
  run(p, narrow, specials, 2, 10 * 1024, false, 0x9e3779b97f4a7c15ull);
}

int main(int argc, char** argv) {
  prints_all = argc > 1 && std::string(argv[1]) == "--full";
  for (const Product& p : products()) run_kinds(p);
  prints_all = false;
  for (const Product& p : products())
    for (const Layout& layout : layouts)
      run(p, layout, near_one, 1, image_bytes, true, 1181783497276652981ull);
  return 0;
}
